// A few short sounds, synthesised when they are played. They are off until a person switches them on.
import type { Step } from "../model";
import { choices } from "../settings";

let context: AudioContext | undefined;

function tone(at: number, from: number, to: number, length: number, type: OscillatorType, loud: number): void {
  const wave = context!.createOscillator();
  const gain = context!.createGain();
  wave.type = type;
  wave.frequency.setValueAtTime(from, at);
  wave.frequency.exponentialRampToValueAtTime(to, at + length);
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  wave.connect(gain).connect(context!.destination);
  wave.start(at);
  wave.stop(at + length);
}

const sounds = {
  card: (at: number) => tone(at, 900, 180, 0.07, "triangle", 0.25),
  call: (at: number) => tone(at, 392, 440, 0.16, "sine", 0.2),
  trick: (at: number) => [0, 0.06].forEach((later) => tone(at + later, 500, 140, 0.09, "triangle", 0.22)),
  turn: (at: number) => {
    tone(at, 523, 523, 0.12, "sine", 0.2);
    tone(at + 0.11, 784, 784, 0.18, "sine", 0.2);
  },
  end: (at: number) =>
    [523, 659, 784, 1047].forEach((pitch, i) => tone(at + i * 0.13, pitch, pitch, 0.3, "sine", 0.18)),
  talk: (at: number) => tone(at, 660, 880, 0.09, "sine", 0.14),
  no: (at: number) => tone(at, 200, 120, 0.16, "square", 0.1),
};

export function sound(name: keyof typeof sounds, wanted = choices.sounds): void {
  if (wanted) play(name);
}

// A page may sound once somebody has touched it; in Safari only from within the touch, and after a call anew.
export function wake(): void {
  if (!choices.sounds && choices.calls !== "yes") return;
  context ??= new AudioContext();
  if (context.state !== "running") void context.resume().catch(() => {});
}

function play(name: keyof typeof sounds): void {
  context ??= new AudioContext();
  sounds[name](context.currentTime);
}

// A sample for somebody who is about to switch the sounds on.
export const tryOut = (): void => play("end");

// The sound of a step: the most important of its events decides.
export function soundOf(step: Step, myTurn: boolean, wasMyTurn: boolean): keyof typeof sounds | undefined {
  if (step.events.some(({ event }) => event === "game-over")) return "end";
  if (myTurn && !wasMyTurn) return "turn";
  if (step.events.some(({ event }) => event === "trick-won")) return "trick";
  if (step.events.some(({ event, data }) => event === "trump-action" && data.action !== "pass")) return "call";
  return step.events.some(({ event }) => /played|dropped|discarded|melded|submitted|drawn|drew/.test(event))
    ? "card"
    : undefined;
}
