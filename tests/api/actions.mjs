// Actions: both forms, repetition, the order of checks, every lobby action, and every refusal that
// the games' specifications name, with its text, code and status. Usage: node actions.mjs PROGRAM
import { Server, finish, random, sleep, test } from "./client.mjs";
import { accepted, assert, generous, nextTurn, refused, table, until } from "./tools.mjs";

const program = process.argv[2];
const server = await Server.start(program, [...generous, "--idle-seat-ms", "300"]);
const [ann, bob, cid, dot, eve] = await Promise.all(
  ["Ann", "Bob", "Cid", "Dot", "Eve"].map((name) => server.person(name)),
);
const four = [ann, bob, cid, dot];
const choose = random(7);
const state = async (person, code) => JSON.stringify(await person.world(code));

// Refused, and nothing has changed (PL-23).
async function refusedIn(person, code, action, status, errorCode, error) {
  const before = await state(person, code);
  refused(await person.act(code, action), status, errorCode, error);
  assert.equal(await state(person, code), before, "a refused action changed the world");
}

/* ---- The envelope ---- */

await test("PL-5, PL-30 an action is accepted in both forms and raises the version by one", async () => {
  const code = await table([ann, bob], "4-kate");
  const { version, view } = await ann.world(code);
  assert.deepEqual(view.legal[2], { type: "drop", payload: { column: 3 }, move: "drop 3" });
  assert.deepEqual(accepted(await ann.act(code, { type: "drop", payload: { column: 3, surplus: 1 }, surplus: {} })), {
    ok: true,
    version: version + 1,
  });
  assert.deepEqual(accepted(await bob.act(code, { move: "drop 3" })), { ok: true, version: version + 2 });
  const after = await ann.world(code);
  assert.equal(after.version, version + 2);
  assert.deepEqual(
    after.view.log.map(({ message, player }) => [player, message]),
    [
      ["Ann", "drop 3"],
      ["Bob", "drop 3"],
    ],
  );
});

await test("a repeated actionId does nothing; a refused one is forgotten (PL-24, WD-122, PL-C11)", async () => {
  const code = await table([ann, bob], "4-kate");
  const first = { type: "drop", payload: { column: 1 }, actionId: "drop-1" };
  const { version } = accepted(await ann.act(code, first));
  const before = await state(ann, code);
  assert.deepEqual(accepted(await ann.act(code, first)), { ok: true, version, duplicate: true });
  assert.deepEqual(accepted(await ann.act(code, { type: "nonsense", payload: 3, actionId: "drop-1" })), {
    ok: true,
    version,
    duplicate: true,
  });
  assert.equal(await state(ann, code), before);
  // Bob's own id, and a refused action.
  refused(await bob.act(code, { type: "drop", payload: { column: 9 }, actionId: "drop-1" }), 400, "INVALID_COLUMN");
  assert.equal(
    accepted(await bob.act(code, { type: "drop", payload: { column: 2 }, actionId: "drop-1" })).duplicate,
    undefined,
  );
  refused(await eve.act(code, { ...first }), 404, "ROOM_NOT_FOUND");
  for (const actionId of ["", "x".repeat(65), 5, {}, []])
    await refusedIn(ann, code, { type: "drop", payload: { column: 1 }, actionId }, 400, "BAD_REQUEST");
  accepted(await ann.act(code, { type: "drop", payload: { column: 1 }, actionId: "\u{1F0CF}".repeat(64) }));
});

await test("with check nothing is done, and the answer is the one an action would get", async () => {
  const { roomCode, version } = await ann.create("4-kate");
  accepted(await ann.act(roomCode, { move: "start", check: true }));
  refused(await ann.act(roomCode, { move: "drop 4", check: true }), 409, "WRONG_PHASE");
  refused(await ann.act(roomCode, { move: "start", check: 1 }), 400, "BAD_REQUEST");
  const seen = await ann.world(roomCode);
  assert.equal(seen.version, version);
  assert.equal(seen.status, "waiting");
  accepted(await ann.act(roomCode, { move: "start", actionId: "begin" }));
  accepted(await ann.act(roomCode, { move: "drop 4", check: true, actionId: "first" }));
  refused(await ann.act(roomCode, { move: "drop 8", check: true }), 400, "INVALID_COLUMN");
  accepted(await ann.act(roomCode, { move: "drop 4", actionId: "first" }));
  assert.equal((await ann.world(roomCode)).view.log.filter(({ seatIndex }) => seatIndex === 0).length, 1);
});

await test("the same action sent many times at once is done once (PL-25, WD-138)", async () => {
  const code = await table([ann, bob], "4-kate");
  const { version } = await ann.world(code);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ann.act(code, { type: "drop", payload: { column: 4 }, actionId: "burst" })),
  );
  assert.deepEqual(
    answers.map((answer) => accepted(answer).version),
    Array(20).fill(version + 1),
  );
  assert.equal(answers.filter(({ json }) => !json.duplicate).length, 1);
  const others = await Promise.all(
    Array.from({ length: 20 }, () => bob.act(code, { type: "drop", payload: { column: 4 } })),
  );
  assert.deepEqual(others.map(({ status }) => status).sort(), [200, ...Array(19).fill(403)]);
  assert.equal((await ann.world(code)).version, version + 2);
});

