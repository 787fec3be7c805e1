import { describe, expect, it } from "vitest";
import type { Seat } from "../../model";
import { aSeat } from "../../table/fixtures";
import { awaited, jumpSign, jumpsOf, orderName, pileWords, share, type Pile, type UpNDownView } from "./view";

const pile = (id: number, top: number, ...cards: number[]): Pile => ({
  id,
  type: id < 3 ? "ascending" : "descending",
  start: id < 3 ? 1 : 100,
  top,
  cards,
});
const play = (cardId: number, pileId: number, movement: number, special = false) => ({
  type: "play-card" as const,
  payload: { cardId, pileId },
  move: `play ${cardId} ${pileId}`,
  preview: { movement, special, cost: special ? -movement : movement },
});
const numbers = { cardsPlayed: 3, totalMovement: 66, specialPlays: 0, averageMovement: 22 };

const view = (changes: Partial<UpNDownView> = {}): UpNDownView => ({
  gamePhase: "playing",
  isSolitaire: false,
  currentPlayerIndex: 0,
  cardsPlayedThisTurn: 0,
  minimumThisTurn: 2,
  canUndo: false,
  foundationPiles: [pile(1, 67, 67), pile(2, 1), pile(3, 47, 47), pile(4, 60, 60)],
  drawPileCount: 81,
  cardsLeft: 95,
  players: [],
  statistics: numbers,
  settings: {
    minCardValue: 2,
    maxCardValue: 99,
    handSize: 7,
    minPlayers: 1,
    maxPlayers: 8,
    minCardsPerTurn: 2,
    allowUndo: false,
    autoRefillHand: true,
    debugMode: false,
  },
  turn: [0],
  legal: [play(57, 1, 10, true), play(57, 2, 56), play(57, 3, 10, true), play(57, 4, 3), play(70, 1, 3)],
  looking: [],
  phaseEndsAt: null,
  botActionAt: null,
  log: [],
  ...changes,
});

const seat = (seatIndex: number, name: string, bot: Seat["bot"] = null): Seat =>
  aSeat(seatIndex, name, { bot, character: bot ? { name: "Crabbot", face: "crab" } : null });

describe("jumps", () => {
  it("come from the legal moves alone", () => {
    expect(jumpsOf(view(), 70).map(({ pile: id }) => id)).toEqual([1]);
    expect(jumpsOf(view({ legal: [] }), 70)).toEqual([]);
    expect(jumpsOf(view(), null)).toEqual([]);
  });

  it("tell a backward-10 and take it for the best", () => {
    const [first, second, third, fourth] = jumpsOf(view(), 57);
    expect(first).toMatchObject({ distance: 10, backward: true, best: true });
    expect(second).toMatchObject({ distance: 56, backward: false, best: false });
    expect(third).toMatchObject({ distance: 10, backward: true, best: true });
    expect(fourth).toMatchObject({ distance: 3, backward: false, best: false });
  });

  it("are written the way the pile's number goes", () => {
    const signs = jumpsOf(view(), 57).map((jump) => jumpSign(view().foundationPiles[jump.pile - 1]!, jump));
    expect(signs).toEqual(["−10", "+56", "+10", "−3"]);
  });
});

describe("words", () => {
  it("UD-39 turn order shows name, number and (You)", () => {
    expect(orderName(seat(0, "Ann"), 0)).toBe("Ann (1) (You)");
    expect(orderName(seat(0, "You"), 0)).toBe("You (1)");
    expect(orderName(seat(1, "Bot", "hard"), 0)).toBe("Crabbot (2)");
  });

  it("say what is awaited", () => {
    expect(awaited(view())).toBe("Your turn: 2 cards");
    expect(awaited(view({ cardsPlayedThisTurn: 1 }))).toBe("Your turn: 1 more");
    expect(awaited(view({ cardsPlayedThisTurn: 2 }))).toBe("Play on, or end the turn");
    expect(awaited(view({ isSolitaire: true }))).toBe("Play on: 95 cards to go");
    expect(awaited(view({ gamePhase: "won" }))).toBeUndefined();
  });

  it("name a pile with its top", () => {
    expect(pileWords(pile(2, 1))).toBe("Pile 2, rising, empty, counts as 1");
    expect(pileWords(pile(3, 47, 47))).toBe("Pile 3, falling, 47 on top");
  });
});

it("measures the range of the deck", () => {
  expect(share(view(), 1)).toBe(0);
  expect(share(view(), 100)).toBe(1);
});
