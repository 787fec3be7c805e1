import { expect, test } from "vitest";
import type { Seat, World } from "../model";
import { glanceOf, returnText } from "./news";

test("who comes back is told who is there, whose turn it is and how the games went", () => {
  const seat = (seatIndex: number, name: string, more: Partial<Seat> = {}) =>
    ({ seatIndex, playerId: name, name, bot: null, character: null, team: null, open: true, won: 0, ...more }) as Seat;
  const world = {
    status: "playing",
    played: 3,
    seats: [
      seat(0, "Ann", { won: 2 }),
      seat(1, "Bot", { bot: "hard", character: { name: "Orcabot", face: "whale" }, won: 1 }),
      seat(2, "x", { playerId: null }),
    ],
    you: { playerId: "Ann", seatIndex: 0 },
    standing: [
      { seats: [1], score: 0 },
      { seats: [0], score: 0 },
    ],
    view: { turn: [0] },
  } as unknown as World;
  const text = (more: Partial<World> = {}) => returnText(glanceOf({ ...world, ...more }));
  const score = "After 3 games: you 2, they 1";
  expect(text()).toEqual({ company: "Orcabot", mine: true, turn: "your turn", score });
  expect(text({ view: { turn: [1] } as World["view"] })).toMatchObject({ mine: false, turn: "Orcabot's turn" });
  expect(text({ status: "game_over" })).toMatchObject({ mine: false, turn: undefined });
  const standing = [
    { seats: [1], score: 6 },
    { seats: [0], score: 4 },
  ];
  expect(text({ standing }).score).toBe(`You 4, they 6. ${score}`);
  expect(text({ standing, played: 0 }).score).toBe("You 4, they 6");
  expect(text({ standing, status: "game_over" }).score).toBe(score);
  expect(text({ standing: [{ seats: [0, 1], score: 47 }], played: 0 }).score).toBe("Together 47");
});
