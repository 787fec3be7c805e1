import { describe, expect, it } from "vitest";
import { cellWords, columnWords, discsIn, isWinning, lastDisc, mayDrop, resultWords, type FourKateView } from "./view";

const empty = () => Array.from({ length: 6 }, () => Array<number | null>(7).fill(null));
const names = (seat: number) => ["You", "Bob"][seat]!;

function view(changes: Partial<FourKateView> = {}): FourKateView {
  const board = empty();
  board[5]![3] = 0;
  board[4]![3] = 1;
  for (let row = 0; row < 6; row++) board[row]![6] = row % 2;
  return {
    phase: "playing",
    starter: 0,
    board,
    currentPlayerIndex: 0,
    winner: null,
    winningCells: [],
    nextStarter: 1,
    turn: [0],
    legal: [{ type: "drop", payload: { column: 4 }, move: "drop 4" }],
    looking: [],
    phaseEndsAt: null,
    botActionAt: null,
    log: [{ seatIndex: 1, player: "Bob", message: "drop 4", time: 0 }],
    ...changes,
  };
}

describe("the board", () => {
  it("is read from the bottom up", () => {
    expect(discsIn(view(), 4)).toEqual([
      { seat: 0, column: 4, row: 1 },
      { seat: 1, column: 4, row: 2 },
    ]);
    expect(lastDisc(view())).toEqual({ seat: 1, column: 4, row: 2 });
    expect(lastDisc(view({ log: [] }))).toBeUndefined();
  });

  it("takes what is allowed from the legal moves", () => {
    expect(mayDrop(view(), 4)).toBe(true);
    expect(mayDrop(view(), 7)).toBe(false);
  });

  it("knows the winning cells", () => {
    const won = view({ winningCells: [{ column: 4, row: 2 }] });
    expect(isWinning(won, { column: 4, row: 2 })).toBe(true);
    expect(isWinning(won, { column: 4, row: 1 })).toBe(false);
  });
});

describe("words", () => {
  it("for columns and cells", () => {
    expect(columnWords(view(), 1, names)).toBe("Column 1, empty");
    expect(columnWords(view(), 4, names)).toBe("Column 4, 2 discs, Bob's disc on top");
    expect(columnWords(view(), 7, names)).toBe("Column 7, full, your disc on top");
    expect(cellWords(null, names)).toBe("empty");
  });

  it("for the result", () => {
    expect(resultWords(null, "", 0)).toBe("A draw: the board is full");
    expect(resultWords(0, "You", 0)).toBe("You win with four in line!");
    expect(resultWords(1, "Bob", 0)).toBe("Bob wins with four in line");
  });
});
