// WD-139, PL-51: people at the tables: several browsers in one world, through lobby, whole game, its result and
// another one; who leaves and comes back, whose connection breaks, who loads the page anew. Axe looks at all of it.
// node tests/web/tables.mjs PROGRAM [GAME ...]
import assert from "node:assert/strict";
import { finish, random, test } from "../api/client.mjs";
import { until } from "../api/tools.mjs";
import { House } from "./browser.mjs";
import { players, playUntil, resultShown } from "./players.mjs";

const [program = "build/oyster", ...wanted] = process.argv.slice(2);
const house = await House.open(program, ["--actions-per-second", "1000", "--actions-burst", "1000"]);
const clean = async (guest, where) => assert.deepEqual(await guest.violations(), [], `${guest.name}: ${where}`);

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
  { game: "hand-and-foot", name: "Hand & Foot", people: 2, bots: { 3: "hard", 4: "closed" }, rules: shortRound },
  { game: "whos-deal", name: "Who's Deal?", people: 2, rules: { "Points to win": 5, "Scores at the start": "3,3" } },
  { game: "up-n-down", name: "Up-N-Down", people: 2, bots: { 3: "easy" }, rules: { "Highest card": 40 } },
  { game: "4-kate", name: "4 Kate", people: 2 },
  { game: "terrible-people", name: "Terrible People", people: 2, rules: { "Points to win": 3 } },
  { game: "whos-deal", name: "Who's Deal?", people: 4, rules: { "Points to win": 5, "Scores at the start": "4,4" } },
  { game: "up-n-down", name: "Up-N-Down", people: 4, rules: { "Highest card": 40 } },
  { game: "terrible-people", name: "Terrible People", people: 4, rules: { "Points to win": 3 } },
];

async function sitDown({ name, people = 2, bots = {}, rules = {} }, looks = {}) {
  const guests = await Promise.all(
    ["Ann", "Bob", "Cy", "Di"]
      .slice(0, people)
      .map((who, i) => house.guest(who, { size: i % 2 ? "phone" : "desk", motion: "less", ...looks })),
  );
  const [ann, ...others] = guests;
  const code = await ann.create(name);
  await Promise.all(others.map((guest) => guest.join(code)));
  await ann.houseRules({ ...rules, Speed: "instant" });
  for (const [seat, who] of Object.entries(bots)) await ann.invite(seat, who);
  return {
    guests,
    code,
    start: () =>
      Promise.all([
        ann.button("Start the game").click(),
        ...guests.map((guest) => guest.page.locator(".stage").waitFor()),
      ]),
  };
}

// What is seen at one game's table only.
const own = {
  // A hand of all fourteen ranks, which the cards seldom bring: the buttons that select a rank stay as large and in
  // sight.
  async "hand-and-foot"([, guest]) {
    await guest.page.locator(".hf-ranks").evaluate((row) => {
      for (let i = row.children.length; i < 14; i++) row.append(row.firstElementChild.cloneNode(true));
      row.style.setProperty("--row", 7);
    });
    await fitsPhone(guest);
    await guest.picture("ranks-hand-and-foot-phone");
    await guest.page.reload();
    await guest.page.locator(".hf-ranks").waitFor();
  },
  // FK-7: the two colours differ by pattern.
  async "4-kate"([{ page }]) {
    const figures = await page
      .locator(".discs .token")
      .evaluateAll((all) => all.map((one) => `${one.classList[1]} ${one.querySelector(".figure").tagName}`));
    assert.deepEqual([...new Set(figures)].sort(), ["seat-0 circle", "seat-1 path"]);
  },
  // UD-37, UD-38, UD-40, UD-56, UD-58, PL-C7: colours, the draw pile, and the marks of who waits, in their slots.
  async "up-n-down"(guests) {
    const mine = await Promise.all(guests.map(myTurn));
    const seat = mine.indexOf(false),
      { page } = guests[seat],
      other = guests[1 - seat].page;
    const look = (locator, ...names) =>
      locator.evaluate(
        (one, wanted) => wanted.map((name) => getComputedStyle(one).getPropertyValue(name).trim()),
        names,
      );
    assert.deepEqual(
      await look(page.locator(".updown"), "--ground", "--accent", "--up", "--down", "--ink", "--ink-2"),
      ["#1a1a2e", "#e94560", "#90ee90", "#ffb6b6", "#fff", "#a8a8a8"],
    );
    assert.match(await page.locator(".draw").innerText(), /^\d+\s+to draw$/);
    const slot = other.locator('.pile[data-pile="2"] .marks .slot').nth(seat);
    for (const [level, path, style, value, width] of [
      ["like", ".check", "stroke", "rgb(65, 217, 111)", "18px"],
      ["really like", "path", "fill", "rgb(255, 157, 46)", "18px"],
      ["love", ".before", "fill", "rgb(255, 59, 78)", "24px"],
    ]) {
      await page.getByRole("button", { name: new RegExp(`^Your mark on pile 2: .* Change it to ${level}$`) }).click();
      const sign = slot.locator(`.mark.level-${level === "like" ? 1 : level === "love" ? 3 : 2}`);
      assert.deepEqual(await look(sign, "width"), [width]);
      assert.deepEqual(await look(sign.locator(path), style), [value]);
    }
    assert.equal(await slot.innerText(), `${seat + 1}`);
    await page.getByRole("button", { name: "What are the hearts for?" }).click();
    for (const words of [
      "Mark the piles you can serve well.",
      "everybody sees it",
      "two players who want the same pile",
    ])
      await page.getByRole("dialog").getByText(words).waitFor();
    await page.keyboard.press("Escape");
  },
};

