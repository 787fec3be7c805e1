import { expect, test } from "vitest";
import type { Seat, World } from "../model";
import { returnText } from "./news";

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
    view: { turn: [0] },
  } as unknown as World;
  expect(returnText(world)).toEqual({ company: "Orcabot", mine: true, score: "After 3 games: you 2, they 1" });
  expect(returnText({ ...world, status: "game_over" }).mine).toBe(false);
});
