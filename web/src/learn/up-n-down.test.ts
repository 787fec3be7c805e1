import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { UpNDownView } from "../games/up-n-down/view";
import type { World } from "../model";
import type { Table } from "../table/table";
import { WasmWorld } from "../table/wasm";
import lesson from "./up-n-down";

const NOW = 1_700_000_000_000;

// As much of a table as a coach looks at.
function tableOf(seen: World): Table {
  const mine = seen.status === "playing" && seen.view!.turn.includes(0);
  return { world: seen, mySeat: () => 0, myTurn: () => mine, busy: () => false, name: (seat: number) => `Seat ${seat}` } as unknown as Table;
}

// What the lit selector points at, as a move.
function advisedMove(light: string | undefined): string | undefined {
  if (light === ".end") return "end";
  const card = /data-card="(\d+)"/.exec(light ?? "")?.[1];
  const pile = /data-pile="(\d)"/.exec(light ?? "")?.[1];
  return card && pile ? `play ${card} ${pile}` : undefined;
}

async function play(seed: string, choose: (legal: string[], advised: string | undefined) => string): Promise<{ met: Set<string>; phase: string }> {
  const world = await WasmWorld.instantiate(await readFile(new URL("../../../build/table.wasm", import.meta.url)));
  const entries = [`@me create FRSTGM up-n-down ${seed} ${seed} Ann`, ...lesson.entries];
  expect(world.load(entries.map((entry) => `${NOW} ${entry}`), "me", NOW)).toBeNull();
  const read = new Set<string>();
  const met = new Set<string>();
  for (let i = 0, now = NOW; i < 600; i++, now += 9000) {
    const table = tableOf(world.view("me"));
    const idea = lesson.advise(table, read);
    met.add(idea.id);
    expect(idea.text.length).toBeGreaterThan(10);
    if (idea.gate) read.add(idea.id);
    else if (table.world.status === "game_over") break;
    else if (table.myTurn()) world.act("me", choose(table.world.view!.legal.map(({ move }) => move), advisedMove(idea.light)), now);
    else world.tick("me", now);
  }
  return { met, phase: (world.view("me").view as UpNDownView).gamePhase };
}

const seeds = Array.from({ length: 12 }, (_, index) => (index + 16).toString(16).repeat(32));

test.each(seeds)("a learner who does as advised meets every idea and wins (%s)", async (seed) => {
  const { met, phase } = await play(seed, (legal, advised) => {
    expect(legal).toContain(advised);
    return advised!;
  });
  expect(phase).toBe("won");
  expect([...met]).toEqual(expect.arrayContaining([...lesson.ideas]));
});

test.each(["first", "last"])("a learner who always takes the %s legal move comes to an end as well", async (which) => {
  const { phase } = await play(seeds[0]!, (legal) => legal.at(which === "first" ? 0 : -1)!);
  expect(["won", "lost"]).toContain(phase);
});
