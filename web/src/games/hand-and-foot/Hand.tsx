// The own hand. Every card can be seen; a tap selects a card, and the button of a rank selects all cards of it.
import { createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { cardCount } from "../../amounts";
import { CardBack, CardFace, cardWords } from "../../ui/cards";
import { isForTable } from "../../ui/keys";
import { keepFocus } from "./focus";
import { layoutHand } from "./layout";
import type { Play } from "./state";
import { groupByRank, isWild, layableIn, rankName } from "./view";
import { t } from "../../languages";

const WINDOW = 9; // what the digits reach
const sign = (rank: string) => (rank === "JK" ? "★" : rank);

function Ranks(props: { play: Play }) {
  const { hand, selected, toggle, view } = props.play;
  const groups = createMemo(() => groupByRank(hand()));
  const all = (cards: readonly string[]) => cards.every((id) => selected().has(id));
  // Can so many cards of the rank be laid without a wild one?
  const isRipe = (rank: string, count: number) =>
    layableIn(view()).some((one) => one.rank === rank && one.wilds[count]?.[0] === 0);
  return (
    <div
      class="hf-ranks"
      role="group"
      aria-label={t("Select a whole rank")}
      style={{ "--row": Math.ceil(groups().length / 2) }}
    >
      <For each={groups().map(({ rank }) => rank)}>
        {(rank) => {
          const cards = () => groups().find((group) => group.rank === rank)?.cards ?? [];
          return (
            <button
              type="button"
              class="rank-all"
              classList={{ wild: view().wildRanks.includes(rank), ripe: isRipe(rank, cards().length) }}
              aria-pressed={all(cards())}
              onClick={() => toggle(cards(), !all(cards()))}
            >
              <b>{sign(rank)}</b> <small>×{cards().length}</small>
              <span class="hidden-text">{t("all {rank}", { rank: rankName(rank) })}</span>
            </button>
          );
        }}
      </For>
    </div>
  );
}

// Two piles, face down; one of them becomes the hand (HT-19).
function Piles(props: { play: Play }) {
  const { legal, act } = props.play;
  return (
    <div class="hf-piles" role="group" aria-label={t("Your two piles")}>
      <For each={legal("choose-pile")}>
        {({ move }) => (
          <button
            type="button"
            class="pile"
            aria-label={t("Pile {number} is my hand", { number: move.split(" ")[1] })}
            onClick={() => act(move)}
          >
            <span class="card">
              <CardBack />
            </span>
            <b aria-hidden="true">{t("Pile {number}", { number: move.split(" ")[1] })}</b>
          </button>
        )}
      </For>
      <p class="small quiet">{t("One is your hand, the other your foot. If you draw at once, it is pile 1.")}</p>
    </div>
  );
}

export function Hand(props: { play: Play }) {
  const { play } = props;
  const { hand, selected, toggle, drag, me } = play;
  const [focused, setFocused] = createSignal<string | null>(null);
  const [room, setRoom] = createSignal({ width: 0, card: 60 });
  const layout = createMemo(() => layoutHand(hand(), room().width, room().card));
  const current = () => (focused() !== null && hand().includes(focused()!) ? focused() : hand()[0]);
  const fresh = createMemo(() => new Set(me()?.newlyDrawn ?? []));
  const [typing, setTyping] = createSignal(false); // the digits are shown only to people who use the keyboard
  const carried = createMemo(() => new Set(drag.dragged()?.ids ?? []));
  let list!: HTMLDivElement;
  let ruler!: HTMLElement;
  let at = 0; // the place of the focused card, in case the card goes

  onMount(() => {
    const watcher = new ResizeObserver(() => setRoom({ width: list.clientWidth, card: ruler.offsetWidth }));
    watcher.observe(list);
    watcher.observe(ruler);
    onCleanup(() => watcher.disconnect());
  });
  const element = (id: string | undefined) =>
    id === undefined ? null : list.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`);
  keepFocus(
    () => list,
    hand,
    () => element(hand()[Math.min(at, hand().length - 1)]),
  );

  // The digits 1 to 9 stand for nine cards around the focused one.
  const windowStart = () =>
    Math.max(0, Math.min(Math.floor(hand().indexOf(current() ?? "") / WINDOW) * WINDOW, hand().length - 1));
  const digit = (index: number) =>
    index >= windowStart() && index < windowStart() + WINDOW ? index - windowStart() + 1 : 0;

  function focusCard(index: number) {
    const id = hand()[Math.max(0, Math.min(index, hand().length - 1))];
    setFocused(id ?? null);
    element(id)?.focus();
  }

  function onKey(event: KeyboardEvent) {
    const index = hand().indexOf(current() ?? "");
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const id = current() ?? undefined;
      if (id) play.shift(id, event.key === "ArrowLeft" ? -1 : 1);
      queueMicrotask(() => element(id)?.focus()); // a moved element loses it
    } else if (event.key.toLowerCase() === "r") {
      const rank = groupByRank(hand()).find(({ cards }) => cards.includes(current() ?? ""));
      if (rank) toggle(rank.cards, !rank.cards.every((id) => selected().has(id)));
    } else {
      const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: hand().length - 1 }[event.key];
      if (to === undefined) return;
      focusCard(to);
    }
    event.preventDefault();
  }

  function onDigit(event: KeyboardEvent) {
    if (!/^[1-9]$/.test(event.key) || !isForTable(event)) return;
    const id = hand()[windowStart() + Number(event.key) - 1];
    if (id) toggle([id]);
  }
  onMount(() => {
    const events = new AbortController();
    addEventListener("keydown", onDigit, { signal: events.signal });
    addEventListener("keydown", () => setTyping(true), { signal: events.signal });
    addEventListener("pointerdown", () => setTyping(false), { signal: events.signal });
    onCleanup(() => events.abort());
  });

  return (
    <>
      <Show when={play.may("choose-pile")}>
        <Piles play={play} />
      </Show>
      <Ranks play={play} />
      <div
        class="hf-hand"
        classList={{ typing: typing() }}
        ref={list}
        role="group"
        aria-label={t("Your hand, {count}", { count: cardCount(hand().length) })}
        onKeyDown={onKey}
        data-place="hand"
        data-drop={play.manual() ? "hand" : undefined}
        style={{ height: `${layout().height}px` }}
      >
        <i class="ruler" ref={ruler} aria-hidden="true" />
        <For each={hand()}>
          {(id, index) => (
            <button
              type="button"
              class="card"
              classList={{
                chosen: selected().has(id),
                fresh: fresh().has(id),
                wild: isWild(id, play.view()),
                carried: carried().has(id),
              }}
              style={{ left: `${layout().places[index()]?.x ?? 0}px`, top: `${layout().places[index()]?.y ?? 0}px` }}
              data-card={id}
              data-flip={`card-${id}`}
              data-from="deck"
              data-digit={digit(index()) || undefined}
              aria-pressed={selected().has(id)}
              aria-label={fresh().has(id) ? t("{card}, new", { card: cardWords(id) }) : cardWords(id)}
              tabindex={id === current() ? 0 : -1}
              onFocus={() => {
                setFocused(id);
                at = index();
              }}
              onClick={() => drag.isClick() && toggle([id])}
              onContextMenu={(event) => {
                event.preventDefault();
                if (!("pointerType" in event) || event.pointerType === "mouse") play.discard(id);
              }}
              onPointerDown={(event) => drag.start(event, id)}
            >
              <CardFace id={id} />
            </button>
          )}
        </For>
      </div>
    </>
  );
}
