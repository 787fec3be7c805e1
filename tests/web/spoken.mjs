// A whole hand of Who's Deal? from the keyboard: what a screen reader is told is asserted word for word by
// tests/web/golden/spoken.txt, and in German by spoken.de.txt. Hands of all games stand in web/golden.
// node tests/web/spoken.mjs PROGRAM [--write]
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { finish, test } from "../api/client.mjs";
import { House } from "./browser.mjs";

const house = await House.open(process.argv[2] ?? "build/oyster");

async function hand(locale, file) {
  const golden = new URL(`./golden/${file}`, import.meta.url);
  const ann = await house.guest("Ann", { motion: "less", locale }),
    { page } = ann;
  const heard = [];
  let spoken = 0; // how many of them were said by the page
  await page.exposeFunction("heard", (text) => {
    heard.push(text);
    spoken++;
  });
  await page.addInitScript(() => {
    new MutationObserver((changes) => {
      for (const { addedNodes, target } of changes)
        for (const node of addedNodes)
          if (target instanceof Element && target.closest("[role=log],.toasts") && node.textContent) {
            window.said = (window.said ?? 0) + 1;
            window.heard(node.textContent);
          }
    }).observe(document, { childList: true, subtree: true });
  });
  await ann.arrive();
  await ann.keep("ABCDEF", "whos-deal", ["set speed=instant targetScore=5", "start"]);
  await page.goto(`${house.url}/t/ABCDEF`);

  // Presses the key and waits until something more was said.
  async function press(key, silent = false) {
    heard.push(`[${key}]`);
    const before = heard.length;
    await page.keyboard.press(key);
    while (!silent && heard.length === before) await page.waitForTimeout(20);
  }
  const state = () =>
    page.waitForFunction(() => {
      const can = (name) => document.querySelector(`[data-control='${name}']:not([aria-disabled])`) !== null;
      if (document.querySelector(".wd-summary")) return { over: true };
      if (document.querySelector(".turn.mine") === null) return null;
      const lit = [...document.querySelectorAll(".wd-hand [data-card]")].findIndex((one) =>
        one.matches(".lit:not([aria-disabled='true'])"),
      );
      return can("pass")
        ? { pass: true }
        : lit < 0
          ? null
          : { card: lit + 1, held: document.querySelectorAll(".wd-hand [data-card]").length };
    });
  // What there is to do, once all that was said has arrived here.
  async function seen() {
    const now = await (await state()).jsonValue();
    while (spoken < (await page.evaluate(() => window.said))) await page.waitForTimeout(20);
    return now;
  }

  await seen();
  heard.length = 0; // what the bots did while the table was still being loaded
  for (const key of ["w", "y", "b", "k", "j", "j"]) await press(key);
  await press("/", true);
  await page.locator(".command input").waitFor();
  await page.waitForFunction(() => document.activeElement?.closest(".command") !== null);
  await page.keyboard.type("/hand");
  await press("Enter");
  await press("Escape", true);
  await page.locator(".command").waitFor({ state: "detached" });
  for (let now = await seen(), cards = 7; !now.over; now = await seen()) {
    if (now.pass) await press("p");
    else {
      cards = now.held;
      await press(String(now.card), true);
      await press("Enter", true); // raises it
      await press("Enter");
      await page.waitForFunction((held) => document.querySelectorAll(".wd-hand [data-card]").length < held, cards);
    }
  }
  const text = `${heard.join("\n")}\n`;
  if (process.argv.includes("--write")) writeFileSync(golden, text);
  assert.equal(text, readFileSync(golden, "utf8"));
  assert.deepEqual(ann.errors, []);
  await ann.context.close();
}

await test("a whole hand from the keyboard is spoken word for word", () => hand("en-US", "spoken.txt"));
await test("the same hand is spoken in German", () => hand("de-DE", "spoken.de.txt"));

await house.close();
finish();
