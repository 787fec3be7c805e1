// Whole games of every kind by a client that knows no rules, with several people at a table; their
// records, replayed, give the same result; saves of Hand & Foot go on where they were.
// Usage: node games.mjs PROGRAM [quick]
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Server, finish, random, sleep, test } from "./client.mjs";
import { accepted, assert, generous, nextTurn, refused, table, until } from "./tools.mjs";

const program = process.argv[2],
  quick = process.argv[3] === "quick";
const folder = mkdtempSync(join(tmpdir(), "oyster-games-"));
const server = await Server.start(program, generous);
const people = await Promise.all(["Ann", "Bob", "Cid", "Dot"].map((name) => server.person(name)));
const [ann, bob] = people;

// Everybody plays until it is over; `move` by text or by type and payload.
async function playOut(players, code, seed, { byText = false, limit = 6000 } = {}) {
  const choose = random(seed);
  for (let moves = 0; moves < limit; moves++) {
    const { over, world, person, view } = await nextTurn(players, code);
    if (over) return { world, moves };
    assert.ok(view.legal.length > 0, "awaited, but nothing is legal");
    const { type, payload, move } = view.legal[choose(view.legal.length)];
    const answer = await person.act(code, byText ? { move } : { type, payload });
    assert.equal(answer.status, 200, `${JSON.stringify({ type, payload, move })} was offered: ${answer.text}`);
  }
  throw new Error("the game does not end");
}

// A record and the view must tell the same end.
async function replayed(person, code) {
  const file = join(folder, `${code}.oyster`);
  const answer = await person.get(`/api/worlds/${code}/log`);
  assert.equal(answer.status, 200);
  writeFileSync(file, answer.text);
  const { stdout } = await promisify(execFile)(program, ["replay", file, "--json"], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout.trim().split("\n").at(-1)).result;
}

// Scores by seat, as each game's view has them.
const scores = {
  "4-kate": (view) => [0, 1].map((seat) => (view.winner === seat ? 1 : 0)),
  "whos-deal": (view) => ["a", "b", "a", "b"].map((team) => view.teams[team].score),
  "hand-and-foot": (view) => view.players.map(({ score }) => score),
  "terrible-people": (view) => view.scores,
  "up-n-down": (view) => view.players.map(() => view.statistics.cardsPlayed),
};

// What a game adds to a seat's figures, as far as its view at the end tells.
const added = {
  "4-kate": (view) => ({ draws: view.winner === null ? 1 : 0 }),
  "whos-deal": () => ({}),
  "hand-and-foot": (view) => ({ rounds: view.round }),
  "terrible-people": (view, seat) => ({ rounds: view.round, "rounds won": view.scores[seat] }),
  "up-n-down": (view, seat) => {
    const { cardsPlayed, totalMovement, specialPlays } = view.players[seat].statistics;
    return { "cards played": cardsPlayed, movement: totalMovement, "backward tens": specialPlays };
  },
};
const figuresOf = async (person, gameId) =>
  accepted(await person.get("/api/statistics")).games.find((one) => one.gameId === gameId)?.figures ?? {};
const { games: registry } = accepted(await ann.get("/api/games"));

const games = [
  ["4-kate", 2, {}],
  ["4-kate", 1, { byText: true }],
  ["whos-deal", 4, { settings: { targetScore: 5 } }],
  ["whos-deal", 2, { byText: true, settings: { targetScore: 5 } }],
  ["up-n-down", 3, {}],
  ["up-n-down", 1, { byText: true }],
  ["terrible-people", 4, { settings: { targetScore: 3 } }],
  ["terrible-people", 2, { byText: true, settings: { targetScore: 3 } }],
  ["hand-and-foot", 2, { preset: "classic", settings: { targetScore: 500 } }],
  ["hand-and-foot", 2, { preset: "partners", settings: { rounds: 1 } }],
  ["hand-and-foot", 2, { preset: "closers", byText: true, settings: { rounds: 1 } }],
];
for (const [at, [gameId, count, { byText = false, ...options }]] of games.entries()) {
  if (quick && at % 2 === 1) continue;
  const kind = `${gameId} ${options.preset ?? ""}`;
  await test(`${kind} with ${count} people${byText ? ", by text" : ""}, and its record`, async () => {
    const players = people.slice(0, count);
    const code = await table(players, gameId, options);
    const before = await figuresOf(ann, gameId);
    const { world, moves } = await playOut(players, code, 100 + at, { byText });
    assert.ok(moves > 0);
    assert.equal(world.status, "game_over");
    assert.deepEqual(world.view.turn, []);
    const end = await replayed(ann, code);
    assert.equal(end.over, true);
    assert.deepEqual(end.scores, scores[gameId](world.view));
    const figures = await figuresOf(ann, gameId);
    assert.deepEqual(Object.keys(figures).sort(), registry.find(({ id }) => id === gameId).figures.toSorted());
    for (const [name, value] of Object.entries(added[gameId](world.view, world.you.seatIndex)))
      assert.equal(figures[name] - (before[name] ?? 0), value, name);
    accepted(await ann.act(code, { type: "play-again" }));
    assert.equal((await ann.world(code)).status, "playing");
  });
}

