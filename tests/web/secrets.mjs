// A page never holds what its seat may not see. What a browser was sent, what it shows, what it keeps
// and all the strings in its memory are searched for cards that lie unseen in somebody else's hand;
// which those are, the others' browsers tell.
// node tests/web/secrets.mjs PROGRAM
import assert from "node:assert/strict";
import { finish, random, test } from "../api/client.mjs";
import { House } from "./browser.mjs";
import { players, playUntil, resultShown } from "./players.mjs";

const house = await House.open(process.argv[2] ?? "build/oyster", [
  "--actions-per-second",
  "1000",
  "--actions-burst",
  "1000",
]);

// What came of a world, in order. The log of past moves is looked at by itself: it goes back to other deals.
function views({ heard }, code) {
  return heard.flatMap((text) => {
    if (!text.includes(code)) return [];
    const frame = JSON.parse(text);
    const data = typeof frame.data === "string" ? JSON.parse(frame.data) : (frame.data ?? frame);
    if (data.roomCode !== code || typeof data.version !== "number") return [];
    const { log = [], ...view } = data.view ?? {};
    return [{ version: data.version, log, view: data.view ? view : null, text: JSON.stringify({ ...data, view }) }];
  });
}

// Every hand of somebody, by the version of the world: what they themselves were shown last.
function handsOf(guest, code, read) {
  const known = views(guest, code)
    .filter(({ view }) => view !== null)
    .map(({ version, view }) => ({ version, hand: read(view) }));
  return (version) => known.findLast((one) => one.version <= version)?.hand ?? [];
}

const kept = (page) =>
  page.evaluate(async () => {
    const rows = [];
    for (const { name } of await indexedDB.databases()) {
      const base = await new Promise((resolve, reject) =>
        Object.assign(indexedDB.open(name), { onsuccess: ({ target }) => resolve(target.result), onerror: reject }),
      );
      for (const store of base.objectStoreNames)
        rows.push(
          await new Promise((resolve, reject) =>
            Object.assign(base.transaction(store).objectStore(store).getAll(), {
              onsuccess: ({ target }) => resolve(target.result),
              onerror: reject,
            }),
          ),
        );
      base.close();
    }
    const caches_ = await Promise.all(
      (await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => url).filter((url) => url.includes("/api/")),
      ),
    );
    return JSON.stringify([rows, { ...localStorage }, { ...sessionStorage }, caches_, document.cookie]);
  });
// What the page shows, and of which version it is: the newest one may have arrived and not be shown yet.
const shown = (page) =>
  page.evaluate(() => {
    const stage = document.querySelector("main.stage");
    return { text: stage?.outerHTML ?? "", version: Number(stage?.dataset.version ?? 0) };
  });

// Every string on the page's heap.
async function memory(page) {
  const session = await page.context().newCDPSession(page);
  let text = "";
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => {
    text += chunk;
  });
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  await session.detach();
  return new Set(JSON.parse(text).strings);
}

