// What a first visit costs: bytes as they go over the wire, and no layout shift. How soon it is
// painted is only told. node tests/web/size.mjs PROGRAM
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { finish, test } from "../api/client.mjs";
import { House } from "./browser.mjs";

const web = new URL("../../build/web/", import.meta.url).pathname;
const packed = (file) => gzipSync(readFileSync(path.join(web, file)), { level: 9 }).length;
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const house = await House.open(process.argv[2] ?? "build/oyster");

// Saved games have a module of their own, which nobody loads before there is one.
await test("a first load and the WebAssembly of any table are at most 120 kB", async () => {
  const ann = await house.guest("Ann", { serviceWorkers: "block" });
  await ann.arrive();
  await ann.page.waitForLoadState("networkidle");
  const loaded = await ann.page.evaluate(() => [
    "/index.html",
    ...performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  ]);
  const modules = readdirSync(path.join(web, "assets")).filter((name) => /\.wasm$/.test(name) && !/^save-/.test(name));
  const games = readFileSync(new URL("../../games/registry.def", import.meta.url), "utf8").match(/^GAME\(/gm);
  assert.equal(modules.length, games.length, "a module a game");
  const largest = modules.map((name) => `/assets/${name}`).sort((a, b) => packed(b) - packed(a))[0];
  const files = [...new Set([...loaded.filter((name) => /\.(html|js|css)$/.test(name)), largest])];
  const sum = files.map(packed).reduce((a, b) => a + b);
  console.log(`# ${files.map((name) => `${name} ${kB(packed(name))}`).join(", ")}: ${kB(sum)}`);
  assert.ok(sum <= 120_000, kB(sum));
  await ann.button("Play now: Hand & Foot against bots").click();
  await ann.page.locator(".hf-hand [data-card]").first().waitFor();
  assert.ok(
    !(await ann.page.evaluate(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("/save-")),
    )),
    "no saved game yet",
  );
  await ann.context.close();
});

// The texts of one language come with it.
for (const [locale, greeting] of Object.entries({
  de: "Setz dich dazu",
  es: "Acerca una silla",
  fr: "Prends une chaise",
}))
  await test(`a first load in ${locale} is at most 125 kB with the WebAssembly`, async () => {
    const ann = await house.guest("Ann", { serviceWorkers: "block", locale });
    await ann.page.goto(house.url);
    await ann.page.getByRole("heading", { level: 1, name: greeting }).waitFor();
    await ann.page.waitForLoadState("networkidle");
    const loaded = await ann.page.evaluate(() => [
      "/index.html",
      ...performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
    ]);
    const modules = readdirSync(path.join(web, "assets")).filter(
      (name) => /\.wasm$/.test(name) && !/^save-/.test(name),
    );
    const largest = Math.max(...modules.map((name) => packed(`/assets/${name}`)));
    const sum = [...new Set(loaded.filter((name) => /\.(html|js|css)$/.test(name)))]
      .map(packed)
      .reduce((a, b) => a + b);
    console.log(`# in ${locale}: ${kB(sum + largest)}`);
    assert.ok(sum + largest <= 125_000, kB(sum + largest));
    await ann.context.close();
  });

await test("card faces are at most 150 kB", () => {
  const faces = readdirSync(path.join(web, "cards"), { recursive: true }).filter((name) => name.endsWith(".svg"));
  const sum = faces.map((name) => packed(path.join("cards", name))).reduce((a, b) => a + b);
  console.log(`# ${faces.length} faces: ${kB(sum)}`);
  assert.ok(sum <= 150_000, kB(sum));
});

const shift = (page) => page.evaluate(() => window.shifted);
await test("nothing jumps, at home or at a table", async () => {
  for (const size of ["phone", "desk"]) {
    const ann = await house.guest("Ann", { size });
    await ann.page.addInitScript(() => {
      window.shifted = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await ann.arrive();
    await ann.page.waitForLoadState("networkidle");
    const painted = await ann.page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now(),
    );
    const home = await shift(ann.page);
    console.log(`# home, ${size}: shift ${home.toFixed(4)}, painted after ${Math.round(painted)} ms`);
    assert.ok(home < 0.02, `home, ${size}: ${home}`);
    await ann.button("Play now: Who's Deal? against bots").click();
    await ann.page.locator(".wd-hand [data-card]").first().waitFor();
    const table = ann.page.url();
    await ann.page.goto(table);
    await ann.page.locator(".wd-hand [data-card]").first().waitFor();
    await ann.page.waitForTimeout(2500);
    const played = await shift(ann.page);
    console.log(`# table, ${size}: shift ${played.toFixed(4)}`);
    assert.ok(played < 0.02, `table, ${size}: ${played}`);
    await ann.context.close();
  }
});

await house.close();
finish();
