import { speeds } from "virtual:world";
import { expect, test } from "vitest";
import { captionTime } from "./captionTime";

test("captions are shown at every speed but instant, and the longer the slower", () => {
  const slowestFirst = Object.entries(speeds).sort((a, b) => b[1] - a[1]);
  expect(slowestFirst[0]![0]).toBe("watch-along");
  expect(captionTime(speeds.instant!)).toBe(0);
  const times = slowestFirst.slice(0, -1).map(([, percent]) => captionTime(percent));
  expect(Math.min(...times)).toBeGreaterThan(1500);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});