const leave = (guests) => Promise.all(guests.map((guest) => guest.context.close()));
const myTurn = ({ page }) => page.locator(".turn.mine").isVisible();
const untilMyTurn = (guest, all, game, dice) =>
  playUntil(
    [guest, ...all.filter((one) => one !== guest)],
    async (one) => one !== guest && players[game](one, dice),
    dice,
    myTurn,
  );

// PL-54: who is awaited sees it, the others see for whom they wait. It may be somebody else's turn by the time it
// is seen.
async function turnIsShown(guests) {
  for (const { page } of guests) {
    await until(async () => {
      const world = await page.evaluate(async () => (await fetch(`/api/worlds/${location.pathname.slice(-6)}`)).json());
      // A bot may have moved by then.
      if (world.status !== "playing" || world.view.turn.some((seat) => world.seats[seat].bot)) return true;
      const mine = world.view.turn.includes(world.you.seatIndex),
        names = world.view.turn.map((seat) => world.seats[seat].name);
      if (!(await page.locator(mine ? ".turn.mine" : ".turn:not(.mine)").isVisible())) return false;
      const words = world.view.round?.trumpPhase === "dealer_discard" ? "Dealer is discarding" : names[0]; // WD-94
      return mine || names.length !== 1 || page.locator(".turn").getByText(words).isVisible();
    }, "the page does not say whose turn it is");
  }
}

// PL-56, PL-C8, WD-100, WD-137, UD-75: on a phone nothing is wider than the screen, and a finger finds every control.
async function fitsPhone({ page }) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
  const small = await page.locator(".page button:visible, .page a.button:visible").evaluateAll((all) =>
    all
      .map((one) => [one.ariaLabel ?? one.textContent, one.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < 44 || height < 44)
      .map(([name, { width, height }]) => `${name}: ${width} × ${height}`),
  );
  assert.deepEqual(small, []);
}

