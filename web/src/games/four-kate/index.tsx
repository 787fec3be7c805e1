// The 4 Kate table: a board with holes, and discs that fall behind it.
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { motionIsReduced } from "../../table/flip";
import { gate, use, type Gate } from "../../table/gate";
import type { Table } from "../../table/table";
import { BotLevel, SeatFace } from "../../ui/BotFace";
import { isForTable } from "../../ui/keys";
import type { GameUi } from "../kind";
import { Plate, Token } from "./Plate";
import { speech } from "./speech";
import {
  cellWords,
  columnCount,
  columnsOf,
  columnWords,
  discsIn,
  isWinning,
  lastDisc,
  mayDrop,
  resultWords,
  rowCount,
  seatAt,
  type Disc,
  type FourKateEvent,
  type FourKateView,
} from "./view";
import { t } from "../../languages";
import "./four-kate.css";

const viewOf = (table: Table) => table.world.view as FourKateView;

// A world may say that it is being played before its view is there.
const FourKateTable = (props: { table: Table }) => (
  <Show when={props.table.world.view !== null}>
    <Board table={props.table} />
  </Show>
);

function Board(props: { table: Table }) {
  const table = props.table;
  const view = () => viewOf(table);
  const name = (seat: number) => table.name(seat);
  const width = columnCount(view());
  const height = rowCount(view());
  const columns = columnsOf(view());
  const [at, setAt] = createSignal((width + 1) >> 1); // the column that Tab comes to
  const [aim, setAim] = createSignal<number | null>(null);
  let bar!: HTMLDivElement;
  let shown = false; // discs that are there from the start do not fall
  onMount(() => (shown = true));

  const dropIn = (column: number): Gate => ({
    may: () => mayDrop(view(), column),
    move: () => `drop ${column}`,
    act: () => table.busy() || void table.act(`drop ${column}`),
  });
  const drop = (column: number) => use(table, dropIn(column));

  function focus(column: number) {
    setAt(((column - 1 + width) % width) + 1);
    bar.querySelectorAll<HTMLElement>("button")[at() - 1]?.focus();
  }

  const onKey = (event: KeyboardEvent) => {
    if (!isForTable(event)) return;
    const inside = bar.contains(document.activeElement);
    const goes: Record<string, number> = {
      ArrowLeft: inside ? at() - 1 : at(),
      ArrowRight: inside ? at() + 1 : at(),
      Home: 1,
      End: width,
    };
    if (columns.includes(Number(event.key))) {
      focus(Number(event.key));
      drop(Number(event.key));
    } else if (goes[event.key] !== undefined && (inside || event.key.startsWith("Arrow"))) focus(goes[event.key]!);
    else if (event.key === "ArrowDown" && inside) drop(at());
    else return;
    event.preventDefault();
  };
  onMount(() => addEventListener("keydown", onKey));
  onCleanup(() => removeEventListener("keydown", onKey));

  const preview = () => (aim() !== null && mayDrop(view(), aim()!) ? aim() : null);
  const last = () => lastDisc(view());
  const isLast = (disc: Disc) => last()?.column === disc.column && last()?.row === disc.row;

  return (
    <div
      class="kate"
      classList={{ over: view().winningCells.length > 0 }}
      style={{ "--columns": width, "--rows": height }}
    >
      <div class="scene">
        <Rival table={table} seat={0} />
        <Rival table={table} seat={1} />
        <div class="rack">
          <div class="above" aria-hidden="true">
            <Show when={preview()}>
              {(column) => (
                <span class="disc preview" style={{ "--column": column() - 1 }}>
                  <Token seat={table.mySeat()!} />
                </span>
              )}
            </Show>
          </div>
          <div class="board">
            <div class="discs" aria-hidden="true">
              <For each={columns}>
                {(column) => (
                  <For each={discsIn(view(), column).map(({ row }) => row)}>
                    {(row) => {
                      const disc = () => ({ column, row, seat: seatAt(view(), { column, row })! });
                      return (
                        <FallingDisc
                          disc={disc()}
                          above={height - row}
                          falls={shown}
                          won={isWinning(view(), disc())}
                          last={isLast(disc())}
                        />
                      );
                    }}
                  </For>
                )}
              </For>
            </div>
            <Plate columns={width} rows={height} />
            <div
              ref={bar}
              class="columns"
              role="toolbar"
              aria-label={t("Columns")}
              onPointerLeave={() => setAim(bar.contains(document.activeElement) ? at() : null)}
            >
              <For each={columns}>
                {(column) => (
                  <button
                    type="button"
                    classList={{ aimed: preview() === column }}
                    tabindex={at() === column ? 0 : -1}
                    aria-label={
                      columnWords(view(), column, name) + (mayDrop(view(), column) ? `. ${t("Drop here")}` : "")
                    }
                    {...gate(table, dropIn(column))}
                    onPointerEnter={(event) => event.pointerType === "mouse" && setAim(column)}
                    onFocus={() => {
                      setAt(column);
                      setAim(column);
                    }}
                    onBlur={() => setAim(null)}
                  >
                    <kbd aria-hidden="true">{column}</kbd>
                  </button>
                )}
              </For>
            </div>
          </div>
        </div>
      </div>
      <BoardInWords view={view()} name={name} />
    </div>
  );
}

