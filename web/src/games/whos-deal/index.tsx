// Who's Deal? at the table: seats around it from the own place, the trick in the middle, the hand
// below (WD-89 to WD-100).
import { createEffect, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { use } from "../../table/gate";
import type { Table } from "../../table/table";
import { isForTable } from "../../ui/keys";
import type { GameUi } from "../kind";
import { cheers } from "./describe";
import { callMove, Foot } from "./Foot";
import { Hand } from "./Hand";
import { Middle } from "./Middle";
import { Scoreboard } from "./Scoreboard";
import { Seat } from "./Seat";
import { speech } from "./speech";
import { createGame, type Game } from "./state";
import { Result, Summary } from "./Summary";
import { Tricks } from "./Tricks";
import type { EuchreEvent } from "./view";
import { t } from "../../languages";
import "./whos-deal.css";

const calling = ["round1", "round2", "defending"];

// The move that a key stands for while trump is called.
function moveOf(key: string, game: Game, alone: boolean): string | undefined {
  const call =
    calling.includes(game.round()?.trumpPhase ?? "") &&
    { p: "pass", o: "order", s: "call S", h: "call H", d: "call D", c: "call C" }[key];
  return call && call !== "pass" ? callMove(game, call, alone) : call || undefined;
}

// If an update removes the focused element, something at the table gets the focus.
function keepFocus(root: () => HTMLElement, changed: () => void) {
  let inside = false;
  const enter = () => (inside = true);
  const leave = (event: FocusEvent) => {
    const from = event.target as Element;
    queueMicrotask(() => {
      if (from.isConnected && !root().contains(document.activeElement)) inside = false;
    });
  };
  onMount(() => {
    root().addEventListener("focusin", enter);
    root().addEventListener("focusout", leave);
  });
  createEffect(() => {
    changed();
    queueMicrotask(() => {
      if (!inside || (document.activeElement !== document.body && document.activeElement !== root())) return;
      const next =
        root().querySelector<HTMLElement>('[data-control="next"], .wd-call .main, .wd-hand [tabindex="0"]') ?? root();
      next.focus({ preventScroll: true });
    });
  });
}

function WhosDeal(props: { table: Table }) {
  const { table } = props;
  const game = createGame(table);
  const [alone, setAlone] = createSignal(false);
  let root!: HTMLDivElement;

  const others = () => [1, 2, 3].map((step) => (game.seat() + step) % 4);
  const summed = () =>
    game.round()?.trumpPhase === "round_over" && table.world.status === "playing" && !game.complete() && table.looks();

  createEffect(() => {
    if (!table.myTurn()) setAlone(false);
  });

  const onKey = (event: KeyboardEvent) => {
    if (!isForTable(event)) return;
    const key = event.key.toLowerCase();
    const card = /^[1-6]$/.test(key) ? game.hand()[Number(key) - 1] : undefined;
    const move = moveOf(key, game, alone());
    if (card) root.querySelector<HTMLElement>(`[data-card="${card}"]`)?.focus();
    else if (move)
      use(
        table,
        game.move(() => move),
      );
    else if (key === "a" && table.myTurn() && game.view()!.legal.some((one) => one.move.endsWith("alone")))
      setAlone((on) => !on);
    else if (key === "n" && game.complete()) game.clearTrick();
    else if (key === "n" && summed() && !game.watching()) void table.goOn();
    else if (key === "t") root.querySelector<HTMLElement>('[data-control="tricks"]')?.click();
    else if (key === "escape") return game.takeBack();
    else return;
    event.preventDefault();
  };
  onMount(() => {
    game.setStage(root);
    addEventListener("keydown", onKey);
  });
  onCleanup(() => removeEventListener("keydown", onKey));
  keepFocus(
    () => root,
    () => [table.world.version, game.hand(), game.chosen(), game.complete(), summed()],
  );

  return (
    <div class="wd" ref={root} tabindex="0" role="group" aria-label={t("The table")}>
      <div class="wd-felt" onClick={(event) => event.target.closest("button, label") || game.clearTrick()}>
        <div class="wd-mat" aria-hidden="true" />
        <For each={others()}>{(seat) => <Seat game={game} seat={seat} />}</For>
        <Middle game={game} />
        <Foot game={game} alone={alone()} onAlone={setAlone} />
        <Show when={!game.watching()} fallback={<Watched game={game} />}>
          <Hand game={game} />
        </Show>
        <Scoreboard game={game} />
        <Tricks game={game} />
        <Show when={summed()}>
          <Summary game={game} />
        </Show>
      </div>
    </div>
  );
}

// A spectator sees the nearest seat like the others.
const Watched = (props: { game: Game }) => (
  <div class="wd-own-place">
    <Seat game={props.game} seat={props.game.seat()} />
  </div>
);

const ui: GameUi<EuchreEvent> = {
  Table: WhosDeal,
  ...speech,
  cheers,
  Result,
  keys: [
    ["1, 2 …", t("to a card of your hand")],
    ["O, P", t("order it up, or as dealer pick it up; pass")],
    ["S H D C", t("name a suit")],
    ["A", t("alone or not")],
    ["T", t("look at the last trick and those before it")],
    ["N", t("take the trick away, go on after a hand")],
  ],
};
export default ui;