await test("what is checked first is said first", async () => {
  const code = await table([ann, bob], "4-kate", { settings: { public: true } });
  const waiting = (await ann.create("4-kate", { public: true })).roomCode;
  const post = (person, body) =>
    (person ?? { request: (...args) => server.request(...args) }).request(
      "POST",
      "/api/game/action",
      typeof body === "string" ? { raw: body } : { body },
    );
  // 400 before 401
  for (const body of [
    "{",
    "[]",
    "5",
    "null",
    '"x"',
    '{"a":1,"a":2}',
    "\u0000",
    "{}",
    { roomCode: 5, type: "drop" },
    { roomCode: code },
    { roomCode: code, type: 5 },
    { roomCode: code, move: 5 },
    { roomCode: code, type: "drop", actionId: 7 },
  ]) {
    refused(await post(null, body), 400, "BAD_REQUEST");
    refused(await post(ann, body), 400, "BAD_REQUEST");
  }
  refused(await post(null, { roomCode: "AAAAAA", type: "drop" }), 401, "UNAUTHENTICATED"); // 401 before 404
  // 404 before all else.
  refused(await post(eve, { roomCode: "AAAAAA", type: "drop", payload: 3 }), 404, "ROOM_NOT_FOUND");
  accepted(await ann.act(code, { type: "drop", payload: { column: 1 }, actionId: "a" }));
  // Duplicate before turn and payload.
  assert.equal(accepted(await ann.act(code, { type: "drop", payload: "bad", actionId: "a" })).duplicate, true);
  // member before phase, phase before role, role and turn before payload
  for (const action of [
    { type: "drop", payload: { column: 1 } },
    { type: "drop", payload: {} },
    { type: "drop", payload: 5 },
    { type: "nonsense" },
    { type: "start" },
    { move: "drop 99" },
    { type: "chat", payload: {} },
  ]) {
    refused(await eve.act(code, action), 403, "NOT_A_MEMBER", "You are not in this world");
    refused(await eve.act(waiting, action), 403, "NOT_A_MEMBER", "You are not in this world");
  }
  for (const payload of [{ column: 1 }, { column: 99 }, { column: "x" }, {}]) {
    await refusedIn(ann, waiting, { type: "drop", payload }, 409, "WRONG_PHASE");
    await refusedIn(ann, code, { type: "drop", payload }, 403, "NOT_YOUR_TURN", "Not your turn");
  }
  for (const type of ["swap-teams", "set-target-score", "set-settings", "set-preset", "set-bot", "move-seat", "start"])
    for (const person of [ann, bob])
      await refusedIn(person, code, { type, payload: { nonsense: [] } }, 409, "WRONG_PHASE");
  await refusedIn(bob, code, { type: "play-again" }, 409, "WRONG_PHASE");
  for (const payload of [{ column: 0 }, { column: 8 }])
    refused(await bob.act(code, { type: "drop", payload }), 400, "INVALID_COLUMN");
  for (const payload of [{ column: "1" }, { column: 1.5 }, {}, { column: null }, 5, [1]])
    await refusedIn(bob, code, { type: "drop", payload }, 400, "BAD_REQUEST");
});

await test("moves as text are moves and nothing else", async () => {
  const { roomCode } = await ann.create("4-kate");
  for (const move of [
    "",
    "  ",
    "create AAAAAA 4-kate",
    "join Mallory",
    "watch Mallory",
    "leave",
    "name Mallory",
    "drop 1\n- deal 00",
    "drop\t1",
    "drop 1\u0000",
    "\u00e9",
    "- deal 00",
    "1 drop 1",
    "@x drop 1",
    "x".repeat(20000 - 6000),
    5,
    {},
  ]) {
    const answer = await ann.act(roomCode, { move });
    assert.ok(
      ["400 BAD_REQUEST", "409 WRONG_PHASE"].includes(`${answer.status} ${answer.json.code}`),
      `${move}: ${answer.text}`,
    );
  }
  const { status, version, seats } = await ann.world(roomCode);
  assert.deepEqual([status, version, seats[0].name], ["waiting", 1, "Ann"]);
  accepted(await ann.act(roomCode, { move: "start" }));
  for (const move of [
    "- deal 00",
    "again",
    "away 1",
    "close",
    "back 0",
    "gone x",
    "position 2 0 0",
    "drop",
    "drop x",
    "drop 1 2",
    "drop -1",
    "drop 99999999999999999999",
    "drop 0x1",
  ]) {
    const answer = await ann.act(roomCode, { move });
    assert.ok([400, 409].includes(answer.status), `${move}: ${answer.text}`);
  }
});

/* ---- The lobby ---- */

await test("only the owner settles things, and everybody is told no in the same words (PL-14, WD-121)", async () => {
  const { roomCode } = await ann.create("whos-deal");
  await bob.join(roomCode);
  await eve.join(roomCode, { as: "spectator" });
  const actions = [
    { type: "swap-teams", payload: { playerIdA: ann.id, playerIdB: bob.id } },
    { type: "set-target-score", payload: { targetScore: 5 } },
    { type: "set-settings", payload: { targetScore: 5 } },
    { type: "set-preset", payload: { preset: "x" } },
    { type: "set-bot", payload: { seatIndex: 2, level: "hard" } },
    { type: "move-seat", payload: { playerId: bob.id, seatIndex: 2 } },
    { type: "start" },
    { type: "remove-player", payload: { playerId: ann.id } },
    { type: "set-target-score" },
    { type: "set-bot", payload: { seatIndex: "x" } },
    { move: "set targetScore=5" },
  ];
  for (const action of actions)
    for (const person of [bob, eve]) await refusedIn(person, roomCode, action, 403, "NOT_OWNER", "Not the owner");
});

await test("swap-teams exchanges two of different teams in either order (WD-101, WD-120)", async () => {
  const { roomCode } = await ann.create("whos-deal");
  await bob.join(roomCode);
  const ids = async () => (await ann.world(roomCode)).seats.map(({ playerId }) => playerId);
  accepted(await ann.act(roomCode, { type: "swap-teams", payload: { playerIdA: bob.id, playerIdB: "bot-2" } }));
  assert.deepEqual(await ids(), [ann.id, "bot-2", bob.id, "bot-3"]);
  accepted(await ann.act(roomCode, { type: "swap-teams", payload: { playerIdA: "bot-2", playerIdB: ann.id } }));
  assert.deepEqual(await ids(), ["bot-2", ann.id, bob.id, "bot-3"]);
  for (const [a, b] of [
    ["bot-2", bob.id],
    [ann.id, "bot-3"],
    [ann.id, ann.id],
  ])
    await refusedIn(
      ann,
      roomCode,
      { type: "swap-teams", payload: { playerIdA: a, playerIdB: b } },
      400,
      "INVALID_SWAP",
      "Invalid swap",
    );
  for (const payload of [
    {},
    { playerIdA: ann.id },
    { playerIdA: ann.id, playerIdB: 2 },
    { playerIdA: ann.id, playerIdB: "" },
  ])
    await refusedIn(ann, roomCode, { type: "swap-teams", payload }, 400, "BAD_REQUEST");
  for (const payload of [
    { playerIdA: ann.id, playerIdB: eve.id },
    { playerIdA: "nobody", playerIdB: ann.id },
  ])
    refused(await ann.act(roomCode, { type: "swap-teams", payload }), 400, "INVALID_SEAT");
});

await test("set-target-score takes 5, 7, 10 and 11 (WD-43, WD-102, WD-119)", async () => {
  const { roomCode } = await ann.create("whos-deal");
  for (const targetScore of [5, 7, 10, 11]) {
    accepted(await ann.act(roomCode, { type: "set-target-score", payload: { targetScore } }));
    assert.equal((await ann.world(roomCode)).settings.targetScore, targetScore);
  }
  for (const targetScore of [0, 6, -5, 12, 1e9, "ten", "10", "", 5.5, true])
    await refusedIn(
      ann,
      roomCode,
      { type: "set-target-score", payload: { targetScore } },
      400,
      "INVALID_SETTING",
      "Invalid target score",
    );
  for (const payload of [{}, { targetScore: null }, { targetScore: {} }])
    await refusedIn(ann, roomCode, { type: "set-target-score", payload }, 400, "BAD_REQUEST");
});

