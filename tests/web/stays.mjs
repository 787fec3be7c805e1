// What stays: the result of a round until everybody went on, and the log over a reload. Pictures are in
// build/screens.
// node tests/web/stays.mjs PROGRAM
import assert from "node:assert/strict";
import { finish, random, sleep, test } from "../api/client.mjs";
import { House, recordedMoves } from "./browser.mjs";
import { players, playUntil } from "./players.mjs";

const house = await House.open(process.argv[2] ?? "build/oyster", ["--actions-per-second", "1000", "--actions-burst", "1000"]);
const dice = random(33);
const clean = async (guest, where) => assert.deepEqual(await guest.violations(), [], `${guest.name}: ${where}`);
const before = (moves, words) => moves.slice(0, moves.lastIndexOf(words));

/* ---- The result of a round (PL-C13) ---- */

const LONGER_THAN_SHOWN_MS = 6500;
const results = {
  "whos-deal": ".wd-summary",
  "hand-and-foot": "dialog.summary[open]",
  "terrible-people": ".tp:has(.tp-go)",
};
// Plays, but leaves every result to the test: until then nobody can click it away.
async function untilResult(guests, game) {
  const guards = await Promise.all(guests.map(({ page }) => page.addStyleTag({ content: ".wd-summary, .tp-go, dialog.summary { pointer-events: none; }" })));
  await playUntil(guests, async (guest) => !(await guest.page.locator(results[game]).isVisible()) && players[game](guest, dice), dice, ({ page }) => page.locator(results[game]).isVisible());
  await Promise.all(guards.map((guard) => guard.evaluate((style) => style.remove())));
}

const ann = await house.guest("Ann", { size: "phone", motion: "less" });
await ann.arrive();

await test("WD-77 the result of a hand shows its last trick, and stays until it is dismissed", async () => {
  const { page } = ann;
  await ann.keep("RESTAA", "whos-deal", ["set speed=instant", "start"], before(recordedMoves("whos_deal", "march"), "0 play QS"));
  await page.goto(`${house.url}/t/RESTAA`);
  await page.locator('.wd-hand [data-card="QS"]').click();
  await page.locator("[data-control='confirm']").click();
  const result = page.getByRole("region", { name: "The hand is over" });
  const trick = result.getByRole("region", { name: "The last trick" });
  await trick.getByRole("img", { name: "queen of spades" }).waitFor();
  assert.equal(await trick.getByRole("img").count(), 4);
  await clean(ann, "the result of a hand");
  await ann.pictures("hand-over");
  await sleep(LONGER_THAN_SHOWN_MS);
  await page.reload(); // it stays even then
  await trick.getByRole("img", { name: "queen of spades" }).waitFor();
  await result.getByRole("button", { name: "Go on" }).click();
  await page.locator(".wd-hand [data-card]").nth(4).waitFor();
  assert.equal(await result.isVisible(), false);
});

for (const [game, lobby, moves] of [
  ["hand-and-foot", ["bot 3 closed", "bot 2 closed"], before(recordedMoves("hand_and_foot", "classic_round"), "0 meld 5S 5D 5C")],
  ["terrible-people", [], []],
]) {
  await test(`against bots alone the result of ${game} stays until it is dismissed`, async () => {
    const { page } = ann, code = game.slice(0, 6).toUpperCase().replace(/[^A-Z]/g, "A").replace(/[ILO]/g, "X");
    await ann.keep(code, game, ["set speed=instant", ...lobby, "start"], moves);
    await page.goto(`${house.url}/t/${code}`);
    await untilResult([ann], game);
    await sleep(LONGER_THAN_SHOWN_MS);
    await ann.picture(`round-over-${game}-phone`);
    await page.locator(results[game]).getByRole("button", { name: "Go on" }).click();
    await page.locator(results[game]).waitFor({ state: "detached" });
    await page.locator(".turn").getByText(/over|go on/).waitFor({ state: "detached" });
  });
}

