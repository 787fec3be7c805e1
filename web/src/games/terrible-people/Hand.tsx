// The seven answers of the own hand: arrow keys go through them, a choice fills the next blank.
import { createEffect, createSignal, For, Show, type JSX } from "solid-js";
import { blankName, type Text } from "./terrible";
import { t } from "../../languages";

export function Hand(props: {
  cards: Text[];
  chosen: readonly number[];
  blanks: number;
  idle: boolean;
  button: (card: number) => JSX.ButtonHTMLAttributes<HTMLButtonElement>;
}) {
  let list!: HTMLDivElement;
  const [current, setCurrent] = createSignal(0);
  createEffect(() => {
    if (current() >= props.cards.length) setCurrent(Math.max(0, props.cards.length - 1));
  });

  const buttons = () => [...list.querySelectorAll<HTMLButtonElement>("button")];
  const columns = () => {
    const all = buttons();
    const second = all.findIndex((one) => one.offsetTop !== all[0]!.offsetTop);
    return second < 0 ? all.length : second;
  };
  const onKey = (event: KeyboardEvent) => {
    const last = props.cards.length - 1;
    const to: Record<string, () => number> = {
      ArrowLeft: () => current() - 1,
      ArrowRight: () => current() + 1,
      ArrowUp: () => current() - columns(),
      ArrowDown: () => current() + columns(),
      Home: () => 0,
      End: () => last,
    };
    const next = to[event.key]?.();
    if (next === undefined) return;
    event.preventDefault();
    if (next < 0 || next > last) return;
    setCurrent(next);
    buttons()[next]?.focus();
  };
  const place = (card: Text) => props.chosen.indexOf(card.id);
  const label = (card: Text) =>
    place(card) < 0
      ? card.text
      : t("{text}, in {blank}", { text: card.text, blank: blankName(place(card), props.blanks) });

  return (
    <div
      ref={list}
      class="tp-hand"
      classList={{ idle: props.idle }}
      role="toolbar"
      aria-label={props.idle ? t("Your cards, not needed now") : t("Your cards")}
      onKeyDown={onKey}
    >
      <For each={props.cards}>
        {(card, i) => (
          <button
            type="button"
            class="tp-card"
            data-flip={`card-${card.id}`}
            data-from="deck"
            aria-label={label(card)}
            aria-pressed={place(card) >= 0}
            tabindex={i() === current() ? 0 : -1}
            onFocus={() => setCurrent(i())}
            {...props.button(card.id)}
          >
            <span>{card.text}</span>
            <Show when={place(card) >= 0} fallback={<kbd aria-hidden="true" data-sign={i() + 1} />}>
              <span class="tp-place" aria-hidden="true" data-sign={props.blanks > 1 ? place(card) + 1 : "✓"} />
            </Show>
          </button>
        )}
      </For>
    </div>
  );
}
