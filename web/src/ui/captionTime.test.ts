import { speeds } from "virtual:world";
import { expect, test } from "vitest";
import { bySeat, captionTime } from "./captionTime";

test("captions are shown at every speed but instant, and the longer the slower", () => {
  const slowestFirst = Object.entries(speeds).sort((a, b) => b[1] - a[1]);
  expect(slowestFirst[0]![0]).toBe("watch-along");
  expect(captionTime(speeds.instant!)).toBe(0);
  const times = slowestFirst.slice(0, -1).map(([, percent]) => captionTime(percent));
  expect(Math.min(...times)).toBeGreaterThan(1500);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test("each seat has one caption, and what was taken is told before what became of it", () => {
  expect(
    bySeat([
      { seat: 1, text: "takes 6 with 7♠ 7♥", from: "pile" },
      { seat: 2, text: "passes" },
      { seat: 1, text: "lays 3 sevens" },
      { seat: 1, text: "closes a book" },
      { seat: 2, text: "calls" },
    ]),
  ).toEqual([
    { seat: 1, text: "takes 6 with 7♠ 7♥, closes a book", from: "pile" },
    { seat: 2, text: "calls" },
  ]);
});