function wholeGame(table, seed) {
  const { game, name, people } = table,
    dice = random(seed),
    title = `${name}, ${people} people`;
  // With more people the same is seen once more, so it is looked at with two: on a desk and on a phone.
  const allClean = async (where) => {
    if (people === 2) for (const guest of guests) await clean(guest, where);
  };
  let guests,
    start,
    started = false;
  return async () => {
    await test(`${title}: through the lobby to the table`, async () => {
      ({ guests, start } = await sitDown(table));
      await allClean("the lobby");
      await start();
      started = true;
      await allClean("the table at the start");
    });
    if (!started) return;
    await test(`${title}: the middle of a game`, async () => {
      let moves = 0;
      await playUntil(
        guests,
        players[game],
        dice,
        async (guest) => moves >= 6 && ((await myTurn(guest)) || (await resultShown(guest))),
        { then: async () => void moves++ },
      );
      await allClean("the table in the middle of the game");
      await turnIsShown(guests);
      if (people === 2) await fitsPhone(guests[1]);
      if (people === 2) await own[game]?.(guests);
      if (people === 2) await guests[0].pictures(`table-${game}`);
    });
    await test(`${title}: a whole game and its result`, async () => {
      await playUntil(guests, players[game], dice, resultShown);
      await Promise.all(guests.map(({ page }) => page.locator("dialog.result[open]").waitFor()));
      await allClean("the result");
      await guests[0].picture(`result-${game}-desk`);
      await guests[1].picture(`result-${game}-phone`);
    });
    await test(`${title}: another game`, async () => {
      const [ann, bob] = guests;
      assert.equal(await bob.button("Play again").count(), 0, "only the owner starts another one");
      await ann.button("Play again").click();
      await Promise.all(guests.map(({ page }) => page.locator("dialog.result[open]").waitFor({ state: "hidden" })));
      let moves = 0;
      await playUntil(guests, players[game], dice, async (guest) => moves >= 4 || (await resultShown(guest)), {
        then: async () => void moves++,
      });
      for (const guest of guests) assert.deepEqual(guest.errors, [], guest.name);
      await leave(guests);
    });
  };
}

async function dialogs() {
  const { guests, start } = await sitDown({ name: "Who's Deal?" });
  const [ann, bob] = guests;
  await start();
  await test("WD-144, UD-73 menu, keys, rules, settings, invitation and talk", async () => {
    await ann.menu();
    await clean(ann, "the menu");
    await ann.picture("menu-desk");
    await ann.page.keyboard.press("Escape");
    for (const name of ["Invite", "House rules in force", "Keys", "Settings", "Leave the table"]) {
      await ann.menu(name);
      await clean(ann, name);
      await ann.page.keyboard.press("Escape");
      await ann.page
        .locator("dialog[open]")
        .waitFor({ state: "detached" })
        .catch(() => {});
    }
    await bob.button("Log and talk", true).click();
    await ann.page.keyboard.press("l");
    await bob.page.getByLabel("Say something").fill("Good evening, Ann!");
    await bob.button("Say", true).click();
    await ann.page.getByRole("list", { name: "Log" }).getByText("Bob: Good evening, Ann!").waitFor();
    await ann.page.getByRole("group", { name: "Emotes" }).getByRole("button", { name: "thanks" }).click();
    await bob.page
      .locator(".lines")
      .getByText(/^Ann: (.+ )?thanks$/)
      .waitFor();
    await clean(ann, "log and talk");
    await clean(bob, "log and talk");
    await bob.picture("talk-phone");
  });
  await leave(guests);
}