await test("set-settings and set-preset change the game's and the world's settings, all or nothing", async () => {
  const { roomCode } = await ann.create("hand-and-foot");
  accepted(await ann.act(roomCode, { type: "set-preset", payload: { preset: "closers" } }));
  accepted(
    await ann.act(roomCode, {
      type: "set-settings",
      payload: { rounds: 2, minimums: [40, 80], speed: "relaxed", public: true },
    }),
  );
  const { settings } = await ann.world(roomCode);
  assert.deepEqual(
    [settings.rounds, settings.minimums, settings.speed, settings.public, settings.closing],
    [2, [40, 80], "relaxed", true, "explicit"],
  );
  for (const payload of [{ rounds: 1, nonsense: 1 }, { rounds: 1, speed: "warp" }, { rounds: 99999 }, { draw: "many" }])
    await refusedIn(ann, roomCode, { type: "set-settings", payload }, 400, "INVALID_SETTING");
  for (const payload of [{}, undefined])
    await refusedIn(
      ann,
      roomCode,
      { type: "set-settings", payload },
      400,
      payload ? "INVALID_SETTING" : "INVALID_SETTING",
    );
  await refusedIn(ann, roomCode, { type: "set-preset", payload: { preset: "house" } }, 400, "INVALID_SETTING");
  await refusedIn(ann, roomCode, { type: "set-preset", payload: {} }, 400, "BAD_REQUEST");
});

await test("set-bot chooses levels, and opens and closes seats where the count is free", async () => {
  const { roomCode } = await ann.create("hand-and-foot");
  const act = (seatIndex, level) => ann.act(roomCode, { type: "set-bot", payload: { seatIndex, level } });
  for (const level of ["easy", "medium", "hard", "expert"]) {
    accepted(await act(1, level));
    assert.equal((await ann.world(roomCode)).seats[1].bot, level);
  }
  accepted(await act(1, "closed"));
  assert.deepEqual(
    [(await ann.world(roomCode)).seats[1].bot, (await ann.world(roomCode)).seats[1].open],
    [null, false],
  );
  accepted(await act(1, "open"));
  assert.equal((await ann.world(roomCode)).seats[1].open, true);
  refused(await act(0, "easy"), 400, "SEAT_TAKEN");
  refused(await act(8, "easy"), 400, "INVALID_SEAT");
  refused(await act(-1, "easy"), 400, "INVALID_SEAT");
  refused(await act(1, "genius"), 400, "INVALID_SETTING");
  refused(await act("1", "easy"), 400, "BAD_REQUEST");
  const fixed = (await ann.create("whos-deal")).roomCode;
  refused(
    await ann.act(fixed, { type: "set-bot", payload: { seatIndex: 1, level: "closed" } }),
    400,
    "INVALID_SETTING",
  );
});

await test("move-seat moves somebody; to the own seat it changes nothing and says so", async () => {
  const { roomCode } = await ann.create("whos-deal");
  const move = (playerId, seatIndex) => ann.act(roomCode, { type: "move-seat", payload: { playerId, seatIndex } });
  accepted(await move(ann.id, 3));
  const world = await ann.world(roomCode);
  assert.deepEqual([world.you.seatIndex, world.seats[0].playerId], [3, "bot-3"]);
  assert.deepEqual(accepted(await move(ann.id, 3)), { ok: true, version: world.version });
  assert.equal((await ann.world(roomCode)).version, world.version);
  refused(await move(ann.id, 4), 400, "INVALID_SEAT");
  refused(await move("nobody", 1), 400, "INVALID_SEAT");
});

await test("remove-player sends somebody away for good", async () => {
  const { roomCode } = await ann.create("whos-deal");
  await bob.join(roomCode);
  await eve.join(roomCode, { as: "spectator" });
  for (const person of [bob, eve])
    accepted(await ann.act(roomCode, { type: "remove-player", payload: { playerId: person.id } }));
  const world = await ann.world(roomCode);
  assert.equal(world.seats[1].bot, "medium");
  assert.deepEqual(world.spectators, []);
  refused(await bob.join(roomCode), 403, "REMOVED");
  refused(await eve.join(roomCode, { as: "spectator" }), 403, "REMOVED");
  for (const path of ["", "/log", "/history"]) refused(await bob.get(`/api/worlds/${roomCode}${path}`), 403, "REMOVED");
  for (const playerId of [ann.id, bob.id, "bot-1"])
    refused(await ann.act(roomCode, { type: "remove-player", payload: { playerId } }), 400, "INVALID_PLAYER");
});

await test("start takes a target and teams, needs enough players (WD-44, WD-46, WD-103, WD-C9, PL-17)", async () => {
  const { roomCode } = await ann.create("whos-deal");
  await bob.join(roomCode);
  refused(
    await ann.act(roomCode, { type: "start", payload: { targetScore: 6 } }),
    400,
    "INVALID_SETTING",
    "Invalid target score",
  );
  accepted(
    await ann.act(roomCode, {
      type: "start",
      payload: { targetScore: 7, teams: { a: [ann.id, bob.id], b: ["bot-2", "bot-3"] } },
    }),
  );
  const { view, settings, status } = await ann.world(roomCode);
  assert.equal(status, "playing");
  assert.deepEqual([settings.targetScore, view.targetScore, view.dealerSeatIndex], [7, 7, 0]);
  assert.deepEqual(view.teams.a.playerIds, [ann.id, bob.id]);
  const kate = (await ann.create("hand-and-foot")).roomCode;
  for (let seatIndex = 1; seatIndex < 4; seatIndex++)
    accepted(await ann.act(kate, { type: "set-bot", payload: { seatIndex, level: "closed" } }));
  refused(await ann.act(kate, { type: "start" }), 400, "INVALID_PLAYERS", /needs 2 to 8 players, there are 1/);
  accepted(await ann.act(kate, { type: "set-bot", payload: { seatIndex: 1, level: "easy" } }));
  accepted(await ann.act(kate, { type: "set-preset", payload: { preset: "partners" } }));
  refused(await ann.act(kate, { type: "start" }), 400, "INVALID_SETTING", "Teams need at least 4 players, not 2");
});

