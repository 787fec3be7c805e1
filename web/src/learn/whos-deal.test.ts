import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { viewOf, type Round } from "../games/whos-deal/view";
import type { World } from "../model";
import { WasmWorld } from "../table/wasm";
import type { Table } from "../table/table";
import lesson, { adviseCard } from "./whos-deal";

const NOW = 1_700_000_000_000;
let world: WasmWorld;

beforeEach(async () => {
  world = await WasmWorld.instantiate(await readFile(new URL("../../../build/table.wasm", import.meta.url)));
  const seed = "5a".repeat(32);
  const entries = [`@me create FRSTGM whos-deal ${seed} ${seed} Ann`, ...lesson.entries];
  expect(world.load(entries.map((entry) => `${NOW} ${entry}`), "me", NOW)).toBeNull();
});

// As much of a table as a coach looks at.
function tableOf(seen: World): Table {
  const mine = seen.view!.turn.includes(0) && seen.status === "playing";
  return { world: seen, mySeat: () => 0, myTurn: () => mine, busy: () => false, name: (seat: number) => `Seat ${seat}` } as unknown as Table;
}

describe("the first game of Who's Deal?", () => {
  test("begins with the learner's call", () => {
    const view = viewOf(world.view("me"))!;
    expect(view.turn).toEqual([0]);
    expect(view.legal.map(({ move }) => move)).toContain("order");
  });

  // Whatever the learner does, the coach has something to say and the game goes on.
  test.each([["as advised", 0], ["otherwise", 1]])("can be played %s", (_how, other) => {
    const read = new Set<string>();
    const met = new Set<string>();
    let now = NOW;
    for (let i = 0; i < 400; i++) {
      const table = tableOf(world.view("me"));
      const idea = lesson.advise(table, read);
      met.add(idea.id);
      expect(idea.text.length).toBeGreaterThan(10);
      if (idea.gate) {
        read.add(idea.id);
        continue;
      }
      if (table.world.status === "game_over") break;
      now += 5000;
      const { legal } = table.world.view!;
      const advised = legal.find(({ move }) => idea.light?.includes(`"${move.split(" ")[1]}"`) || idea.light?.includes(`"${move}"`));
      if (table.myTurn()) world.act("me", other || !advised ? legal[legal.length - 1]!.move : advised.move, now);
      else world.tick("me", now);
    }
    expect(world.view("me").status).toBe("game_over");
    if (!other) expect([...met]).toEqual(expect.arrayContaining([...lesson.ideas]));
  });
});

describe("the advised card", () => {
  const round = (played: [number, string][]) => ({ trumpSuit: "hearts", currentTrick: played.map(([seatIndex, id]) => ({ seatIndex, playerId: "", card: { id } })) }) as unknown as Round;
  test("takes a trick as cheaply as possible", () => {
    expect(adviseCard(["JH", "KH", "9C"], round([[1, "KS"], [3, "9S"]]), 0).id).toBe("KH");
  });
  test("leaves a trick to the partner", () => {
    expect(adviseCard(["AS", "10S"], round([[1, "9S"], [2, "KS"], [3, "QS"]]), 0).id).toBe("10S");
  });
  test("leads the highest", () => {
    expect(adviseCard(["AS", "JD", "KH"], round([]), 0).id).toBe("JD");
  });
});
