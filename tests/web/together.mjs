// Three people who stay together: somebody sits down late, they talk, play again, and go back to the lobby.
// node tests/web/together.mjs PROGRAM
import assert from "node:assert/strict";
import { finish, random, test } from "../api/client.mjs";
import { until } from "../api/tools.mjs";
import { atRest, House } from "./browser.mjs";
import { players, playUntil } from "./players.mjs";

const house = await House.open(process.argv[2] ?? "build/oyster", ["--away-ms", "60000"]);
const [ann, bob, cy] = await Promise.all(
  ["Ann", "Bob", "Cy"].map((name) => house.guest(name, { size: "desk", motion: "less" })),
);
const bubble = (guest, text) => guest.page.locator(".bubble").filter({ hasText: text });

// What a screen reader is told.
const spoken = (guest, text) => guest.page.getByRole("log").getByText(text, { exact: true });

// What of the table the news lie on, and how high the bar is with them.
const besideNews = ({ page }) =>
  page.locator(".frame-bar .news").evaluate((news) => {
    const { left, top, right, bottom } = news.getBoundingClientRect();
    const lies = (box) => left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    const seen = [...document.querySelectorAll(".turn, .card, button, .stage [data-seat]")];
    const covered = seen.filter((one) => one.checkVisibility() && lies(one.getBoundingClientRect()));
    const height = news.closest(".frame-bar").getBoundingClientRect().height;
    return { covered: covered.map((one) => one.className), height };
  });

// Instead of being heard, sounds are noted in window.calls, one entry for each tone.
const listenTo = ({ page }) =>
  page.evaluate(() => {
    window.calls ??= [];
    const pitch = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    window.AudioContext = class {
      currentTime = 0;
      state = "suspended"; // as after a reload
      async resume() {
        this.state = "running";
        window.calls.push(["resume"]);
      }
      createOscillator() {
        return {
          frequency: pitch,
          connect: (next) => next,
          start: () => window.calls.push(["sound"]),
          stop() {},
        };
      }
      createGain() {
        return { gain: pitch, connect() {} };
      }
    };
  });
const callsOf = ({ page }) => page.evaluate(() => [...new Set(window.calls.splice(0).map(([name]) => name))].sort());

let code;
await test("people talk in the lobby", async () => {
  code = await ann.create("4 Kate");
  await bob.arrive(`/w/${code}`);
  await bob.page.getByRole("heading", { name: "Talk" }).waitFor();
  await bob.page.getByLabel("Say something").fill("Good evening");
  await bob.button("Say", true).click();
  await bubble(ann, /^Good evening$/).waitFor(); // at Bob's place
  await ann.page.getByRole("list", { name: "Log" }).getByText("Bob: Good evening").waitFor();
  await ann.page.getByRole("list", { name: "Log" }).getByText("Bob joins").waitFor();
  await spoken(ann, "Bob: Good evening").waitFor({ state: "attached" });
  const desk = ann.page.viewportSize();
  await ann.page.setViewportSize({ width: 390, height: 400 }); // where neither places nor talk are in sight
  await bob.button("cheer").click();
  await bubble(ann, /^Bob: (.+ )?cheer$/).waitFor();
  await ann.page.setViewportSize(desk);
  await ann.page
    .getByRole("list", { name: "Log" })
    .getByText(/^Bob: (.+ )?cheer$/)
    .waitFor();
  await spoken(ann, "Bob: cheer").waitFor({ state: "attached" });
  assert.equal(await spoken(bob, "Bob: cheer").count(), 0, "nobody is told what they said themselves");
  await bob.page.getByLabel("Say something").fill("/hand"); // which is for oneself, as at the table
  await bob.button("Say", true).click();
  await bob.page.locator(".toast").getByText("You hold nothing here.").waitFor();
  assert.equal(await ann.page.getByText("/hand").count(), 0);
  await ann.pictures("together-lobby");
  assert.deepEqual(await ann.violations(), []);
  await bob.button("Leave", true).click();
});

