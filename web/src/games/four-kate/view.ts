// What a 4 Kate view holds, and sentences about it.
import type { EventOf, LegalOf, View } from "../../model";
import { t, tn } from "../../languages";

export interface Cell {
  column: number; // from 1 at the left
  row: number; // from 1 at the bottom
}

interface FourKateActions {
  drop: { payload: { column: number } };
}

interface FourKateEvents {
  "game-started": { starter: number };
  "disc-dropped": { seatIndex: number; column: number; row: number };
  "game-over": { winner: number | null; winningCells: Cell[] };
}
export type FourKateEvent = EventOf<FourKateEvents>;

export interface FourKateView extends View<LegalOf<FourKateActions>> {
  phase: "playing" | "game_over";
  starter: number;
  board: (number | null)[][]; // from the top down
  currentPlayerIndex: number | null;
  winner: number | null;
  winningCells: Cell[];
  nextStarter: number;
}

export interface Disc extends Cell {
  seat: number;
}

export const rowCount = (view: FourKateView): number => view.board.length;
export const columnCount = (view: FourKateView): number => view.board[0]!.length;
export const columnsOf = (view: FourKateView): number[] => view.board[0]!.map((_, index) => index + 1);

export const seatAt = (view: FourKateView, { column, row }: Cell): number | null =>
  view.board[rowCount(view) - row]?.[column - 1] ?? null;

// From the bottom up.
export function discsIn(view: FourKateView, column: number): Disc[] {
  const discs: Disc[] = [];
  for (let row = 1; row <= rowCount(view); row++) {
    const seat = seatAt(view, { column, row });
    if (seat !== null) discs.push({ seat, column, row });
  }
  return discs;
}

// The disc that fell last, as the action log has it.
export function lastDisc(view: FourKateView): Disc | undefined {
  const drop = /^drop (\d)$/.exec(view.log.at(-1)?.message ?? "");
  return drop ? discsIn(view, Number(drop[1])).at(-1) : undefined;
}

export const mayDrop = (view: FourKateView, column: number): boolean =>
  view.legal.some((one) => one.type === "drop" && one.payload.column === column);

export const isWinning = (view: FourKateView, { column, row }: Cell): boolean =>
  view.winningCells.some((cell) => cell.column === column && cell.row === row);

const owned = (name: string): string => (name === t("You") ? t("your disc") : t("{name}'s disc", { name }));

export function cellWords(seat: number | null, name: (seat: number) => string): string {
  return seat === null ? t("empty") : owned(name(seat));
}

export function columnWords(view: FourKateView, column: number, name: (seat: number) => string): string {
  const discs = discsIn(view, column);
  const top = discs.at(-1);
  if (!top) return t("Column {column}, empty", { column });
  const count = discs.length === rowCount(view) ? t("full") : tn(discs.length, "{n} disc", "{n} discs");
  return t("Column {column}, {count}, {disc} on top", { column, count, disc: owned(name(top.seat)) });
}

export function resultWords(winner: number | null, name: string, you: number | null): string {
  if (winner === null) return t("A draw: the board is full");
  return winner === you ? t("You win with four in line!") : t("{name} wins with four in line", { name });
}