// The best of several tries, because a busy machine is no fault of the server.
await test("HF-130, HF-131 a game is dealt within half a second, a turn passes within a tenth", async () => {
  const deals = [],
    turns = [];
  for (let i = 0; i < 3; i++) {
    const begin = performance.now();
    const code = await table(people, "hand-and-foot", { preset: "classic" });
    let { person } = await nextTurn(people, code);
    deals.push(performance.now() - begin);
    for (let turn = 0; turn < 3; turn++) {
      accepted(await person.act(code, { move: "draw" }));
      const { view } = await person.world(code);
      const { move } = view.legal.find(({ type }) => type === "discard");
      const next = people[(people.indexOf(person) + 1) % people.length];
      const asked = performance.now();
      accepted(await person.act(code, { move }));
      const { view: after, you } = await next.world(code);
      turns.push(performance.now() - asked);
      assert.deepEqual(after.turn, [you.seatIndex]);
      person = next;
    }
  }
  assert.ok(Math.min(...deals) < 500, `dealt after ${deals} ms`);
  assert.ok(Math.min(...turns) < 100, `the turn passed after ${turns} ms`);
});

/* ---- The detailed log ---- */

// Lines of a world in the server's log, as objects.
const details = (code) =>
  server.log
    .split("\n")
    .filter((line) => line.includes(" event=detail ") && line.includes(`world=${code}`))
    .map((line) => {
      const pair = (key) => new RegExp(` ${key}=("(?:[^"\\\\]|\\\\.)*"|\\S+)`).exec(line)?.[1];
      return {
        line,
        what: pair("what"),
        version: Number(pair("version")),
        code: pair("code"),
        data: pair("data") && JSON.parse(JSON.parse(pair("data"))),
      };
    });

await test("UD-17, PL-57: debugMode tells the server's log what happens, and nobody's cards", async () => {
  const range = { minCardValue: 60, maxCardValue: 99, debugMode: true }; // no other number is as large as a card
  const code = await table([ann, bob], "up-n-down", { settings: range }),
    silent = await table([ann, bob], "up-n-down");
  await nextTurn([ann, bob], code);
  refused(await ann.act(code, { move: "play 59 1" }), 400, "INVALID_CARD");
  const played = [],
    hidden = [],
    choose = random(12);
  for (let i = 0; i < 14; i++) {
    const { over, person, view } = await nextTurn([ann, bob], code);
    if (over) break;
    const { move, payload, type } = view.legal[choose(view.legal.length)];
    const { version } = accepted(await person.act(code, { move }));
    if (type === "play-card") played.push(payload.cardId);
    const hands = await Promise.all(
      [ann, bob].map(async (one) => (await one.world(code)).view.players.flatMap(({ hand = [] }) => hand)),
    );
    hidden[version] = new Set(hands.flat());
  }
  accepted(await ann.act(code, { type: "chat", payload: { text: "Kilroy" } }));
  const lines = details(code);
  assert.deepEqual(
    lines.filter(({ what }) => what === "card-played").map(({ data }) => data.card),
    played,
  );
  assert.ok(lines.some(({ what }) => what === "turn-started") && lines.some(({ what }) => what === "cards-drawn"));
  assert.deepEqual(
    lines.filter(({ what }) => what === "refused").map(({ code: why }) => why),
    ["INVALID_CARD"],
  );
  for (const { line, version, data } of lines)
    for (const number of JSON.stringify(data ?? {}).match(/\d+/g) ?? [])
      assert.ok(
        Number(number) < 60 || (played.includes(Number(number)) && !hidden[version]?.has(Number(number))),
        line,
      );
  assert.ok(!server.log.includes("Kilroy") && !/[0-9a-f]{64}/.test(server.log), "neither talk nor a seed");
  await nextTurn([ann, bob], silent);
  assert.deepEqual(details(silent), []);
  const misplay = () => ann.act(code, { move: "play 59 1" });
  for (let i = 0; i < 1300; i += 50) await Promise.all(Array.from({ length: 50 }, misplay));
  assert.ok(details(code).length <= 1200, "1,200 lines a minute at the most");
  await until(() => server.log.includes("event=details_left_out lines=1"), "what is left out is told");
});

