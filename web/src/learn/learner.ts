// For the tests: somebody who takes a lesson, and does what `choose` says whenever it is their turn.
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import type { World } from "../model";
import type { Table } from "../table/table";
import { WasmWorld } from "../table/wasm";
import type { Idea, Lesson } from "./lesson";

const NOW = 1_700_000_000_000;
const STEPS_MAX = 3000;

// The part of a table that a coach reads.
function tableOf(seen: World): Table {
  const mine = seen.status === "playing" && seen.view!.turn.includes(0);
  return {
    world: seen,
    mySeat: () => 0,
    myTurn: () => mine,
    busy: () => false,
    name: (seat: number) => `Seat ${seat}`,
  } as unknown as Table;
}

export const seeds = Array.from({ length: 12 }, (_, index) => (index + 16).toString(16).repeat(32));

export async function sitDown(lesson: Lesson, seed: string): Promise<WasmWorld> {
  const world = await WasmWorld.instantiate(await readFile(new URL("../../../build/table.wasm", import.meta.url)));
  const entries = [`@me create FRSTGM ${lesson.gameId} ${seed} ${seed} Ann`, ...lesson.entries];
  expect(
    world.load(
      entries.map((entry) => `${NOW} ${entry}`),
      "me",
      NOW,
    ),
  ).toBeNull();
  return world;
}

// The ideas that were met, and how it ended.
export async function learn(
  lesson: Lesson,
  seed: string,
  choose: (world: World, idea: Idea) => string,
): Promise<{ met: string[]; world: World }> {
  const world = await sitDown(lesson, seed);
  const read = new Set<string>();
  const met = new Set<string>();
  for (let i = 0, now = NOW; i < STEPS_MAX; i++, now += 9000) {
    const table = tableOf(world.view("me"));
    const idea = lesson.advise(table, read);
    met.add(idea.id);
    expect(idea.text.length).toBeGreaterThan(10);
    expect(idea.title + idea.text).not.toMatch(/[{}]|NaN|undefined/);
    if (idea.gate) read.add(idea.id);
    else if (table.world.status === "game_over") break;
    else if (table.world.view!.looking.includes(0)) world.act("me", "next", now);
    else if (table.myTurn()) expect(world.act("me", choose(table.world, idea), now)).not.toHaveProperty("error");
    else world.tick("me", now);
  }
  const end = world.view("me");
  expect(end.status).toBe("game_over");
  return { met: [...met], world: end };
}
