// The buttons: what a phase offers, the one that Enter presses standing out.
import { createMemo, For, Show } from "solid-js";
import type { Legal } from "../../model";
import { cardSigns } from "../../ui/cards";
import { keepFocus } from "./focus";
import type { Play } from "./state";

// Moves that have no button of their own, in words.
const extraWords: Record<string, (legal: Legal) => string> = {
  "lay-red-three": ({ move }) => `Lay ${cardSigns(move.split(" ")[1]!)}`,
  "ask-partner": () => "Ask my partner: may I go out?",
  "answer-partner": ({ move }) => (move.endsWith("yes") ? "Yes, go out" : "No, stay"),
};

const TwoCards = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" class="two-cards">
    <rect x="3" y="5" width="10" height="14" rx="2" />
    <rect x="10" y="7" width="10" height="14" rx="2" />
  </svg>
);

export function Actions(props: { play: Play }) {
  const { play } = props;
  const { may, view, selection, points, targets, main } = play;
  const extras = createMemo(() => view().legal.filter(({ type }) => type in extraWords));
  const isMain = (what: string) => ({ main: main() === what });
  let group!: HTMLDivElement;
  keepFocus(() => group, () => view().legal.map(({ type }) => type).join(), () => group.querySelector<HTMLElement>(".main:enabled, .button:enabled"));
  return (
    <div class="hf-actions" role="group" aria-label="What you can do" ref={group}>
      <Show when={may("draw")}>
        <button type="button" class="button" data-control="draw" classList={isMain("draw")} onClick={play.draw}>
          <TwoCards /> Draw from Deck
        </button>
      </Show>
      <Show when={may("unlock-discard")}>
        <button type="button" class="button hot" data-control="take" onClick={play.take}>
          Unlock Discard
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
        <Show when={view().turnPhase === "meld"}>
          <button type="button" class="button" data-control="meld" classList={isMain("meld")} disabled={selection().length < 3 && !play.suggestion()} onClick={play.meld}>
            {play.suggestion()?.startsWith("add ") ? "Lay them" : "Create Meld"}
            {selection().length > 0 ? ` (${points()})` : ""}
          </button>
          <Show when={targets().length === 1 && !play.suggestion()}>
            <button type="button" class="button" data-control="add" classList={isMain("add")} onClick={() => play.add(targets()[0]!)}>
              Add to Meld {targets()[0]!.rank}
            </button>
          </Show>
        </Show>
        <button type="button" class="button discard" data-control="discard" classList={isMain("discard")} disabled={selection().length !== 1} onClick={() => play.discard(selection()[0])}>
          Discard{selection().length === 1 ? ` ${cardSigns(selection()[0]!)}` : ""}
        </button>
        <Show when={view().turnPhase === "meld"}>
          <button type="button" class="button lesser" data-control="suggest" disabled={!may("meld") && !may("add-to-meld")} onClick={play.suggest}>
            Suggest
          </button>
          <button type="button" class="button lesser" data-control="advanced" onClick={() => play.setAsked({ kind: "advanced" })}>
            Advanced Melding
          </button>
        </Show>
        <Show when={may("undo")}>
          <button type="button" class="button lesser" data-control="undo" onClick={() => play.act("undo")}>
            Undo
          </button>
        </Show>
        <Show when={may("done-melding")}>
          <button type="button" class="button lesser" data-control="done" onClick={() => play.act("done")}>
            Done melding
          </button>
        </Show>
      </Show>
      <Show when={play.manual() && play.hand().length > 0}>
        <button type="button" class="button lesser" data-control="sort" onClick={play.sort}>
          Sort
        </button>
      </Show>
    </div>
  );
}
