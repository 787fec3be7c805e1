import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { isRefusal } from "../model";
import { finishedOf } from "./results";
import { WasmWorld } from "./wasm";

const NOW = 1_700_000_000_000;
const SEED = "0f".repeat(32);
const begun = [`${NOW} @me create ABCDEF 4-kate ${SEED} ${SEED} Ann`, `${NOW} @me start`];

async function table(): Promise<WasmWorld> {
  const world = await WasmWorld.instantiate(await readFile(new URL("../../../build/table.wasm", import.meta.url)));
  expect(world.load(begun, "me", NOW)).toBeNull();
  return world;
}

test("a move is done, its line is the log's, and a check does nothing", async () => {
  const world = await table();
  expect(world.check("me", "drop 4", NOW)).toBeNull();
  expect(world.view("me").version).toBe(2);
  const news = world.act("me", "drop 4", NOW);
  expect(news).toMatchObject({ line: `${NOW} 0 drop 4`, events: [{ event: "disc-dropped", data: { column: 4 } }] });
  expect(world.view("me").version).toBe(3);
  expect(world.check("me", "drop 8", NOW)).toMatchObject({ code: "NOT_YOUR_TURN" });
  const folded = await WasmWorld.instantiate(await readFile(new URL("../../../build/table.wasm", import.meta.url)));
  expect(folded.load([...begun, `${NOW} 0 drop 4`], "me", NOW)).toBeNull();
  expect(folded.view("me").view).toMatchObject({ turn: [1] });
});

test("the bot answers when it is due", async () => {
  const world = await table();
  world.act("me", "drop 4", NOW);
  expect(world.due()).toBeGreaterThan(NOW);
  expect(world.tick("me", NOW)).toBeNull();
  expect(world.tick("me", world.due()!)?.events[0]?.event).toBe("disc-dropped");
});

test("what is too long is refused and overwrites nothing", async () => {
  const world = await table();
  const before = JSON.stringify(world.view("me"));
  for (const length of [8192, 20_000, 1_000_000]) {
    expect(world.act("me", `say ${"x".repeat(length)}`, NOW)).toMatchObject({ code: "TOO_LARGE" });
    expect(world.check("me", `say ${"x".repeat(length)}`, NOW)).toMatchObject({ code: "TOO_LARGE" });
  }
  expect(isRefusal(world.act("me", `say ${"é".repeat(4000)}`, NOW))).toBe(true); // bytes count, not letters
  expect(JSON.stringify(world.view("me"))).toBe(before);
  expect(world.load([...begun, "x".repeat(9000)], "me", NOW)).toMatchObject({ code: "TOO_LARGE" });
});

test("a game that is over tells how it ended, by the engine's own counts", async () => {
  const lines = ["0 drop 1", "1 drop 2", "0 drop 1", "1 drop 2", "0 drop 1", "1 drop 2"].map(
    (move) => `${NOW} ${move}`,
  );
  const world = await WasmWorld.instantiate(await readFile(new URL("../../../build/table.wasm", import.meta.url)));
  expect(world.load([...begun, ...lines], "me", NOW)).toBeNull();
  expect(world.finished("me")).toBeNull();
  world.act("me", "drop 1", NOW);
  const ending = world.finished("me")!;
  expect(ending).toMatchObject({ won: true, sides: [0, 1] });
  expect(Object.keys(ending.figures)).toEqual(world.registry().games.find(({ id }) => id === "4-kate")!.figures);
  expect(world.finished("somebody")).toBeNull();
  const finished = finishedOf(world.view("me"), ending, NOW);
  expect(finished).toMatchObject({ gameId: "4-kate", won: true, partners: [] });
  expect(finished.opponents).toHaveLength(1);
});
