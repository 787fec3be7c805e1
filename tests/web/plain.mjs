// The plain table that a game has without one of its own. The page sits at a real table, and is told that another game
// is played there.
// node tests/web/plain.mjs PROGRAM
import assert from "node:assert/strict";
import { finish, test } from "../api/client.mjs";
import { until } from "../api/tools.mjs";
import { House } from "./browser.mjs";

const house = await House.open(process.argv[2] ?? "build/oyster");
const suits = ["spades", "hearts", "diamonds", "clubs"];
const play = (card) => ({ type: "play", payload: { card }, move: `play ${card}`, said: `play ${card}` });
const eight = (card) =>
  suits.map((suit) => ({
    type: "play",
    payload: { card, suit },
    move: `play ${card} ${suit[0].toUpperCase()}`,
    said: `play ${card} naming ${suit}`,
  }));
const line = (seatIndex, message, time) => ({ seatIndex, player: "somebody", message, time });
const hand = ["8H", "5D", "8D", "KD", "2C", "3C", "4C", "6C", "9S"];
const shared = { target: 100, top: "7H", namedSuit: "hearts", phaseEndsAt: null, botActionAt: null };
const playersWith = (cards) =>
  Array.from({ length: 7 }, (_, seatIndex) => ({
    seatIndex,
    points: 0,
    cards: cards.length,
    hand: seatIndex === 0 ? cards : seatIndex === 1 ? [] : null,
  }));
const playing = {
  phase: "playing",
  ...shared,
  players: playersWith(hand),
  turn: [0],
  looking: [],
  legal: [play("5D"), play("KD"), ...eight("8H"), ...eight("8D")],
  log: [line(1, "drew a card", 1), line(2, "played 7H", 2)],
};
const roundOver = {
  ...playing,
  phase: "round_over",
  turn: [],
  looking: [0],
  legal: [{ type: "next-round", payload: {}, move: "next" }],
  log: [...playing.log, line(2, "won the round (+60)", 3)],
};

const ann = await house.guest("Ann", { size: "phone", motion: "none" });
const { page } = ann;
const code = await ann.create("4 Kate");
await ann.start();
let view = playing;
const done = [];
await page.route(new RegExp(`/api/worlds/${code}$`), async (route) => {
  const response = await route.fetch();
  const world = await response.json();
  const bot = world.seats.find((seat) => seat.bot !== null);
  const others = Array.from({ length: 6 }, (_, i) => ({ ...bot, playerId: `bot-${i}`, seatIndex: i + 1 }));
  const me = { ...world.seats.find((seat) => seat.playerId === world.you.playerId), seatIndex: 0 };
  const you = { ...world.you, seatIndex: 0 };
  await route.fulfill({ response, json: { ...world, gameId: "tomorrow", seats: [me, ...others], you, view } });
});
await page.route("**/api/game/action", async (route) => {
  done.push(route.request().postDataJSON().move);
  await route.fulfill({ json: { ok: true } });
});
await page.routeWebSocket(/./, () => {}); // it would tell of the real game
const look = async (next) => {
  view = next;
  await page.reload();
  await page.getByRole("region", { name: "Your moves" }).waitFor();
};
const did = (move) => until(() => done.at(-1) === move, `${move} was not sent, but ${done.at(-1)}`);

for (const [size, width, height] of [
  ["phone", 390, 844],
  ["side", 844, 390],
  ["desk", 1440, 900],
]) {
  await test(`${size}: nothing covers the last player, and the moves are in sight`, async () => {
    await page.setViewportSize({ width, height });
    await look(playing);
    await ann.picture(`plain-${size}`);
    const last = page.locator(".generic h3").last();
    await last.scrollIntoViewIfNeeded();
    const seen = await last.evaluate((element) => {
      const { left, top, height: tall } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + 5, top + tall / 2));
    });
    assert.ok(seen, "the last player is covered");
    for (const name of [/^play king of diamonds/, /^play 8 of diamonds naming clubs/])
      await until(
        () =>
          ann.button(name).evaluate((element) => {
            const { left, top, width: wide, height: tall } = element.getBoundingClientRect();
            return element.contains(document.elementFromPoint(left + wide / 2, top + tall / 2));
          }),
        `${name} is not in sight`,
      );
    // No list has the name of a game of tomorrow.
    assert.deepEqual(
      (await ann.violations()).filter((one) => !one.startsWith("empty-heading: h1")),
      [],
    );
  });
}

await test("keys and values are words, and what is empty is not shown", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await look(roundOver);
  const text = await page.getByRole("region", { name: "The table" }).innerText();
  assert.match(text, /phase\s+round over/);
  assert.match(text, /named suit\s+hearts/);
  assert.doesNotMatch(text, /round_over|namedSuit|–/);
  assert.equal(text.match(/\bhand\b/g).length, 1);
});

await test("the result of a round stands above the button that goes on", async () => {
  await page.locator(".turn").getByText("The round is over", { exact: true }).waitFor();
  assert.match(await page.locator(".generic .newest").innerText(), /bot won the round \(\+60\)$/);
  await ann.picture("plain-round-over");
  await ann.button("Next round").click();
  await did("next");
});

await test("a card of the hand plays its only move, or goes to those that it has", async () => {
  await look(playing);
  await ann.button("king of diamonds: play", true).click();
  await did("play KD");
  assert.equal(await ann.button(/^2 of clubs/).count(), 0);
  await page.getByRole("img", { name: "2 of clubs" }).waitFor();
  await ann.button("8 of diamonds: play…", true).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.dataset.move === "play 8D S");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await did("play 8D H");
});

await test("nothing went wrong in the browser", () => assert.deepEqual(ann.errors, []));
await house.close();
finish();
