// The own hand, by ranks: a tap takes a card into the selection, a rank's button all of them.
import { createMemo, createSignal, For, type Accessor } from "solid-js";
import { CardFace, cardWords } from "../../ui/cards";
import { groupByRank, isWild } from "./view";

const LONG_PRESS = 550;
const sign = (rank: string) => (rank === "JK" ? "★" : rank);

export function Hand(props: {
  hand: string[];
  fresh: string[];
  selected: Accessor<Set<string>>;
  toggle: (ids: string[], on?: boolean) => void;
  discard: (id: string) => void;
  onDrag: (id: string | null) => void;
}) {
  const groups = createMemo(() => groupByRank(props.hand));
  const [focused, setFocused] = createSignal<string | null>(null);
  const current = () => (focused() !== null && props.hand.includes(focused()!) ? focused() : props.hand[0]);
  let list!: HTMLDivElement;
  let press: ReturnType<typeof setTimeout> | undefined;
  let pressed = false;

  function focusCard(index: number) {
    const id = props.hand[Math.max(0, Math.min(index, props.hand.length - 1))];
    if (id === undefined) return;
    setFocused(id);
    list.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`)?.focus();
  }

  function onKey(event: KeyboardEvent) {
    const at = props.hand.indexOf(current() ?? "");
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: props.hand.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focusCard(to);
  }

  return (
    <div class="hf-hand" ref={list} role="group" aria-label={`Your hand, ${props.hand.length} cards`} onKeyDown={onKey} data-place="hand">
      <For each={groups()}>
        {(group) => (
          <div class="rank" role="group" aria-label={`${group.cards.length} of rank ${group.rank}`}>
            <div class="fan">
              <For each={group.cards}>
                {(id) => (
                  <button
                    type="button"
                    class="card"
                    classList={{ chosen: props.selected().has(id), fresh: props.fresh.includes(id), wild: isWild(id) }}
                    data-card={id}
                    data-flip={`card-${id}`}
                    data-from="deck"
                    aria-pressed={props.selected().has(id)}
                    aria-label={`${cardWords(id)}${props.fresh.includes(id) ? ", new" : ""}`}
                    tabindex={id === current() ? 0 : -1}
                    draggable={true}
                    onFocus={() => setFocused(id)}
                    onClick={() => {
                      if (!pressed) props.toggle([id]);
                      pressed = false;
                    }}
                    onContextMenu={(event) => {
                      event.preventDefault();
                      props.discard(id);
                    }}
                    onPointerDown={(event) => {
                      if (event.pointerType === "mouse") return;
                      press = setTimeout(() => {
                        pressed = true;
                        props.discard(id);
                      }, LONG_PRESS);
                    }}
                    onPointerUp={() => clearTimeout(press)}
                    onPointerCancel={() => clearTimeout(press)}
                    onPointerMove={(event) => Math.abs(event.movementX) + Math.abs(event.movementY) > 4 && clearTimeout(press)}
                    onDragStart={() => props.onDrag(id)}
                    onDragEnd={() => props.onDrag(null)}
                  >
                    <CardFace id={id} />
                  </button>
                )}
              </For>
            </div>
            <button type="button" class="rank-all" aria-label={`${sign(group.rank)} ×${group.cards.length}: select all`} onClick={() => props.toggle(group.cards, !group.cards.every((id) => props.selected().has(id)))}>
              {sign(group.rank)} <small>×{group.cards.length}</small>
            </button>
          </div>
        )}
      </For>
    </div>
  );
}
