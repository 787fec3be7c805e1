import { expect, test } from "vitest";
import type { Refusal, World } from "../model";
import { detailed } from "./details";
import { aView, aWorld } from "./fixtures";
import type { Link, LinkListener } from "./link";

const world = (version: number, debugMode: boolean): World =>
  aWorld(version, { gameId: "up-n-down", settings: { debugMode }, view: aView() });

async function printed(debugMode: boolean): Promise<string[]> {
  const lines: string[] = [];
  const heard: string[] = [];
  let inner!: LinkListener;
  let refusal: Refusal | null = null;
  const link: Link = {
    kind: "device",
    open: async (listener) => {
      inner = listener;
      return world(1, debugMode);
    },
    act: async () => refusal,
    check: async () => refusal,
    history: async () => ({ version: 0, entries: [] }),
    leave: async () => {},
    close() {},
  };
  const table = detailed(link, (line) => lines.push(line));
  expect(
    await table.open({
      step: ({ version }) => heard.push(`step ${version}`),
      world: ({ version }) => heard.push(`world ${version}`),
      online: () => heard.push("online"),
      gone: () => heard.push("gone"),
    }),
  ).toEqual(world(1, debugMode));
  expect(await table.act("play 12 1")).toBeNull();
  inner.step({ version: 2, events: [{ event: "card-played", data: { card: 12 } }], world: world(2, debugMode) });
  refusal = { error: "Not your turn", code: "NOT_YOUR_TURN", status: 403 };
  expect(await table.act("end")).toBe(refusal);
  inner.online(false);
  inner.world(world(5, debugMode));
  inner.gone();
  expect(heard).toEqual(["step 2", "online", "world 5", "gone"]);
  return lines.map((line) => line.replace(/\d+ ms$/, "N ms"));
}

const view = 'view {"turn":[0],"legal":[],"looking":[],"phaseEndsAt":null,"botActionAt":null}';

test("a table that asks for details tells all that comes and goes", async () => {
  expect(await printed(true)).toEqual([
    `[ABCDEF 1] ${view}`,
    "[ABCDEF 1] play 12 1: accepted after N ms",
    '[ABCDEF 2] card-played {"card":12}',
    `[ABCDEF 2] ${view}`,
    "[ABCDEF 2] end: NOT_YOUR_TURN, Not your turn after N ms",
    "[ABCDEF 2] offline",
    `[ABCDEF 5] ${view}`,
    "[ABCDEF 5] gone",
  ]);
});

test("any other table is silent", async () => expect(await printed(false)).toEqual([]));
