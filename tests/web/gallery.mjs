// The first page, a lobby and the five tables in other languages, light and dark, at every size: texts that are longer
// than the English ones must not leave the screen or their buttons. With PICTURES=yes there is a sheet of pictures for
// every language, theme and size, to be looked at: build/screens/sheet-*.png.
// node tests/web/gallery.mjs PROGRAM [LANGUAGE, THEME or SIZE ...]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { finish, test } from "../api/client.mjs";
import { House, picturesWanted, recordedMoves, sizes } from "./browser.mjs";
import { dealt } from "./positions.mjs";

const [program = "build/oyster", ...wanted] = process.argv.slice(2);
const house = await House.open(program);
const among = (all) => all.filter((word) => !all.some((one) => wanted.includes(one)) || wanted.includes(word));
const themes = { dark: "warm", light: "light" };

const recorded = recordedMoves("hand_and_foot", "classic_round");
const tables = {
  "whos-deal": ["WDWDWD", [], [...dealt, "0 order", "0 discard 9C"]],
  "whos-deal-pick": ["WDWDWE", [], dealt],
  "whos-deal-order": ["WDWDWF", ["move 0 1"], dealt.slice(0, 1)],
  "up-n-down": ["UPUPUP", ["bot 1 hard", "bot 2 medium"], []],
  "4-kate": ["KATEKA", [], ["0 drop 4", "1 drop 4", "0 drop 3", "1 drop 5"]],
  "hand-and-foot": [
    "HFHFHF",
    ["bot 3 closed", "bot 2 closed"],
    recorded.slice(0, recorded.lastIndexOf("0 meld 5S 5D 5C")),
  ],
  "hand-and-foot-dealt": ["HFHFHG", [], []],
  "terrible-people": ["TPTPTP", [], []],
};

// What is wider than its place, or outside the screen's width.
const cut = ({ page }) =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    const words = [...document.querySelectorAll(".button, h1, h2, h3, .turn, label, summary")]
      .filter((one) => one.checkVisibility() && !one.closest(".hidden-text, .skip"))
      .filter(
        (one) =>
          one.clientWidth > 1 &&
          one.scrollWidth > one.clientWidth + 2 &&
          getComputedStyle(one).textOverflow !== "ellipsis",
      )
      .filter((one) => getComputedStyle(one).overflow !== "visible" || one.matches(".button"))
      .map((one) => `"${one.textContent.trim().slice(0, 40)}" is cut`);
    return [...(wide > 0 ? [`the page is ${wide} px too wide`] : []), ...words];
  });

