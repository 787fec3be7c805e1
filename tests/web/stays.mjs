// What stays: the result of a round until everybody went on, the log over a reload, a table that two tabs have open,
// and one that was cleared away by mistake.
// node tests/web/stays.mjs PROGRAM
import assert from "node:assert/strict";
import { finish, random, sleep, test } from "../api/client.mjs";
import { until } from "../api/tools.mjs";
import { House, recordedMoves } from "./browser.mjs";
import { players, playUntil, resultShown } from "./players.mjs";

const house = await House.open(process.argv[2] ?? "build/oyster", [
  "--actions-per-second",
  "1000",
  "--actions-burst",
  "1000",
]);
const dice = random(33);
const clean = async (guest, where) => assert.deepEqual(await guest.violations(), [], `${guest.name}: ${where}`);
const before = (moves, words) => moves.slice(0, moves.lastIndexOf(words));

/* ---- The result of a round ---- */

const LONGER_THAN_SHOWN_MS = 6500;
const results = {
  "whos-deal": ".wd-summary",
  "hand-and-foot": "dialog.summary[open]",
  "terrible-people": ".tp:has(.tp-go)",
};
// Plays, but leaves every result to the test: until then nobody can click it away.
async function untilResult(guests, game) {
  const guards = await Promise.all(
    guests.map(({ page }) =>
      page.addStyleTag({ content: ".wd-summary, .tp-go, dialog.summary { pointer-events: none; }" }),
    ),
  );
  await playUntil(
    guests,
    async (guest) => !(await guest.page.locator(results[game]).isVisible()) && players[game](guest, dice),
    dice,
    ({ page }) => page.locator(results[game]).isVisible(),
  );
  await Promise.all(guards.map((guard) => guard.evaluate((style) => style.remove())));
}

const ann = await house.guest("Ann", { size: "phone", motion: "less" });
await ann.arrive();

await test("PL-C13 the result of a hand shows its last trick, and stays until it is dismissed", async () => {
  const { page } = ann;
  await ann.keep(
    "RESTAA",
    "whos-deal",
    ["set speed=instant", "start"],
    before(recordedMoves("whos_deal", "march"), "0 play QS"),
  );
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
  [
    "hand-and-foot",
    ["bot 3 closed", "bot 2 closed"],
    before(recordedMoves("hand_and_foot", "classic_round"), "0 meld 5S 5D 5C"),
  ],
  ["terrible-people", [], []],
]) {
  await test(`against bots alone the result of ${game} stays until it is dismissed`, async () => {
    const { page } = ann,
      code = game
        .slice(0, 6)
        .toUpperCase()
        .replace(/[^A-Z]/g, "A")
        .replace(/[ILO]/g, "X");
    await ann.keep(code, game, ["set speed=instant", ...lobby, "start"], moves);
    await page.goto(`${house.url}/t/${code}`);
    await untilResult([ann], game);
    await sleep(LONGER_THAN_SHOWN_MS);
    await ann.picture(`round-over-${game}-phone`);
    await page.locator(results[game]).getByRole("button", { name: "Go on" }).click();
    await page.locator(results[game]).waitFor({ state: "detached" });
    await page
      .locator(".turn")
      .getByText(/over|go on/)
      .waitFor({ state: "detached" });
  });
}

for (const [game, name] of [
  ["whos-deal", "Who's Deal?"],
  ["terrible-people", "Terrible People"],
]) {
  await test(`${name} between two people, PL-C13: going on closes the result for oneself`, async () => {
    const [cy, di] = await Promise.all(
      ["Cy", "Di"].map((who, i) => house.guest(who, { size: i ? "phone" : "desk", motion: "less" })),
    );
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
    await di.page
      .locator(results[game])
      .getByRole("button", { name: "Go on" })
      .click({ timeout: 3000 })
      .catch(() => {}); // or the time was over
    await Promise.all(
      [cy, di].map(({ page }) => page.locator(".turn").getByText("to go on…").waitFor({ state: "detached" })),
    );
    await di.page.locator(results[game]).waitFor({ state: "detached" });
    assert.deepEqual([...cy.errors, ...di.errors], []);
    await Promise.all([cy.context.close(), di.context.close()]);
  });
}

