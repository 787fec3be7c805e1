// What the table of 4 Kate answers in words.
import type { Speech } from "../../table/speech";
import type { Table } from "../../table/table";
import { columnsOf, columnWords, discsIn, resultWords, type FourKateEvent, type FourKateView } from "./view";
import { listed, t, tn } from "../../languages";

const viewOf = (table: Table) => table.world.view as FourKateView | null;

// From the bottom up, because that is how discs fall.
function column(view: FourKateView, number: number, table: Table): string {
  const discs = discsIn(view, number).map(({ seat }) => table.name(seat));
  return discs.length < 2
    ? columnWords(view, number, (seat) => table.name(seat))
    : t("Column {column} from the bottom: {names}", { column: number, names: listed(discs) });
}

function board(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const used = columnsOf(view).filter((number) => discsIn(view, number).length > 0);
  if (used.length === 0) return t("The board is empty");
  const empty = columnsOf(view).filter((number) => !used.includes(number));
  const rest = empty.length === 0 ? [] : [t("Empty: {columns}", { columns: listed(empty.map(String)) })];
  return [...used.map((number) => column(view, number, table)), ...rest].join(". ");
}

function score(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const count = columnsOf(view).reduce((sum, number) => sum + discsIn(view, number).length, 0);
  return tn(count, "{n} disc lies on the board", "{n} discs lie on the board");
}

export const speech: Speech<FourKateEvent> = {
  describe: ({ event, data }, table) =>
    event === "game-over" ? resultWords(data.winner, table.name(data.winner), table.mySeat()) : undefined,
  atSeat: ({ event }) => event === "disc-dropped",
  hand: (table) => (table.mySeat() === 0 ? t("You drop discs with a ring") : t("You drop discs with a star")),
  board,
  score,
};
