import { describe, expect, test } from "vitest";
import { layoutHand } from "./layout";
import { keepOrder, moveBefore, nudge } from "./order";
import { placed } from "./sides";
import {
  booksFor,
  cardsOf,
  countTimesValue,
  groupByRank,
  heldCards,
  part,
  pointsOf,
  rankOf,
  spoiledBy,
  suggestionsIn,
  type Book,
  type HandAndFootView,
  type Layable,
  type Side,
} from "./view";

const counted = {
  wildRanks: ["2", "JK"],
  cardPoints: {
    JK: 50,
    "2": 20,
    A: 20,
    K: 10,
    Q: 10,
    J: 10,
    "10": 10,
    "9": 10,
    "8": 10,
    "7": 5,
    "6": 5,
    "5": 5,
    "4": 5,
    "3": 0,
  },
};
const book = (rank: string, more: Partial<Book> = {}): Book => ({
  id: 1,
  team: 0,
  rank,
  cards: [],
  isBook: false,
  isClean: false,
  isDirty: false,
  wilds: 0,
  unnatural: false,
  closed: false,
  status: "",
  points: 0,
  bonus: 0,
  topCard: null,
  turned: false,
  blackMarker: false,
  ...more,
});

test("cards count what the engine says", () => {
  expect(pointsOf(["JK", "2S", "AH", "KD.2", "8C", "7H", "3S"], counted)).toBe(50 + 20 + 20 + 10 + 10 + 5 + 0);
  expect(pointsOf(["JK"], { cardPoints: { JK: 30 } })).toBe(30);
});

test("a red three counts nothing where black ones are laid", () => {
  const cardPoints = { ...counted.cardPoints, "3": 5, "3H": 0, "3D": 0 };
  expect(pointsOf(["3S", "3C.2"], { cardPoints })).toBe(10);
  expect(pointsOf(["3H", "3D.2", "3S"], { cardPoints })).toBe(5);
  expect(countTimesValue(["3S", "3H.2"], { cardPoints })).toBe("1 × 5 + 1 × 0");
});