/* ---- The log ---- */

const logOf = (page) => page.locator(".side .lines li").allTextContents();
const openLog = async (page) => {
  await page.locator("main.stage").waitFor();
  await until(async () => {
    if (await resultShown({ page })) await page.keyboard.press("Escape");
    else await page.locator("main.stage").press("l");
    return page
      .locator(".side .lines")
      .waitFor({ timeout: 3000 })
      .then(() => true)
      .catch(() => false);
  }, "the log did not open");
};

// What is heard live while the log is open is compared with what is made from the record after a reload.
async function logStays(guest, game) {
  const { page } = guest;
  await openLog(page);
  if (page.url().includes("/w/")) {
    await guest.button("hello", true).click();
    await page.getByLabel("Say something").fill("Good luck: all of you");
    await page.keyboard.press("Enter");
    await page.locator(".side .chat").getByText("Good luck: all of you").waitFor();
    await page.locator("main.stage").focus();
  }
  const lines = game === "whos-deal" ? 45 : 12; // past a hand of five tricks, its score included
  await playUntil(
    [guest],
    players[game],
    dice,
    async () =>
      (await resultShown(guest)) || // 4 Kate may be over before
      ((await logOf(page)).length >= lines && page.locator(".turn.mine").isVisible()),
  );
  // Moves of the player, and bots' answers to them, may still be on their way. On the device, where nobody else can be
  // asked, the log must stay the same for a moment.
  if (page.url().includes("/w/")) await guest.still();
  let before = await logOf(page);
  await until(async () => {
    const earlier = before;
    await page.waitForTimeout(700);
    before = await logOf(page);
    return before.join("\n") === earlier.join("\n");
  }, "the log does not come to rest");
  await page.reload();
  await openLog(page);
  await page.waitForFunction((count) => document.querySelectorAll(".side .lines li").length >= count, before.length);
  assert.deepEqual(await logOf(page), before);
  return before;
}

const five = {
  "whos-deal": "Who's Deal?",
  "hand-and-foot": "Hand & Foot",
  "up-n-down": "Up-N-Down",
  "4-kate": "4 Kate",
  "terrible-people": "Terrible People",
};
for (const [game, name] of Object.entries(five)) {
  await test(`${name}: the log reads the same after a reload, on the server`, async () => {
    const eve = await house.guest("Eve", { motion: "less" });
    await eve.create(name);
    if (game === "up-n-down") await eve.invite(2, "easy");
    await eve.houseRules({ Speed: "instant" });
    await eve.start();
    const lines = await logStays(eve, game);
    assert.ok(
      lines.some((line) => line === "Eve: Good luck: all of you") &&
        lines.some((line) => /^Eve: (.* )?hello$/.test(line)),
    );
    if (game === "whos-deal")
      assert.ok(
        lines.some((line) => / takes? the trick$/.test(line)) &&
          lines.some((line) => / scores .*\. Your team \d+, Their team \d+$/.test(line)),
        lines.join("\n"),
      );
    assert.deepEqual(eve.errors, []);
    await eve.context.close();
  });
  await test(`${name}: the log reads the same after a reload, on the device`, async () => {
    const fay = await house.guest("Fay", { motion: "less" }),
      code = `XMG${game
        .slice(-3)
        .toUpperCase()
        .replace(/[^A-HJKMNP-Z]/g, "A")}`;
    await fay.arrive();
    await fay.keep(code, game, [...(game === "up-n-down" ? ["bot 1 easy"] : []), "set speed=instant", "start"]);
    await fay.page.goto(`${house.url}/t/${code}`);
    await fay.page.locator("main.stage").waitFor();
    await logStays(fay, game);
    assert.deepEqual(fay.errors, []);
    await fay.context.close();
  });
}