await test("who comes late takes a bot's seat by its plate, and the host is told", async () => {
  await ann.houseRules({ Speed: "relaxed" });
  await ann.start();
  await cy.arrive(`/w/${code}`);
  await cy.page.getByText("You are watching").first().waitFor();
  await cy.pictures("together-watching");
  assert.deepEqual(await cy.violations(), []);
  await cy.page.locator("[data-seat='1']").click();
  await cy.page.locator("dialog[open]").getByRole("button", { name: "Sit here" }).click();
  await cy.page.locator(".watching").waitFor({ state: "detached" });
  await ann.page.locator(".frame-bar .news").getByText("Cy sits down").waitFor();
  assert.deepEqual(await besideNews(ann), { covered: [], height: 60 });
  await ann.page.locator("[data-seat='1']").getByText("Cy").waitFor();
});

await test("what is said appears at the seat, sounds if one likes, and is counted until it is read", async () => {
  await listenTo(ann);
  await cy.button("Log and talk", true).click();
  await cy.page.getByLabel("Say something").fill("Hello, may I?");
  await cy.button("Say", true).click();
  await bubble(ann, "Hello, may I?").waitFor();
  await spoken(ann, "Cy: Hello, may I?").waitFor({ state: "attached" });
  const underPlate = async () => {
    const [plate, said] = await Promise.all([
      ann.page.locator("[data-seat='1']").boundingBox(),
      bubble(ann, "Hello").boundingBox(),
    ]);
    return Math.abs(said.y - (plate.y + plate.height)) < 30;
  };
  assert.ok(await underPlate());
  await ann.picture("together-bubble-desk");
  const desk = ann.page.viewportSize();
  await ann.page.setViewportSize({ width: 800, height: 600 });
  await until(underPlate, "what is said stays where the plate was");
  await ann.page.setViewportSize(desk);
  assert.deepEqual(await callsOf(ann), [], "nobody has asked for sounds");
  await ann.menu("Settings");
  await ann.page
    .locator("dialog[open]")
    .getByRole("switch", { name: /^Sounds/ })
    .check();
  await ann.page.keyboard.press("Escape");
  await cy.button("well played").click();
  await bubble(ann, "well played").waitFor();
  assert.deepEqual(await callsOf(ann), ["resume", "sound"], "a key or a tap lets the page sound");
  await ann.button("Log and talk, 2 unread", true).waitFor();
  await ann.page.reload();
  await ann.button("Log and talk, 2 unread", true).click();
  await ann.button("Log and talk", true).waitFor();
  await ann.page.getByRole("list", { name: "Log" }).getByText("Cy: Hello, may I?").waitFor();
  await ann.page.getByRole("list", { name: "Log" }).getByText("Cy sits down").waitFor();
  await ann.page.keyboard.press("Escape");
  await cy.page.keyboard.press("Escape");
});

await test("a sign is one tap away from the table, and its buttons are large enough for a thumb", async () => {
  const before = ann.page.viewportSize();
  const signs = ann.button("Emotes", true);
  const choice = ann.page.locator(".emote-choice");
  const heights = (where) =>
    where.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));
  await signs.click();
  await ann.picture("together-emotes-desk");
  assert.deepEqual(await ann.violations(), []);
  await choice.getByRole("button", { name: "cheer" }).click();
  await bubble(cy, "cheer").waitFor();
  await choice.waitFor({ state: "hidden" });
  await signs.press("Enter"); // the focus came back
  await ann.page.keyboard.press("Escape");
  await choice.waitFor({ state: "hidden" });
  assert.equal(await ann.page.evaluate(() => document.activeElement.ariaLabel), "Emotes");
  await ann.page.setViewportSize({ width: 390, height: 844 });
  await signs.click();
  await ann.picture("together-emotes-phone");
  assert.ok(Math.min(...(await heights(choice.getByRole("button")))) >= 44);
  const box = await choice.boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  await ann.page.locator(".stage").click({ position: { x: 20, y: 600 } });
  await choice.waitFor({ state: "hidden" });
  await ann.button("Log and talk", true).click();
  await ann.picture("together-drawer-phone");
  assert.ok(Math.min(...(await heights(ann.page.locator(".side .emotes button")))) >= 44);
  await ann.page.keyboard.press("Escape");
  await ann.page.setViewportSize(before);
});

