// PL-55, FK-7: whole games with the keyboard alone, from home over the lobby to the result. The focus is never lost,
// and what a screen reader is told is written to build/screens/walk-*.txt, to be read.
// node tests/web/keyboard.mjs PROGRAM [GAME ...]
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { finish, random, test } from "../api/client.mjs";
import { House } from "./browser.mjs";
import { playUntil, resultShown, tabTo, typists } from "./players.mjs";

const [program = "build/oyster", ...wanted] = process.argv.slice(2);
const house = await House.open(program, ["--actions-per-second", "1000", "--actions-burst", "1000"]);

const shortRound = {
  "Jokers per deck": 0,
  "Cards to draw": 3,
  Rounds: 1,
  "Points to win": 0,
  "Cards in a book": 5,
  "Clean books to go out": 0,
  "Dirty books to go out": 0,
  "First meld": "0",
};
const tables = [
  { game: "hand-and-foot", name: "Hand & Foot", bots: { 2: "hard", 3: "nobody", 4: "nobody" }, rules: shortRound },
  { game: "whos-deal", name: "Who's Deal?", rules: { "Points to win": 5, "Scores at the start": "4,4" } },
  { game: "up-n-down", name: "Up-N-Down", bots: { 2: "easy" }, rules: { "Highest card": 40 } },
  { game: "4-kate", name: "4 Kate" },
  { game: "terrible-people", name: "Terrible People", rules: { "Points to win": 3 } },
].filter(({ game }) => wanted.length === 0 || wanted.includes(game));

const inFocus = (page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    return at === null || at === document.body
      ? null
      : `${at.tagName.toLowerCase()} ${at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 60)}`;
  });

// House rules as a person without a mouse sets them.
async function set(page, label, value) {
  const at = `[aria-label=${JSON.stringify(label)}]`;
  const heading = page
    .locator("details.rule-group:not([open])")
    .filter({ has: page.locator(at) })
    .locator("summary");
  if ((await heading.count()) > 0) {
    await tabTo(page, `details.rule-group:not([open]):has(${at}) summary`);
    await page.keyboard.press("Enter");
  }
  if (await page.evaluate((group) => document.querySelector(group)?.getAttribute("role") !== "radiogroup", at)) {
    await tabTo(page, `input${at}`);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(String(value));
    return;
  }
  await tabTo(page, `${at} [role=radio]`);
  for (
    let i = 0;
    i < 5 && (await page.evaluate(() => document.activeElement.textContent.trim())) !== String(value);
    i++
  ) {
    await page.keyboard.press("ArrowRight");
  }
  await page.waitForFunction(
    (text) => document.activeElement.textContent.trim() === text && document.activeElement.ariaChecked === "true",
    String(value),
  );
}

function walk({ game, name, bots = {}, rules = {} }, seed) {
  const told = [];
  return () =>
    test(`${name}: a whole game with the keyboard alone`, async () => {
      const ann = await house.guest("Ann", { motion: "less" }),
        { page } = ann;
      page.setDefaultTimeout(30_000);
      // Every sentence that goes into the live region, as it comes.
      await page.exposeFunction("heard", (text) => void told.push(`   says: ${text}`));
      await page.addInitScript(() => {
        new MutationObserver((changes) => {
          for (const { addedNodes, target } of changes)
            for (const node of addedNodes)
              if (target instanceof Element && target.closest("[role=log],.toasts") && node.textContent)
                window.heard(node.textContent);
        }).observe(document, { childList: true, subtree: true });
      });
      const press = page.keyboard.press.bind(page.keyboard);
      page.keyboard.press = async (key, options) => {
        await press(key, options);
        if (key !== "Tab") told.push(`${key}: ${(await inFocus(page)) ?? "no focus"}`);
      };
      const enter = async (selector) => {
        await tabTo(page, selector);
        await page.keyboard.press("Enter");
      };
      await ann.arrive();
      await page.getByRole("heading", { name }).waitFor();
      await enter(`[aria-label=${JSON.stringify(`With friends: ${name}`)}]`);
      await page.getByRole("heading", { name: "At the table", level: 2 }).waitFor();
      assert.ok(await inFocus(page), "the lobby has the focus");
      for (const [seat, who] of Object.entries(bots)) {
        await tabTo(page, `.seat:nth-of-type(${seat}) select`);
        await page.keyboard.type(who);
        await page.waitForTimeout(200);
      }
      for (const [label, value] of Object.entries(rules)) await set(page, label, value);
      await set(page, "Speed", "instant");
      await tabTo(page, ".lobby .main.big", { back: true });
      await page.keyboard.press("Enter");
      await page.locator(".stage").waitFor();
      assert.ok(await inFocus(page), "the table has the focus");
      await page.keyboard.press("?");
      await page.getByRole("heading", { name: "Keys" }).waitFor();
      await page.keyboard.press("Escape");
      told.push("", "What a screen reader finds at the table:", await page.locator(".page").ariaSnapshot(), "");

      let moves = 0;
      await playUntil([ann], typists[game], random(seed), resultShown, {
        async then() {
          moves++;
          const kept = () =>
            page.waitForFunction(
              () => document.activeElement !== document.body || document.querySelector("dialog[open]") !== null,
              null,
              { timeout: 2000 },
            );
          await kept().catch(() => assert.fail(`the focus is lost after ${told.slice(-6).join(" | ")}`));
        },
      });
      assert.ok(moves >= 3, `${moves} moves`);
      told.push("", "What a screen reader finds at the end:", await page.locator("dialog.result").ariaSnapshot(), "");
      await tabTo(page, "dialog.result .main");
      await page.keyboard.press("Enter");
      await page.locator("dialog.result[open]").waitFor({ state: "hidden" });
      await page.waitForFunction(() => document.activeElement !== document.body);
      assert.ok(
        told.some((line) => /says: .*(your turn|choose|pick)/i.test(line)),
        "the turn is announced",
      );
      assert.deepEqual(ann.errors, []);
      await ann.context.close();
    }).finally(() =>
      writeFileSync(new URL(`../../build/screens/walk-${game}.txt`, import.meta.url), `${told.join("\n")}\n`),
    );
}

const walks = tables.map((table, i) => walk(table, i + 1));
const lane = async () => {
  for (let next = walks.shift(); next; next = walks.shift()) await next();
};
await Promise.all([lane(), lane()]);
await house.close();
finish();