/* ---- Saves ---- */

const save = (person, code) => person.get(`/api/worlds/${code}/save`);
const load = (person, body) =>
  person.request("POST", "/api/worlds/load", typeof body === "string" ? { raw: body } : { body });
// What a seat sees, without names, ids and times.
const seen = (view) =>
  JSON.stringify(view, (key, value) => (["log", "phaseEndsAt", "botActionAt", "id"].includes(key) ? undefined : value));

await test("only the owner saves, only Hand & Foot, and not while others play", async () => {
  const kate = await table([ann], "4-kate");
  refused(await save(ann, kate), 400, "BAD_REQUEST", "Only Hand & Foot has saves");
  const waiting = (await ann.create("hand-and-foot")).roomCode;
  refused(await save(ann, waiting), 409, "WRONG_PHASE");
  const code = await table([ann, bob], "hand-and-foot");
  await nextTurn([ann, bob], code);
  refused(await save(bob, code), 403, "NOT_OWNER", "Not the owner");
  refused(await save(ann, code), 409, "WRONG_PHASE");
  accepted(await bob.post(`/api/worlds/${code}/leave`));
  refused(await save(ann, code), 409, "WRONG_PHASE", "Others are playing; save between rounds"); // Bob may come back
});

await test("PL-37: a save tells the cards to come only to somebody who plays alone", async () => {
  const seed = async (code) => accepted(await save(ann, code)).gameSeed;
  const shared = await table([ann, bob], "hand-and-foot", { preset: "partners", settings: { rounds: 1 } });
  await playOut([ann, bob], shared, 31);
  assert.notEqual(await seed(shared), await seed(shared));
  accepted(await load(ann, (await save(ann, shared)).text), 201);
  const alone = await table([ann], "hand-and-foot");
  await nextTurn([ann], alone);
  assert.equal(await seed(alone), await seed(alone));
});

await test("a saved game goes on in another world exactly as in its own", async () => {
  const code = await table([ann], "hand-and-foot", { settings: { targetScore: 2000 } });
  const choose = random(5);
  for (let i = 0; i < 12; i++) {
    const { person, view } = await nextTurn([ann], code);
    const { type, payload } = view.legal[choose(view.legal.length)];
    accepted(await person.act(code, { type, payload }));
  }
  await nextTurn([ann], code);
  const saved = await save(ann, code);
  accepted(saved);
  assert.equal(saved.headers["content-type"], "application/json");
  const world = accepted(await load(ann, saved.text), 201);
  assert.notEqual(world.roomCode, code);
  assert.deepEqual(
    [world.status, world.ownerId, world.gameId, world.settings.targetScore],
    ["waiting", ann.id, "hand-and-foot", 2000],
  );
  refused(
    await ann.act(world.roomCode, { type: "set-settings", payload: { targetScore: 9000 } }),
    409,
    "INVALID_SETTING",
  );
  accepted(await ann.act(world.roomCode, { type: "start" }));
  const one = (await ann.world(code)).view,
    two = (await ann.world(world.roomCode)).view;
  assert.equal(seen(two), seen(one));
  const again = JSON.parse((await save(ann, world.roomCode)).text),
    first = JSON.parse(saved.text);
  const lines = ({ log }) => log.map(({ seatIndex, message }) => `${seatIndex} ${message}`);
  assert.deepEqual(lines(two), lines(one).slice(-10), "HF-95: the action log comes back");
  assert.deepEqual(
    again.recentActions.map(({ message, playerId }) => [message, playerId]),
    first.recentActions.map(({ message, playerId }) => [message, playerId]),
  );
  const { entries } = accepted(await ann.get(`/api/worlds/${world.roomCode}/history`));
  assert.deepEqual(
    entries
      .flatMap(({ events }) => events)
      .filter(({ event }) => event === "log-recalled")
      .map(({ data }) => data.message),
    first.recentActions.map(({ message }) => message),
  );
  assert.deepEqual(again.gameState ?? Object.keys(again), first.gameState ?? Object.keys(first));
});

