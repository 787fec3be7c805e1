import { expect, test } from "vitest";
import { bestMeld, booksFor, cardsOf, groupByRank, pointsOf, rankOf, spoils, type Book } from "./view";

const settings = { jokerPoints: 50, twoPoints: 20, acePoints: 20, highPoints: 10, eightPoints: 10, lowPoints: 5, blackThreePoints: 5 };
const book = (rank: string, more: Partial<Book> = {}): Book => ({
  id: 1, team: 0, rank, cards: [], isBook: false, isClean: false, isDirty: false, closed: false, status: "", points: 0, bonus: 0, topCard: null, turned: false, blackMarker: false, ...more,
});

test("cards count what the settings say", () => {
  expect(pointsOf(["JK", "2S", "AH", "KD.2", "8C", "7H", "3S"], settings)).toBe(50 + 20 + 20 + 10 + 10 + 5 + 5);
  expect(pointsOf(["JK"], { ...settings, jokerPoints: 30 })).toBe(30);
});

test("a hand falls into ranks in its own order", () => {
  expect(groupByRank(["3S", "4H", "4H.2", "KD", "2S", "JK", "JK.2"])).toEqual([
    { rank: "3", cards: ["3S"] },
    { rank: "4", cards: ["4H", "4H.2"] },
    { rank: "K", cards: ["KD"] },
    { rank: "2", cards: ["2S"] },
    { rank: "JK", cards: ["JK", "JK.2"] },
  ]);
});

test("a selection goes on books of its rank, wilds alone on any", () => {
  const books = [book("K"), book("9")];
  expect(booksFor(["KH", "2S"], books)).toEqual([books[0]]);
  expect(booksFor(["2S", "JK"], books)).toEqual(books);
  expect(booksFor(["KH", "9S"], books)).toEqual([]);
  expect(booksFor([], books)).toEqual([]);
  expect(rankOf(["2S"])).toBeNull();
});

test("a wild spoils a clean book only", () => {
  expect(spoils(book("K", { isBook: true, isClean: true }), ["2S"])).toBe(true);
  expect(spoils(book("K", { isBook: true, isClean: true }), ["KS"])).toBe(false);
  expect(spoils(book("K", { isBook: true, isDirty: true }), ["2S"])).toBe(false);
  expect(spoils(book("K"), ["2S"])).toBe(false);
});

test("moves name cards", () => {
  expect(cardsOf("meld KH KS.2 2C / 10H 10D JK")).toEqual(["KH", "KS.2", "2C", "10H", "10D", "JK"]);
  expect(cardsOf("add 3 KD 2H")).toEqual(["KD", "2H"]);
  expect(cardsOf("draw")).toEqual([]);
});

test("the best offer is the one worth most", () => {
  const legal = ["draw", "meld 4H 4S 4D", "meld AH AS AD", "discard AH"].map((move) => ({ type: move.split(" ")[0]!, payload: {}, move }));
  expect(bestMeld({ turn: [0], legal, phaseEndsAt: null, botActionAt: null, log: [] }, settings)).toBe("meld AH AS AD");
  expect(bestMeld({ turn: [0], legal: legal.slice(3), phaseEndsAt: null, botActionAt: null, log: [] }, settings)).toBeNull();
});
