// The page hands out the wilds of a selection, and the engine says with how many each group can be laid. So whatever
// it parts, the engine must take: only how much is laid may be refused, never what lies in a book.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { WasmWorld } from "../../table/wasm";
import { part, type HandAndFootView } from "./view";

const NOW = 1_700_000_000_000;
const SEED = "2d".repeat(32);
const AMOUNT = ["MIN_POINTS", "CANNOT_GO_OUT", "KEEP_A_CARD"];

test.each([
  ["classic", 2, 6],
  ["partners", 4, 6],
  ["closers", 4, 6],
  ["classic wildLimit=three booksPerRank=any wildBooks=yes", 2, 6],
])("what is parted under %s can be laid", async (rules, seats, turns) => {
  const world = await WasmWorld.instantiate(await readFile(new URL("../../../../build/table.wasm", import.meta.url)));
  const bots = Array.from({ length: seats - 1 }, (_, i) => `bot ${i + 1} hard`);
  const entries = [`create ABCDEF hand-and-foot ${SEED} ${SEED} Ann`, ...bots, `start preset=${rules}`];
  expect(
    world.load(
      entries.map((entry) => `${NOW} @me ${entry}`),
      "me",
      NOW,
    ),
  ).toBeNull();
  let parted = 0;
  let now = NOW;
  for (let turn = 0; turn < turns; now += 9000) {
    const view = world.view("me").view as unknown as HandAndFootView;
    if (!view.turn.includes(0)) {
      world.tick("me", now);
      continue;
    }
    if (view.turnPhase === "meld") {
      const hand = view.players[0]!.hand!;
      for (let from = 0; from < hand.length; from++) {
        for (let step = 1; step <= 4; step++) {
          const { groups } = part(
            hand.filter((_, i) => (i + from) % step === 0),
            view,
          );
          if (groups.length === 0) continue;
          const refusal = world.check("me", `meld ${groups.map((group) => group.join(" ")).join(" / ")}`, now);
          if (refusal) expect(AMOUNT).toContain(refusal.code);
          parted++;
        }
      }
      turn++;
    }
    const move =
      view.legal.find(({ type }) => type === (view.turnPhase === "draw" ? "draw" : "discard")) ?? view.legal[0]!;
    expect(world.act("me", move.move, now)).not.toHaveProperty("error");
  }
  expect(parted).toBeGreaterThan(20);
});