// What is still English although the language has words of its own for it. On the cards of Terrible People stands its
// name.
const untranslated = ({ page }, texts) =>
  page.evaluate((catalogue) => {
    const other = new Map(
      Object.entries(catalogue)
        .map(([key, words]) => [key.replace(/#[a-z ]+$/, "").toLowerCase(), words])
        .filter(([key, words]) => typeof words === "string" && words.toLowerCase() !== key),
    );
    const own = new Set(["people", ...Object.values(catalogue).map((words) => String(words).toLowerCase())]);
    const found = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode())
      if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
      else for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(node.getAttribute(name) ?? "");
    const words = found.map((text) => text.trim()).filter((text) => /[a-z]{3}/.test(text));
    const has = (texts, text) => texts.has(text.toLowerCase()) || texts.has(text.toLowerCase().replaceAll("-", " "));
    return [...new Set(words)].filter((text) => has(other, text) && !has(own, text));
  }, texts);

// All pictures of one kind on one sheet.
async function sheet(name, files, [width, height]) {
  const columns = width > height ? 2 : 4;
  const context = await house.browser.newContext({ viewport: { width: 1600, height: 600 } });
  const page = await context.newPage();
  const pictures = files.map((file) => readFileSync(new URL(`../../build/screens/${file}.png`, import.meta.url)));
  await page.setContent(
    `<body style="margin:0;display:grid;gap:4px;grid-template-columns:repeat(${columns},1fr)">${pictures
      .map((bytes) => `<img style="width:100%" src="data:image/png;base64,${bytes.toString("base64")}">`)
      .join("")}`,
  );
  await page.screenshot({
    path: new URL(`../../build/screens/sheet-${name}.png`, import.meta.url).pathname,
    fullPage: true,
  });
  await context.close();
}

for (const language of among(["de", "es", "fr"]))
  for (const theme of among(Object.keys(themes)))
    await test(`${language}, ${theme}: home, a lobby and the five tables`, async () => {
      const ann = await house.guest("Ann", { motion: "less", locale: language }),
        { page } = ann;
      const texts = JSON.parse(
        readFileSync(new URL(`../../web/src/languages/${language}.json`, import.meta.url), "utf8"),
      );
      const wrong = {};
      const files = Object.fromEntries(among(Object.keys(sizes)).map((size) => [size, []]));
      async function look(name) {
        for (const [size, taken] of Object.entries(files)) {
          const [width, height] = sizes[size];
          await page.setViewportSize({ width, height });
          await page.waitForTimeout(250);
          const file = `gallery-${language}-${theme}-${name}-${size}`;
          await ann.picture(file);
          taken.push(file);
          const found = await cut(ann);
          if (found.length > 0) wrong[`${name}, ${size}`] = found;
        }
        const accessible = await ann.violations();
        if (accessible.length > 0) wrong[`${name}, by axe`] = accessible;
        const english = await untranslated(ann, texts);
        if (english.length > 0) wrong[`${name}, in English`] = english;
      }
      await page.addInitScript((choices) => localStorage.setItem("oyster-choices", JSON.stringify(choices)), {
        name: "Ann",
        motion: "less",
        theme: themes[theme],
      });
      await page.goto(house.url);
      await page.locator("main h1").first().waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), language);
      await look("home");
      if (files.phone) {
        await page.setViewportSize({ width: sizes.phone[0], height: sizes.phone[1] });
        const { y, height } = await page.locator(".game").nth(2).locator(".button.main").boundingBox();
        assert.ok(y + height <= sizes.phone[1], `the third game's button ends at ${y + height}`);
        const code = page.locator(".join .code");
        await code.fill("WAM4QK");
        for (const width of [360, sizes.phone[0]]) {
          await page.setViewportSize({ width, height: sizes.phone[1] });
          const over = await code.evaluate((input) => input.scrollWidth - input.clientWidth);
          assert.ok(over <= 0, `${over} px of a code are not in sight, ${width} px wide`);
        }
      }
      await page.getByRole("button", { name: texts["With friends: {name}"].replace("{name}", "Who's Deal?") }).click();
      await page.locator(".seat").first().waitFor();
      await look("lobby");
      for (const [game, [code, lobby, moves]] of Object.entries(tables)) {
        await ann.keep(code, game.replace(/-(dealt|pick|order)$/, ""), ["set speed=instant", ...lobby, "start"], moves);
        await page.goto(`${house.url}/t/${code}`);
        await page
          .locator(game === "terrible-people" ? ".stage .tp" : ".turn.mine")
          .first()
          .waitFor();
        await look(game);
      }
      const said = (text) => page.locator("dialog[open]").getByRole("button", { name: texts[text], exact: true });
      await page.getByRole("button", { name: texts.Menu, exact: true }).click();
      await look("menu");
      await page.keyboard.press("Escape");
      for (const words of ["House rules in force", "Keys", "Settings"]) {
        await page.getByRole("button", { name: texts.Menu, exact: true }).click();
        await said(words).click();
        await look(words.toLowerCase().replaceAll(" ", "-"));
        await page.keyboard.press("Escape");
      }
      // A game that is won, and how it is counted.
      const three = [1, 2, 3].flatMap(() => ["0 drop 1", "1 drop 2"]);
      await ann.keep("KATEKB", "4-kate", ["set speed=instant", "start"], three);
      await page.goto(`${house.url}/t/KATEKB`);
      await page.locator(".turn.mine").waitFor();
      await page.locator(".columns button").first().click();
      await page.locator("dialog.result[open]").waitFor();
      await look("result");
      await page.goto(`${house.url}/statistics`);
      await page.locator(".on-device .figures").waitFor();
      await look("statistics");
      await page.goto(house.url);
      await page.locator("li[data-game] button.icon").first().click();
      await page.locator(".cleared").waitFor();
      await look("cleared");
      for (const [size, taken] of picturesWanted ? Object.entries(files) : [])
        await sheet(`${language}-${theme}-${size}`, taken, sizes[size]);
      assert.deepEqual(wrong, {});
      assert.deepEqual(ann.errors, []);
      await ann.context.close();
    });
await house.close();
finish();
