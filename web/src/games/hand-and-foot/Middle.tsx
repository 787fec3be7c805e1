// Deck and pile, and how far one is from playing down and from going out.
import { For, Show } from "solid-js";
import { cardCount } from "../../amounts";
import { gate } from "../../table/gate";
import { CardBack, CardFace, cardWords } from "../../ui/cards";
import type { Play } from "./state";
import { bookKinds, withMinus } from "./view";
import { missingWords } from "./words";
import { rich, t } from "../../languages";

function Deck(props: { play: Play }) {
  const { view, control, table } = props.play;
  return (
    <button
      type="button"
      class="stock hf-deck"
      data-place="deck"
      {...gate(table, control("draw", "draw"))}
      aria-label={t("Deck, {size} cards. Draw", { size: view().deck.size })}
    >
      <span class="card">
        <CardBack />
      </span>
      <span class="label" aria-hidden="true">
        {view().deck.size}
      </span>
    </button>
  );
}

function Pile(props: { play: Play; discarder: number | null }) {
  const { view, takes, drag, table } = props.play;
  const pile = () => view().discardPile;
  const words = () => {
    const values = { cards: cardCount(pile().size), card: pile().top ? cardWords(pile().top!) : t("nothing") };
    return view().discardPileFrozen
      ? t("Discard pile, {cards}, top {card}, frozen. Take it", values)
      : t("Discard pile, {cards}, top {card}. Take it", values);
  };
  const from = () => (props.discarder === table.mySeat() ? undefined : `seat-${props.discarder}`);
  return (
    <button
      type="button"
      class="stock hf-pile"
      data-place="pile"
      data-drop="pile"
      classList={{
        frozen: view().discardPileFrozen,
        target: drag.dragged()?.ids.length === 1,
        over: drag.dragged()?.over === "pile",
      }}
      {...gate(table, takes)}
      aria-label={words()}
    >
      <span class="card" classList={{ deep: pile().size > 1 }}>
        <Show when={pile().top && `${pile().size} ${pile().top}`} keyed fallback={<span class="no-card" />}>
          {(key) => (
            <span class="top-card" data-flip={`pile-${key}`} data-from={from()}>
              <CardFace id={key.split(" ")[1]!} />
            </span>
          )}
        </Show>
      </span>
      <span class="label" data-state={t("frozen")} aria-hidden="true">
        {pile().size}
      </span>
    </button>
  );
}

// What could be laid of the selection, with what is laid aside, against what a first meld needs.
function PlayDown(props: { play: Play }) {
  const { needed, sum, view, me } = props.play;
  return (
    <Show when={!me()?.hasPlayedDown} fallback={<span class="goal met">{t("Played down")}</span>}>
      <span class="goal wide" classList={{ met: sum() >= view().enough }}>
        <span>
          {view().enough > needed()
            ? rich("Play down: {sum} of more than {needed}", { sum: <b>{sum()}</b>, needed: needed() })
            : rich("Play down: {sum} of {needed}", { sum: <b>{sum()}</b>, needed: needed() })}
        </span>
        <span class="meter" aria-hidden="true">
          <i style={{ transform: `scaleX(${Math.min(1, sum() / Math.max(1, needed()))})` }} />
        </span>
      </span>
    </Show>
  );
}

function Goals(props: { play: Play }) {
  const { view, me, mySide, settings, selection, points, needed } = props.play;
  const books = (): [string, number, number][] => [
    [bookKinds(settings())[0], mySide()?.cleanBooks ?? 0, Number(settings().cleanToGoOut ?? 1)],
    [bookKinds(settings())[1], mySide()?.dirtyBooks ?? 0, Number(settings().dirtyToGoOut ?? 1)],
  ];
  return (
    <div class="hf-goals">
      <dl class="hf-info">
        <div>
          <dt>{t("Round")}</dt>
          <dd>{view().round}</dd>
        </div>
        <Show when={me()}>
          <div>
            <dt>{t("Points")}</dt>
            <dd>{withMinus(mySide()!.points)}</dd>
          </div>
          <div class="chosen-sum">
            <dt>{t("Selected")}</dt>
            <dd>
              {selection().length === 0
                ? "–"
                : needed() > 0
                  ? selection().length
                  : `${selection().length} = ${points()}`}
            </dd>
          </div>
        </Show>
      </dl>
      <Show when={me()}>
        <p class="goals" title={missingWords(me()!.missingToGoOut) || t("Nothing but cards is in the way")}>
          <PlayDown play={props.play} />
          <span class="quiet small">{t("To go out")}</span>
          <For each={books()}>
            {([kind, have, need]) => (
              <span class="goal" classList={{ met: have >= need }}>
                {kind} {have}/{need}
              </span>
            )}
          </For>
          <span class="goal" classList={{ met: me()!.hasPickedUpFoot }}>
            {me()!.hasPickedUpFoot ? t("Foot taken") : t("Foot waits")}
          </span>
          <span class="hidden-text">{missingWords(me()!.missingToGoOut) || t("Nothing but cards is in the way")}</span>
        </p>
      </Show>
    </div>
  );
}

export function Middle(props: { play: Play; discarder: number | null }) {
  return (
    <section class="hf-middle" aria-label={t("Deck and pile")}>
      <Deck play={props.play} />
      <Pile play={props.play} discarder={props.discarder} />
      <Goals play={props.play} />
    </section>
  );
}
