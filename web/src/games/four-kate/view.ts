// What a 4 Kate view holds, and sentences about it.
import type { EventOf, LegalOf, View } from "../../model";

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

const owned = (name: string): string => (name === "You" ? "your disc" : `${name}'s disc`);

export function cellWords(seat: number | null, name: (seat: number) => string): string {
  return seat === null ? "empty" : owned(name(seat));
}

export function columnWords(view: FourKateView, column: number, name: (seat: number) => string): string {
  const discs = discsIn(view, column);
  const top = discs.at(-1);
  if (!top) return `Column ${column}, empty`;
  const count = discs.length === rowCount(view) ? "full" : discs.length === 1 ? "1 disc" : `${discs.length} discs`;
  return `Column ${column}, ${count}, ${owned(name(top.seat))} on top`;
}

export function resultWords(winner: number | null, name: string, you: number | null): string {
  if (winner === null) return "A draw: the board is full";
  return winner === you ? "You win with four in line!" : `${name} wins with four in line`;
}

export function eventWords(
  { event, data }: FourKateEvent,
  name: (seat: number) => string,
  you: number | null,
): string | undefined {
  const who = (seat: number, own: string, other: string) => (seat === you ? `You ${own}` : `${name(seat)} ${other}`);
  if (event === "disc-dropped") return `${who(data.seatIndex, "drop", "drops")} in column ${data.column}`;
  if (event === "game-over") return resultWords(data.winner, data.winner === null ? "" : name(data.winner), you);
  if (event === "game-started") return who(data.starter, "start a new game", "starts a new game");
  return undefined;
}