await test("a lost connection is told with the time that is left, and its end as well", async () => {
  const { page } = cy;
  const table = page.url();
  await page.reload(); // which is nothing to tell
  await page.locator(".stage").waitFor();
  await page.goto(`${house.url}/healthz`); // anywhere but at the table
  await ann.page.setViewportSize({ width: 390, height: 844 });
  const news = ann.page.locator(".frame-bar .news");
  await news.getByText(/^Cy is offline, a bot plays in [45]\d s$/).waitFor({ timeout: 60_000 });
  assert.deepEqual(await atRest(() => besideNews(ann)), { covered: [], height: 60 });
  const told = await news.textContent();
  await ann.page.waitForFunction((text) => document.querySelector(".frame-bar .news").textContent !== text, told);
  assert.match(await news.textContent(), /^Cy is offline, a bot plays in [345]\d s$/, "the bar counts");
  await ann.button("Log and talk", true).click();
  const connections = ann.page.getByRole("list", { name: "Log" }).getByText(/^Cy is (offline|online)/);
  assert.equal(await connections.count(), 1);
  await ann.page.keyboard.press("Escape");
  assert.deepEqual(await besideNews(ann), { covered: [], height: 60 });
  await ann.page.reload(); // nobody has told this page since when
  await ann.page.locator(".frame-bar .news").getByText("Cy: offline").waitFor();
  await ann.page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(table);
  await ann.page.locator(".toast.news").getByText("Cy is online again").waitFor({ timeout: 60_000 });
  await ann.button("Log and talk", true).click();
  await ann.page.getByRole("list", { name: "Log" }).getByText("Cy is online again").waitFor();
  await ann.page.keyboard.press("Escape");
});

const drop = async (guest, column) => {
  const target = guest.page.locator(`.columns button`).nth(column - 1);
  await until(async () => (await guest.page.locator(".turn.mine").count()) > 0, "it is their turn");
  await target.click();
  await until(async () => (await guest.page.locator(".turn.mine").count()) === 0, "the disc is dropped");
};
async function finishGame(first, second) {
  for (let i = 0; i < 3; i++) {
    await drop(first, 1);
    await drop(second, 2);
  }
  await drop(first, 1);
}

await test("who watches takes part in the next game, and anybody can ask for it", async () => {
  await bob.arrive(`/w/${code}`);
  await bob.page.getByText("You are watching").first().waitFor();
  await finishGame(ann, cy);
  await cy.button("Ask for a rematch").click();
  await cy.button("You asked for a rematch").waitFor();
  const dialog = ann.page.locator("dialog[open]");
  await dialog.getByText("Cy would like another game.").waitFor();
  await dialog.getByText("After 1 game: you 1, they 0").waitFor();
  await ann.pictures("together-over");
  assert.deepEqual(await ann.violations(), []);
  const again = dialog.getByRole("button", { name: "Play Again" });
  await again.evaluate((button) => [button.click(), button.click()]); // a finger may tap twice
  await ann.page.locator(".turn", { hasText: "Cy" }).waitFor(); // who lost begins
  assert.deepEqual(await ann.page.locator(".toast:not(.news)").allTextContents(), []);
});