await test("start refuses teams that are not two and two, or of unknown people (WD-44, WD-C10)", async () => {
  const { roomCode } = await ann.create("whos-deal");
  await bob.join(roomCode);
  const bots = ["bot-2", "bot-3"];
  const wrong = [
    { a: [ann.id, bob.id, "bot-2"], b: ["bot-3"] },
    { a: [ann.id, bob.id, ...bots], b: [] },
    { a: [ann.id], b: [bob.id] },
    { a: [], b: [] },
    { a: [ann.id, bob.id] },
    {},
    { a: [ann.id, "nobody"], b: bots },
    { a: [ann.id, eve.id], b: bots },
    { a: [ann.id, ann.id], b: bots },
    { a: [ann.id, bob.id], b: ["bot-2", 3] },
    { a: [ann.id], b: [bob.id], c: ["bot-2"], d: ["bot-3"] },
  ];
  for (const teams of wrong)
    await refusedIn(
      ann,
      roomCode,
      { type: "start", payload: { targetScore: 7, teams } },
      400,
      "INVALID_SETTING",
      "Invalid teams",
    );
  await refusedIn(ann, roomCode, { type: "start", payload: { teams: "x" } }, 400, "BAD_REQUEST");
  await refusedIn(bob, roomCode, { type: "start", payload: { teams: {} } }, 403, "NOT_OWNER");
  accepted(await ann.act(roomCode, { type: "start", payload: { teams: { a: [ann.id, bob.id], b: bots } } }));
});

await test("members talk, strangers do not, and not without end", async () => {
  const { roomCode } = await ann.create("whos-deal");
  await eve.join(roomCode, { as: "spectator" });
  accepted(await ann.act(roomCode, { type: "chat", payload: { text: "<b>hello</b> \u{1F600}\u202e" } }));
  accepted(await eve.act(roomCode, { type: "emote", payload: { id: "hello" } }));
  refused(await bob.act(roomCode, { type: "chat", payload: { text: "x" } }), 404, "ROOM_NOT_FOUND");
  for (const text of ["", "   ", "x".repeat(301), 5, null])
    refused(await ann.act(roomCode, { type: "chat", payload: { text } }), 400, "BAD_REQUEST");
  refused(await ann.act(roomCode, { type: "emote", payload: { id: "rude" } }), 400, "BAD_REQUEST");
  refused(await ann.act(roomCode, { type: "emote", payload: {} }), 400, "BAD_REQUEST");
  const answers = [];
  for (let i = 0; i < 30 && answers.at(-1)?.status !== 429; i++)
    answers.push(await eve.act(roomCode, { type: "chat", payload: { text: `message ${i}` } }));
  refused(answers.at(-1), 429, "RATE_LIMITED");
  assert.match(answers.at(-1).headers["retry-after"], /^[1-9]\d*$/);
});

await test("the owner hands an idle seat to a bot, and nobody else's (PL-C12)", async () => {
  const slow = await Server.start(program, [...generous, "--idle-seat-ms", "2000000"]);
  const [x, y] = [await slow.person("X"), await slow.person("Y")];
  const early = await table([x, y], "4-kate");
  accepted(await x.act(early, { type: "drop", payload: { column: 1 } }));
  refused(await x.act(early, { type: "hand-over", payload: { seatIndex: 1 } }), 409, "NOT_IDLE");
  await slow.stop();
  const code = await table([ann, bob], "4-kate");
  refused(await bob.act(code, { type: "hand-over", payload: { seatIndex: 0 } }), 403, "NOT_OWNER", "Not the owner");
  accepted(await ann.act(code, { type: "drop", payload: { column: 1 } }));
  const { version } = await ann.world(code);
  await until(async () => (await ann.act(code, { type: "hand-over", payload: { seatIndex: 1 } })).status === 200);
  await until(async () => (await ann.world(code)).version > version + 1, "the bot does not play");
  refused(await bob.act(code, { type: "drop", payload: { column: 1 } }), 403, "SEAT_TAKEN");
  refused(await ann.act(code, { type: "hand-over", payload: { seatIndex: 1 } }), 400, "INVALID_SEAT");
  refused(await ann.act(code, { type: "hand-over", payload: { seatIndex: 7 } }), 400, "INVALID_SEAT");
  accepted(await bob.join(code)); // and he takes it back
  await until(async () => !(await ann.world(code)).seats[1].away, "he does not get his seat back");
});

/* ---- Who's Deal? ---- */

const deal = async (options) => {
  const code = await table(four, "whos-deal", options);
  await nextTurn(four, code);
  return code;
};
const cards = (view, person) => view.round.hands[person.id].map(({ id }) => id);

await test("WD-114, WD-116, WD-118: out of turn and out of phase", async () => {
  const code = await deal();
  const dealer = ann; // seat 0 deals, so seat 1 is first
  await refusedIn(ann, code, { type: "pass-trump" }, 403, "NOT_YOUR_TURN", "Not your turn");
  await refusedIn(cid, code, { type: "call-trump", payload: { pickUp: true } }, 403, "NOT_YOUR_TURN", "Not your turn");
  await refusedIn(bob, code, { type: "play-card", payload: { cardId: "9S" } }, 409, "WRONG_PHASE");
  await refusedIn(dealer, code, { type: "discard", payload: { cardId: "9S" } }, 409, "WRONG_PHASE");
  await refusedIn(bob, code, { type: "play-again" }, 409, "WRONG_PHASE");
  for (const payload of [{ pickUp: "yes" }, { pickUp: true, goAlone: 1 }, { suit: 5 }, {}])
    await refusedIn(bob, code, { type: "call-trump", payload }, 400, "BAD_REQUEST");
});

await test("WD-112, WD-113, WD-105: the turned-down suit and the stuck dealer", async () => {
  const code = await deal();
  const down = (await ann.world(code)).view.round.faceUpCard.suit;
  for (const person of [bob, cid, dot, ann]) accepted(await person.act(code, { type: "pass-trump" }));
  await refusedIn(
    bob,
    code,
    { type: "call-trump", payload: { suit: down } },
    400,
    "INVALID_SUIT",
    "Cannot call that suit",
  );
  for (const person of [bob, cid, dot]) accepted(await person.act(code, { type: "pass-trump" }));
  await refusedIn(ann, code, { type: "pass-trump" }, 400, "MUST_CALL", "Dealer must call");
  await refusedIn(
    ann,
    code,
    { type: "pass-trump", payload: { suit: down, force: true } },
    400,
    "MUST_CALL",
    "Dealer must call",
  );
  await refusedIn(
    ann,
    code,
    { type: "call-trump", payload: { suit: down } },
    400,
    "INVALID_SUIT",
    "Cannot call that suit",
  );
  const suit = ["spades", "hearts", "diamonds", "clubs"].find((name) => name !== down);
  accepted(await ann.act(code, { type: "call-trump", payload: { suit } }));
  assert.equal((await ann.world(code)).view.round.trumpSuit, suit);
});