await test("HF-122 the log of Hand & Foot is seen on a small screen, and one tap away on a phone", async () => {
  const moves = before(recordedMoves("hand_and_foot", "classic_round"), "0 meld 5S 5D 5C");
  for (const [size, room] of [
    ["small", "XGXGXA"],
    ["phone", "XGXGXB"],
  ]) {
    const gus = await house.guest("Gus", { size, motion: "less" }),
      { page } = gus;
    await gus.arrive();
    await gus.keep(room, "hand-and-foot", ["set speed=instant", "bot 3 closed", "bot 2 closed", "start"], moves);
    await page.goto(`${house.url}/t/${room}`);
    await page.locator(".turn.mine").waitFor();
    if (size === "phone") await gus.button("Log and talk", true).click();
    const lines = page.getByRole("list", { name: size === "phone" ? "Log" : "Action log", exact: true });
    await lines.waitFor();
    const seen = await lines.evaluate((list) =>
      [...list.children]
        .filter((line) => {
          const { left, right, top, bottom } = line.getBoundingClientRect(),
            frame = list.getBoundingClientRect();
          const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return top >= frame.top - 1 && bottom <= frame.bottom + 1 && line.contains(shown);
        })
        .map((line) => line.textContent),
    );
    assert.ok(seen.length >= 4, `${size}: ${seen.join(", ")}`);
    assert.match(seen.at(-1), /^\[?You\]? dr[ae]w 2 cards$/);
    assert.ok(
      await page.evaluate(
        () =>
          document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight,
      ),
    );
    await clean(gus, `the log, ${size}`);
    await gus.picture(`hand-and-foot-log-${size}`);
    await gus.context.close();
  }
});

/* ---- The end ---- */

await test("WD-60, PL-19, PL-20 game over offers Play Again to the owner and Leave World to all", async () => {
  const [cy, di] = await Promise.all(
    ["Cy", "Di"].map((who, i) => house.guest(who, { size: i ? "phone" : "desk", motion: "less" })),
  );
  const code = await cy.create("4 Kate");
  await di.join(code);
  await Promise.all([cy.button("Start the game").click(), di.page.locator(".stage").waitFor()]);
  await playUntil([cy, di], players["4-kate"], dice, ({ page }) => page.locator("dialog.result[open]").isVisible());
  const ends = [cy, di].map(({ page }) => page.locator("dialog.result[open]"));
  await Promise.all(ends.map((end) => end.getByRole("button", { name: "Leave World", exact: true }).waitFor()));
  assert.deepEqual(
    await Promise.all(ends.map((end) => end.getByRole("button", { name: "Play Again", exact: true }).count())),
    [1, 0],
  );
  await clean(di, "the end");
  await di.picture("game-over-phone");
  await ends[1].getByRole("button", { name: "Leave World", exact: true }).click();
  await di.page.getByRole("heading", { name: "Pull up a chair" }).waitFor();
  await cy.page.waitForFunction(
    async (room) =>
      (await (await fetch(`/api/worlds/${room}`)).json()).seats.some(({ name, bot }) => name === "Di" && bot !== null),
    code,
  );
  await ends[0].getByRole("button", { name: "Play Again", exact: true }).click();
  await ends[0].waitFor({ state: "detached" });
  assert.deepEqual([...cy.errors, ...di.errors], []);
  await Promise.all([cy.context.close(), di.context.close()]);
});

/* ---- One table in two tabs ---- */

const kate = async (guest, code) => {
  await guest.arrive();
  await guest.keep(code, "4-kate", ["set speed=instant", "start"]);
  const tabs = [guest.page, await guest.context.newPage()];
  for (const tab of tabs) await tab.goto(`${house.url}/t/${code}`);
  return tabs;
};
const discs = (tab) => tab.locator(".kate .discs .disc").count();
const showsDiscs = (tab, count) =>
  tab.waitForFunction(
    (wanted) =>
      document.querySelectorAll(".kate .discs .disc").length === wanted && document.querySelector(".turn.mine"),
    count,
  );
const drop = (tab, column) => tab.locator(".columns button").nth(column).click();

