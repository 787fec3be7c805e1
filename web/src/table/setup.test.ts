import { expect, test } from "vitest";
import type { Seat, World } from "../model";
import { setupMoves } from "./setup";

const seat = (seatIndex: number, bot: string | null, more: Partial<Seat> = {}): Seat => ({
  seatIndex,
  playerId: bot ? `bot-${seatIndex}` : null,
  name: null,
  bot,
  character: null,
  team: null,
  connected: false,
  open: true,
  away: false,
  free: true,
  won: 0,
  ...more,
});
const option = { key: "targetScore", label: "", help: "", type: "number", default: 10 };
const world = (seats: Seat[], mine: number, targetScore: number) =>
  ({ seats, settings: { targetScore, speed: "fast" }, you: { playerId: "me", seatIndex: mine } }) as unknown as World;

test("a table is laid again by the moves that made it", () => {
  const about = { options: [option], presets: [] };
  const four = [seat(0, "hard"), seat(1, "easy"), seat(2, null), seat(3, "expert")];
  expect(setupMoves(world(four, 2, 7), about, true)).toEqual([
    "set targetScore=7 speed=fast",
    "move 0 2",
    "bot 0 hard",
    "bot 1 easy",
    "bot 3 expert",
  ]);
  const free = [seat(0, null), seat(1, "hard"), seat(2, null), seat(3, null, { open: false })];
  expect(setupMoves(world(free, 0, 10), about, false)).toEqual([
    "set speed=fast",
    "bot 1 hard",
    "bot 2 open",
    "bot 3 closed",
  ]);
});