await test("a loaded game gives its maker the person's seat, and bots their levels", async () => {
  const { roomCode } = await ann.create("hand-and-foot");
  accepted(await ann.act(roomCode, { type: "set-bot", payload: { seatIndex: 1, level: "easy" } }));
  accepted(await ann.act(roomCode, { type: "set-bot", payload: { seatIndex: 2, level: "hard" } }));
  accepted(await ann.act(roomCode, { type: "move-seat", payload: { playerId: ann.id, seatIndex: 3 } }));
  accepted(await ann.act(roomCode, { type: "set-bot", payload: { seatIndex: 0, level: "easy" } }));
  accepted(await ann.act(roomCode, { type: "set-settings", payload: { speed: "instant" } }));
  accepted(await ann.act(roomCode, { type: "start" }));
  const { view } = await nextTurn([ann], roomCode);
  const world = accepted(await load(ann, (await save(ann, roomCode)).text), 201);
  assert.deepEqual(
    world.seats.map(({ bot }) => bot),
    ["easy", "easy", "hard", null],
  );
  assert.equal(world.you.seatIndex, 3);
  accepted(await ann.act(world.roomCode, { type: "start" }));
  assert.deepEqual((await ann.world(world.roomCode)).view.players[3].hand, view.players[3].hand);
});

await test("what is no save, or a broken one, makes no world", async () => {
  const code = await table([ann], "hand-and-foot");
  await nextTurn([ann], code);
  const { text } = await save(ann, code);
  const before = accepted(await ann.get("/api/worlds?mine=1")).worlds.length;
  const choose = random(11);
  for (const body of [
    "",
    "{}",
    "[]",
    "null",
    "{",
    '"x"',
    "[".repeat(2000),
    text.slice(0, -5),
    `${text} x`,
    ...["players", "gameState"].map((key) => JSON.stringify({ ...JSON.parse(text), [key]: undefined })),
    JSON.stringify({ ...JSON.parse(text), players: [] }),
    JSON.stringify({ ...JSON.parse(text), players: "x" }),
  ])
    refused(await load(ann, body), 400, "BAD_SAVE");
  for (let i = 0; i < 60; i++) {
    const at = choose(text.length),
      broken = text.slice(0, at) + '0x}]"{'[choose(6)] + text.slice(at + 1);
    const answer = await load(ann, broken);
    assert.ok([201, 400].includes(answer.status), answer.text);
    if (answer.status === 201) accepted(await ann.post(`/api/worlds/${answer.json.roomCode}/leave`));
  }
  assert.ok(accepted(await ann.get("/api/worlds?mine=1")).worlds.length <= Math.max(50, before));
  refused(await load(ann, `{"x":"${"x".repeat(1 << 18)}"}`), 413, "TOO_LARGE");
});

/* ---- Departures ---- */

await test("WD-123, WD-136, PL-41: who leaves is played for at once, and gets the own seat back", async () => {
  const code = await table(people, "whos-deal");
  const { person, seat } = await nextTurn(people, code);
  const others = people.filter((other) => other !== person);
  const hand = (await person.world(code)).view.round.hands[person.id].length;
  assert.equal(hand, 5);
  const { version } = await others[0].world(code);
  accepted(await person.post(`/api/worlds/${code}/leave`));
  await until(async () => (await others[0].world(code)).version > version + 1, "the bot does not play");
  const after = await others[0].world(code);
  assert.deepEqual(
    [after.seats[seat].away, after.seats[seat].bot, after.seats[seat].playerId],
    [true, "medium", person.id],
  );
  refused(await person.act(code, { type: "pass-trump" }), 403, "NOT_A_MEMBER");
  const back = accepted(await person.join(code));
  assert.equal(back.you.seatIndex, seat);
  await until(async () => !(await person.world(code)).seats[seat].away, "the seat is not given back");
  await playOut(people, code, 77);
});