await test("back in the lobby seats can be changed, and the score of games stays", async () => {
  await finishGame(cy, ann);
  const dialog = ann.page.locator("dialog[open]");
  await dialog.getByText("After 2 games: you 1, they 1").waitFor();
  await dialog.getByRole("button", { name: "Back to the lobby" }).click();
  for (const guest of [ann, bob, cy]) {
    await guest.page.getByRole("heading", { name: "At the table", level: 2 }).waitFor();
    assert.ok(guest.page.url().includes(`/w/${code}`));
  }
  await ann.page.getByText("After 2 games: you 1, they 1").waitFor();
  await ann.button("Remove Cy").click();
  await bob.button("Sit down").click();
  await ann.page.locator(".seat").getByText("Bob").waitFor();
  await ann.start();
  await bob.page.locator(".stage").waitFor();
});

// A page that is not looked at, as far as it can know.
const lookAway = ({ page }, away) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, away);
const nextTurns = async () => {
  await until(async () => {
    const counts = await Promise.all([ann, bob].map(({ page }) => page.locator(".turn.mine").count()));
    return counts[0] + counts[1] === 1;
  }, "it is somebody's turn");
  return (await ann.page.locator(".turn.mine").count()) > 0 ? [ann, bob] : [bob, ann];
};

await test("who looks away is called when it is their turn, once they said that they want it", async () => {
  const [first, second] = await nextTurns();
  await second.page.evaluate(() => {
    window.calls = [];
    const call = (name) => async (value) => window.calls.push([name, value]);
    window.Notification = class {
      static permission = "default";
      static async requestPermission() {
        window.Notification.permission = "granted";
      }
      constructor(title, { body }) {
        window.calls.push(["notification", `${title}: ${body}`]);
      }
    };
    Object.defineProperties(navigator, {
      setAppBadge: { value: call("badge") },
      clearAppBadge: { value: call("no badge") },
      vibrate: { value: call("vibrates") },
    });
  });
  await listenTo(second);
  const calls = () => callsOf(second);
  await lookAway(second, true);
  await drop(first, 4);
  await second.page.waitForFunction(() => document.title === "● Your turn – 4 Kate – Oyster");
  assert.deepEqual(await calls(), ["badge"]);
  await lookAway(second, false);
  await second.page.waitForFunction(() => document.title === "4 Kate – Oyster");
  await second.picture("together-question-desk");
  await second.button("Call me").click();
  await second.button("Call me").waitFor({ state: "detached" });
  assert.deepEqual(await calls(), ["no badge"]);
  await drop(second, 4);
  await lookAway(second, true);
  await drop(first, 4);
  await second.page.waitForFunction(() => window.calls.some(([name]) => name === "notification"));
  assert.deepEqual(await calls(), ["badge", "notification", "resume", "sound", "vibrates"]);
  await lookAway(second, false);
  await second.page.waitForFunction(() => document.title === "4 Kate – Oyster");
  assert.equal(await second.button("Call me").count(), 0, "it is asked once");
  await lookAway(second, true); // from a turn that one has seen
  await second.page.waitForFunction(() => document.title.startsWith("●"));
  await lookAway(second, false);
  assert.deepEqual(await calls(), ["badge", "no badge"]);
  await lookAway(first, true); // who says no is not asked again either
  await drop(second, 3);
  await first.page.waitForFunction(() => document.title.startsWith("●"));
  await lookAway(first, false);
  await first.button("No", true).click();
  const focus = (there) => second.page.evaluate((has) => Object.assign(document, { hasFocus: () => has }), there);
  await focus(false); // another window is typed in
  await drop(first, 3);
  await second.page.waitForFunction(() => window.calls.some(([name]) => name === "notification"));
  assert.deepEqual(await calls(), ["notification", "sound", "vibrates"]);
  await focus(true);
  await lookAway(first, true);
  await drop(second, 3);
  await first.page.waitForFunction(() => document.title.startsWith("●"));
  await lookAway(first, false);
  await first.page.waitForFunction(() => document.title === "4 Kate – Oyster");
  assert.equal(await first.button("Call me").count(), 0, "it is asked once");
});

await test("who leaves is told to the others, and the table has another owner", async () => {
  await ann.menu("Leave the table", "Leave");
  await bob.page.locator(".toast.news").getByText("The table is yours now").waitFor();
  await bob.button(/^Log and talk/).click();
  const log = bob.page.getByRole("list", { name: "Log" });
  for (const told of ["Ann leaves", "The table is yours now"]) await log.getByText(told).waitFor();
});