test("copies of a card are told apart in the hand, not in a move", () => {
  const hand = ["AS", "AC", "AC.2", "AC.3", "KH", "2S"];
  expect(heldCards(["AC", "AC", "AS", "2S"], hand)).toEqual(["AC", "AC.2", "AS", "2S"]);
  expect(new Set(heldCards(["AC", "AC", "AC"], hand)).size).toBe(3);
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

const kings = (count: number) => Array.from({ length: count }, (_, i) => (i === 0 ? "KS" : `KS.${i + 1}`));

test("moves name cards", () => {
  expect(cardsOf("meld KH KS.2 2C / 10H 10D JK")).toEqual(["KH", "KS.2", "2C", "10H", "10D", "JK"]);
  expect(cardsOf("add 3 KD 2H")).toEqual(["KD", "2H"]);
  expect(cardsOf("draw")).toEqual([]);
});

const seen = (groups: Layable[], legal: object[] = []) =>
  ({ ...counted, legal, players: [{}, { groups }] }) as unknown as HandAndFootView;

// As the engine tells of a hand with three kings, three queens, two nines, a three and three wilds that may not
// outnumber naturals.
const layable: Layable[] = [
  { rank: "9", kinds: ["9S"], wilds: [null, null, [1, 2]], onto: null },
  { rank: "Q", kinds: ["QS", "QH"], wilds: [null, null, [1, 2], [0, 3]], onto: null },
  { rank: "K", kinds: ["KS"], wilds: [null, null, [1, 2], [0, 3]], onto: 2 },
  { rank: "wild", kinds: ["2S", "JK"], wilds: [null], onto: null },
];

test("a selection is parted into what could be laid", () => {
  const parted = (...cards: string[]) => part(cards, seen(layable));
  const sum = (...cards: string[]) => pointsOf(parted(...cards).groups.flat(), counted);
  expect(parted("KS", "KS.2", "KS.3", "QS", "QS.2", "QH")).toEqual({
    groups: [
      ["KS", "KS.2", "KS.3"],
      ["QS", "QS.2", "QH"],
    ].reverse(),
    rest: [],
  });
  expect(parted("KS", "KS.2", "KS.3", "3S").rest).toEqual(["3S"]);
  expect(sum("KS", "KS.2", "KS.3", "3S")).toBe(30);
  expect(sum("KS", "KS.2")).toBe(0);
  expect(parted("9S", "9S.2", "JK", "KS", "KS.2", "KS.3")).toEqual({
    groups: [
      ["KS", "KS.2", "KS.3"],
      ["9S", "9S.2", "JK"],
    ],
    rest: [],
  });
  expect(parted("KS", "KS.2", "2S", "2S.2", "JK")).toEqual({ groups: [["KS", "KS.2", "2S", "2S.2"]], rest: ["JK"] });
  expect(parted("2S", "2S.2", "JK")).toEqual({ groups: [], rest: ["2S", "2S.2", "JK"] });
  const books = layable.with(3, { ...layable[3]!, wilds: [[3, 3]] });
  expect(part(["2S", "2S.2", "JK"], seen(books)).groups).toEqual([["2S", "2S.2", "JK"]]);
});

// Of a hand with a king, two nines, a four and three wilds: two kings with two wilds take a third wild only with
// another king, and the nines one wild more with each nine.
test("a selection goes on the books that the engine says may take so many naturals and wilds", () => {
  const none = { wilds: [], onto: null };
  const groups = [
    { rank: "4", kinds: ["4H"], ...none },
    { rank: "9", kinds: ["9S"], ...none },
    { rank: "K", kinds: ["KH"], ...none },
    { rank: "wild", kinds: ["2S", "JK"], ...none },
  ];
  const additions = [
    { book: 1, wilds: [[], [0, 1]] },
    { book: 2, wilds: [[1], [0, 1, 2], [0, 1, 2, 3]] },
    { book: 3, wilds: [[1, 2, 3]] },
  ];
  const books = [book("K"), book("9", { id: 2 }), book("wild", { id: 3 })];
  const view = { ...counted, legal: [], players: [{}, { groups, additions }] } as unknown as HandAndFootView;
  const numbers = (...cards: string[]) => booksFor(cards, books, view).map(({ id }) => id);
  expect(numbers("KH.2", "2S")).toEqual([1]);
  expect(numbers("2S")).toEqual([2, 3]);
  expect(numbers("2S", "JK")).toEqual([3]);
  expect(numbers("9S", "9S.2", "2S", "2S.2", "JK")).toEqual([2]);
  expect(numbers("KH", "2S", "JK")).toEqual([]);
  expect(numbers("KH", "9S")).toEqual([]);
  expect(numbers("4H")).toEqual([]);
  expect(numbers("3H")).toEqual([]);
  expect(numbers()).toEqual([]);
  expect(booksFor(["2S"], books, seen(groups))).toEqual([]);
  expect(rankOf(["2S"], counted)).toBeNull();
});

test("suggestions come in the order of the engine's ratings", () => {
  const rated = (move: string, rating?: number) => ({ type: "meld", move, preview: { rating } });
  const view = seen(
    [],
    [{ type: "draw", move: "draw" }, rated("a", 3), rated("b"), rated("c", -20012), rated("d", 61)],
  );
  expect(suggestionsIn(view).map(({ move }) => move)).toEqual(["d", "a", "c"]);
});

test("HF-C49 a group with a wild spoils the meld worth keeping that it goes onto", () => {
  const clean = book("K", { id: 2, isBook: true, isClean: true, cards: kings(7) });
  const side = (worthKeeping: number[]) => ({ melds: [clean], worthKeeping }) as unknown as Side;
  const spoiled = (move: string, groups = layable, kept = [2]) => spoiledBy(move, seen(groups), side(kept));
  expect(spoiled("meld QH QS QD / KH KS 2C")).toBe(clean);
  expect(spoiled("meld QH QS QD / KH KS 2C", layable, [])).toBeUndefined();
  expect(spoiled("meld QH QS 2C")).toBeUndefined();
  expect(spoiled("add 2 KH 2C", [])).toBe(clean);
  expect(spoiled("add 2 KH", [])).toBeUndefined();
  expect(spoiled("take KH 2C")).toBe(clean);
  expect(spoiled("take add 2 JK", [])).toBe(clean);
});

test("sides stand in the order of their points, and equal points share a place", () => {
  const places = (...points: number[]) => placed(points, (one) => one).map(({ side, place }) => `${place}: ${side}`);
  expect(places(500, 900, 900, 100)).toEqual(["1: 900", "1: 900", "3: 500", "4: 100"]);
});

test("a meld's points are counted by value", () => {
  expect(countTimesValue(["9S", "9H", "9H.2", "2C", "2D", "JK"], counted)).toBe("3 × 10 + 2 × 20 + 1 × 50");
});

describe("a hand on the table", () => {
  const many = [
    "3S",
    "4H",
    "4H.2",
    "4S",
    "6C",
    "6D",
    "6H",
    "6S",
    "8C",
    "8D",
    "8H",
    "8S",
    "9C",
    "9D",
    "10S",
    "JH",
    "QC",
    "KC",
    "KD",
    "KH",
    "AC",
    "AD",
    "AS",
    "2C",
    "2D",
  ];
  test("of 25 cards fits a phone, every index to be seen", () => {
    const { places, rows, height } = layoutHand(many, 374, 60);
    expect(rows.reduce((a, b) => a + b)).toBe(25);
    expect(rows.length).toBeLessThanOrEqual(4);
    expect(height).toBeLessThan(250);
    for (const { x } of places) {
      expect(x).toBeGreaterThanOrEqual(-0.01);
      expect(x).toBeLessThanOrEqual(314.01);
    }
    places.forEach(
      (place, i) =>
        i > 0 && place.y === places[i - 1]!.y && expect(place.x - places[i - 1]!.x).toBeGreaterThanOrEqual(32 - 0.01),
    );
  });
  test("lies in one row where there is room, in the middle", () => {
    const { places, rows } = layoutHand(["KH", "KS", "AH"], 1000, 100);
    expect(rows).toEqual([3]);
    expect(places[0]!.x).toBeCloseTo(1000 - 100 - places[2]!.x);
  });
  test("of few small cards stays together", () => {
    const { places } = layoutHand(["5C", "6D", "6H", "JS", "KD"], 540, 46);
    expect(places[4]!.x - places[0]!.x).toBeLessThan(4 * 50);
    expect(places[2]!.x - places[1]!.x).toBeGreaterThanOrEqual(32 - 0.01);
  });
  test("may be empty", () => expect(layoutHand([], 300, 60).places).toEqual([]));
});

describe("an order of one's own", () => {
  test("is kept, and what is drawn comes to the right", () =>
    expect(keepOrder(["KH", "3S", "9D"], ["2C", "3S", "9D", "9D.2"])).toEqual(["3S", "9D", "2C", "9D.2"]));
  test("is changed by moving cards", () => {
    expect(moveBefore(["A", "B", "C", "D"], ["D", "B"], "A")).toEqual(["B", "D", "A", "C"]);
    expect(moveBefore(["A", "B", "C"], ["A"], undefined)).toEqual(["B", "C", "A"]);
    expect(nudge(["A", "B", "C"], "B", 1)).toEqual(["A", "C", "B"]);
    expect(nudge(["A", "B", "C"], "A", -1)).toEqual(["A", "B", "C"]);
  });
});
