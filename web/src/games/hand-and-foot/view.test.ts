import { describe, expect, test } from "vitest";
import { layoutHand } from "./layout";
import { keepOrder, moveBefore, nudge } from "./order";
import { booksFor, cardsOf, countTimesValue, groupByRank, pointsOf, rankOf, spoiledBy, spoils, suggestionsIn, type Book } from "./view";

const settings = { jokerPoints: 50, twoPoints: 20, acePoints: 20, highPoints: 10, eightPoints: 10, lowPoints: 5, blackThreePoints: 5 };
const book = (rank: string, more: Partial<Book> = {}): Book => ({
  id: 1, team: 0, rank, cards: [], isBook: false, isClean: false, isDirty: false, closed: false, status: "", points: 0, bonus: 0, topCard: null, turned: false, blackMarker: false, ...more,
});

test("cards count what the settings say", () => {
  expect(pointsOf(["JK", "2S", "AH", "KD.2", "8C", "7H", "3S"], settings)).toBe(50 + 20 + 20 + 10 + 10 + 5 + 5);
  expect(pointsOf(["JK"], { ...settings, jokerPoints: 30 })).toBe(30);
  expect(pointsOf(["9S", "8S"], { ...settings, eightPoints: 5 })).toBe(10 + 5); // TF-5, TF-6
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

const offers = (...moves: string[]) => ({ turn: [0], legal: moves.map((move) => ({ type: { meld: "meld", add: "add-to-meld" }[move.split(" ")[0]!] ?? "other", payload: {}, move })), looking: [], phaseEndsAt: null, botActionAt: null, log: [] });

test("what is worth most is suggested first, and what spoils a clean book last", () => {
  const clean = book("K", { id: 2, isBook: true, isClean: true });
  expect(suggestionsIn(offers("draw", "meld 4H 4S 4D", "meld AH AS AD", "discard AH", "add 2 JK"), [clean], settings)).toEqual(["meld AH AS AD", "meld 4H 4S 4D", "add 2 JK"]);
  expect(suggestionsIn(offers("meld KH KD KS 2C", "meld KH KD KS"), [], settings)[0]).toBe("meld KH KD KS");
  expect(suggestionsIn(offers("add 1 2C", "add 2 2C"), [book("9", { id: 1, cards: ["9H", "9S", "9D"] }), book("4", { id: 2, cards: ["4H", "4S", "2D"] })], settings)[0]).toBe("add 2 2C");
  expect(suggestionsIn(offers("discard AH"), [], settings)).toEqual([]);
});

test("a group with a wild spoils the clean book that it goes onto", () => {
  const clean = book("K", { id: 2, isBook: true, isClean: true });
  expect(spoiledBy("meld QH QS QD / KH KS 2C", [clean], { booksPerRank: "one" })).toBe(clean);
  expect(spoiledBy("meld KH KS 2C", [clean], { booksPerRank: "any" })).toBeUndefined();
  expect(spoiledBy("add 2 KH 2C", [clean], {})).toBe(clean);
  expect(spoiledBy("add 2 KH", [clean], {})).toBeUndefined();
});

test("a meld's points are counted by value", () => {
  expect(countTimesValue(["9S", "9H", "9H.2", "2C", "2D", "JK"], settings)).toBe("3 × 10 + 2 × 20 + 1 × 50");
});

describe("a hand on the table", () => {
  const many = ["3S", "4H", "4H.2", "4S", "6C", "6D", "6H", "6S", "8C", "8D", "8H", "8S", "9C", "9D", "10S", "JH", "QC", "KC", "KD", "KH", "AC", "AD", "AS", "2C", "2D"];
  test("of 25 cards fits a phone, every index to be seen", () => {
    const { places, rows, height } = layoutHand(many, 374, 60);
    expect(rows.reduce((a, b) => a + b)).toBe(25);
    expect(rows.length).toBeLessThanOrEqual(4);
    expect(height).toBeLessThan(250);
    for (const { x } of places) expect(x).toBeGreaterThanOrEqual(-0.01), expect(x).toBeLessThanOrEqual(314.01);
    places.forEach((place, i) => i > 0 && place.y === places[i - 1]!.y && expect(place.x - places[i - 1]!.x).toBeGreaterThanOrEqual(32 - 0.01));
  });
  test("lies in one row where there is room, in the middle", () => {
    const { places, rows } = layoutHand(["KH", "KS", "AH"], 1000, 100);
    expect(rows).toEqual([3]);
    expect(places[0]!.x).toBeCloseTo(1000 - 100 - places[2]!.x);
  });
  test("may be empty", () => expect(layoutHand([], 300, 60).places).toEqual([]));
});

describe("an order of one's own", () => {
  test("is kept, and what is drawn comes to the right", () => expect(keepOrder(["KH", "3S", "9D"], ["2C", "3S", "9D", "9D.2"])).toEqual(["3S", "9D", "2C", "9D.2"]));
  test("is changed by moving cards", () => {
    expect(moveBefore(["A", "B", "C", "D"], ["D", "B"], "A")).toEqual(["B", "D", "A", "C"]);
    expect(moveBefore(["A", "B", "C"], ["A"], undefined)).toEqual(["B", "C", "A"]);
    expect(nudge(["A", "B", "C"], "B", 1)).toEqual(["A", "C", "B"]);
    expect(nudge(["A", "B", "C"], "A", -1)).toEqual(["A", "B", "C"]);
  });
});