await test("WD-124: the dealer leaves before the discard, and the bot discards", async () => {
  const code = await table(people, "whos-deal");
  await nextTurn(people, code);
  accepted(await people[1].act(code, { type: "call-trump", payload: { pickUp: true } }));
  accepted(await people[0].post(`/api/worlds/${code}/leave`));
  const world = await until(async () => {
    const now = await people[1].world(code);
    return now.view.round.trumpPhase === "playing" && now;
  }, "the bot does not discard");
  assert.equal(world.view.round.dealerDiscarded, true);
  assert.equal(world.ownerId, people[1].id); // PL-21
});

await test("the server ends well", async () => {
  const { code } = await server.stop();
  assert.equal(code, 0, server.log);
});

/* ---- Restarts ---- */

const file = `sqlite:${join(folder, "oyster.db")}`;
const flags = [...generous.slice(2), "--store", file];

await test("after a stop and a start everything goes on: people, worlds, seats, bots", async () => {
  let it = await Server.start(program, flags);
  const [x, y] = [await it.person("X"), await it.person("Y")];
  const waiting = (await x.create("whos-deal", { settings: { targetScore: 7 } })).roomCode;
  await y.join(waiting);
  const code = await table([x, y], "whos-deal", { settings: { targetScore: 5 } });
  const gone = await table([x, y], "4-kate");
  const { person, view } = await nextTurn([x, y], code);
  accepted(await person.act(code, { ...view.legal[0], actionId: "before" }));
  await nextTurn([x, y], code);
  const before = await Promise.all([x, y].map((one) => one.world(code)));
  const lobby = await x.world(waiting);
  accepted(await x.post(`/api/worlds/${gone}/leave`));
  const begin = Date.now();
  assert.equal((await it.stop()).code, 0, it.log);
  assert.ok(Date.now() - begin < 30000);
  it = await Server.start(program, flags);
  x.server = y.server = it;
  assert.deepEqual(accepted(await x.get("/api/session")), { playerId: x.id, name: "X" });
  assert.deepEqual(await Promise.all([x, y].map((one) => one.world(code))), before);
  assert.deepEqual(await x.world(waiting), lobby);
  assert.equal(accepted(await person.act(code, { type: "pass-trump", actionId: "before" })).duplicate, true);
  accepted(await x.act(waiting, { type: "start" }));
  refused(await y.act(waiting, { type: "start" }), 409, "WRONG_PHASE");
  assert.equal((await y.world(gone)).ownerId, y.id);
  accepted(await x.join(gone));
  await playOut([x, y], code, 3);
  assert.equal((await it.stop()).code, 0, it.log);
});

await test("what was answered before a stop is there after it", async () => {
  let it = await Server.start(program, flags);
  const x = await it.person("X");
  const code = (await x.create("up-n-down")).roomCode;
  let answered = 0,
    running = true;
  const busy = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (running) {
        const answer = await x
          .act(code, { type: "set-settings", payload: { handSize: 5 + (answered % 3) } })
          .catch(() => null);
        if (!answer) return;
        if (answer.status === 200) answered = Math.max(answered, answer.json.version);
      }
    }),
  );
  await until(() => answered > 50, "nothing is answered");
  assert.equal((await it.stop()).code, 0, it.log);
  running = false;
  await busy;
  it = await Server.start(program, flags);
  x.server = it;
  assert.ok((await x.world(code)).version >= answered);
  assert.equal((await it.stop()).code, 0, it.log);
});

await test("PL-43: who is not heard of is played for, and takes the seat back", async () => {
  const it = await Server.start(program, [...generous, "--away-ms", "1500"]);
  const [x, y] = [await it.person("X"), await it.person("Y")];
  const code = await table([x, y], "4-kate", { settings: { speed: "normal" } });
  await x.world(code);
  const world = await until(async () => {
    const now = await y.world(code);
    return now.seats[0].away && now;
  }, "the lost one is not replaced");
  assert.equal(world.seats[0].bot, "medium");
  assert.equal(world.ownerId, y.id);
  await until(async () => (await y.world(code)).view.turn.includes(1), "the bot does not play");
  await until(async () => {
    await y.world(code);
    return !(await x.world(code)).seats[0].away;
  }, "the seat is not given back");
  assert.equal((await it.stop()).code, 0, it.log);
});

rmSync(folder, { recursive: true });
await sleep(0);
finish();