async function world(name, people, rules, bots = []) {
  const guests = await Promise.all(
    ["Ann", "Bob", "Cy", "Di"].slice(0, people).map((who) => house.guest(who, { motion: "less" })),
  );
  const [ann, ...others] = guests;
  const code = await ann.create(name);
  await Promise.all(others.map((guest) => guest.join(code)));
  await ann.houseRules({ ...rules, Speed: "instant" });
  for (const seat of bots) await ann.invite(seat, "easy");
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

const lastVersion = (guest, code) => views(guest, code).at(-1)?.version ?? 0;
const close = (guests) => Promise.all(guests.map((guest) => guest.context.close()));

// Plays a game; whatever anybody has in mind after a move of their own is noted with the version they saw.
async function played(game, guests, seed) {
  const looks = [];
  await playUntil(guests, players[game], random(seed), resultShown, {
    async then(guest) {
      if (looks.length > 0 && guest === looks.at(-1).guest) return;
      const { text, version } = await shown(guest.page);
      looks.push({ guest, version, text: text + (await kept(guest.page)) });
    },
  });
  return looks;
}

const ids = /(?<![\w.])(?:9|10|J|Q|K|A)[SHDC](?![\w])/g;
const words = {
  9: "9",
  10: "10",
  J: "jack",
  Q: "queen",
  K: "king",
  A: "ace",
  S: "spades",
  H: "hearts",
  D: "diamonds",
  C: "clubs",
};
const inWords = (id) => `${words[id.slice(0, -1)]} of ${words[id.at(-1)]}`;

const whosDeal = () =>
  test("Who's Deal?: no card of another hand, in four browsers", async () => {
    const { guests, code, start } = await world("Who's Deal?", 4, { "Points to win": 5, "Scores at the start": "3,3" });
    const before = await memory(guests[0].page);
    await start();
    await guests[0].page.locator(".wd-hand [data-card]").first().waitFor();
    const heap = await memory(guests[0].page);
    const looks = await played("whos-deal", guests, 5);
    const hands = new Map();
    for (const guest of guests) {
      const id = views(guest, code)
        .map(({ text }) => /"you":\{"playerId":"([^"]+)"/.exec(text)?.[1])
        .find(Boolean);
      hands.set(
        guest,
        handsOf(guest, code, (view) => (view.round?.hands[id] ?? []).map((card) => card.id)),
      );
    }
    // The card a dealer took up was seen by all.
    const takenUp = handsOf(guests[0], code, (view) =>
      view.round?.dealerPickedUp ? [view.round.dealerPickedUp.id] : [],
    );
    const secret = (guest, version) =>
      guests
        .filter((other) => other !== guest)
        .flatMap((other) => hands.get(other)(version))
        .filter((card) => !takenUp(version).includes(card));
    let checked = 0;
    for (const guest of guests)
      for (const { version, log, text } of views(guest, code)) {
        assert.deepEqual(
          log.filter(({ message, player }) => /^discard \S/.test(message) && player !== guest.name),
          [],
          "what the dealer put away",
        );
        // Which cards are the bowers follows from trump, whoever holds them.
        const found = new Set(text.replaceAll(/"bowers":\{[^}]*\}/g, "").match(ids));
        for (const card of secret(guest, version))
          assert.ok(!found.has(card), `${guest.name} was sent ${card} at version ${version}: ${text}`);
        checked++;
      }
    for (const { guest, version, text } of looks) {
      const found = new Set(text.match(ids));
      for (const card of secret(guest, version))
        assert.ok(
          !found.has(card) && !text.includes(inWords(card)),
          `${guest.name}'s page has ${card} at version ${version}`,
        );
    }
    assert.ok(checked > 100 && looks.length > 10, `${checked} messages and ${looks.length} looks`);
    const first = views(guests[1], code).find(({ view }) => view?.round)?.version;
    const unseen = secret(guests[0], first);
    assert.equal(unseen.length, 15);
    assert.ok(
      hands
        .get(guests[0])(first)
        .every((card) => heap.has(card)),
      "the search finds the own cards",
    );
    for (const card of unseen) assert.ok(before.has(card) || !heap.has(card), `${card} is in Ann's memory`);
    await close(guests);
  });

const terriblePeople = () =>
  test("Terrible People: no answer of another hand, no author before the pick", async () => {
    const { guests, code, start } = await world("Terrible People", 4, { "Points to win": 3 });
    await start();
    await Promise.all(guests.map(({ page }) => page.locator(".tp-hand").waitFor()));
    const heap = await memory(guests[0].page);
    const dealt = guests.map((guest) => lastVersion(guest, code));
    const looks = await played("terrible-people", guests, 6);
    const hands = new Map(
      guests.map((guest) => [
        guest,
        handsOf(guest, code, (view) => view.players.flatMap((player) => player.hand ?? []).map((card) => card.text)),
      ]),
    );
    const secret = (guest, version) =>
      guests.filter((other) => other !== guest).flatMap((other) => hands.get(other)(version));
    const holds = (text, answer) => text.includes(JSON.stringify(answer).slice(1, -1)) || text.includes(answer);
    for (const guest of guests)
      for (const { version, view, text } of views(guest, code)) {
        for (const answer of secret(guest, version))
          assert.ok(!holds(text, answer), `${guest.name} was sent "${answer}" at version ${version}`);
        if (view?.phase === "judging")
          assert.ok(
            view.submissions.every((one) => one.seatIndex === undefined),
            "authors are unknown while the judge judges",
          );
      }
    for (const { guest, version, text } of looks)
      for (const answer of secret(guest, version))
        assert.ok(!holds(text, answer), `${guest.name}'s page has "${answer}"`);
    const strings = [...heap];
    assert.ok(
      hands
        .get(guests[0])(dealt[0])
        .every((answer) => heap.has(answer)),
      "the search finds the own cards",
    );
    for (const other of guests.slice(1))
      for (const answer of hands.get(other)(dealt[0]))
        assert.ok(!strings.some((one) => one.includes(answer)), `"${answer}" is in Ann's memory`);
    await close(guests);
  });

const upNDown = () =>
  test("Up-N-Down: no number of another hand", async () => {
    const { guests, code, start } = await world("Up-N-Down", 3, { "Highest card": 50 });
    await start();
    const looks = await played("up-n-down", guests, 7);
    const hands = new Map(
      guests.map((guest) => [
        guest,
        handsOf(guest, code, (view) => view.players.flatMap((player) => player.hand ?? [])),
      ]),
    );
    for (const guest of guests)
      for (const { view } of views(guest, code))
        if (view?.gamePhase === "playing")
          assert.equal(view.players.filter((player) => player.hand !== undefined).length, 1);
    for (const { guest, version, text } of looks) {
      const found = new Set(
        [...text.matchAll(/card-(\d+)|data-value="(\d+)"/g)].map((one) => Number(one[1] ?? one[2])),
      );
      const ends = [1, 100, 51];
      for (const other of guests)
        if (other !== guest)
          for (const card of hands.get(other)(version))
            assert.ok(ends.includes(card) || !found.has(card), `${guest.name}'s page has ${card}`);
    }
    await close(guests);
  });