await test("WD-117, WD-110, WD-106: the dealer alone discards, and a card of the own hand", async () => {
  const code = await deal();
  accepted(await bob.act(code, { type: "call-trump", payload: { pickUp: true } }));
  const { view } = await ann.world(code);
  assert.equal(view.round.trumpPhase, "dealer_discard");
  const hand = cards(view, ann);
  await refusedIn(bob, code, { type: "discard", payload: { cardId: "9S" } }, 403, "NOT_DEALER", "Not the dealer");
  await refusedIn(bob, code, { type: "discard", payload: { cardId: "no card" } }, 403, "NOT_DEALER", "Not the dealer");
  await refusedIn(
    bob,
    code,
    { type: "play-card", payload: { cardId: cards((await bob.world(code)).view, bob)[0] } },
    409,
    "WRONG_PHASE",
  );
  const other = cards((await bob.world(code)).view, bob)[0];
  await refusedIn(ann, code, { type: "discard", payload: { cardId: other } }, 400, "INVALID_CARD", "Card not in hand");
  await refusedIn(ann, code, { type: "discard", payload: { cardId: "ZZ" } }, 400, "INVALID_CARD", "Card not in hand");
  await refusedIn(ann, code, { type: "discard", payload: { cardId: 7 } }, 400, "BAD_REQUEST");
  accepted(await ann.act(code, { type: "discard", payload: { cardId: hand[0] } }));
  await refusedIn(ann, code, { type: "discard", payload: { cardId: hand[1] } }, 409, "WRONG_PHASE");
  await refusedIn(
    bob,
    code,
    { type: "play-card", payload: { cardId: hand[1] } },
    400,
    "INVALID_CARD",
    "Card not in hand",
  );
  await refusedIn(cid, code, { type: "play-card", payload: { cardId: "ZZ" } }, 403, "NOT_YOUR_TURN", "Not your turn");
});

await test("WD-115: who sits out plays no card", async () => {
  const code = await deal();
  accepted(await bob.act(code, { type: "call-trump", payload: { pickUp: true, goAlone: true } }));
  accepted(await ann.act(code, { type: "discard", payload: { cardId: cards((await ann.world(code)).view, ann)[0] } }));
  const { view } = await dot.world(code);
  assert.equal(view.round.inactivePartnerSeatIndex, 3);
  await refusedIn(
    dot,
    code,
    { type: "play-card", payload: { cardId: cards(view, dot)[0] } },
    403,
    "INACTIVE_PARTNER",
    "Partner is going alone",
  );
  await refusedIn(
    dot,
    code,
    { type: "play-card", payload: { cardId: "ZZ" } },
    403,
    "INACTIVE_PARTNER",
    "Partner is going alone",
  );
});

await test("WD-111: suit is followed", async () => {
  const code = await deal();
  for (let moves = 0; ; moves++) {
    assert.ok(moves < 400, "nobody ever had to follow");
    const { person, view, over } = await nextTurn(four, code);
    if (over) {
      accepted(await ann.act(code, { type: "play-again" }));
      continue;
    }
    const legal = view.legal.filter(({ type }) => type === "play-card").map(({ payload }) => payload.cardId);
    const off = view.round.trumpPhase === "playing" ? cards(view, person).find((id) => !legal.includes(id)) : undefined;
    if (off) {
      await refusedIn(
        person,
        code,
        { type: "play-card", payload: { cardId: off } },
        400,
        "MUST_FOLLOW_SUIT",
        /^Must follow suit: .*(spades|hearts|diamonds|clubs) were led$/,
      );
      break;
    }
    const { type, payload } = view.legal[choose(view.legal.length)];
    accepted(await person.act(code, { type, payload }));
  }
});

/* ---- 4 Kate, Up-N-Down, Terrible People ---- */

await test("FK-5: columns, turns and the end", async () => {
  const code = await table([ann, bob], "4-kate");
  await refusedIn(bob, code, { type: "drop", payload: { column: 1 } }, 403, "NOT_YOUR_TURN", "Not your turn");
  for (let i = 0; i < 6; i++) accepted(await [ann, bob][i % 2].act(code, { type: "drop", payload: { column: 1 } }));
  await refusedIn(ann, code, { type: "drop", payload: { column: 1 } }, 400, "COLUMN_FULL");
  for (const column of [0, 8, -1, 1e9])
    await refusedIn(ann, code, { type: "drop", payload: { column } }, 400, "INVALID_COLUMN");
  for (let i = 0; i < 7; i++)
    accepted(await [ann, bob][i % 2].act(code, { type: "drop", payload: { column: i % 2 ? 3 : 2 } }));
  const world = await bob.world(code);
  assert.deepEqual([world.status, world.view.winner], ["game_over", 0]);
  await refusedIn(bob, code, { type: "drop", payload: { column: 4 } }, 409, "WRONG_PHASE");
  await refusedIn(bob, code, { type: "play-again" }, 403, "NOT_OWNER", "Not the owner");
  accepted(await ann.act(code, { type: "play-again" }));
  const again = await ann.world(code);
  assert.deepEqual(
    [again.status, again.view.winner, again.view.board.flat().every((cell) => cell === null)],
    ["playing", null, true],
  );
});

// Ann wins with four discs in a row; the other side drops all of its discs into column 2.
async function winKate(code, other) {
  for (let i = 0; i < 7; i++) {
    const world = await ann.world(code);
    const mine = world.view.turn.includes(world.you.seatIndex);
    accepted(await (mine ? ann : other).act(code, { type: "drop", payload: { column: mine ? 1 : 2 } }));
    if ((await ann.world(code)).status === "game_over") return;
  }
}

