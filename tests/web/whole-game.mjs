// Whole games of Hand & Foot by each rule book, from home over the lobby to the result, by nothing but
// what a person can click. Says how many rounds it took and how long.
// node tests/web/whole-game.mjs PROGRAM [Classic|Partners|Closers ...]
import assert from "node:assert/strict";
import { finish, test } from "../api/client.mjs";
import { House } from "./browser.mjs";
import { meldEverything, playUntil, resultShown } from "./players.mjs";

const [program = "build/oyster", ...wanted] = process.argv.slice(2);
const LIMIT_MS = 60 * 60_000;
const games = ["Classic", "Partners", "Closers"].filter((book) => wanted.length === 0 || wanted.includes(book));
const house = await House.open(program, ["--actions-per-second", "1000", "--actions-burst", "1000"]);

for (const book of games)
  await test(`${book}, four seats: a whole game by clicks`, async () => {
    const ann = await house.guest("Ann", { motion: "less" }),
      { page } = ann;
    const begin = Date.now();
    let clicks = 0;
    const rounds = new Set();
    await ann.create("Hand & Foot");
    await ann.ruleBook(book);
    await ann.places(4, "hard");
    await ann.houseRules({ Speed: "instant" });
    await ann.start();
    const play = async () => {
      const summary = page.locator("dialog.summary[open]");
      if (!(await summary.isVisible())) return meldEverything(ann);
      rounds.add(await summary.getByRole("heading", { level: 2 }).textContent());
      await summary.getByRole("button", { name: "Go on" }).click();
      return true;
    };
    await playUntil([ann], play, null, resultShown, { then: async () => void clicks++, limit: LIMIT_MS });
    const totals = (await page.locator("dialog.result .hf-places .points").allTextContents()).map((text) =>
      Number(text.replace("−", "-")),
    );
    const played = await page.locator("dialog.result .history tbody tr:not(.sum)").count();
    console.log(
      `# ${played} rounds, ${clicks} clicks, ${Math.round((Date.now() - begin) / 1000)} s, totals ${totals.join(", ")}`,
    );
    await ann.pictures(`whole-game-${book.toLowerCase()}`);
    assert.equal(rounds.size, played - 1, "every round but the last had its summary");
    if (book === "Classic") assert.ok(totals[0] >= 8500, "HF-75 somebody has 8500");
    else assert.equal(played, { Partners: 4, Closers: 3 }[book]);
    assert.deepEqual(
      totals,
      [...totals].sort((a, b) => b - a),
      "the winner comes first",
    );
    assert.deepEqual(ann.errors, []);
    await ann.context.close();
  });
await house.close();
finish();
