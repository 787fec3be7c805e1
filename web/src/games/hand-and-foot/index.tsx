// Hand & Foot: opponents and their melds on top, deck, pile and goals, the own books, the own hand.
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import type { Step } from "../../model";
import type { FlipOptions } from "../../table/flip";
import { use } from "../../table/gate";
import type { Table } from "../../table/table";
import { CardFace } from "../../ui/cards";
import { isForTable } from "../../ui/keys";
import type { GameUi } from "../kind";
import { Actions } from "./Actions";
import { Cheer } from "./Cheer";
import { Dialogs } from "./Dialogs";
import { Hand } from "./Hand";
import { Log } from "./Log";
import { Middle } from "./Middle";
import { Mine } from "./Mine";
import { Result, RoundSummary } from "./Scores";
import { Others } from "./Seats";
import { speech } from "./speech";
import { createPlay, type Play } from "./state";
import type { HandAndFootEvent } from "./view";
import { t } from "../../languages";
import "./hand-and-foot.css";

const DEAL_STAGGER = 35;
const plain = (id: string) => id.split(".")[0]!;

// A card that leaves the hand goes where it was laid, or onto the pile.
function leaving(step: Step, seat: number | null): FlipOptions["leaveTo"] {
  const laid = new Map<string, string>();
  for (const { event, data } of step.events as HandAndFootEvent[])
    if (event === "cards-melded" && data.seatIndex === seat)
      for (const id of data.cards) laid.set(plain(id), `book-${data.team}-${data.bookId}`);
  return (key) => (key.startsWith("card-") ? (laid.get(plain(key.slice(5))) ?? "pile") : null);
}

// What follows the finger.
function Carried(props: { play: Play }) {
  const dragged = props.play.drag.dragged;
  return (
    <Show when={dragged()}>
      <div
        class="hf-carried"
        aria-hidden="true"
        style={{ transform: `translate(${dragged()!.x}px, ${dragged()!.y}px)` }}
      >
        <For each={dragged()!.ids.slice(0, 6)}>
          {(id, i) => (
            <span class="card" style={{ "--turn": `${(i() - Math.min(dragged()!.ids.length - 1, 5) / 2) * 7}deg` }}>
              <CardFace id={id} />
            </span>
          )}
        </For>
      </div>
    </Show>
  );
}

function HandAndFootTable(props: { table: Table }) {
  const { table } = props;
  const play = createPlay(table);
  const { may, me } = play;
  const [discarder, setDiscarder] = createSignal<number | null>(null);

  function onKey(event: KeyboardEvent) {
    if (!isForTable(event)) return;
    const onControl = event.target instanceof HTMLButtonElement && event.target.dataset.card === undefined;
    const key = event.key.toLowerCase();
    if (key === " " && !onControl && (may("draw") || event.target === document.body))
      use(table, play.control("draw", "draw"));
    else if (
      key === "enter" &&
      !onControl &&
      play.main() &&
      (play.selection().length > 0 || !(event.target instanceof HTMLButtonElement))
    )
      play.confirm();
    else if (key === "escape" && play.selection().length > 0) play.clear();
    else if (key === "m") use(table, play.suggests);
    else if (key === "a") use(table, play.advanced);
    else if (key === "d") use(table, play.discards);
    else if (key === "t") use(table, play.takes);
    else if (key === "u") use(table, play.control("undo", "undo"));
    else if (key === "s" && play.manual()) play.sort();
    else return;
    event.preventDefault();
  }
  onMount(() => addEventListener("keydown", onKey));
  onCleanup(() => removeEventListener("keydown", onKey));

  function motion(step: Step): FlipOptions {
    const thrown = (step.events as HandAndFootEvent[]).find((one) => one.event === "card-discarded");
    if (thrown) setDiscarder(thrown.data.seatIndex);
    return {
      stagger: step.events.some(({ event }) => event === "round-started") ? DEAL_STAGGER : 0,
      leaveTo: leaving(step, table.mySeat()),
    };
  }

  return (
    <div
      class="hf"
      ref={(element) => table.stage(element, motion)}
      classList={{ teams: play.settings().teams === "two", watching: !me() }}
    >
      <Others play={play} />
      <Middle play={play} discarder={discarder()} />
      <Mine play={play} />
      <Show when={me()}>
        <section class="hf-own" aria-label={t("You")}>
          <Actions play={play} />
          <Hand play={play} />
        </section>
      </Show>
      <Log play={play} />
      <Carried play={play} />
      <Cheer table={table} />
      <RoundSummary table={table} />
      <Dialogs play={play} />
    </div>
  );
}

const ui: GameUi<HandAndFootEvent> = {
  Table: HandAndFootTable,
  ...speech,
  Result,
  keys: [
    [t("Space"), t("draw from the deck")],
    ["T", t("take the discard pile")],
    ["1 – 9", t("select a card; the arrows move the window of nine")],
    ["R", t("select all of the focused card's rank")],
    [t("M, then Enter"), t("the best meld that can be laid; M again: the next one")],
    [t("Enter"), t("press the button that stands out")],
    ["D", t("discard the selected card")],
    ["A", t("build several melds")],
    ["U", t("undo, where the rules have it")],
    [t("Alt + ← →"), t("move a card, where the hand is yours to sort")],
    ["S", t("sort the hand again")],
  ],
};
export default ui;