await test("who comes late takes a bot's seat; rematch, the lobby again, and the score of games", async () => {
  const gia = await server.person("Gia");
  const { roomCode: code } = await ann.create("4-kate", { settings: { speed: "relaxed" } });
  accepted(await ann.act(code, { type: "start" }));
  await gia.join(code, { as: "spectator" });
  assert.deepEqual(
    (await gia.world(code)).seats.map(({ free }) => free),
    [false, true],
  );
  await refusedIn(gia, code, { type: "sit", payload: { seatIndex: 0 } }, 400, "SEAT_TAKEN", "That seat is taken");
  await refusedIn(eve, code, { type: "sit" }, 404, "ROOM_NOT_FOUND");
  accepted(await gia.act(code, { type: "sit", payload: { seatIndex: 1 } }));
  assert.equal((await gia.world(code)).you.seatIndex, 1);
  await refusedIn(gia, code, { type: "ask-rematch" }, 409, "WRONG_PHASE");
  await winKate(code, gia);
  accepted(await gia.act(code, { type: "ask-rematch" }));
  const over = await ann.world(code);
  assert.deepEqual([over.status, over.played, over.rematch], ["game_over", 1, [gia.id]]);
  await refusedIn(gia, code, { type: "back-to-lobby" }, 403, "NOT_OWNER");
  accepted(await ann.act(code, { type: "back-to-lobby" }));
  const lobby = await gia.world(code);
  assert.deepEqual([lobby.status, lobby.view, lobby.roomCode], ["waiting", null, code]);
  assert.deepEqual(
    lobby.seats.map(({ name, won }) => [name, won]),
    [
      ["Ann", 1],
      ["Gia", 0],
    ],
  );
  accepted(await ann.act(code, { type: "set-settings", payload: { seating: "never" } }));
  accepted(await ann.act(code, { type: "start" }));
  await eve.join(code, { as: "spectator" });
  await refusedIn(eve, code, { type: "sit" }, 403, "NO_SEATING");
  await winKate(code, gia);
  assert.equal((await ann.world(code)).played, 2);
  const { json } = await gia.get("/api/statistics");
  assert.equal(json.games.find(({ gameId }) => gameId === "4-kate").played, 2, "both games are remembered");
  for (const { others } of json.last) {
    assert.equal(others.length, 1);
    assert.equal(others[0].partner, false);
    assert.equal(typeof others[0].name, "string");
  }
  const told = (await gia.get(`/api/worlds/${code}/history`)).json.entries
    .flatMap(({ events }) => events)
    .filter(({ event }) => event === "news")
    .map(({ data }) => `${data.name} ${data.what}`);
  assert.deepEqual(told, ["Gia watches", "Gia sits", "Gia rematch", "Ann lobby", "Eve watches"]);
});

await test("UD-C18: every refusal of Up-N-Down", async () => {
  const code = await table([ann, bob], "up-n-down", { settings: { allowUndo: false } });
  const { person, view } = await nextTurn([ann, bob], code);
  const other = person === ann ? bob : ann;
  const hand = view.players.find(({ id }) => id === person.id).hand;
  const theirs = (await other.world(code)).view.players.find(({ id }) => id === other.id).hand;
  await refusedIn(
    other,
    code,
    { type: "play-card", payload: { cardId: theirs[0], pileId: 1 } },
    403,
    "NOT_YOUR_TURN",
    "Not your turn",
  );
  await refusedIn(
    person,
    code,
    { type: "play-card", payload: { cardId: theirs[0], pileId: 1 } },
    400,
    "INVALID_CARD",
    "Card not in hand",
  );
  for (const pileId of [0, 5, -1])
    await refusedIn(person, code, { type: "play-card", payload: { cardId: hand[0], pileId } }, 400, "INVALID_PILE");
  await refusedIn(person, code, { type: "undo" }, 400, "UNDO_DISABLED");
  await refusedIn(person, code, { type: "end-turn" }, 400, "MIN_CARDS");
  const [low] = hand,
    high = hand.at(-1);
  accepted(await person.act(code, { type: "play-card", payload: { cardId: high, pileId: 1 } }));
  if (high - low !== 10)
    await refusedIn(person, code, { type: "play-card", payload: { cardId: low, pileId: 1 } }, 400, "INVALID_PLAY");
  await refusedIn(person, code, { type: "end-turn" }, 400, "MIN_CARDS");
  const undo = await table([ann], "up-n-down", { settings: { allowUndo: true } });
  await nextTurn([ann], undo);
  await refusedIn(ann, undo, { type: "undo" }, 400, "NOTHING_TO_UNDO");
});

await test("UD-48, PL-C2, PL-C3: game:playCard and gameId are other names of play-card and roomCode", async () => {
  const code = await table([ann], "up-n-down");
  const { view } = await nextTurn([ann], code);
  const { payload } = view.legal[0];
  const { version } = await ann.world(code);
  assert.equal(
    accepted(await ann.post("/api/game/action", { gameId: code, type: "game:playCard", ...payload })).version,
    version + 1,
  );
  accepted(await bob.act((await bob.create("up-n-down")).roomCode, { type: "start" }));
});

await test("preferences are for while others play", async () => {
  const code = await table([ann, bob], "up-n-down");
  const { person } = await nextTurn([ann, bob], code);
  const other = person === ann ? bob : ann;
  accepted(await other.act(code, { type: "set-preference", payload: { pileId: 2, level: "love" } }));
  accepted(await other.act(code, { type: "set-preference", payload: { pileId: 3, level: 1 } }));
  assert.deepEqual((await person.world(code)).view.players.find(({ id }) => id === other.id).preferences, [0, 3, 1, 0]);
  await refusedIn(
    other,
    code,
    { type: "set-preference", payload: { pileId: 2, level: "hate" } },
    400,
    "INVALID_PREFERENCE",
  );
  await refusedIn(other, code, { type: "set-preference", payload: { pileId: 9, level: "love" } }, 400, "INVALID_PILE");
});

await test("Terrible People: judges judge, the others submit", async () => {
  const code = await table(four, "terrible-people");
  const { view } = await nextTurn(four, code);
  const judge = four[view.judge],
    player = four[(view.judge + 1) % 4];
  const own = (await player.world(code)).view.players.find(({ id }) => id === player.id).hand.map(({ id }) => id);
  const cardIds = own.slice(0, view.prompt.blanks);
  refused(await judge.act(code, { type: "submit", payload: { cardIds } }), 403, "JUDGE_CANNOT_SUBMIT");
  for (const payload of [{ cardIds: [99999] }, { cardIds: [] }, { cardIds: own }])
    assert.equal((await player.act(code, { type: "submit", payload })).status, 400);
  for (const payload of [{ cardIds: "1" }, {}, { cardIds: ["x"] }])
    await refusedIn(player, code, { type: "submit", payload }, 400, "BAD_REQUEST");
  assert.equal((await judge.act(code, { type: "judge", payload: { submissionId: 1 } })).status, 409);
  accepted(await player.act(code, { type: "submit", payload: { cardIds } }));
});

/* ---- Hand & Foot ---- */

const rankOf = (id) => id.replace(/\..*/, "").replace(/[SHDC]$/, "");
const isWild = (id) => ["2", "JK"].includes(rankOf(id));

