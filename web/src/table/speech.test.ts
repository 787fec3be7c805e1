// What somebody who does not see hears in a whole hand of every game, word for word: web/golden/spoken-GAME.txt.
// `make golden` writes the files anew; look at the diff. Every move is typed as people say it.
import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { speech as upNDown } from "../games/up-n-down/speech";
import { speech as whosDeal } from "../games/whos-deal/speech";
import type { Table } from "./table";

vi.mock("./flip", () => ({
  flip: (_root: unknown, update: () => void) => update(),
  finish() {},
  motionIsReduced: () => true,
  paced: (ms: number) => ms,
}));
vi.stubGlobal("document", { hidden: false });
vi.stubGlobal("localStorage", { getItem: () => null });
const { createTable, withWords } = await import("./table");
const { obey, questions, waitingText } = await import("./speech");
const { hands, playHand, SEED, TimelessLink } = await import("./hands");
const { say, spoken } = await import("../ui/notes");

for (const hand of hands)
  test(`a whole hand of ${hand.game} is heard, and typed as people say it`, async () => {
    const heard = await playHand(hand);
    expect(heard.filter((line) => line.startsWith("refused"))).toEqual([]);
    expect(heard.join("\n")).not.toMatch(/[♠♥♦♣]|\bundefined\b|\bnull\b|___/);
    await expect(`${heard.join("\n")}\n`).toMatchFileSnapshot(`../../golden/spoken-${hand.game}.txt`);
  });

test("what is typed is a question, a move, or refused", async () => {
  const link = await TimelessLink.at([`@me create ABCDEF whos-deal ${SEED} ${SEED} Ann`, "@me start"]);
  const refused: string[] = [];
  const table = createTable(link, { refused: ({ error }) => refused.push(error), say() {}, describe: () => "" });
  await vi.waitFor(() => expect(table.ready()).toBe(true));
  while (!table.myTurn()) link.pass();
  expect(await obey("  /HAND ", table, whosDeal)).toMatch(/^Your hand: /);
  expect(await obey("hand", table, whosDeal)).toMatch(/^Your hand: /);
  expect(await obey("/help", table, whosDeal)).toMatch(/Your moves now: \w+/);
  expect(await obey("/", table, whosDeal)).toBe("");
  expect(refused).toEqual([]);
  await obey("/play 9 hearts", table, whosDeal);
  await obey("/dance", table, whosDeal);
  expect(refused).toHaveLength(2);
  expect(refused[1]).toMatch(/^Unknown move 'dance'/);
  const { version } = table.world;
  await obey(
    `/${withWords(table.world.view!.legal[0]!.move).replace(/^./, (first) => first.toUpperCase())}`,
    table,
    whosDeal,
  );
  expect(refused).toHaveLength(2);
  expect(table.world.version).toBeGreaterThan(version);
});

test("nobody waits for a person for whom a bot plays", () => {
  const waits = (away: boolean) =>
    waitingText({ world: { view: { turn: [1] }, seats: [{}, { away }] }, name: () => "Bob" } as unknown as Table);
  expect(waits(false)).toBe("Waiting for Bob…");
  expect(waits(true)).toBe("A bot plays for Bob");
});

test("of many moves, help names one of each kind", async () => {
  const link = await TimelessLink.at([`@me create ABCDEF up-n-down ${SEED} ${SEED} Ann`, "@me start"]);
  const table = createTable(link, { refused() {}, say() {}, describe: () => "" });
  await vi.waitFor(() => expect(table.ready()).toBe(true));
  while (!table.myTurn()) link.pass();
  const help = await obey("/help", table, upNDown);
  expect(help).toMatch(/You have \d+ moves now, one of each kind: play \d+ \d\. A card is played with/);
});

test("equal messages in a row are spoken again", () => {
  const before = new Set(spoken());
  for (let i = 0; i < 12; i++) {
    say("Your turn");
    const last = spoken().at(-1)!;
    expect(last.text).toBe("Your turn");
    expect(before.has(last)).toBe(false); // another object is another paragraph of the live region
    before.add(last);
  }
});

test("every question has a key of its own at every table", async () => {
  const used = ["l", "?", "/"];
  for (const folder of ["whos-deal", "up-n-down", "four-kate", "hand-and-foot", "terrible-people"]) {
    const source = await readFile(new URL(`../games/${folder}/index.tsx`, import.meta.url), "utf8");
    const hand = await readFile(new URL(`../games/${folder}/Hand.tsx`, import.meta.url), "utf8").catch(() => "");
    const keys = [...(source + hand).matchAll(/key === "(\w)"|\b(\w): "/g)].map(([, one, other]) => one ?? other!);
    used.push(...keys.map((key) => key.toLowerCase()));
  }
  const own = Object.values(questions).map(({ key }) => key.toLowerCase());
  expect(used).toContain("h");
  expect(own.filter((key) => used.includes(key))).toEqual([]);
  expect(new Set(own).size).toBe(5);
});
