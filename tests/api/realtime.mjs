// What people hear of a world, with the stock client.
// node tests/api/realtime.mjs PROGRAM [short]
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, finish, offers, random, sleep, test } from "./client.mjs";
import { greeted, subscribe } from "./raw_socket.mjs";
import { generous, until } from "./tools.mjs";
import { Line, Window } from "./window.mjs";

const [program = "build/oyster", length = "long"] = process.argv.slice(2);
const short = length === "short";
const many = [...generous, "--log-level", "error", "--connections-per-address", "0"];
const folder = mkdtempSync(join(tmpdir(), "oyster-realtime-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const server = await Server.start(program, [...many, "--store", `sqlite:${folder}/store`]);
const people = await Promise.all(["Ann", "Bob", "Cy", "Dee"].map((name) => server.person(name)));
const [ann, bob, cy, dee] = people;
const eve = await server.person("Eve");

// A table of people who all listen, and somebody who watches.
async function table(gameId, players, { settings = {}, ...more } = {}) {
  const { roomCode: code } = await players[0].create(gameId, { settings: { speed: "instant", ...settings }, ...more });
  for (const person of players.slice(1)) assert.equal((await person.join(code)).status, 200);
  assert.equal((await eve.join(code, { as: "spectator" })).status, 200);
  const windows = await Promise.all(players.map((person) => Window.open(person, code)));
  const watcher = await Window.open(eve, code, { watching: true });
  return {
    code,
    players,
    windows,
    watcher,
    all: [...windows, watcher],
    close() {
      for (const window of this.all) window.close();
    },
  };
}

async function act(person, code, type, payload) {
  const answer = await person.act(code, { type, payload });
  assert.equal(answer.status, 200, `${type} ${JSON.stringify(payload)}: ${answer.text}`);
  return answer.json.version;
}

const seatOf = (world, person) => world.seats.find((seat) => seat.playerId === person.id)?.seatIndex;

// What each window was told last is what its person gets by asking.
async function compare({ code, all }) {
  let compared = 0;
  for (const window of all) {
    const world = await window.person.world(code);
    if (!window.views.has(world.version)) continue;
    assert.deepEqual(world.view, window.views.get(world.version), `${window.person.name}'s view ${world.version}`);
    compared++;
  }
  return compared;
}

// The history of a world tells everybody what they heard, in the same words.
const STANDING = ["world-updated", "teams-updated", "settings-updated", "seat-changed", "public-view"];
async function compareHistory({ code, all }) {
  for (const { person, heard } of all) {
    const { version, entries } = (await person.get(`/api/worlds/${code}/history`)).json;
    const told = entries.flatMap((entry) =>
      entry.events.map(({ event, data }) => ({
        channel: "room",
        event,
        data: { version: entry.version, roomCode: code, ...data },
      })),
    );
    const first = Math.max(version - 399, heard.find(({ data }) => data?.version)?.data.version);
    const mine = heard.filter(
      ({ channel, event, data }) =>
        channel === "room" && !event.startsWith("pusher:") && !STANDING.includes(event) && data.version >= first,
    );
    assert.ok(mine.length > 0);
    assert.deepEqual(
      told.filter(({ data }) => data.version >= first),
      mine,
      `the past as ${person.name} is told of it`,
    );
    assert.equal(entries.findLast(({ seats }) => seats).seats.length, (await person.world(code)).seats.length);
  }
}

// Starts and plays by what was heard alone, until the game is over or long enough.
async function play(at, { seed = 1, limit = Infinity, compareEach = 1 } = {}) {
  const { code, players, windows, all } = at;
  const choose = random(seed);
  let version = await act(players[0], code, "start", {});
  const world = await players[0].world(code);
  const seats = players.map((person) => seatOf(world, person));
  let compared = 0,
    moves = 0;
  while (moves < limit) {
    await Promise.all(all.map((window) => window.reached(version)));
    const waits = () => windows.findIndex(({ view }, i) => offers({ view, you: { seatIndex: seats[i] } }).length > 0);
    const over = () => windows[0].view?.phase === "game_over" || windows[0].all("game-over").length > 0;
    await windows[0].until(() => over() || waits() >= 0, "somebody's turn");
    if (over()) break;
    const seat = waits(),
      { legal } = windows[seat].view;
    const { type, payload } = legal[choose(legal.length)];
    const answer = await players[seat].act(code, { type, payload });
    if (answer.status !== 200) throw new Error(`${JSON.stringify({ type, payload })} was offered but ${answer.text}`);
    version = answer.json.version;
    if (moves++ % compareEach === 0) compared += await compare(at);
  }
  version = (await players[0].world(code)).version;
  await Promise.all(all.map((window) => window.reached(version)));
  compared += await compare(at);
  await compareHistory(at);
  for (const window of all) assert.equal(window.check(), version);
  return { moves, compared };
}

// ---- Who is there ----

await test("people come and go: ids, members added and removed, two windows of one", async () => {
  const { roomCode: code } = await ann.create("4-kate");
  await bob.join(code);
  const first = await Window.open(ann, code);
  assert.deepEqual(
    [first.room.members.count, Object.keys(first.room.members.members), first.room.members.me.id],
    [1, [ann.id], ann.id],
  );
  const other = await Window.open(bob, code);
  const added = await first.until(() => first.heard.find(({ event }) => event === "pusher:member_added"));
  assert.ok(added);
  assert.deepEqual(first.room.members.get(bob.id), { id: bob.id, info: { name: "Bob" } });
  assert.deepEqual(Object.keys(other.room.members.members).sort(), [ann.id, bob.id].sort());
  const again = await Window.open(bob, code);
  assert.equal(again.room.members.count, 2);
  await act(ann, code, "chat", { text: "one" });
  await Promise.all([first, other, again].map((window) => window.until(() => window.all("chat").length === 1)));
  assert.equal(first.all("pusher:member_added").length, 1);
  assert.equal((await ann.world(code)).seats[1].connected, true);
  other.close();
  await act(ann, code, "chat", { text: "two" });
  await again.until(() => again.all("chat").length === 2);
  assert.equal(first.all("pusher:member_removed").length, 0);
  assert.equal((await ann.world(code)).seats[1].connected, true);
  again.close();
  await first.until(() => first.all("pusher:member_removed").length === 1);
  assert.equal(first.room.members.count, 1);
  assert.equal((await ann.world(code)).seats[1].connected, false);
  first.close();
});

await test("a new name is told to all who are there", async () => {
  const zoe = await server.person("Zoe");
  const { roomCode: code } = await ann.create("4-kate");
  await zoe.join(code);
  const window = await Window.open(ann, code);
  assert.equal((await zoe.request("PATCH", "/api/session", { body: { name: "Zora" } })).status, 200);
  const told = await window.until(() => window.all("world-updated").find(({ seats }) => seats[1].name === "Zora"));
  assert.ok(told);
  window.close();
});

await test("an authorizer of one's own works as well", async () => {
  const { roomCode: code } = await ann.create("4-kate");
  const window = await Window.open(ann, code, {
    authorizer: (channel) => ({
      authorize(socketId, callback) {
        ann
          .request("POST", "/pusher/auth", {
            raw: `socket_id=${socketId}&channel_name=${channel.name}`,
            headers: { "content-type": "application/x-www-form-urlencoded" },
          })
          .then((answer) => callback(null, answer.json));
      },
    }),
  });
  await act(ann, code, "chat", { text: "hello" });
  assert.equal((await window.next("chat", 0)).text, "hello");
  window.close();
});

await test("who is no member is refused by the authorisation, and may ask again", async () => {
  const { roomCode: code } = await ann.create("4-kate", { settings: { watching: false } });
  const window = new Window(bob, code);
  const status = () =>
    new Promise((resolve) => {
      window.room.bind("pusher:subscription_error", ({ status: code }) => resolve(code));
    });
  assert.equal(await status(), 404);
  assert.equal(window.room.subscribed, false);
  await bob.join(code);
  window.room.subscribe();
  await window.until(() => window.room.subscribed);
  window.close();
});

await test("what was said is for those who were there, and tells who sat where then", async () => {
  const { roomCode: code } = await ann.create("4-kate", { settings: { speed: "instant", public: true } });
  await act(ann, code, "chat", { text: "before Bob" });
  assert.equal((await bob.join(code)).status, 200);
  await act(ann, code, "chat", { text: "after Bob" });
  await act(ann, code, "start", {});
  await act(ann, code, "drop", { column: 4 });
  assert.equal((await bob.post(`/api/worlds/${code}/leave`)).status, 200);
  const past = async (person) => (await person.get(`/api/worlds/${code}/history`)).json.entries;
  const said = (entries) =>
    entries.flatMap(({ events }) => events.filter(({ event }) => event === "chat").map(({ data }) => data.text));
  await until(
    async () =>
      (await past(ann)).some(({ events }) =>
        events.some(({ event, data }) => event === "disc-dropped" && data.seatIndex === 1),
      ),
    "no bot plays for Bob",
  );
  const entries = await past(ann);
  assert.deepEqual(said(entries), ["before Bob", "after Bob"]);
  assert.deepEqual(said(await past(eve)), []); // who may look on, but was never there
  assert.deepEqual(
    entries.flatMap(({ seats }) => (seats ? [`${seats[1].name} ${seats[1].bot}`] : [])),
    ["Bot medium", "Bob null", "Bob medium"],
  );
  assert.equal((await bob.join(code)).status, 200);
  assert.deepEqual(said(await past(bob)), ["after Bob"]);
});

// ---- The lobby ----

await test("PL-40 the lobby is told live, in order", async () => {
  const { roomCode: code } = await ann.create("whos-deal");
  await bob.join(code);
  const window = await Window.open(bob, code);
  const steps = [
    ["set-target-score", { targetScore: 7 }, ["settings-updated", "world-updated"]],
    ["set-settings", { speed: "instant", targetScore: 5 }, ["settings-updated", "world-updated"]],
    ["swap-teams", { playerIdA: ann.id, playerIdB: bob.id }, ["teams-updated", "world-updated"]],
    ["set-bot", { seatIndex: 3, level: "hard" }, ["seat-changed", "world-updated"]],
    ["chat", { text: "ready? <b>é</b> \u{1f0a1}" }, ["chat"]],
    ["emote", { id: "hello" }, ["emote"]],
    ["start", {}, ["world-updated"]],
  ];
  const heard = {};
  for (const [type, payload, events] of steps) {
    const from = window.heard.length,
      version = await act(ann, code, type, payload);
    await window.until(
      () =>
        window.heard
          .slice(from)
          .some(
            ({ data }) => data?.version === version && (type === "chat" || type === "emote" || data.view !== undefined),
          ),
      type,
    );
    const told = window.heard.slice(from).filter(({ channel, data }) => channel === "room" && data.version === version);
    assert.deepEqual(
      told.map(({ event }) => event),
      events,
      type,
    );
    for (const { event, data } of told) heard[`${type} ${event}`] = data;
  }
  assert.equal(heard["set-target-score settings-updated"].targetScore, 7);
  assert.equal(heard["set-settings world-updated"].settings.targetScore, 5);
  assert.equal(heard["set-settings world-updated"].settings.speed, "instant");
  const seats = heard["swap-teams world-updated"].seats.map((seat) => seat.playerId);
  assert.deepEqual(heard["swap-teams teams-updated"].teams, { a: [seats[0], seats[2]], b: [seats[1], seats[3]] });
  assert.deepEqual([seats[0], seats[1]], [bob.id, ann.id]);
  const { seatIndex, bot } = heard["set-bot seat-changed"];
  assert.deepEqual([seatIndex, bot], [3, "hard"]);
  const { playerId, name, text } = heard["chat chat"];
  assert.deepEqual([playerId, name, text], [ann.id, "Ann", "ready? <b>é</b> \u{1f0a1}"]);
  assert.equal(heard["emote emote"].id, "hello");
  assert.equal(heard["start world-updated"].status, "playing");
  window.check();
  window.close();
});

await test("somebody who joins, leaves or is removed is told to the others", async () => {
  const { roomCode: code } = await ann.create("whos-deal");
  const window = await Window.open(ann, code);
  await bob.join(code);
  const taken = await window.next("seat-changed", 0);
  assert.deepEqual([taken.seatIndex, taken.playerId, taken.bot], [1, bob.id, null]);
  await bob.post(`/api/worlds/${code}/leave`);
  await window.until(() => window.all("seat-changed").length === 2);
  assert.notEqual(window.all("seat-changed")[1].playerId, bob.id);
  await cy.join(code);
  await act(ann, code, "remove-player", { playerId: cy.id });
  await window.until(() => window.all("seat-changed").length === 4);
  assert.deepEqual(
    window.all("world-updated").map(({ version }) => version),
    [2, 3, 4, 5],
  );
  window.check();
  window.close();
});

// ---- Games ----

const FIELDS = {
  "game-started": ["dealer", "faceUpCard", "seats", "targetScore", "teams"],
  "hand-updated": ["hand"],
  "trump-action": ["action", "seatIndex", "goAlone?", "suit?"],
  "dealer-discarded": ["seatIndex"],
  "trump-confirmed": ["callingPlayer", "callingTeam", "goAlone?", "trumpSuit"],
  "trick-started": ["leadSeatIndex"],
  "card-played": ["card", "seatIndex"],
  "trick-won": ["tricksWon", "winningSeatIndex", "winningTeam"],
  "round-over": ["callingTeam", "isGameOver", "pointsAwarded", "scores", "tricksWon"],
  "new-round": ["dealerSeatIndex", "faceUpCard"],
  "game-over": ["finalScores", "winningTeam"],
};
const LETTERS = {
  "game-started": "g",
  "new-round": "n",
  "trump-action": "a",
  "dealer-discarded": "d",
  "trump-confirmed": "c",
  "trick-started": "s",
  "card-played": "p",
  "trick-won": "w",
  "round-over": "r",
  "game-over": "o",
};

await test("PL-26, PL-30, PL-C4, PL-C5 a whole game of Who's Deal?: all events, all views", async () => {
  const at = await table("whos-deal", people, { settings: { targetScore: 5 } });
  const { moves, compared } = await play(at, { seed: 7, compareEach: short ? 8 : 1 });
  assert.ok(moves >= 40 && compared >= (short ? 20 : 4 * moves), `${moves} moves, ${compared} views`);
  for (const window of at.all) {
    for (const { event, data } of window.heard) {
      if (!FIELDS[event]) continue;
      const { version, roomCode, ...rest } = data;
      const known = FIELDS[event].map((field) => field.replace("?", ""));
      const wanted = FIELDS[event].filter((field) => !field.endsWith("?"));
      for (const field of Object.keys(rest)) assert.ok(known.includes(field), `${event} has ${field}`);
      for (const field of wanted) assert.ok(field in rest, `${event} has no ${field}`);
    }
    const round = window.heard.map(({ event }) => LETTERS[event] ?? "").join("");
    assert.match(round, /^ga+d?c(sp{3,4}w){5}r(na+d?c(sp{3,4}w){5}r)*o$/);
  }
  for (const window of at.windows) {
    const deals = [...window.all("game-started"), ...window.all("new-round")];
    for (const { version } of deals) {
      const [hand] = window.all("hand-updated").filter((data) => data.version === version);
      assert.equal(hand?.hand.length, 5);
    }
    const discards = window.all("dealer-discarded").filter(({ seatIndex }) => seatIndex === at.windows.indexOf(window));
    for (const { version } of discards)
      assert.ok(
        window.all("hand-updated").some((data) => data.version === version),
        "no hand after the discard",
      );
  }
  assert.equal(at.watcher.all("hand-updated").length, 0);
  assert.ok(at.watcher.all("public-view").length > 40);
  for (const { view } of at.watcher.all("public-view")) assert.deepEqual(view?.round?.hands ?? {}, {});
  at.close();
});

const GAMES = [
  [
    "hand-and-foot",
    4,
    { limit: short ? 20 : 120, compareEach: 5 },
    ["round-started", "turn-started", "cards-drawn", "card-discarded"],
  ],
  [
    "up-n-down",
    3,
    { compareEach: 3, limit: short ? 20 : Infinity },
    short ? ["card-played"] : ["game-started", "card-played", "turn-ended", "cards-drawn", "game-over"],
  ],
  [
    "terrible-people",
    4,
    { compareEach: 4, limit: short ? 12 : Infinity },
    short ? ["answer-submitted"] : ["round-started", "submissions-revealed", "round-over", "game-over"],
  ],
  ["4-kate", 2, { compareEach: 2 }, ["disc-dropped", "game-over"]],
];
for (const [gameId, seats, how, events] of GAMES) {
  await test(`${gameId} is heard without a gap`, async () => {
    const at = await table(gameId, people.slice(0, seats));
    const { compared } = await play(at, { seed: 3, ...how });
    assert.ok(compared >= 4);
    for (const window of at.all)
      for (const event of events) assert.ok(window.all(event).length > 0, `${window.person.name} never heard ${event}`);
    for (const window of at.windows) {
      const same = window.all("game:updated"),
        views = window.all("view-updated");
      assert.deepEqual(same, gameId === "up-n-down" ? views : []);
    }
    assert.equal(at.watcher.all("game:updated").length, 0);
    at.close();
  });
}

// ---- Losing the line ----

// A client as the protocol wants it: a gap makes it ask for the world, once.
function follow(window) {
  const mirror = { version: window.heard.at(-1)?.data?.version ?? 0, asked: 0, world: null };
  const note = (event, data) => {
    if (event.startsWith("pusher:") || data?.version === undefined) return;
    if (data.version > mirror.version + 1) {
      mirror.asked++;
      mirror.world = window.person.world(window.code);
    }
    mirror.version = Math.max(mirror.version, data.version);
  };
  window.own.bind_global(note);
  window.room.bind_global(note);
  return mirror;
}

await test("PL-39 after a lost line the world is asked for once and nothing is missed", async () => {
  const line = await Line.to(server.port);
  const { roomCode: code } = await ann.create("4-kate");
  await bob.join(code);
  await act(ann, code, "start", {});
  const window = await Window.open(ann, code, { port: line.port });
  await window.reached(3);
  const mirror = follow(window);
  const from = window.heard.length,
    order = [ann, bob];
  line.cut();
  await window.until(() => window.pusher.connection.state !== "connected");
  let version;
  for (let i = 0; i < 4; i++) {
    const world = await ann.world(code);
    version = await act(order[world.view.turn[0]], code, "drop", { column: 1 + (i % 2) });
  }
  line.lead(server.port);
  await window.reached(version);
  const world = await mirror.world;
  assert.equal(mirror.asked, 1);
  assert.equal(world.version, version);
  assert.deepEqual(world.view, window.view);
  version = await act(order[world.view.turn[0]], code, "drop", { column: 5 });
  await window.reached(version);
  assert.equal(mirror.asked, 1);
  assert.deepEqual((await ann.world(code)).view, window.view);
  const back = window.heard.findIndex(({ data }, i) => i >= from && data?.version !== undefined);
  assert.equal(window.check(back), version);
  window.close();
  line.close();
});

await test("who comes back is told the view and the own cards at once", async () => {
  const { roomCode: code } = await ann.create("whos-deal");
  await act(ann, code, "start", { targetScore: 5 });
  const window = await Window.open(ann, code);
  await window.until(() => window.view?.round, "the deal");
  const told = (window) =>
    window.until(() => {
      const hand = window.all("hand-updated").at(-1);
      return hand && window.views.has(hand.version) && [hand.hand, window.views.get(hand.version).round.hands[ann.id]];
    }, "the own cards");
  assert.deepEqual(...(await told(window)));
  window.close();
  const again = await Window.open(ann, code);
  assert.deepEqual(...(await told(again)));
  assert.equal(again.check(), again.version);
  again.close();
});

await test("whoever comes while something happens ends up with the newest view", async () => {
  const { roomCode: code } = await ann.create("4-kate");
  await bob.join(code);
  await eve.join(code, { as: "spectator" });
  await act(ann, code, "start", {});
  for (let i = 0; i < (short ? 6 : 14); i++) {
    const world = await ann.world(code);
    if (world.status !== "playing") break;
    const column = [1, 2, 3, 4, 5, 6, 7][(i * 2 + (i >> 2)) % 7];
    const comers =
      i % 2
        ? [
            [ann, `private-player-${ann.id}`],
            [ann, `presence-room-${code}`],
          ]
        : [
            [ann, `presence-room-${code}`],
            [ann, `private-player-${ann.id}`],
          ];
    const socket = await greeted(server),
      watching = await greeted(server);
    const move = act([ann, bob][world.view.turn[0]], code, "drop", { column });
    for (const [person, channel] of comers) await subscribe(person, socket, channel);
    await subscribe(eve, watching, `presence-room-${code}`);
    const version = await move;
    for (let view; view?.data.version !== version; ) view = await socket.until("view-updated");
    for (let view; view?.data.version !== version; ) view = await watching.until("public-view");
    await Promise.all([socket.kill(), watching.kill()]);
  }
});

await test("the greeting waits for the private channel", async () => {
  const { roomCode: code } = await ann.create("whos-deal", { settings: { speed: "relaxed" } });
  await act(ann, code, "start", {});
  const socket = await greeted(server);
  const own = `private-player-${ann.id}`;
  await subscribe(ann, socket, `presence-room-${code}`);
  socket.say("pusher:ping");
  for (let event; event?.event !== "pusher:pong"; ) {
    event = await socket.event();
    assert.notEqual(event.channel, own, "private before it was asked for");
  }
  await subscribe(ann, socket, own);
  assert.equal((await socket.until("view-updated")).channel, own);
  await socket.kill();
});

// ---- Leaving ----

await test("who has left hears nothing more, not even of the own cards", async () => {
  const at = await table("whos-deal", people, { settings: { targetScore: 10 } });
  await act(ann, at.code, "start", {});
  const window = at.windows[2];
  await window.until(() => window.view?.round, "the deal");
  assert.equal((await cy.post(`/api/worlds/${at.code}/leave`)).status, 200);
  at.windows.splice(2, 1);
  at.all = at.all.filter((other) => other !== window);
  await at.windows[0].until(() => at.windows[0].room.members.get(cy.id) === null, "member_removed");
  const { version: last } = await window.until(
    () => window.all("seat-changed").find(({ away }) => away),
    "the own leaving",
  );
  const left = window.heard.length,
    players = [ann, bob, dee],
    seats = [0, 1, 3],
    choose = random(5);
  const rounds = () => at.windows[0].all("new-round").length + at.windows[0].all("game-over").length;
  while (rounds() === 0) {
    const waits = () =>
      at.windows.findIndex(({ view }, i) => offers({ view, you: { seatIndex: seats[i] } }).length > 0);
    await at.windows[0].until(() => waits() >= 0 || rounds() > 0, "a turn");
    if (rounds() > 0) break;
    const i = waits(),
      { legal } = at.windows[i].view,
      { type, payload } = legal[choose(legal.length)];
    const version = await act(players[i], at.code, type, payload);
    await Promise.all(at.windows.map((other) => other.reached(version)));
  }
  const private_ = await cy.create("4-kate");
  const other = await Window.open(cy, private_.roomCode);
  assert.deepEqual(
    window.heard.slice(left).filter(({ event, data }) => !event.startsWith("pusher:") && data.version > last),
    [],
  );
  assert.equal((await cy.post(`/api/worlds/${at.code}/leave`)).status, 403);
  other.close();
  // Back on the own seat: the cards are told again (WD-C25).
  assert.equal((await cy.join(at.code)).status, 200);
  const hand = await window.next("hand-updated", left);
  await window.reached(hand.version);
  assert.deepEqual(hand.hand, window.views.get(hand.version).round.hands[cy.id]);
  window.close();
  at.close();
});

await test("who is removed hears nothing more", async () => {
  const { roomCode: code } = await ann.create("whos-deal");
  await bob.join(code);
  const [mine, theirs] = [await Window.open(ann, code), await Window.open(bob, code)];
  const version = await act(ann, code, "remove-player", { playerId: bob.id });
  await mine.until(() => mine.room.members.get(bob.id) === null, "member_removed");
  const last = Math.max(...theirs.heard.map(({ data }) => data?.version ?? 0));
  assert.ok(last <= version);
  await act(ann, code, "chat", { text: "between us" });
  await mine.next("chat", 0);
  await sleep(50);
  assert.deepEqual(theirs.all("chat"), []);
  assert.equal((await bob.join(code)).status, 403);
  mine.close();
  theirs.close();
});

// ---- Stopping ----

await test("a server that stops sends everybody away with 4200, and they come back to the next one", async () => {
  const line = await Line.to(server.port);
  const { roomCode: code } = await ann.create("4-kate", { settings: { speed: "instant" } });
  await bob.join(code);
  await act(ann, code, "start", {});
  const windows = [
    await Window.open(ann, code, { port: line.port }),
    await Window.open(bob, code, { port: line.port }),
  ];
  const raw = await greeted(server);
  await Promise.all(windows.map((window) => window.reached(3)));
  const states = windows.map((window) => {
    const list = [];
    window.pusher.connection.bind("state_change", ({ current }) => list.push(current));
    return list;
  });
  line.lead(null);
  const ended = server.stop();
  const end = await raw.end();
  assert.deepEqual([end.code, end.events.at(-1).event], [4200, "pusher:error"]);
  assert.deepEqual(await ended, { code: 0, signal: null });
  const next = await Server.start(program, [...many, "--store", `sqlite:${folder}/store`]);
  line.lead(next.port);
  await Promise.all(
    windows.map((window, i) =>
      window.until(
        () => states[i].at(-1) === "connected" && window.room.subscribed && window.own.subscribed,
        "coming back",
      ),
    ),
  );
  for (const window of windows)
    assert.ok(
      window.errors.some(({ data }) => data?.code === 4200),
      JSON.stringify(window.errors),
    );
  for (const person of people) person.server = next;
  const world = await ann.world(code);
  const version = await act([ann, bob][world.view.turn[0]], code, "drop", { column: 4 });
  await Promise.all(windows.map((window) => window.reached(version)));
  for (const window of windows) window.close();
  line.close();
  assert.equal(server.log, "");
  await next.stop();
  assert.equal(next.log, "");
});
finish();
