// Without any network: the page is installed, the server is gone, and games against bots go on; a game
// survives a reload. Rules and lessons are there as well.
// node tests/web/device.mjs PROGRAM
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { finish, random, test } from "../api/client.mjs";
import { until } from "../api/tools.mjs";
import { House } from "./browser.mjs";
import { players, playUntil, resultShown } from "./players.mjs";

const house = await House.open(process.argv[2] ?? "build/oyster");
const ann = await house.guest("Ann", { size: "phone", motion: "less" }),
  { page } = ann;
const clean = async (where) => assert.deepEqual(await ann.violations(), [], where);
const dice = random(21);

await test("the page can be installed", async () => {
  await ann.arrive();
  const manifest = await page.evaluate(async () =>
    (await fetch(document.querySelector("link[rel=manifest]").href)).json(),
  );
  assert.equal(manifest.display, "standalone");
  assert.ok(
    manifest.name &&
      manifest.start_url &&
      manifest.icons.some(({ sizes }) => sizes === "192x192") &&
      manifest.icons.some(({ sizes }) => sizes === "512x512"),
  );
  for (const { src } of manifest.icons) assert.equal((await page.request.get(house.url + src)).status(), 200, src);
  const session = await ann.context.newCDPSession(page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(
    installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"),
    [],
  );
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () =>
    (
      await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length))
    ).some((count) => count > 60),
  );
});

await test("home notices that the network goes and comes back", async () => {
  const waiting = page.getByText("Nobody is waiting");
  await waiting.waitFor();
  await ann.context.setOffline(true);
  await page.getByText("Who is waiting is seen once the server can be reached").waitFor();
  await ann.refused(ann.button("With friends: 4 Kate"), "No connection to the server");
  await ann.context.setOffline(false);
  await waiting.waitFor();
  assert.equal(await ann.button("With friends: 4 Kate").isDisabled(), false);
});

await test("with the network cut the page still opens", async () => {
  await ann.context.setOffline(true);
  await house.server.stop();
  await page.reload();
  await page.getByRole("heading", { name: "Pull up a chair" }).waitFor();
  await ann.button("Play now: 4 Kate against bots").waitFor();
  await page.getByText("No connection to the server.").waitFor();
  assert.equal(await page.getByText("Nobody is waiting").count(), 0, "nobody knows who is waiting");
  await clean("home without a network");
  await ann.picture("home-offline-phone");
});