await test("HF-110 to HF-116: what cannot be melded, in the words of the specification", async () => {
  const code = await table(four, "hand-and-foot");
  const missing = new Set(["threes", "naturals", "ranks", "wilds", "points"]);
  for (let turns = 0; missing.size > 0; turns++) {
    assert.ok(turns < 120, `no hand for ${[...missing]}`);
    const { person } = await nextTurn(four, code);
    await refusedIn(
      four[(four.indexOf(person) + 1) % 4],
      code,
      { type: "draw" },
      403,
      "NOT_YOUR_TURN",
      "Not your turn",
    );
    accepted(await person.act(code, { type: "draw" }));
    const { view } = await person.world(code);
    const hand = view.players.find(({ id }) => id === person.id).hand;
    const meld = (melds, errorCode, error) =>
      refusedIn(person, code, { type: "meld", payload: { melds } }, 400, errorCode, error);
    const naturals = hand.filter((id) => !isWild(id) && rankOf(id) !== "3"),
      wilds = hand.filter(isWild),
      threes = hand.filter((id) => rankOf(id) === "3");
    const pair = naturals.filter((id) => naturals.filter((other) => rankOf(other) === rankOf(id)).length >= 2);
    const two = pair.length >= 2 ? pair.filter((id) => rankOf(id) === rankOf(pair[0])).slice(0, 2) : null;
    if (turns === 0) {
      await meld([[]], "NO_CARDS", "Select at least 3 cards");
      await meld([], "NO_CARDS", "Select at least 3 cards");
      await meld([hand.slice(0, 2)], "MELD_TOO_SMALL", "Melds require at least 3 cards");
      await meld([hand.slice(0, 1)], "MELD_TOO_SMALL", "Melds require at least 3 cards");
      await meld([["AS", "AS", "AS", "AS", "AS", "AS", "AS", "AS", "AS", "AS"]], "INVALID_CARD");
      for (const melds of ["x", [1], [["AS", 5]], {}]) await meld(melds, "BAD_REQUEST");
    }
    if (threes.length > 0 && two && missing.delete("threes"))
      await meld([[...two, threes[0]]], "THREES", "3s cannot be melded");
    if (wilds.length >= 2 && naturals.length > 0 && missing.delete("naturals"))
      await meld([[naturals[0], ...wilds.slice(0, 2)]], "NEED_NATURALS", "Need at least 2 natural cards of same rank");
    const stray = two && naturals.find((id) => rankOf(id) !== rankOf(two[0]));
    if (stray && missing.delete("ranks"))
      await meld([[...two, stray]], "MIXED_RANKS", "All natural cards must be same rank");
    if (two && wilds.length >= 3 && missing.delete("wilds"))
      await meld(
        [[...two, ...wilds.slice(0, 3)]],
        "TOO_MANY_WILDS",
        "Too many wild cards (3 wilds, 2 naturals). Wilds cannot exceed naturals.",
      );
    const low = naturals.filter((id) => ["4", "5", "6", "7"].includes(rankOf(id)));
    const three = low.filter((id) => low.filter((other) => rankOf(other) === rankOf(id)).length >= 3).slice(0, 3);
    if (three.length === 3 && new Set(three.map(rankOf)).size === 1 && missing.delete("points"))
      await meld([three], "MIN_POINTS", "Need 60 points to play down (have 15)");
    if (missing.size > 0) {
      accepted(
        await person.act(code, {
          type: "discard",
          payload: { cardId: naturals.find((id) => !two?.includes(id)) ?? hand[0] },
        }),
      );
    }
  }
});

await test("phases of a turn of Hand & Foot", async () => {
  const code = await table(four, "hand-and-foot");
  const { person, view } = await nextTurn(four, code);
  const hand = view.players.find(({ id }) => id === person.id).hand;
  await refusedIn(person, code, { type: "discard", payload: { cardId: hand[0] } }, 409, "WRONG_PHASE");
  await refusedIn(person, code, { type: "meld", payload: { melds: [hand.slice(0, 3)] } }, 409, "WRONG_PHASE");
  await refusedIn(
    person,
    code,
    { type: "unlock-discard", payload: { cardIds: hand.slice(0, 2) } },
    400,
    "NOT_PLAYED_DOWN",
  );
  await refusedIn(person, code, { type: "undo" }, 400, "UNDO_DISABLED");
  await refusedIn(person, code, { type: "choose-pile", payload: { pile: 1 } }, 400, "NO_CHOICE");
  accepted(await person.act(code, { type: "draw" }));
  await refusedIn(person, code, { type: "draw" }, 409, "WRONG_PHASE");
  await refusedIn(person, code, { type: "close-book", payload: { bookId: 1 } }, 400, "NO_CLOSING");
  await refusedIn(
    person,
    code,
    { type: "add-to-meld", payload: { bookId: 1, cardIds: [hand[0]] } },
    400,
    "INVALID_BOOK",
  );
});

await test("HT-11, HT-12: books are opened and closed by their addresses", async () => {
  const code = await table(four, "hand-and-foot", { preset: "closers" });
  const open = (person, path, options = {}) =>
    person.request("POST", path, { headers: { roomCode: code }, ...options });
  const { person, seat } = await nextTurn(four, code);
  accepted(await person.act(code, { type: "choose-pile", payload: { pile: 1 } }));
  accepted(await person.act(code, { type: "draw" }));
  const { view } = await person.world(code);
  const team = view.players[seat].team,
    hand = view.players[seat].hand;
  refused(await person.request("POST", `/teams/${team}/books/open/4/4S,4H,4D`), 400, "BAD_REQUEST"); // which world?
  refused(await open(person, `/teams/${1 - team}/books/open/4/4S,4H,4D`), 403, "NOT_YOUR_TEAM");
  refused(await open(person, `/teams/x/books/open/4/4S,4H,4D`), 400, "BAD_REQUEST");
  for (const value of [0, 2, 14, "x"])
    refused(await open(person, `/teams/${team}/books/open/${value}/4S,4H,4D`), 400, "INVALID_BOOK");
  refused(await open(person, `/teams/${team}/books/open/5/4S,4H,4D`), 400, "MIXED_RANKS");
  refused(await open(eve, `/teams/${team}/books/open/4/4S,4H,4D`), 404, "ROOM_NOT_FOUND");
  refused(await open(person, `/teams/${team}/books/close/77`), 400, "INVALID_BOOK");
  refused(await open(person, `/teams/${team}/books/close/x`), 400, "BAD_REQUEST");
  refused(await person.request("POST", `/teams/${team}/books/close/1?roomCode=AAAAAA`), 404, "ROOM_NOT_FOUND");
  refused(await open(four[(seat + 1) % 4], `/teams/${1 - team}/books/close/1`), 403, "NOT_YOUR_TURN");
  // The route and the action get the same answer from the rules, whatever it is.
  const naturals = hand.filter((id) => !isWild(id) && rankOf(id) !== "3");
  const rank = naturals
    .map(rankOf)
    .sort(
      (a, b) => naturals.filter((id) => rankOf(id) === b).length - naturals.filter((id) => rankOf(id) === a).length,
    )[0];
  const same = naturals.filter((id) => rankOf(id) === rank).slice(0, 3);
  const value = { A: 1, J: 11, Q: 12, K: 13 }[rank] ?? rank;
  const byRoute = await person.request(
    "POST",
    `/teams/${team}/books/open/${value}/${same.join(",")}?roomCode=${code.toLowerCase()}`,
  );
  assert.ok(byRoute.status === 200 || ["MIN_POINTS", "MELD_TOO_SMALL"].includes(byRoute.json.code), byRoute.text);
  if (byRoute.status === 400)
    assert.deepEqual((await person.act(code, { type: "open-book", payload: { cardIds: same } })).json, byRoute.json);
  const kate = await table([ann, bob], "4-kate");
  refused(await ann.request("POST", "/teams/0/books/close/1", { headers: { roomCode: kate } }), 400, "BAD_REQUEST");
});