// What a console was told, line by line: the version, and the numbers in it that could be cards.
const told = (lines, code) =>
  lines
    .filter((line) => line.startsWith(`[${code} `))
    .map((line) => {
      const [, version, what, data] = /^\[\S+ (\d+)\] (\S+) ?(\{.*\})?/.exec(line);
      const json = JSON.stringify(data ? JSON.parse(data) : {}, (key, value) =>
        /^statistics$|At$/.test(key) ? undefined : value,
      );
      return {
        line,
        version: Number(version),
        what,
        cards: (json.match(/\d+/g) ?? []).map(Number).filter((number) => number >= 60 && number <= 99),
      };
    });

const details = () =>
  test("UD-17: debugMode tells each browser's console what happens, and no number of another hand", async () => {
    // No other number is as large as a card.
    const rules = { "Lowest card": 60, "Highest card": 99, "Cards in hand": 7 };
    const { guests, code, start } = await world("Up-N-Down", 2, rules);
    const lines = new Map(guests.map((guest) => [guest, []]));
    for (const guest of guests) guest.page.on("console", (line) => lines.get(guest).push(line.text()));
    await guests[0].page.getByRole("switch", { name: /^Detailed log/ }).click();
    await start();
    await played("up-n-down", guests, 9);
    const hands = new Map(
      guests.map((guest) => [
        guest,
        handsOf(guest, code, (view) => view.players.flatMap((player) => player.hand ?? [])),
      ]),
    );
    for (const guest of guests) {
      const [other] = guests.filter((one) => one !== guest);
      const all = told(lines.get(guest), code);
      for (const what of ["view", "card-played", "turn-started", "hand-updated", "play"])
        assert.ok(
          all.some((one) => one.what === what),
          `${guest.name}: ${what} of ${all.length} lines`,
        );
      assert.ok(
        all.some(({ version, cards }) =>
          hands
            .get(guest)(version)
            .some((card) => cards.includes(card)),
        ),
        "the search finds the own cards",
      );
      // After the round hands lie open.
      const over = views(guest, code).find(({ view }) => view && view.gamePhase !== "playing")?.version ?? Infinity;
      for (const { line, version, cards } of all)
        if (version < over)
          for (const card of cards)
            assert.ok(
              !hands.get(other)(version).includes(card),
              `${guest.name} reads ${card} of ${other.name}: ${line}`,
            );
    }
    const { roomCode } = await guests[0].page.evaluate(() =>
      fetch("/api/worlds", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"gameId":"up-n-down"}',
      }).then((answer) => answer.json()),
    );
    await guests[0].page.goto(`${house.url}/w/${roomCode}`);
    await guests[0].button("Start the game").waitFor();
    assert.ok(!lines.get(guests[0]).some((line) => line.includes(roomCode)), "another table is silent");
    await close(guests);
  });

const handAndFoot = () =>
  test("Hand & Foot: hands and feet are their owners'", async () => {
    const { guests, code, start } = await world(
      "Hand & Foot",
      2,
      { Rounds: 1, "Points to win": 0, "Clean books to go out": 0, "Dirty books to go out": 0 },
      [3],
    );
    await start();
    let moves = 0;
    await playUntil(guests, players["hand-and-foot"], random(8), async (guest) => moves > 30 || resultShown(guest), {
      then: async () => void moves++,
    });
    for (const guest of guests) {
      const seat = views(guest, code)
        .map(({ text }) => /"you":\{[^}]*"seatIndex":(\d)/.exec(text)?.[1])
        .find(Boolean);
      for (const { view } of views(guest, code)) {
        for (const player of view?.players ?? [])
          for (const [name, value] of Object.entries(player))
            if (/^(hand|foot|newlyDrawn)$/.test(name) && player.seatIndex !== Number(seat))
              assert.fail(`${guest.name} was sent ${name} of seat ${player.seatIndex}: ${JSON.stringify(value)}`);
        assert.ok(!view || view.deck.cards === undefined, "the deck is a number");
      }
      // The page has no more faces than the own hand, the pile's top and the tops of melds.
      const faces = await guest.page.evaluate(() => [
        document.querySelectorAll("[data-card]").length,
        document.querySelectorAll(".hf-hand [data-card]").length,
      ]);
      assert.equal(faces[0], faces[1]);
      assert.ok(!/"foot"|"hand"/.test(await kept(guest.page)), "nothing of it is kept");
    }
    await close(guests);
  });

const inTurn = async (...tests) => {
  for (const one of tests) await one();
};
await Promise.all([inTurn(whosDeal), inTurn(terriblePeople, upNDown, details, handAndFoot)]);
await test("nothing went wrong in any browser", () => {
  for (const guest of house.guests) assert.deepEqual(guest.errors, []);
});
await house.close();
finish();