await test("with the next deal a seat is taken as the owner likes it", async () => {
  const other = await ann.create("Who's Deal?");
  await ann.houseRules({ Latecomers: "next deal" });
  await ann.start();
  await cy.page.goto(`${house.url}/w/${other}`);
  await cy.page.getByText("You are watching").first().waitFor();
  await cy.page.locator("[data-seat='1']").first().click();
  await cy.page
    .locator("dialog[open]")
    .getByRole("button", { name: /Sit here/ })
    .click();
  await cy.page.getByText("You play from the next deal on").waitFor();
  await cy.picture("together-next-deal-desk");
  const game = await ann.create("4 Kate"); // where nothing is dealt
  await ann.houseRules({ Latecomers: "next deal" });
  await ann.start();
  await cy.page.goto(`${house.url}/w/${game}`);
  await cy.page.getByRole("button", { name: /^Sit in for / }).click();
  await cy.page.getByText("You play in the next game").waitFor();
});

await test("at every table a tap on a bot's plate offers its seat, with cards to play on with", async () => {
  const cards = {
    "whos-deal": ".wd-hand [data-card]",
    "hand-and-foot": ".hf-hand [data-card]",
    "up-n-down": ".hand .slip",
    "terrible-people": ".tp-foot > *", // who judges sees none
  };
  for (const name of ["Who's Deal?", "Hand & Foot", "Up-N-Down", "Terrible People"]) {
    const id = name.toLowerCase().replace("&", "and").replaceAll(" ", "-").replace(/['?]/g, "");
    const room = await ann.create(name);
    await ann.houseRules({ Speed: "watch along" }); // so that Cy is there before anybody calls or plays
    if (name === "Up-N-Down") await ann.invite(2, "easy");
    await ann.start();
    await cy.page.goto(`${house.url}/w/${room}`);
    await cy.page.getByText("You are watching").first().waitFor();
    const desk = cy.page.viewportSize();
    await cy.page.setViewportSize({ width: 390, height: 844 });
    for (const offer of await cy.page.getByRole("button", { name: /^Sit in for/ }).all()) {
      const { x, width } = await offer.boundingBox();
      assert.ok(x >= 0 && x + width <= 390, `an offer ends at ${x + width}`);
    }
    await cy.page.setViewportSize(desk);
    const plate = (seat) => cy.page.locator(`[data-seat='${seat}']`).first();
    await plate(0).hover();
    await cy.page.waitForFunction(() => !document.querySelector(".stage.offers"));
    await plate(0).click();
    assert.equal(await cy.page.locator("dialog[open]").count(), 0, name);
    await plate(1).hover();
    await cy.page.locator(".stage.offers").waitFor();
    await plate(1).click();
    let played = false;
    await cy.page.locator("dialog[open]").getByRole("button", { name: "Sit here" }).click();
    await cy.page.locator(cards[id]).first().waitFor();
    await ann.button("Menu", true).click();
    await ann.page.getByRole("radio", { name: "instant" }).click();
    await ann.page.keyboard.press("Escape");
    cy.page
      .waitForResponse((answer) => answer.url().endsWith("/api/game/action") && answer.ok())
      .then(() => (played = true));
    await playUntil([cy, ann], players[id], random(6), async () => played);
  }
});

await test("Play Again gives a bot's seat to somebody who watches, and all three go back to the lobby", async () => {
  const third = await ann.create("4 Kate");
  await ann.houseRules({ Speed: "instant" });
  await ann.invite(2, "easy");
  await ann.start();
  for (const guest of [bob, cy]) {
    await guest.page.goto(`${house.url}/w/${third}`);
    await guest.page.getByText("You are watching").first().waitFor();
  }
  const over = ({ page }) => page.locator("dialog.result[open]");
  await playUntil([ann], players["4-kate"], random(4), (guest) => over(guest).isVisible());
  for (const guest of [bob, cy]) {
    await over(guest).waitFor();
    await guest.page.keyboard.press("Escape");
    await over(guest).waitFor({ state: "detached" });
  }
  await bob.page.getByRole("button", { name: /^Sit in for / }).click();
  await bob.page.getByText("You play in the next game").waitFor();
  await bob.pictures("together-next-game");
  await over(ann).getByRole("button", { name: "Play Again" }).click();
  await ann.page.locator("[data-seat='1']").getByText("Bob").waitFor();
  await bob.page.locator(".watching").waitFor({ state: "detached" });
  await cy.page.getByText("You are watching").first().waitFor(); // who did not want it, watches on
  // A bot had the seat when the first game was won or lost: the score is the people's who played it.
  await playUntil([ann, bob], players["4-kate"], random(5), (guest) => over(guest).isVisible());
  const { seats, played } = await ann.page.evaluate(async (room) => (await fetch(`/api/worlds/${room}`)).json(), third);
  assert.equal(played, 2);
  const score = `After 2 games: you ${seats[0].won}, they ${seats[1].won}`;
  await over(ann).getByText(score).waitFor();
  await over(bob).getByText(`After 2 games: you ${seats[1].won}, they ${seats[0].won}`).waitFor();
  await bob.button("Ask for a rematch").click();
  await over(ann).getByText("Bob would like another game.").waitFor();
  await over(cy).waitFor();
  await cy.button("Ask for a rematch").click(); // who watches may ask as well
  await over(ann).getByText("Bob and Cy would like another game.").waitFor();
  await over(ann).getByRole("button", { name: "Back to the lobby" }).click();
  for (const guest of [ann, bob, cy]) {
    await guest.page.getByRole("heading", { name: "At the table", level: 2 }).waitFor();
    assert.ok(guest.page.url().endsWith(`/w/${third}`));
  }
  await ann.page.getByText(score).waitFor();
  await ann.houseRules({ Speed: "relaxed" }); // rules and levels can be changed
  await ann.button("Remove Bob").click();
  await ann.invite(2, "hard");
  await cy.button("Sit down").click();
  await ann.page.locator(".seat").getByText("Cy").waitFor();
});

await test("who looks away in the lobby is called when the first turn is theirs", async () => {
  await ann.button(/^Cy/).click();
  await ann.button(/^You/).click();
  await ann.page.locator(".seat").first().getByText("Cy").waitFor();
  await lookAway(cy, true);
  await ann.button("Start the game").click();
  await cy.page.waitForFunction(() => document.title === "● Your turn – 4 Kate – Oyster");
  await lookAway(cy, false);
  await cy.button("Call me").waitFor();
});

await test("the game that one has played last stands first at home, whoever's table it was", async () => {
  await bob.page.goto(house.url);
  await bob.page.waitForFunction(() => document.querySelector(".games .game")?.dataset.game === "4-kate");
});

await test("people one has played with can be invited again, until they are forgotten", async () => {
  const contacts = () => ann.page.getByRole("region", { name: "People you have played with" });
  const fourth = await ann.create("4 Kate");
  await contacts().getByRole("button", { name: "Invite Bob" }).waitFor();
  await contacts().getByRole("button", { name: "Invite Cy" }).click();
  await ann.page.locator(".toast").getByText("A message for Cy").waitFor();
  await cy.page.goto(`${house.url}/w/${fourth}`);
  await contacts().getByRole("button", { name: "Invite Cy" }).waitFor({ state: "detached" }); // is here
  await contacts().getByRole("button", { name: "Forget them" }).click();
  await contacts().waitFor({ state: "detached" });
});

await test("nothing went wrong in the browsers", () =>
  assert.deepEqual(
    [ann, bob, cy].map(({ errors }) => errors.filter((error) => !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(error))),
    [[], [], []],
  ));
await house.close();
finish();
