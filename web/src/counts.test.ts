import { expect, it } from "vitest";
import { figuresOf, percent, plotOf, shown, type Finished } from "./counts";

const finished = (score: number, won = false): Finished => ({ gameId: "whos-deal", endedAt: 0, score, won });

it("draws the last games from left to right within the frame", () => {
  const { points, line, low, high } = plotOf([finished(10, true), finished(4), finished(7)]);
  expect(points.map(({ score, x, y }) => [score, x, y])).toEqual([
    [7, 8, 45],
    [4, 150, 80],
    [10, 292, 10],
  ]);
  expect([low, high]).toEqual([4, 10]);
  expect(line).toBe("M8.0 45.0L150.0 80.0L292.0 10.0");
});

it("draws a level line when all scores are the same", () => {
  expect(plotOf([finished(3), finished(3)]).points.map(({ y }) => y)).toEqual([45, 45]);
});

it("plots no more than fit", () => {
  expect(plotOf(Array.from({ length: 100 }, (_one, at) => finished(at))).points).toHaveLength(24);
});

it("puts the game played most first, and figures into words", () => {
  const record = (gameId: string, played: number) => ({ gameId, played, won: 1, points: 0, best: 0, figures: { "going out": 2 } });
  expect(shown({ games: [record("a", 1), record("b", 5)], last: [] }).map(({ gameId }) => gameId)).toEqual(["b", "a"]);
  expect(figuresOf(record("a", 3), ["rounds", "going out"])).toEqual([
    { label: "Rounds", total: 0, each: 0 },
    { label: "Going out", total: 2, each: 0.7 },
  ]);
  expect(percent(1, 3)).toBe("33 %");
  expect(percent(0, 0)).toBe("–");
});
