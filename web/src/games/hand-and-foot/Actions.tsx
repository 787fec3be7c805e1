// The buttons of a phase. Each keeps its place whether it can be used or not; the one that Enter presses stands out.
import { createMemo, For, Show } from "solid-js";
import type { Legal } from "../../model";
import { gate } from "../../table/gate";
import { cardSigns } from "../../ui/cards";
import { keepFocus } from "./focus";
import type { Play } from "./state";
import { cardsOf, rankName } from "./view";
import { t } from "../../languages";

// Moves that have no button of their own, in words.
const extraWords: Record<string, (legal: Legal) => string> = {
  "lay-red-three": ({ move }) => t("Lay {card}", { card: cardSigns(move.split(" ")[1]!) }),
  "ask-partner": () => t("Ask my partner: may I go out?"),
  "answer-partner": ({ move }) => (move.endsWith("yes") ? t("Yes, go out") : t("No, stay")),
};

const TwoCards = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" class="two-cards">
    <rect x="3" y="5" width="10" height="14" rx="2" />
    <rect x="10" y="7" width="10" height="14" rx="2" />
  </svg>
);

// The part of a label in brackets is what a narrow screen does without.
const Long = (props: { text: string }) => (
  <>{props.text.split(/[[\]]/).map((part, i) => (i % 2 === 1 ? <span class="long">{part}</span> : part))}</>
);

// What the meld button says: it lays, puts aside or plays down.
function MeldLabel(props: { play: Play }) {
  const { suggestion, opening, laying, parts, sum, points } = props.play;
  const count = () => (parts().rest.length === 0 ? parts().groups.length : 0);
  const words = () => {
    if (suggestion()?.startsWith("add ")) return t("Lay them");
    if (suggestion() ? opening() : laying() === "down") return t("Play down");
    if (!suggestion() && laying() === "aside")
      return count() > 1 ? t("Lay aside {count}", { count: count() }) : t("Lay aside");
    return count() > 1 ? t("Create {count} Melds", { count: count() }) : undefined;
  };
  const counted = () => (suggestion() ? points() : sum());
  return (
    <span>
      <Show when={words()} fallback={<Long text={t("[Create ]Meld")} />}>
        {words()}
      </Show>
      {counted() > 0 ? ` (${counted()})` : ""}
    </span>
  );
}

// Says how the pile would be taken, where there is only one way.
function TakeLabel(props: { play: Play }) {
  const { onlyTake, view, books } = props.play;
  const onto = () => books().find((book) => onlyTake()?.startsWith(`take add ${book.id}`));
  const how = (move: string) =>
    onto()
      ? t("onto the {rank}", { rank: rankName(onto()!.rank) })
      : t("with {list}", { list: cardsOf(move).map(cardSigns).join(" ") });
  return (
    <Show when={onlyTake()} fallback={t("Unlock Discard")}>
      {(move) => (
        <span>
          <Long text={t("[Unlock Discard: ]Take {pickup} {how}", { pickup: view().pickup, how: how(move()) })} />
        </span>
      )}
    </Show>
  );
}

export function Actions(props: { play: Play }) {
  const { play } = props;
  const { table, may, view, settings, selection, targets, main } = play;
  const extras = createMemo(() => view().legal.filter(({ type }) => type in extraWords));
  const isMain = (what: string) => ({ main: main() === what });
  const drawing = () => may("draw");
  let group!: HTMLDivElement;
  keepFocus(
    () => group,
    () =>
      view()
        .legal.map(({ type }) => type)
        .join(),
    () => group.querySelector<HTMLElement>(".main:not([aria-disabled]), .button:not([aria-disabled])"),
  );
  return (
    <div
      class="hf-actions"
      classList={{ drawing: drawing() }}
      role="group"
      aria-label={t("What you can do")}
      ref={group}
    >
      <Show when={drawing()}>
        <button type="button" class="button" data-control="draw" classList={isMain("draw")} onClick={play.draw}>
          <TwoCards /> {t("Draw from Deck")}
        </button>
        <button type="button" class="button hot" data-control="take" {...gate(table, play.takes)}>
          <TakeLabel play={play} />
        </button>
      </Show>
      <For each={extras()}>
        {(one) => (
          <button type="button" class="button hot" onClick={() => play.act(one.move)}>
            {extraWords[one.type]!(one)}
          </button>
        )}
      </For>
      <Show when={play.melding()}>
        <button
          type="button"
          class="button"
          data-control="meld"
          classList={isMain("meld")}
          {...gate(table, play.melds)}
        >
          <MeldLabel play={play} />
        </button>
        <button type="button" class="button" data-control="add" classList={isMain("add")} {...gate(table, play.adds)}>
          <span>
            <Long text={t("Add to [Meld ]{rank}", { rank: targets().length === 1 ? targets()[0]!.rank : "…" })} />
          </span>
        </button>
        <button
          type="button"
          class="button discard"
          data-control="discard"
          classList={isMain("discard")}
          {...gate(table, play.discards)}
        >
          {selection().length === 1 ? t("Discard {card}", { card: cardSigns(selection()[0]!) }) : t("Discard")}
        </button>
        <button type="button" class="button lesser" data-control="suggest" {...gate(table, play.suggests)}>
          {t("Suggest")}
        </button>
        <button type="button" class="button lesser" data-control="advanced" {...gate(table, play.advanced)}>
          <span>
            <Long text={t("Advanced[ Melding]")} />
          </span>
        </button>
        <Show when={settings().undo}>
          <button
            type="button"
            class="button lesser"
            data-control="undo"
            {...gate(table, play.control("undo", "undo"))}
          >
            {t("Undo")}
          </button>
        </Show>
        <button
          type="button"
          class="button lesser"
          data-control="done"
          {...gate(table, play.control("done", "done-melding"))}
        >
          <span>
            <Long text={t("Done[ melding]")} />
          </span>
        </button>
      </Show>
      <Show when={play.manual() && play.hand().length > 0}>
        <button type="button" class="button lesser" data-control="sort" onClick={play.sort}>
          {t("Sort")}
        </button>
      </Show>
    </div>
  );
}