// A world of ann's that goes on from her turn with these cards, after the draw, or before it if a pile is given. The
// cards she had go into the deck.
async function arranged(gamePreset, { hand, foot = [], books = [], pile }) {
  const code = await table([ann], "hand-and-foot", gamePreset);
  await nextTurn([ann], code);
  if (gamePreset.preset === "closers") accepted(await ann.act(code, { type: "choose-pile", payload: { pile: 1 } }));
  accepted(await ann.act(code, { type: "draw" }));
  const save = accepted(await ann.get(`/api/worlds/${code}/save`));
  const me = save.players.find(({ name }) => name === "Ann");
  const pool = [...me.hand, ...me.foot, ...save.deck.cards, ...(pile ? save.discardPile : [])];
  const take = (rank) =>
    pool.splice(
      pool.findIndex((card) => card.rank === rank),
      1,
    )[0];
  const melds = books.map((ranks) => ({ rank: ranks[0], cards: ranks.map(take) }));
  Object.assign(me, {
    hand: hand.map(take),
    foot: foot.map(take),
    melds,
    newlyDrawn: [],
    hasPlayedDown: books.length > 0,
    hasPickedUpFoot: foot.length === 0,
  });
  if (pile) {
    save.discardPile = pile.map(take);
    Object.assign(save.gameState, { turnPhase: "draw", hasDrawnFromDeck: false });
  }
  Object.assign(save.deck, { cards: pool, size: pool.length });
  const world = accepted(await ann.post("/api/worlds/load", save), 201);
  if (world.status === "waiting") accepted(await ann.act(world.roomCode, { type: "start" }));
  const { view, seat } = await nextTurn([ann], world.roomCode);
  return { code: world.roomCode, view, seat, hand: view.players[seat].hand };
}

await test("HF-36: the answer to an unlock names the melded and the additional cards", async () => {
  const { code, view, hand } = await arranged(
    {},
    {
      hand: ["king", "king", "9", "8"],
      foot: ["4", "5"],
      books: [["ace", "ace", "ace"]],
      pile: ["7", "6", "5", "4", "9", "8", "king"],
    },
  );
  const kings = hand.filter((id) => rankOf(id) === "K");
  const { ok, result } = accepted(
    await ann.act(code, { type: "unlock-discard", payload: { cardIds: kings }, actionId: "unlock" }),
  );
  assert.equal(ok, true);
  assert.equal(result.meldedCards.length, 3);
  assert.equal(rankOf(result.meldedCards[2]), "K");
  assert.equal(result.meldedCards[2].split(".")[0], view.discardPile.top.split(".")[0]);
  // Five at the most, the uppermost first.
  assert.deepEqual(result.additionalCards.map(rankOf), ["8", "9", "4", "5", "6"]);
  assert.deepEqual(Object.keys(accepted(await ann.act(code, { move: "draw", actionId: "unlock" }))).sort(), [
    "duplicate",
    "ok",
    "version",
  ]);
  assert.equal(accepted(await ann.act(code, { type: "done-melding" })).result, undefined);
});

await test("HF-68: nobody comes to the last card while something is missing, which is named", async () => {
  const missing = ["Need Clean Book: 7+ cards with NO wilds", "Need Dirty Book: 7+ cards WITH wilds"];
  const clean = Array(7).fill("king"),
    dirty = ["queen", "queen", "queen", "queen", "queen", "2", "2"];
  for (const [books, text] of [
    [[["king", "king", "king"]], missing.join("; ")],
    [[clean], missing[1]],
    [[dirty], missing[0]],
  ]) {
    const { code, view, seat, hand } = await arranged({}, { hand: [books[0][0], "9"], books });
    assert.equal(view.players[seat].missingToGoOut, text);
    const more = hand.find((id) => rankOf(id) !== "9");
    await refusedIn(
      ann,
      code,
      { type: "add-to-meld", payload: { bookId: 1, cardIds: [more] } },
      400,
      "CANNOT_GO_OUT",
      text,
    );
  }
  const { code, hand } = await arranged({}, { hand: ["9"], books: [clean, dirty] });
  accepted(await ann.act(code, { type: "discard", payload: { cardId: hand[0] } }));
  assert.equal((await ann.world(code)).view.phase, "roundEnd");
});

await test("HT-11, HT-12: a book is opened, and closed once it is full", async () => {
  const { code, view, seat, hand } = await arranged(
    { preset: "closers" },
    { hand: [...Array(7).fill("king"), "9", "8", "5"], foot: ["4", "5", "6", "7"] },
  );
  const team = view.players[seat].team,
    kings = hand.filter((id) => rankOf(id) === "K");
  const go = (path) => ann.request("POST", `/teams/${team}/books/${path}`, { headers: { roomCode: code } });
  const opened = accepted(await go(`open/13/${kings.join(",")}`));
  assert.equal(opened.ok, true);
  const after = (await ann.world(code)).view;
  const [book] = after.teams[team].melds;
  assert.deepEqual([book.rank, book.cards.length, book.isBook, book.closed], ["K", 7, true, false]);
  assert.equal(after.players[seat].hand.length, 3);
  assert.equal(accepted(await go(`close/${book.id}`)).version, opened.version + 1);
  assert.equal((await ann.world(code)).view.teams[team].melds[0].closed, true);
  refused(await go(`close/${book.id}`), 400, "BOOK_CLOSED");
});

await test("the server ends well", async () => {
  const { code } = await server.stop();
  assert.equal(code, 0, server.log);
});
await sleep(0);
finish();
