// Everything that is drawn: cards with a number, arrows, and the signs of the marks (UD-37).
import { Match, Show, Switch } from "solid-js";

const HEART = "M12 20.5 4.2 12.6C1.6 9.9 2 5.9 5 4.3c2.5-1.3 5.3-.4 7 2 1.7-2.4 4.5-3.3 7-2 3 1.6 3.4 5.6.8 8.3Z";

export const Mark = (props: { level: number }) => (
  <svg class={`mark level-${props.level}`} viewBox="0 0 24 24" aria-hidden="true">
    <Switch fallback={<path d={HEART} class="outline" />}>
      <Match when={props.level === 1}>
        <path d="m4 12.5 5.5 5.5L20 6" class="check" />
      </Match>
      <Match when={props.level === 2}>
        <path d={HEART} />
      </Match>
      <Match when={props.level === 3}>
        <path d={HEART} transform="translate(8.6 .2) scale(.62)" class="behind" />
        <path d={HEART} transform="translate(-.4 5) scale(.78)" class="before" />
      </Match>
    </Switch>
  </svg>
);

export const Arrow = () => (
  <svg class="arrow" viewBox="0 0 24 60" aria-hidden="true">
    <path d="M12 4v52M3 14l9-10 9 10" />
    <path d="m5 28 7-8 7 8M5 42l7-8 7 8" class="faint" />
  </svg>
);

// The number is drawn by the style sheet: what a card says is in the label of its button. The line
// under it shows where in the deck it stands.
export const NumberFace = (props: { value: number; share?: number }) => (
  <span class="number" aria-hidden="true">
    <span class="corner" data-value={props.value} />
    <b data-value={props.value} />
    <Show when={props.share !== undefined}>
      <i class="scale">
        <i style={{ left: `${props.share! * 100}%` }} />
      </i>
    </Show>
  </span>
);
