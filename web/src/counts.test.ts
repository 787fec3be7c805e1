import { expect, it } from "vitest";
import {
  barsOf,
  companions,
  figuresOf,
  lastOf,
  percent,
  plotOf,
  shown,
  streaks,
  summed,
  type Finished,
} from "./counts";
import { speak } from "./languages";

const finished = (score: number, won = false, figures = {}): Finished => ({
  gameId: "whos-deal",
  endedAt: 0,
  score,
  won,
  figures,
});

it("knows partners and opponents of games on the server, too", () => {
  const game = (name: string, partner: boolean) => ({ playerId: null, name, partner, bot: null });
  const last = [
    { ...finished(7, true), others: [game("Bea", true), game("Cy", false)] },
    { ...finished(3), others: [game("Cy", true), game("Bea", false)] },
  ];
  expect(companions(last, "partners")).toEqual([
    { name: "Bea", played: 1, won: 1 },
    { name: "Cy", played: 1, won: 0 },
  ]);
  expect(companions(last, "opponents").map(({ name }) => name)).toEqual(["Bea", "Cy"]);
});

it("tells people with the same name apart, and knows who has another name now", () => {
  const against = (playerId: string, name: string, won = false) => ({
    ...finished(1, won),
    others: [{ playerId, name, partner: false, bot: null }],
  });
  const last = [against("a1", "Anna"), against("a1", "Ann", true), against("a2", "Ann")];
  expect(companions(last, "opponents")).toEqual([
    { name: "Anna", played: 2, won: 1 },
    { name: "Ann", played: 1, won: 0 },
  ]);
});

it("draws the games from left to right within the frame", () => {
  const { points, line, low, high } = plotOf([finished(7), finished(4), finished(10, true)]);
  expect(points.map(({ score, x, y }) => [score, x, y])).toEqual([
    [7, 40, 45],
    [4, 166, 80],
    [10, 292, 10],
  ]);
  expect([low, high]).toEqual([4, 10]);
  expect(line).toBe("M40.0 45.0L166.0 80.0L292.0 10.0");
});

it("draws a level line when all scores are the same, but a low one where nobody won a point", () => {
  expect(plotOf([finished(3), finished(3)]).points.map(({ y }) => y)).toEqual([45, 45]);
  expect(plotOf([finished(0), finished(0)]).points.map(({ y }) => y)).toEqual([80, 80]);
});

it("plots the last games, no more than fit, the oldest first", () => {
  const last = Array.from({ length: 100 }, (_one, at) => finished(at));
  const plotted = lastOf({ games: [], last: [...last, { ...finished(1), gameId: "4-kate" }] }, "whos-deal");
  expect(plotted).toHaveLength(24);
  expect(plotted.at(-1)!.score).toBe(0);
});

it("puts the game played most first, and figures into words", () => {
  const record = (gameId: string, played: number) => ({
    gameId,
    played,
    won: 1,
    points: 0,
    best: 0,
    figures: { "going out": 2 },
  });
  expect(shown({ games: [record("a", 1), record("b", 5)], last: [] }).map(({ gameId }) => gameId)).toEqual(["b", "a"]);
  expect(
    figuresOf(record("a", 3), ["rounds", "going out"], [finished(1, true, { "going out": 2 }), finished(1)]),
  ).toEqual([
    { label: "Rounds", total: 0, each: 0, course: [0, 0] },
    { label: "Going out", total: 2, each: 0.7, course: [2, 0] },
  ]);
  speak("de", { "going out": "ausgemacht" });
  expect(figuresOf(record("a", 3), ["going out"], [])[0]!.label).toBe("Ausgemacht");
  speak("en", {});
  expect(percent(1, 3)).toBe("33 %");
  expect(percent(0, 0)).toBe("–");
});

it("draws the course of a figure as bars", () => {
  expect(barsOf([0, 4])).toBe("M0.0 20V19.0h37.5V20ZM50.0 20V1.0h37.5V20Z");
});

it("sums games of this device as the server does", () => {
  const last = [finished(7, true, { tricks: 3 }), finished(4, false, { tricks: 2, euchres: 1 })];
  expect(summed(last)).toEqual({
    games: [{ gameId: "whos-deal", played: 2, won: 1, points: 11, best: 7, figures: { tricks: 5, euchres: 1 } }],
    last,
  });
  expect(summed([finished(-30)]).games[0]!.best).toBe(-30);
  expect(summed([]).games).toEqual([]);
});

it("counts games won in a row, the newest first", () => {
  const won = (wins: string) => [...wins].map((one) => finished(0, one === "w"));
  const row = (wins: string) => streaks({ games: [], last: won(wins) }, "whos-deal");
  expect(row("")).toEqual({ now: 0, longest: 0 });
  expect(row("ww")).toEqual({ now: 2, longest: 2 });
  expect(row("wlwwwl")).toEqual({ now: 1, longest: 3 });
  expect(row("lww")).toEqual({ now: 0, longest: 2 });
  const lost = { ...finished(0), gameId: "4-kate" }; // breaks no row of another game
  expect(streaks({ games: [], last: [...won("w"), lost, ...won("w")] }, "whos-deal")).toEqual({ now: 2, longest: 2 });
});

it("knows with and against whom one played, the most frequent first", () => {
  const last = [
    { ...finished(1, true), partners: ["Cy"], opponents: ["Bo", "Bo"] },
    { ...finished(1), partners: ["Cy"], opponents: ["Al"] },
    { ...finished(1, true), opponents: ["Bo"] },
  ];
  expect(companions(last, "partners")).toEqual([{ name: "Cy", played: 2, won: 1 }]);
  expect(companions(last, "opponents")).toEqual([
    { name: "Bo", played: 2, won: 2 },
    { name: "Al", played: 1, won: 0 },
  ]);
});