await test("PL-51, HF-160, UD-59, UD-60 rules and strategy are read without a network", async () => {
  for (const game of ["whos-deal", "up-n-down", "4-kate", "terrible-people", "hand-and-foot"]) {
    await page.goto(`${house.url}/rules/${game}`);
    await page.locator("main p").nth(3).waitFor();
    await clean(`rules of ${game}`);
  }
  await page.goto(`${house.url}/guide`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  for (const words of [
    "Keep the middle, 40 to 60.",
    "Play the extremes early",
    "Keep the piles apart.",
    "Leave chances to the next player.",
    "Backward-10 is for tight spots.",
    "Four mistakes that lose games",
  ])
    await page.getByText(words).waitFor();
  await clean("the guide");
});

await test("lessons start without a network", async () => {
  for (const game of ["whos-deal", "up-n-down"]) {
    await page.goto(`${house.url}/learn/${game}`);
    const coach = page.getByRole("complementary", { name: "Coach" });
    await coach.waitFor();
    await clean(`the lesson of ${game}`);
    await ann.picture(`lesson-${game}-phone`);
    const title = await coach.getByRole("heading").textContent();
    await coach.getByRole("button", { name: "Next" }).click();
    await page.waitForFunction((before) => document.querySelector(".coach h2")?.textContent !== before, title);
  }
});

await test("a table against bots is set up, remembered, and played alone by name", async () => {
  await page.goto(house.url);
  await ann.button("Set up Up-N-Down against bots").click();
  await page.getByRole("heading", { name: "At the table" }).waitFor();
  await clean("the setup");
  await ann.pictures("setup");
  await page.goBack(); // what was never started is nothing to come back to
  await page.getByRole("heading", { name: "Pull up a chair" }).waitFor();
  const kept = () => page.getByRole("link", { name: /Up-N-Down with bots/ });
  await ann.button("Set up Up-N-Down against bots").waitFor();
  await page.waitForTimeout(300);
  assert.equal(await kept().count(), 0);
  await ann.button("Set up Who's Deal? against bots").click(); // at which bots sit of themselves
  await page.getByRole("heading", { name: "At the table" }).waitFor();
  await page.goBack();
  await ann.button("Set up Up-N-Down against bots").waitFor();
  await page.waitForTimeout(300);
  assert.equal(await page.getByRole("heading", { name: "Continue" }).count(), 0);
  await ann.button("Set up Up-N-Down against bots").click();
  const places = page.getByRole("group", { name: "Places" });
  await places.getByText("2 places").waitFor(); // nobody comes to a free one
  await ann.button("One place more").click();
  await places.getByText("3 places").waitFor();
  await ann.houseRules({ Speed: "instant", "Cards in hand": 5 });
  await ann.invite(2, "easy");
  await ann.invite(3, "expert");
  await ann.start();
  const seats = page.locator(".turn-order li");
  await seats.nth(2).waitFor();
  assert.equal(await seats.count(), 3);
  await page.goto(house.url);
  await kept().first().waitFor();
  await ann.button("Play now: Up-N-Down against bots").click();
  await seats.nth(2).waitFor();
  assert.equal(await seats.count(), 3);
  assert.equal(await seats.first().locator(".hand-count").textContent(), "5 cards");
  await ann.menu("House rules in force");
  await page.locator("dialog[open]").getByText("Cards in hand").waitFor();
  await page.goto(house.url);
  await ann.button("Solitaire: Up-N-Down alone").click();
  await page.locator(".hand .slip").first().waitFor();
  assert.equal(await seats.count(), 0, "nobody else plays");
});

const board = () => page.evaluate(() => document.querySelectorAll(".kate .discs .disc").length);
await test("a whole game of 4 Kate against a bot, with a reload in the middle", async () => {
  await page.goto(house.url);
  await ann.button("Play now: 4 Kate against bots").click();
  await page.waitForURL(/\/t\//);
  const mine = page.locator(".turn.mine");
  await mine.waitFor();
  const before = await board();
  await page.keyboard.press("4");
  await until(async () => (await board()) === before + 2, "the bot does not answer");
  await mine.waitFor();
  const discs = await board();
  await page.reload();
  await page.locator(".turn.mine").waitFor();
  assert.equal(await board(), discs);
  await playUntil([ann], players["4-kate"], dice, resultShown);
  await clean("the result");
  await ann.button("Play again").click();
  await page.locator("dialog.result[open]").waitFor({ state: "hidden" });
});

// Bots that think for a second make a long game: at this table they are quick.
await test("a whole game of Who's Deal? against bots, with a reload in mid-trick", async () => {
  await ann.keep("ABCDEF", "whos-deal", ["set speed=instant targetScore=5", "start"]);
  await page.goto(house.url);
  await page.getByRole("link", { name: /Who's Deal\? with bots/ }).click();
  const inTrick = () =>
    page.evaluate(
      () =>
        document.querySelector(".wd-trick:not(.complete) li") !== null &&
        document.querySelector(".wd-hand .card.lit") !== null,
    );
  // A card may be on its way when the trick is seen: what has come to rest is what a reload must show again.
  const atRest = async () => {
    if (!(await inTrick())) return false;
    const then = await seen();
    await page.waitForTimeout(500);
    return (await inTrick()) && isDeepStrictEqual(await seen(), then);
  };
  const seen = () =>
    page.evaluate(() =>
      [...document.querySelectorAll(".wd-hand [data-card]"), ...document.querySelectorAll(".wd-trick [data-flip]")].map(
        (one) => one.dataset.card ?? one.dataset.flip,
      ),
    );
  await playUntil([ann], players["whos-deal"], dice, atRest);
  const before = await seen();
  await page.reload();
  await page.locator(".wd-hand .card.lit").first().waitFor();
  assert.deepEqual(await seen(), before);
  await playUntil([ann], players["whos-deal"], dice, resultShown);
  await clean("the result");
  await page.goto(house.url);
  await ann.button(/^All \d tables$/).click(); // what is over comes last
  await page.getByRole("link", { name: /Who's Deal\? with bots, finished/ }).waitFor();
});

await test("games of the device are counted there, saved as a file, and deleted", async () => {
  await page.goto(`${house.url}/statistics`);
  const own = page.getByRole("region", { name: "On this device" });
  await own.getByText(/won/).first().waitFor();
  for (const name of ["4 Kate", "Who's Deal?"]) await own.getByRole("heading", { name }).waitFor();
  assert.match(await own.textContent(), /With .*bot \d of 1 won.*Against .*bot/);
  assert.match(await own.textContent(), /In a row now/);
  await clean("statistics of the device");
  const [saved] = await Promise.all([page.waitForEvent("download"), ann.button("Save as a file").click()]);
  const { finished } = JSON.parse(readFileSync(await saved.path(), "utf8"));
  assert.deepEqual(finished.map(({ gameId }) => gameId).sort(), ["4-kate", "whos-deal"]);
  assert.ok(finished.every(({ figures, opponents }) => Object.keys(figures).length > 0 && opponents.length > 0));
  await ann.button("Delete", true).click();
  await ann.button(/^Delete all 2 results/).click();
  await own.waitFor({ state: "detached" });
});

await test("nothing went wrong in the browser", () => assert.deepEqual(ann.errors, []));
await house.browser.close();
finish();