// It speeds up all the way down, and the last bit of weight goes into a small bounce.
function fall(element: HTMLElement, above: number) {
  const height = above + 1.2;
  const bounce = 5 + 2.4 * height;
  element.animate(
    [
      { transform: `translateY(${-100 * height}%)`, easing: "cubic-bezier(.5, 0, .9, .6)" },
      { transform: "none", offset: 0.66, easing: "cubic-bezier(.2, .6, .5, 1)" },
      { transform: `translateY(${-bounce}%)`, offset: 0.81, easing: "cubic-bezier(.5, 0, .8, .4)" },
      { transform: "none" },
    ],
    { duration: 260 * Math.sqrt(height) },
  );
}

// `above`: the rows over it.
function FallingDisc(props: { disc: Disc; above: number; falls: boolean; won: boolean; last: boolean }) {
  let element!: HTMLSpanElement;
  onMount(() => props.falls && !motionIsReduced() && fall(element, props.above));
  return (
    <span
      ref={element}
      class="disc"
      classList={{ won: props.won, last: props.last }}
      style={{ "--column": props.disc.column - 1, "--row": props.above }}
    >
      <Token seat={props.disc.seat} />
    </span>
  );
}

function Rival(props: { table: Table; seat: number }) {
  const view = () => viewOf(props.table);
  const moves = () => view().currentPlayerIndex === props.seat;
  const state = () =>
    view().winner === props.seat
      ? t("wins")
      : moves()
        ? t("to drop")
        : view().starter === props.seat
          ? t("started")
          : "";
  return (
    <p class="rival" data-seat={props.seat} classList={{ moves: moves(), second: props.seat === 1 }}>
      <Token seat={props.seat} />
      <span>
        <b>
          <SeatFace seat={props.table.world.seats[props.seat]} /> {props.table.name(props.seat)}
        </b>
        <small>
          {props.seat === 0 ? t("ring") : t("star")}
          <Show when={props.table.world.seats[props.seat]?.character}>
            {" · "}
            <BotLevel seat={props.table.world.seats[props.seat]} />
          </Show>
          {state() && ` · ${state()}`}
        </small>
      </span>
    </p>
  );
}

function BoardInWords(props: { view: FourKateView; name: (seat: number) => string }) {
  const columns = () => columnsOf(props.view);
  const rows = () => props.view.board.map((_, index) => rowCount(props.view) - index);
  return (
    <div class="hidden-text">
      <table>
        <caption>{t("The board, from the top row down")}</caption>
        <thead>
          <tr>
            <td />
            <For each={columns()}>{(column) => <th scope="col">{t("Column {column}", { column })}</th>}</For>
          </tr>
        </thead>
        <tbody>
          <For each={rows()}>
            {(row) => (
              <tr>
                <th scope="row">{t("Row {row}", { row })}</th>
                <For each={columns()}>
                  {(column) => (
                    <td>
                      {cellWords(seatAt(props.view, { column, row }), props.name)}
                      {isWinning(props.view, { column, row }) ? `, ${t("in the winning line")}` : ""}
                    </td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </div>
  );
}

function Result(props: { table: Table }) {
  const view = () => viewOf(props.table);
  return (
    <div class="kate-result">
      <Show when={view().winner !== null}>
        <Token seat={view().winner!} />
      </Show>
      <div class="stack">
        <p class="verdict">
          <SeatFace seat={props.table.world.seats[view().winner ?? -1]} />{" "}
          {resultWords(
            view().winner,
            view().winner === null ? "" : props.table.name(view().winner),
            props.table.mySeat(),
          )}
        </p>
        <p class="quiet">
          {view().nextStarter === props.table.mySeat()
            ? t("You start the next game.")
            : t("{name} starts the next game.", { name: props.table.name(view().nextStarter) })}
        </p>
      </div>
    </div>
  );
}

const ui: GameUi<FourKateEvent> = {
  Table: FourKateTable,
  Result,
  ...speech,
  rounds: false,
  keys: [
    ["1, 2 …", t("drop a disc in that column")],
    ["← →", t("from column to column")],
    [t("Enter, ↓"), t("drop in the column that is in focus")],
  ],
};
export default ui;
