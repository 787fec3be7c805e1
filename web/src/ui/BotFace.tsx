// A bot's face: a sea animal behind a porthole, with an antenna and a screen for eyes. Who it is comes from the engine;
// dots in its level's colour say how well it plays. People have no such face, so that a bot is known at a glance.
import { levels } from "virtual:world";
import { For, Show } from "solid-js";
import type { Seat } from "../model";
import { BotSign } from "./controls";
import { language, said, t } from "../languages";
import "./BotFace.css";

// `body` is filled, `limbs` are drawn as lines; the screen lies at the height `eyes`.
const animals: Record<string, { body: string; limbs?: string; eyes: number }> = {
  crab: {
    body:
      "M7 19a9 6.5 0 0 1 18 0a9 6 0 0 1-18 0ZM3.5 14.5a3.5 3.5 0 0 1 1-6l1.5 2.5 2-2a3.5 3.5 0 0 1-4.5" +
      " 5.5ZM28.5 14.5a3.5 3.5 0 0 0-1-6l-1.5 2.5-2-2a3.5 3.5 0 0 0 4.5 5.5Z",
    limbs: "M6 14l3 3M26 14l-3 3M8 22l-2.5 3M11.5 24l-1 3M24 22l2.5 3M20.5 24l1 3",
    eyes: 18,
  },
  jellyfish: {
    body:
      "M6 18.5a10 9.5 0 0 1 20 0c0 2-2.5 2-3.3.5-1 1.5-2.5 1.5-3.3 0-1 1.5-2.5 1.5-3.4 0-.9 1.5-2.4" +
      " 1.5-3.4 0-.8 1.5-2.3 1.5-3.3 0-.8 1.5-3.3 1.5-3.3-.5Z",
    limbs:
      "M10 21c-1.5 2 1.5 3 0 5.5M14 21c-1.5 2.5 1.5 3.5 0 6.5M18 21c1.5 2.5-1.5 3.5 0 6.5" + "M22 21c1.5 2-1.5 3 0 5.5",
    eyes: 15.5,
  },
  turtle: {
    body:
      "M6.5 19.5a9.5 9 0 0 1 19 0c0 1.5-1 2.5-2.5 2.5h-14c-1.5 0-2.5-1-2.5-2.5Z" +
      "M7 18l-4.5 5c2 1.5 4.5 1 6-1.5ZM25 18l4.5 5c-2 1.5-4.5 1-6-1.5ZM11 22h10l-2 4h-6Z",
    limbs: "",
    eyes: 17.5,
  },
  octopus: {
    body: "M8.5 16a7.5 8 0 0 1 15 0v5h-15Z",
    limbs: "M10 20c0 4-2 5-5 4.5M13.5 20c0 4-1 6.5-4 7M18.5 20c0 4 1 6.5 4 7M22 20c0 4 2 5 5 4.5",
    eyes: 16.5,
  },
  fish: {
    body:
      "M4.5 17.5c2-5 6-7.5 10-7.5 4.5 0 7.5 3 9 5.5l5-4c.5 4 .5 8 0 12l-5-4c-1.5 2.5-4.5 5.5-9 5.5-4" +
      " 0-8-2.5-10-7.5ZM12 10l4-3.5 2 4.5ZM12 25l3 3 2-3.5Z",
    eyes: 17.5,
  },
  oyster: {
    body: "M16 27 5.5 19.5a4 4 0 0 1 1-6 4.2 4.2 0 0 1 5-4 4.9 4.9 0 0 1 9 0 4.2 4.2 0 0 1 5 4 4 4 0 0 1 1 6Z",
    limbs: "M12.5 27.5h7",
    eyes: 17.5,
  },
  shrimp: {
    body:
      "M8 18a8 8 0 0 1 16 0c0 2.5-.8 4-2 5.5l2.5 4.5c-3 .8-5.5.3-8.5-1.5-3 1.8-5.5 2.3-8.5" +
      " 1.5l2.5-4.5c-1.2-1.5-2-3-2-5.5Z",
    limbs: "M11 11c-2-3-5-3.5-8-2.5M21 11c2-3 5-3.5 8-2.5M8.5 19.5l-4 1M23.5 19.5l4 1M9 22l-3.5 2M23 22l3.5 2",
    eyes: 17.5,
  },
  whale: {
    body:
      "M4 19.5c0-5 5-8.5 11-8.5 4.5 0 7.5 2 9 5 .7-1.5.5-3-1-5 3 .3 4.3 1.3 4.5 2.7.7-1.2 1.7-1.9 3-1.7 0" +
      " 3-2 4.5-3.5 6-.5 4.5-5 8-12 8s-11-2.5-11-6.5Z",
    limbs: "M8 24.5c4 1.5 9 1.5 13-.5",
    eyes: 18,
  },
};

export function BotFace(props: { face: string; level: string }) {
  const animal = () => animals[props.face] ?? animals.oyster!;
  const rank = () => levels.indexOf(props.level) + 1;
  return (
    <svg class="bot-face" data-level={props.level} viewBox="0 0 32 32" aria-hidden="true">
      <circle class="porthole" cx="16" cy="16" r="15" />
      <path class="limbs" d={`M16 12V5.5${animal().limbs ?? ""}`} />
      <circle class="bulb" cx="16" cy="5" r="2" />
      <path class="animal" d={animal().body} />
      <rect class="screen" x="9.5" y={animal().eyes - 3.5} width="13" height="7" rx="3" />
      <rect class="eye" x="11.7" y={animal().eyes - 1.8} width="2.8" height="3.6" rx="1.2" />
      <rect class="eye" x="17.5" y={animal().eyes - 1.8} width="2.8" height="3.6" rx="1.2" />
      <For each={Array.from({ length: rank() })}>
        {(_, i) => <circle class="pip" cx={16 + (i() - (rank() - 1) / 2) * 4.6} cy="29.5" r="1.9" />}
      </For>
    </svg>
  );
}

// What stands before the name of a seat: nothing for a person; the plain sign while a bot plays for one.
export function SeatFace(props: { seat: Seat | undefined }) {
  return (
    <Show when={props.seat?.bot}>
      {(level) => (
        <Show when={props.seat!.character} fallback={<BotSign />}>
          {(who) => (
            <span class="seat-face" title={t("{name}, {level} bot", { name: who().name, level: withArticle(level()) })}>
              <BotFace face={who().face} level={level()} />
            </span>
          )}
        </Show>
      )}
    </Show>
  );
}

// The level of a bot in a word, after its name. Where there is no room for it, it is only read aloud.
export const BotLevel = (props: { seat: Seat | undefined }) => (
  <Show when={props.seat?.character && props.seat.bot}>
    {(level) => <small class="bot-level">{said(level())}</small>}
  </Show>
);

const withArticle = (level: string): string =>
  language === "en" ? `${/^[aeiou]/.test(level) ? "an" : "a"} ${level}` : said(level);
