import { expect, test } from "vitest";
import { captions } from "./captions";
import type { HandAndFootEvent } from "./view";

const told = (...events: unknown[]) => captions(events as HandAndFootEvent[]);

test("a pile that is taken flies with the cards it was taken with", () => {
  const taken = { event: "pile-taken", data: { seatIndex: 2, topCard: "7D.3", count: 6, pileSize: 0 } };
  const laid = { event: "cards-melded", data: { seatIndex: 2, team: 0, bookId: 1, cards: ["7S.1", "7H.2", "7D.3"] } };
  expect(told(taken, laid)).toEqual([{ seat: 2, text: "takes 6 with 7♠ 7♥", from: "pile" }]);
  expect(told(taken)).toEqual([{ seat: 2, text: "takes 6", from: "pile" }]);
  expect(told(laid)).toEqual([{ seat: 2, text: "lays 7♠ 7♥ 7♦" }]);
});

test("feet, books, threes and discards have a caption; what is nobody's has none", () => {
  const data = { seatIndex: 1, bookId: 3, status: "clean", card: "9C", frozen: false, count: 2 };
  const words = (event: string, more = {}) => told({ event, data: { ...data, ...more } }).map(({ text }) => text);
  expect(words("foot-picked-up")).toEqual(["picks up the foot"]);
  expect(words("book-closed")).toEqual(["closes a book: clean"]);
  expect(words("book-completed")).toEqual(["completes a book: clean"]);
  expect(words("cards-drawn")).toEqual(["draws 2"]);
  expect(words("card-discarded")).toEqual(["discards 9♣"]);
  expect(words("card-discarded", { card: "2H", frozen: true })).toEqual(["discards 2♥, frozen"]);
  expect(words("round-started")).toEqual([]);
});
