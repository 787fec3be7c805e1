// The first page, a lobby and the five tables in other languages, light and dark, at every size: texts that are longer
// than the English ones must not leave the screen or their buttons. Pictures are in build/screens/gallery-*.png, and a
// sheet of them for every language, theme and size, to be looked at: build/screens/sheet-*.png.
// node tests/web/gallery.mjs PROGRAM [LANGUAGE, THEME or SIZE ...]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { finish, test } from "../api/client.mjs";
import { House, recordedMoves, sizes } from "./browser.mjs";
import { dealt } from "./positions.mjs";

const [program = "build/oyster", ...wanted] = process.argv.slice(2);
const house = await House.open(program);
const among = (all) => all.filter((word) => !all.some((one) => wanted.includes(one)) || wanted.includes(word));
const themes = { dark: "warm", light: "light" };

const recorded = recordedMoves("hand_and_foot", "classic_round");
const tables = {
  "whos-deal": ["WDWDWD", [], [...dealt, "0 order", "0 discard 9C"]],
  "up-n-down": ["UPUPUP", ["bot 1 hard", "bot 2 medium"], []],
  "4-kate": ["KATEKA", [], ["0 drop 4", "1 drop 4", "0 drop 3", "1 drop 5"]],
  "hand-and-foot": [
    "HFHFHF",
    ["bot 3 closed", "bot 2 closed"],
    recorded.slice(0, recorded.lastIndexOf("0 meld 5S 5D 5C")),
  ],
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
          await page.waitForTimeout(400);
          const file = `gallery-${language}-${theme}-${name}-${size}`;
          await ann.picture(file);
          taken.push(file);
          const found = await cut(ann);
          if (found.length > 0) wrong[`${name}, ${size}`] = found;
        }
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
      }
      await page.getByRole("button", { name: texts["With friends: {name}"].replace("{name}", "Who's Deal?") }).click();
      await page.locator(".seat").first().waitFor();
      await look("lobby");
      for (const [game, [code, lobby, moves]] of Object.entries(tables)) {
        await ann.keep(code, game, ["set speed=instant", ...lobby, "start"], moves);
        await page.goto(`${house.url}/t/${code}`);
        await page
          .locator(game === "terrible-people" ? ".stage .tp" : ".turn.mine")
          .first()
          .waitFor();
        await look(game);
      }
      for (const [size, taken] of Object.entries(files))
        await sheet(`${language}-${theme}-${size}`, taken, sizes[size]);
      assert.deepEqual(wrong, {});
      assert.deepEqual(ann.errors, []);
      await ann.context.close();
    });
await house.close();
finish();
