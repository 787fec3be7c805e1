import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { HandAndFootView } from "../games/hand-and-foot/view";
import type { World } from "../model";
import type { Table } from "../table/table";
import { WasmWorld } from "../table/wasm";
import lesson, { adviseMove } from "./hand-and-foot";

const NOW = 1_700_000_000_000;

// As much of a table as a coach looks at.
function tableOf(seen: World): Table {
  const turn = seen.status === "playing" && seen.view!.turn.includes(0);
  return { world: seen, mySeat: () => 0, myTurn: () => turn, busy: () => false, name: (seat: number) => `Seat ${seat}` } as unknown as Table;
}

async function play(seed: string, choose: (view: HandAndFootView, world: World) => string): Promise<{ met: Set<string>; world: World }> {
  const world = await WasmWorld.instantiate(await readFile(new URL("../../../build/table.wasm", import.meta.url)));
  const entries = [`@me create FRSTGM hand-and-foot ${seed} ${seed} Ann`, ...lesson.entries];
  expect(world.load(entries.map((entry) => `${NOW} ${entry}`), "me", NOW)).toBeNull();
  const read = new Set<string>();
  const met = new Set<string>();
  for (let i = 0, now = NOW; i < 3000; i++, now += 9000) {
    const table = tableOf(world.view("me"));
    const idea = lesson.advise(table, read);
    met.add(idea.id);
    expect(idea.text.length).toBeGreaterThan(10);
    if (idea.gate) read.add(idea.id);
    else if (table.world.status === "game_over") break;
    else if (table.myTurn()) world.act("me", choose(table.world.view as HandAndFootView, table.world), now);
    else world.tick("me", now);
  }
  return { met, world: world.view("me") };
}

const advised = (view: HandAndFootView, { settings }: World) => adviseMove(view, view.teams[0]!, settings)!;
const seeds = Array.from({ length: 8 }, (_, index) => (index + 16).toString(16).repeat(32));

test.each(seeds)("a learner who does as advised meets every idea and goes out (%s)", async (seed) => {
  const { met, world } = await play(seed, (view, seen) => {
    expect(view.legal.map(({ move }) => move)).toContain(advised(view, seen));
    return advised(view, seen);
  });
  expect(world.status).toBe("game_over");
  expect((world.view as HandAndFootView).wentOut).toBe(0);
  expect([...met]).toEqual(expect.arrayContaining([...lesson.ideas]));
});

test.each([0, -1])("a learner who always takes legal move %d comes to an end as well", async (which) => {
  const { world } = await play(seeds[0]!, (view) => view.legal.at(which)!.move);
  expect(world.status).toBe("game_over");
});