async function comingAndGoing() {
  const dice = random(11);
  const { guests, code, start } = await sitDown({ name: "Who's Deal?", rules: { "Points to win": 11 } });
  const [ann, bob] = guests;
  await start();
  const seatOfBob = () =>
    ann.page.evaluate(
      async (room) => (await (await fetch(`/api/worlds/${room}`)).json()).seats.find((seat) => seat.name === "Bob"),
      code,
    );

  await test("who leaves is played for by a bot, and gets the seat back with the link", async () => {
    const before = await seatOfBob();
    await bob.menu("Leave the table", "Leave");
    await bob.page.getByRole("heading", { name: "Pull up a chair" }).waitFor();
    await clean(bob, "home after leaving");
    let moves = 0;
    await playUntil([ann], players["whos-deal"], dice, async () => moves >= 8, { then: async () => void moves++ });
    assert.equal((await seatOfBob()).away, true, "Bob is away");
    const wide = ann.page.viewportSize();
    await ann.page.setViewportSize({ width: 390, height: 844 });
    const sign = ann.page.locator(`[data-seat="${before.seatIndex}"] .wd-plate > svg`);
    assert.ok(await sign.isVisible(), "a phone shows that a bot plays as well");
    await ann.page.setViewportSize(wide);
    await bob.page.goto(`${house.url}/w/${code}`);
    await bob.page.locator(".wd-hand").waitFor();
    const after = await seatOfBob();
    assert.equal(after.seatIndex, before.seatIndex);
    assert.equal(after.away, false);
    await untilMyTurn(bob, guests, "whos-deal", dice);
  });

  const fullHand = ({ page }) =>
    page.evaluate(() => [...document.querySelectorAll(".wd-hand [data-card]")].map((one) => one.dataset.card));
  // A person whose turn it is to play, with something on the table already.
  const inMidTrick = async (guest) => {
    const there = ({ page }) =>
      page.evaluate(
        () =>
          document.querySelector(".wd-trick:not(.complete) li") !== null &&
          document.querySelector(".wd-hand .card.lit") !== null,
      );
    await playUntil(
      [guest, ...guests.filter((one) => one !== guest)],
      async (one, roll) => !(one === guest && (await there(guest))) && players["whos-deal"](one, roll),
      dice,
      there,
    );
  };

  await test("a page loaded anew in the middle of a trick shows the same", async () => {
    await inMidTrick(bob);
    const seen = () =>
      bob.page.evaluate(() => [...document.querySelectorAll(".wd-trick .hidden-text")].map((one) => one.textContent));
    const hand = await fullHand(bob),
      trick = await seen();
    await bob.page.reload();
    await bob.page.locator(".wd-hand .card.lit").first().waitFor();
    assert.deepEqual(await fullHand(bob), hand);
    assert.deepEqual(await seen(), trick);
    await bob.button("Log and talk", true).click();
    // What happened before is in the log.
    await bob.page.getByRole("list", { name: "Log" }).getByRole("listitem").nth(3).waitFor({ state: "attached" });
    await bob.button("Close log and talk").click();
  });

  await test("a lost connection shows a quiet sign, keeps the selection and goes on", async () => {
    await inMidTrick(bob);
    const card = await bob.page.locator(".wd-hand .card.lit").first().getAttribute("data-card");
    await bob.page.locator(`[data-card="${card}"]`).click();
    await bob.context.setOffline(true);
    await bob.page.getByText("reconnecting").waitFor();
    await clean(bob, "no connection");
    await bob.picture("reconnecting-phone");
    assert.equal(await bob.page.locator(`[data-card="${card}"]`).getAttribute("aria-pressed"), "true");
    await bob.context.setOffline(false);
    await bob.page.getByText("reconnecting").waitFor({ state: "detached", timeout: 30_000 });
    assert.equal(await bob.page.locator(`[data-card="${card}"]`).getAttribute("aria-pressed"), "true");
    await bob.page.locator(`[data-card="${card}"]`).click();
    await bob.page.locator(`.wd-hand [data-card="${card}"]`).waitFor({ state: "detached" });
    await bob.button(/^Log and talk/).click();
    await bob.page.getByRole("list", { name: "Log" }).getByText("You are online again").waitFor();
    await bob.page.keyboard.press("Escape");
  });

  await test("UD-67, PL-39 what happened without a connection is caught up with", async () => {
    await untilMyTurn(ann, guests, "whos-deal", dice);
    await bob.context.setOffline(true);
    await bob.page.getByText("reconnecting").waitFor();
    const version = () =>
      ann.page.evaluate(async (room) => (await (await fetch(`/api/worlds/${room}`)).json()).version, code);
    const before = await version();
    await playUntil([ann], players["whos-deal"], dice, async () => (await version()) > before);
    await bob.context.setOffline(false);
    await bob.page.getByText("reconnecting").waitFor({ state: "detached", timeout: 30_000 });
    await untilMyTurn(bob, guests, "whos-deal", dice);
    let moves = 0;
    await playUntil(guests, players["whos-deal"], dice, async () => moves >= 10, { then: async () => void moves++ });
    for (const guest of guests) assert.deepEqual(guest.errors, [], guest.name);
  });
  await leave(guests);
}

// Three tables at a time: while one waits, the others play.
const chosen = (name) => wanted.length === 0 || wanted.includes(name);
const jobs = [
  ...tables.flatMap((table, i) => (chosen(table.game) ? [wholeGame(table, i + 1)] : [])),
  ...(chosen("coming") ? [comingAndGoing] : []),
  ...(chosen("dialogs") ? [dialogs] : []),
];
const lane = async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) await job();
};
await Promise.all([lane(), lane(), lane()]);
await house.close();
finish();