await test("a table in two tabs is one table: each follows the other, and nothing is lost", async () => {
  const hal = await house.guest("Hal", { motion: "less" }),
    [one, two] = await kate(hal, "KATEAA");
  await Promise.all([one, two].map((tab) => showsDiscs(tab, 0)));
  for (const [i, tab] of [one, two, one].entries()) {
    // nobody wins with three discs
    await drop(tab, i + 1);
    await Promise.all([one, two].map((shown) => showsDiscs(shown, 2 * i + 2)));
  }
  const board = (tab) => tab.locator(".kate .discs").innerHTML();
  assert.equal(await board(one), await board(two));
  await one.reload(); // the record says the same
  await showsDiscs(one, 6);
  assert.equal(await board(one), await board(two));
  assert.deepEqual(hal.errors, []);
  await hal.context.close();
});

await test("moves of two tabs at the same moment: one counts, and both tabs show it", async () => {
  const ida = await house.guest("Ida", { motion: "less" }),
    [one, two] = await kate(ida, "KATEBB");
  await Promise.all([one, two].map((tab) => showsDiscs(tab, 0)));
  await Promise.all([drop(one, 0), drop(two, 6)]);
  await Promise.all(
    [one, two].map((tab) =>
      tab.waitForFunction(
        () =>
          [2, 4].includes(document.querySelectorAll(".kate .discs .disc").length) &&
          document.querySelector(".turn.mine"),
      ),
    ),
  );
  await one.waitForTimeout(2500); // longer than either waits for the other
  assert.equal(await discs(one), await discs(two));
  assert.equal(await one.locator(".kate .discs").innerHTML(), await two.locator(".kate .discs").innerHTML());
  await ida.context.close();
});

await test("bots go on in the tab that is left, and a table cleared away is gone from both", async () => {
  const jo = await house.guest("Jo", { motion: "less" }),
    [one, two] = await kate(jo, "KATECC");
  await Promise.all([one, two].map((tab) => showsDiscs(tab, 0)));
  await drop(two, 3);
  await two.locator(".kate .discs .disc").first().waitFor();
  await two.close(); // perhaps before the bot has answered
  await showsDiscs(one, 2);
  const three = await jo.context.newPage();
  await three.goto(`${house.url}/t/KATECC`);
  await showsDiscs(three, 2);
  await three.getByRole("button", { name: "Menu", exact: true }).click();
  for (const name of ["Leave the table", "Leave"])
    await three.locator("dialog[open]").getByRole("button", { name, exact: true }).click();
  await one.getByRole("heading", { name: "This table is gone" }).waitFor();
  await jo.context.close();
});

/* ---- Cleared away by mistake ---- */

await test("a table that is cleared away at home can be brought back for ten seconds", async () => {
  const kim = await house.guest("Kim", { size: "phone", motion: "less" }),
    { page } = kim;
  await kim.arrive();
  const moves = ["0 drop 4", "1 drop 4"];
  await kim.keep("KATEDD", "4-kate", ["set speed=instant", "start"], moves);
  await page.reload();
  const link = page.getByRole("link", { name: /4 Kate with bots/ }),
    clear = kim.button(/^Clear away 4 Kate/);
  await clear.click();
  const undo = kim.button("Undo: bring 4 Kate back");
  await undo.waitFor();
  assert.equal(await link.count(), 0);
  assert.ok(await undo.evaluate((button) => document.activeElement === button));
  await page.waitForTimeout(5000);
  await undo.click();
  await link.click();
  await showsDiscs(page, 2);
  await page.goto(house.url);
  await clear.click();
  await undo.waitFor();
  await clean(kim, "cleared away");
  await kim.picture("home-cleared-phone");
  await undo.waitFor({ state: "detached", timeout: 13_000 });
  await page.goto(`${house.url}/t/KATEDD`);
  await page.getByRole("heading", { name: "This table is gone" }).waitFor();
  assert.deepEqual(kim.errors, []);
  await kim.context.close();
});

await test("nothing went wrong in the browser", () => assert.deepEqual(ann.errors, []));
await house.close();
finish();
