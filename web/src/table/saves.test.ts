import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { isRefusal, type View } from "../model";
import { WasmSaves } from "./saves";
import { WasmWorld } from "./wasm";

const NOW = Date.UTC(2025, 11, 4, 10, 30);
const SEED = "0f".repeat(32);
const ann = { id: "me", code: "XYZXYZ", name: "Ann Two" };
const wasm = (name: string) => readFile(new URL(`../../../build/${name}.wasm`, import.meta.url));
const table = async () => WasmWorld.instantiate(await wasm("table"));
const saves = async () => WasmSaves.instantiate(await wasm("save"));

// A table of Hand & Foot after so many things that happened by themselves or were the first legal move.
async function played(steps: number): Promise<{ world: WasmWorld; lines: string[]; now: number }> {
  const world = await table();
  const lines = [
    `${NOW} @me create ABCDEF hand-and-foot ${SEED} ${SEED} Ann`,
    `${NOW} @me set targetScore=2000`,
    `${NOW} @me bot 2 hard`,
    `${NOW} @me start`,
  ];
  expect(world.load(lines, "me", NOW)).toBeNull();
  let now = NOW;
  for (let i = 0; i < steps; i++) {
    const move = world.view("me").view!.legal[0]?.move;
    now = Math.max(now, move ? now : world.due()!);
    const news = move ? world.act("me", move, now) : world.tick("me", now);
    if (!news || isRefusal(news)) throw new Error(JSON.stringify(news));
    lines.push(news.line);
  }
  return { world, lines, now };
}

// As much of a save as is looked at here.
interface Save {
  players: { name: string; type: string; botLevel?: string }[];
  recentActions: { message: string }[];
}

test("a device's table of Hand & Foot is the JSON save, and goes on from it with its log", async () => {
  const { world, lines, now } = await played(60);
  const text = (await saves()).save(lines, "me", now);
  if (isRefusal(text)) throw new Error(text.error);
  const save = JSON.parse(text) as Save;
  const view = world.view("me").view!;
  expect(save).toMatchObject({
    version: "1.0",
    gameSeed: SEED,
    settings: "targetScore=2000",
    timestamp: new Date(now).toISOString().replace(/\.\d+/, ""),
  });
  expect(save.players.map((player) => [player.name, player.type, player.botLevel])).toEqual([
    ["Ann", "human", undefined],
    ["Bot", "bot", "medium"],
    ["Bot", "bot", "hard"],
    ["Bot", "bot", "medium"],
  ]);
  expect(save.recentActions.map((one) => one.message)).toEqual(view.log.slice(-10).map((line) => line.message));

  const entries = (await saves()).open(text, ann, now + 5000);
  if (isRefusal(entries)) throw new Error(entries.error);
  const again = await table();
  expect(again.load(entries, "me", now + 5000)).toBeNull();
  const seen = again.view("me");
  expect(seen).toMatchObject({
    roomCode: "XYZXYZ",
    status: "playing",
    you: { seatIndex: 0 },
    settings: { targetScore: 2000 },
  });
  expect(seen.seats.map(({ name, bot }) => [name, bot])).toEqual([
    ["Ann Two", null],
    ["Bot", "medium"],
    ["Bot", "hard"],
    ["Bot", "medium"],
  ]);
  const without = (all: View) => JSON.stringify({ ...all, log: 0, phaseEndsAt: 0, botActionAt: 0 });
  expect(without(seen.view!)).toBe(without(view));
  expect(seen.view!.log.map(({ seatIndex, message }) => [seatIndex, message])).toEqual(
    save.recentActions.map((one, i) => [view.log.slice(-10)[i]!.seatIndex, one.message]),
  );
  // And the save of that is the same game.
  const {
    timestamp: _t,
    players: _p,
    recentActions: _r,
    ...same
  } = JSON.parse((await saves()).save(entries, "me", now + 9000) as string);
  expect(save).toMatchObject(same);
});

test("what is no save, and what cannot be saved, is told so", async () => {
  const module = await saves();
  expect(module.open("{}", ann, NOW)).toMatchObject({ code: "BAD_SAVE", error: "version is missing" });
  expect(module.open("[", ann, NOW)).toMatchObject({ code: "BAD_SAVE", error: "Not JSON, line 1: a value is missing" });
  expect(module.open(`{"x":"${"x".repeat(1 << 21)}"}`, ann, NOW)).toMatchObject({ code: "TOO_LARGE" });
  expect(
    module.save([`${NOW} @me create ABCDEF 4-kate ${SEED} ${SEED} Ann`, `${NOW} @me start`], "me", NOW),
  ).toMatchObject({ error: "Only Hand & Foot has saves" });
  expect(module.save(["nonsense"], "me", NOW)).toMatchObject({ code: "BAD_RECORD" });
});