for (const [game, name] of [["whos-deal", "Who's Deal?"], ["terrible-people", "Terrible People"]]) {
  await test(`${name} between two people: going on closes the result for oneself`, async () => {
    const [cy, di] = await Promise.all(["Cy", "Di"].map((who, i) => house.guest(who, { size: i ? "phone" : "desk", motion: "less" })));
    await di.join(await cy.create(name));
    await cy.houseRules({ Speed: "instant" });
    await Promise.all([cy.button("Start the game").click(), di.page.locator(".stage").waitFor()]);
    await untilResult([cy, di], game);
    await Promise.all([cy, di].map(({ page }) => page.locator(results[game]).waitFor()));
    await cy.page.locator(results[game]).getByRole("button", { name: "Go on" }).click();
    await cy.page.locator(".turn").getByText("Waiting for Di to go on…").waitFor();
    await cy.page.locator(results[game]).waitFor({ state: "detached" });
    assert.ok(await di.page.locator(results[game]).isVisible());
    await clean(cy, "gone on");
    await cy.picture(`gone-on-${game}`);
    await di.page.locator(results[game]).getByRole("button", { name: "Go on" }).click({ timeout: 3000 }).catch(() => {}); // or the time was over
    await Promise.all([cy, di].map(({ page }) => page.locator(".turn").getByText("to go on…").waitFor({ state: "detached" })));
    assert.equal(await di.page.locator(results[game]).isVisible(), false);
    assert.deepEqual([...cy.errors, ...di.errors], []);
    await Promise.all([cy.context.close(), di.context.close()]);
  });
}

/* ---- The log ---- */

const logOf = ({ page }) => page.locator(".side .lines li").allTextContents();
const openLog = async ({ page }) => {
  await page.locator("main.stage").press("l");
  await page.locator(".side .lines").waitFor();
};

// What is heard live while the log is open is compared with what is made from the record after a reload.
async function logStays(guest, game) {
  const { page } = guest;
  await openLog(guest);
  if (page.url().includes("/w/")) {
    await guest.button("hello", true).click();
    await page.getByLabel("Say something").fill("Good luck: all of you");
    await page.keyboard.press("Enter");
    await page.locator(".side .chat").getByText("Good luck: all of you").waitFor();
    await page.locator("main.stage").focus();
  }
  const lines = game === "whos-deal" ? 45 : 12; // past a hand of five tricks, its score included
  await playUntil([guest], players[game], dice, async () => (await logOf(guest)).length >= lines && ((await page.locator(".turn.mine").isVisible()) || page.locator("dialog.result[open]").isVisible()));
  await page.waitForTimeout(300);
  const before = await logOf(guest);
  await page.reload();
  await page.locator("main.stage").waitFor();
  if (await page.locator("dialog.result[open]").isVisible()) await page.keyboard.press("Escape");
  await openLog(guest);
  await page.waitForFunction((count) => document.querySelectorAll(".side .lines li").length >= count, before.length);
  assert.deepEqual(await logOf(guest), before);
  return before;
}

const five = { "whos-deal": "Who's Deal?", "hand-and-foot": "Hand & Foot", "up-n-down": "Up-N-Down", "4-kate": "4 Kate", "terrible-people": "Terrible People" };
for (const [game, name] of Object.entries(five)) {
  await test(`${name}: the log reads the same after a reload, on the server`, async () => {
    const eve = await house.guest("Eve", { motion: "less" });
    await eve.create(name);
    if (game === "up-n-down") await eve.invite(2, "easy");
    await eve.houseRules({ Speed: "instant" });
    await eve.start();
    const lines = await logStays(eve, game);
    assert.ok(lines.some((line) => line === "Eve: Good luck: all of you") && lines.some((line) => /^Eve: .* hello$/.test(line)));
    if (game === "whos-deal") assert.ok(lines.some((line) => / takes? the trick$/.test(line)) && lines.some((line) => / scores .*\. Team A \d+, Team B \d+$/.test(line)), lines.join("\n"));
    assert.deepEqual(eve.errors, []);
    await eve.context.close();
  });
  await test(`${name}: the log reads the same after a reload, on the device`, async () => {
    const fay = await house.guest("Fay", { motion: "less" }), code = `XMG${game.slice(-3).toUpperCase().replace(/[^A-HJKMNP-Z]/g, "A")}`;
    await fay.arrive();
    await fay.keep(code, game, [...(game === "up-n-down" ? ["bot 1 easy"] : []), "set speed=instant", "start"]);
    await fay.page.goto(`${house.url}/t/${code}`);
    await fay.page.locator("main.stage").waitFor();
    await logStays(fay, game);
    assert.deepEqual(fay.errors, []);
    await fay.context.close();
  });
}

await test("nothing went wrong in the browser", () => assert.deepEqual(ann.errors, []));
await house.close();
finish();
