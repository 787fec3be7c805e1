// A cheer: a word that lights up over the table while signs fly apart. It is decoration; the log and the screen reader
// tell what happened.
import { createSignal, For, onCleanup, Show } from "solid-js";
import "./Cheer.css";

export interface Cheer {
  text: string;
  signs?: string; // what flies, each character once or more
}

const SHOWN_MS = 1900;
const FLYING = 18;

export function createCheers() {
  const [cheer, setCheer] = createSignal<Cheer | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  return {
    cheer,
    show(next: Cheer) {
      clearTimeout(timer);
      setCheer(next);
      timer = setTimeout(() => setCheer(null), SHOWN_MS);
    },
  };
}

// The signs fly in evenly spaced directions, alternately near and far.
const flight = (i: number) => ({
  "--turn": `${(i * 360) / FLYING + (i % 3) * 6}deg`,
  "--far": `${[11, 17, 14][i % 3]}rem`,
  "animation-delay": `${(i % 4) * 40}ms`,
});

export function CheerView(props: { cheer: Cheer | null }) {
  return (
    <Show when={props.cheer} keyed>
      {(cheer) => (
        <div class="cheer" aria-hidden="true">
          <For each={Array.from({ length: FLYING }, (_none, i) => i)}>
            {(i) => <i style={flight(i)}>{[...(cheer.signs ?? "♠♥♣♦")][i % [...(cheer.signs ?? "♠♥♣♦")].length]}</i>}
          </For>
          <b>{cheer.text}</b>
        </div>
      )}
    </Show>
  );
}
