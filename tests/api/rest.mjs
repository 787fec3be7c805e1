// The rows of the protocol that need no game: people, the list of games, worlds and who sees them,
// operations, pages. Usage: node rest.mjs PROGRAM
import { gunzipSync } from "node:zlib";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { Server, finish, sleep, test } from "./client.mjs";
import { accepted, assert, generous, refused, table, until } from "./tools.mjs";

const program = process.argv[2];
const server = await Server.start(program, generous);
const ask = (...args) => server.request(...args);
const [ann, bob, cid, dot, eve] = await Promise.all(
  ["Ann", "Bob", "Cid", "Dot", "Eve"].map((name) => server.person(name)),
);

/* ---- Sessions ---- */

await test("a session has an id, a name, a token and a cookie", async () => {
  const answer = await ask("POST", "/api/session", { body: { name: "Zoe", surplus: [1] } });
  const { playerId, name, token, ...rest } = accepted(answer, 201);
  assert.deepEqual(rest, {});
  assert.equal(name, "Zoe");
  assert.match(playerId, /^p[a-z2-7]{15}$/);
  assert.match(token, /^[A-Za-z0-9_-]{43}$/); // 256 bits
  const cookies = answer.headers["set-cookie"];
  assert.equal(cookies.length, 1);
  const [pair, ...attributes] = cookies[0].split("; ");
  assert.equal(pair, `oyster_session=${token}`);
  assert.deepEqual(attributes.sort(), ["HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=Lax"]);
  assert.equal(answer.headers["cache-control"], "no-store");
  const me = { playerId, name: "Zoe" };
  assert.deepEqual(accepted(await ask("GET", "/api/session", { token })), me);
  assert.deepEqual(accepted(await ask("GET", "/api/session", { headers: { cookie: `a=b; ${pair}; c="d"` } })), me);
  assert.deepEqual(
    accepted(await ask("GET", "/api/session", { headers: { cookie: `oyster_session="${token}"` } })),
    me,
  );
  const again = await ask("GET", "/api/session", { headers: { cookie: pair } }); // its year begins anew
  assert.deepEqual(again.headers["set-cookie"], cookies);
  // A proxy's password.
  const guarded = await ask("GET", "/api/session", { headers: { cookie: pair, authorization: "Basic YTpi" } });
  assert.deepEqual(guarded.headers["set-cookie"], cookies);
  assert.equal((await ask("GET", "/api/session", { token })).headers["set-cookie"], undefined);
  assert.deepEqual(accepted(await ask("GET", "/api/session", { headers: { authorization: `bearer ${token}` } })), me);
});

await test("no two people share an id or a token", async () => {
  const many = await Promise.all(Array.from({ length: 30 }, () => server.person("Twin")));
  assert.equal(new Set(many.map(({ id }) => id)).size, 30);
  assert.equal(new Set(many.map(({ token }) => token)).size, 30);
});

await test("without a good token nobody is known", async () => {
  refused(await ask("GET", "/api/session"), 401, "UNAUTHENTICATED", "Please introduce yourself first");
  const wrong = ["", "x", ann.token.slice(1), `${ann.token}x`, "A".repeat(43), ann.token.toLowerCase(), ann.id];
  for (const token of wrong)
    refused(
      await ask("GET", "/api/session", { headers: { authorization: `Bearer ${token}` } }),
      401,
      "UNAUTHENTICATED",
    );
  refused(
    await ask("GET", "/api/session", { headers: { authorization: `Basic ${ann.token}` } }),
    401,
    "UNAUTHENTICATED",
  );
  refused(await ask("GET", "/api/session", { headers: { cookie: `other=${ann.token}` } }), 401, "UNAUTHENTICATED");
  for (const [method, path] of [
    ["PATCH", "/api/session"],
    ["POST", "/api/worlds"],
    ["GET", "/api/statistics"],
    ["GET", "/api/worlds?mine=1"],
    ["GET", "/api/worlds/ABCDEF"],
    ["POST", "/api/worlds/ABCDEF/join"],
    ["POST", "/api/worlds/ABCDEF/leave"],
    ["GET", "/api/worlds/ABCDEF/log"],
    ["GET", "/api/worlds/ABCDEF/history"],
    ["GET", "/api/worlds/ABCDEF/save"],
    ["POST", "/api/worlds/load"],
    ["POST", "/teams/0/books/open/4/4S,4H,4D"],
    ["POST", "/teams/0/books/close/1"],
    ["POST", "/api/pusher/auth"],
    ["POST", "/pusher/auth"],
  ])
    refused(await ask(method, path), 401, "UNAUTHENTICATED");
  refused(
    await ask("POST", "/api/game/action", { body: { roomCode: "ABCDEF", type: "draw" } }),
    401,
    "UNAUTHENTICATED",
  );
});

const names = [
  ["  Ann  ", "Ann"],
  [`${"A \t".replace("\t", " ")} B`, "A B"],
  ["Zoe\u0308", "Zo\u00eb"],
  ["e\u0301", "\u00e9"],
  ["\u1112\u1161\u11ab", "\ud55c"],
  ["\u00a0x\u3000", "x"],
  ["<b>&amp;</b>", "<b>&amp;</b>"],
  ["x".repeat(24), "x".repeat(24)],
  ["\u{1F0CF}".repeat(24), "\u{1F0CF}".repeat(24)],
  ["e\u0301".repeat(24), "\u00e9".repeat(24)],
  ["\u05d0\u05d1", "\u05d0\u05d1"],
  ["0", "0"],
];
await test("names are trimmed, composed and otherwise kept as they are", async () => {
  for (const [given, kept] of names) {
    const { name, token } = accepted(await ask("POST", "/api/session", { body: { name: given } }), 201);
    assert.equal(name, kept);
    assert.equal(accepted(await ask("GET", "/api/session", { token })).name, kept);
  }
});

const badNames = [
  "",
  "   ",
  "x".repeat(25),
  "\u{1F0CF}".repeat(25),
  "a\u0000b",
  "a\nb",
  "a\u001bb",
  "a\u007fb",
  "a\u0085b",
  "a\u202eb",
  "a\u2066b",
  "a\u200fb",
  "a\u200bb",
  "\ufeffab",
  "\u0301",
  "\u3164",
  "\u2028",
  5,
  null,
  true,
  ["Ann"],
  { name: "Ann" },
];
await test("names that are empty, too long, unseen or no text are refused", async () => {
  for (const name of badNames) {
    refused(await ask("POST", "/api/session", { body: { name } }), 400, "BAD_REQUEST");
    refused(await ann.request("PATCH", "/api/session", { body: { name } }), 400, "BAD_REQUEST");
  }
  refused(await ask("POST", "/api/session", { body: {} }), 400, "BAD_REQUEST");
  refused(await ask("POST", "/api/session", { raw: '{"name":"\\ud800"}' }), 400, "BAD_REQUEST");
  refused(
    await ask("POST", "/api/session", {
      raw: Buffer.from([0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
    }),
    400,
    "BAD_REQUEST",
  );
  assert.equal(accepted(await ann.get("/api/session")).name, "Ann");
});

await test("PATCH changes the name and nothing else", async () => {
  const zoe = await server.person("Zoe");
  assert.deepEqual(accepted(await zoe.request("PATCH", "/api/session", { body: { name: " Zo  Two " } })), {
    playerId: zoe.id,
    name: "Zo Two",
  });
  assert.deepEqual(accepted(await zoe.get("/api/session")), { playerId: zoe.id, name: "Zo Two" });
});

await test("a new name is seen at once in the worlds one is in", async () => {
  const zoe = await server.person("Zoe");
  const [own, other] = [(await zoe.create("4-kate")).roomCode, (await ann.create("4-kate")).roomCode];
  await zoe.join(other);
  const before = await ann.world(other);
  accepted(await zoe.request("PATCH", "/api/session", { body: { name: "Zora" } }));
  assert.deepEqual((await zoe.world(own)).seats.map(({ name }) => name)[0], "Zora");
  const after = await ann.world(other);
  assert.deepEqual(
    after.seats.map(({ name }) => name),
    ["Ann", "Zora"],
  );
  assert.equal(after.version, before.version + 1);
  accepted(await zoe.request("PATCH", "/api/session", { body: { name: "Zora" } })); // nothing new
  assert.equal((await ann.world(other)).version, after.version);
});

/* ---- Games ---- */

// Others may stand in the list as well: a new game must not fail here.
await test("the registry lists the five games in order, each with its table of options (PL-1 to PL-3)", async () => {
  const five = [
    ["terrible-people", "Terrible People", 4, 4, "\u{1F608}"],
    ["4-kate", "4 Kate", 2, 2, "\u{1F534}"],
    ["whos-deal", "Who's Deal?", 4, 4, "\u{1F0CF}"],
    ["hand-and-foot", "Hand & Foot", 2, 8, "\u{1F9B6}"],
    ["up-n-down", "Up-N-Down", 1, 8, "\u{1F503}"],
  ];
  const listed = accepted(await ask("GET", "/api/games")).games;
  const games = listed.filter(({ id }) => five.some(([known]) => known === id));
  assert.deepEqual(
    games.map(({ id, name, minPlayers, maxPlayers, icon }) => [id, name, minPlayers, maxPlayers, icon]),
    five,
  );
  for (const game of games) {
    assert.deepEqual(Object.keys(game).sort(), [
      "cooperative",
      "description",
      "figures",
      "icon",
      "id",
      "lobbyBots",
      "maxPlayers",
      "minPlayers",
      "name",
      "numbers",
      "options",
      "presets",
      "prompts",
      "saves",
    ]);
    assert.equal(game.cooperative, game.id === "up-n-down");
    assert.ok(game.prompts.every(({ move, text }) => move && text) && game.prompts.length > 0 === !game.cooperative);
    assert.deepEqual(game.numbers, game.id === "whos-deal" ? { made: 1, march: 2, sweep: 4, euchre: 2 } : {});
    assert.equal(game.saves, game.id === "hand-and-foot");
    assert.equal(game.lobbyBots, game.id !== "up-n-down");
    assert.ok(game.description.length > 10 && game.description.length < 100 && !game.description.includes("\n"));
    for (const option of game.options) {
      for (const key of ["key", "label", "help", "type"])
        assert.ok(option[key].length > 0, `${game.id} ${option.key} ${key}`);
      assert.ok("default" in option);
      assert.ok(["boolean", "choice", "number", "list"].includes(option.type), option.type);
      if (option.type === "choice") assert.ok(option.values.includes(option.default));
      if (option.type === "number")
        assert.ok(option.min <= option.max && option.default >= option.min && option.default <= option.max, option.key);
    }
  }
  assert.deepEqual(
    games[3].presets.map(({ id }) => id),
    ["classic", "partners", "closers"],
  );
});

/* ---- Making worlds ---- */

await test("PL-6 a new world waits with its maker as owner in seat 0 and the game's defaults", async () => {
  for (const game of accepted(await ask("GET", "/api/games")).games) {
    const world = accepted(await ann.post("/api/worlds", { gameId: game.id }), 201);
    assert.deepEqual(Object.keys(world), [
      "roomCode",
      "gameId",
      "status",
      "ownerId",
      "settings",
      "seats",
      "places",
      "teamNames",
      "spectators",
      "played",
      "rematch",
      "muted",
      "loadedBy",
      "invitation",
      "you",
      "version",
      "standing",
      "view",
    ]);
    assert.match(world.roomCode, /^[A-HJKMNP-Z2-9]{6}$/);
    assert.deepEqual([world.gameId, world.status, world.ownerId, world.view], [game.id, "waiting", ann.id, null]);
    assert.deepEqual(world.you, { playerId: ann.id, seatIndex: 0 });
    assert.deepEqual([world.seats[0].playerId, world.seats[0].name, world.seats[0].bot], [ann.id, "Ann", null]);
    const defaults = Object.fromEntries(game.options.map((option) => [option.key, option.default]));
    const { preset, ...settings } = world.settings;
    assert.equal(preset, game.presets[0]?.id);
    const manners = {
      speed: "normal",
      watching: true,
      public: false,
      seating: "at-once",
      slowChat: "off",
      preview: "off",
    };
    assert.deepEqual(settings, { ...defaults, ...manners });
    const others = world.seats.slice(1);
    if (game.id === "up-n-down")
      assert.ok(others.every(({ playerId, bot }) => playerId === null && bot === null)); // PL-C10
    else assert.ok(others.slice(0, game.minPlayers - 1).every(({ name, bot }) => name === "Bot" && bot === "medium"));
    assert.deepEqual(accepted(await ann.get(`/api/worlds/${world.roomCode}`)), world);
  }
});

await test("codes differ and are read in either case (PL-9, PL-10, UD-61)", async () => {
  const codes = await Promise.all(
    Array.from({ length: 20 }, () => ann.create("4-kate").then(({ roomCode }) => roomCode)),
  );
  assert.equal(new Set(codes).size, 20);
  assert.equal((await ann.world(codes[0].toLowerCase())).roomCode, codes[0]);
});

await test("a world is made with a preset, settings and public at once", async () => {
  const world = accepted(
    await ann.post("/api/worlds", {
      gameId: "hand-and-foot",
      preset: "partners",
      settings: { rounds: 2, speed: "fast", watching: false },
      public: true,
    }),
    201,
  );
  const { preset, teams, rounds, speed, watching, public: open, draw } = world.settings;
  assert.deepEqual(
    [preset, teams, rounds, speed, watching, open, draw],
    ["partners", "two", 2, "fast", false, true, 2],
  );
});

await test("a world whose house rules are all changed is listed with them", async () => {
  const ann = await server.person("\u{1f600}".repeat(24));
  const { roomCode } = await ann.create("hand-and-foot");
  const { options } = (await ann.get("/api/games")).json.games.find(({ id }) => id === "hand-and-foot");
  const other = {
    number: ({ min, max, default: usual }) => (usual === max ? min : max),
    list: ({ max }) => Array.from({ length: 12 }, (_, i) => max - (i % 2)),
    choice: ({ values, default: usual }) => values.filter((value) => value !== usual).at(-1),
    boolean: ({ default: usual }) => !usual,
  };
  for (const option of options) {
    const payload = { [option.key]: other[option.type](option) };
    accepted(await ann.act(roomCode, { type: "set-settings", payload }));
  }
  const [{ rules }] = accepted(await ann.get("/api/worlds?mine=1")).worlds;
  for (const { key } of options) assert.ok(` ${rules}`.includes(` ${key}=`), `${key} in ${rules}`);
});

await test("what no world can be made of is refused and makes none", async () => {
  const before = accepted(await bob.get("/api/worlds?mine=1")).worlds.length;
  const cases = [
    [{}, "BAD_REQUEST"],
    [{ gameId: 4 }, "BAD_REQUEST"],
    [{ gameId: "chess" }, "BAD_REQUEST"],
    [{ gameId: "<script>" }, "BAD_REQUEST"],
    [{ gameId: "4-kate", public: "yes" }, "BAD_REQUEST"],
    [{ gameId: "4-kate", settings: [] }, "BAD_REQUEST"],
    [{ gameId: "whos-deal", settings: { targetScore: 6 } }, "INVALID_SETTING"],
    [{ gameId: "whos-deal", settings: { nothing: 1 } }, "INVALID_SETTING"],
    [{ gameId: "whos-deal", settings: { speed: "warp" } }, "INVALID_SETTING"],
    [{ gameId: "whos-deal", settings: { "a b": 1 } }, "BAD_REQUEST"],
    [{ gameId: "whos-deal", settings: { targetScore: 7.5 } }, "INVALID_SETTING"],
    [{ gameId: "whos-deal", settings: { targetScore: { $gt: 1 } } }, "BAD_REQUEST"],
    [{ gameId: "hand-and-foot", preset: "house" }, "INVALID_SETTING"],
    [{ gameId: "4-kate", preset: "classic" }, "INVALID_SETTING"],
    [{ gameId: "hand-and-foot", preset: 3 }, "BAD_REQUEST"],
  ];
  for (const [body, code] of cases) refused(await bob.post("/api/worlds", body), 400, code);
  assert.equal(accepted(await bob.get("/api/worlds?mine=1")).worlds.length, before);
});

/* ---- Lists ---- */

await test("public worlds are listed newest first, by pages, while they wait", async () => {
  const host = await server.person("Host");
  const codes = [];
  for (let i = 0; i < 55; i++) codes.push((await host.create("up-n-down", { public: true })).roomCode);
  const kate = (await host.create("4-kate", { public: true })).roomCode;
  const hidden = (await host.create("up-n-down")).roomCode;
  const first = accepted(await eve.get("/api/worlds?public=1&gameId=up-n-down"));
  assert.equal(first.worlds.length, 50);
  assert.deepEqual(
    first.worlds.map(({ roomCode }) => roomCode),
    codes.slice().reverse().slice(0, 50),
  );
  assert.ok(first.before > 0);
  const second = accepted(await eve.get(`/api/worlds?public=1&gameId=up-n-down&before=${first.before}`));
  assert.deepEqual(
    second.worlds.map(({ roomCode }) => roomCode),
    codes.slice(0, 5).reverse(),
  );
  assert.equal(second.before, null);
  const { roomCode, gameId, status, ownerId, players } = first.worlds[0];
  assert.deepEqual([roomCode, gameId, status, ownerId, players], [codes[54], "up-n-down", "waiting", host.id, 1]);
  const all = accepted(await eve.get("/api/worlds?public=1")).worlds.map((world) => world.roomCode);
  assert.equal(all[0], kate);
  assert.ok(!all.includes(hidden));
  assert.equal(
    (await server.request("GET", "/api/worlds?public=1")).json.worlds[0].roomCode,
    kate,
    "strangers see them as well",
  );
  for (const game of ["chess", "x".repeat(300), "%3Cscript%3E"])
    refused(await eve.get(`/api/worlds?public=1&gameId=${game}`), 400, "BAD_REQUEST");
  accepted(await host.act(kate, { type: "start" }));
  accepted(await host.act(codes[54], { type: "set-settings", payload: { public: false } }));
  const later = accepted(await eve.get("/api/worlds?public=1")).worlds.map((world) => world.roomCode);
  assert.ok(!later.includes(kate) && !later.includes(codes[54]) && later[0] === codes[53]);
  for (const query of [
    "before=-1",
    "before=x",
    "before=99999999999999999999",
    "before=%zz",
    `before=${"1".repeat(300)}`,
    "gameId=",
  ])
    accepted(await eve.get(`/api/worlds?public=1&${query}`));
});

await test("one's own worlds are listed to oneself", async () => {
  const fay = await server.person("Fay");
  const one = await fay.create("4-kate"),
    two = await ann.create("4-kate");
  await fay.join(two.roomCode);
  assert.deepEqual(
    accepted(await fay.get("/api/worlds?mine=1"))
      .worlds.map(({ roomCode }) => roomCode)
      .sort(),
    [one.roomCode, two.roomCode].sort(),
  );
});

/* ---- Coming and going ---- */

await test("joiners take the first bot's places in order, until none is left (PL-11, PL-12, WD-40)", async () => {
  const { roomCode } = await ann.create("whos-deal");
  for (const person of [bob, cid, dot]) accepted(await person.join(roomCode));
  const world = await ann.world(roomCode);
  assert.deepEqual(
    world.seats.map(({ playerId, team, bot }) => [playerId, team, bot]),
    [
      [ann.id, "a", null],
      [bob.id, "b", null],
      [cid.id, "a", null],
      [dot.id, "b", null],
    ],
  );
  refused(await eve.join(roomCode), 409, "ROOM_FULL");
  const again = accepted(await bob.join(roomCode));
  assert.equal(again.version, world.version);
  assert.deepEqual(again.you, { playerId: bob.id, seatIndex: 1 });
  assert.deepEqual(accepted(await cid.post(`/api/worlds/${roomCode}/leave`)), {});
  const after = await ann.world(roomCode);
  assert.deepEqual([after.seats[2].bot, after.seats[2].name], ["medium", "Bot"]);
  refused(await cid.post(`/api/worlds/${roomCode}/leave`), 404, "ROOM_NOT_FOUND");
  assert.equal(accepted(await eve.join(roomCode)).you.seatIndex, 2);
  assert.equal(accepted(await ann.act(roomCode, { type: "start" })).ok, true);
  refused(await cid.join(roomCode), 409, "ALREADY_STARTED");
  refused(await cid.join(roomCode, { as: "judge" }), 400, "BAD_REQUEST");
  refused(await cid.join(roomCode, { as: 1 }), 400, "BAD_REQUEST");
});

await test("the house rules' number of players holds at the door, and for bots (PL-12, PL-C14)", async () => {
  const { roomCode } = await ann.create("up-n-down", { settings: { maxPlayers: 2 } });
  const open = async (code) => (await ann.world(code)).seats.filter((seat) => seat.open).length;
  assert.deepEqual([(await ann.world(roomCode)).places, await open(roomCode)], [2, 2]);
  accepted(await bob.join(roomCode));
  refused(await cid.join(roomCode), 409, "ROOM_FULL");
  assert.equal(accepted(await cid.join(roomCode, { as: "spectator" })).you.seatIndex, null);
  refused(
    await ann.act(roomCode, { type: "set-bot", payload: { seatIndex: 2, level: "easy" } }),
    409,
    "ROOM_FULL",
    "There are only 2 places",
  );
  accepted(await ann.act(roomCode, { type: "set-settings", payload: { maxPlayers: 1 } }));
  refused(
    await ann.act(roomCode, { type: "set-bot", payload: { seatIndex: 2, level: "easy" } }),
    409,
    "ROOM_FULL",
    "There is only 1 place",
  );
  accepted(await ann.act(roomCode, { type: "set-settings", payload: { maxPlayers: 3 } }));
  assert.equal(accepted(await cid.join(roomCode)).you.seatIndex, 2);
  assert.equal(await open(roomCode), 3);
  const foot = (await ann.create("hand-and-foot", { preset: "closers" })).roomCode;
  for (const seatIndex of [4, 5, 6, 7])
    accepted(await ann.act(foot, { type: "set-bot", payload: { seatIndex, level: "easy" } }));
  accepted(await ann.act(foot, { type: "set-preset", payload: { preset: "partners" } }));
  const { places, seats } = await ann.world(foot);
  assert.deepEqual([places, await open(foot), seats[6].playerId, seats[7].bot], [6, 6, null, null]);
  accepted(
    await ann.act(foot, {
      type: "start",
      payload: { teams: { a: ["bot-1", ann.id, "bot-2"], b: ["bot-3", "bot-4", "bot-5"] } },
    }),
  );
  assert.equal((await ann.world(foot)).seats.length, 6);
});

await test("spectators see the public view and only where watching is allowed", async () => {
  const code = await table([ann, bob], "whos-deal", { settings: { speed: "relaxed", public: true } });
  await until(async () => (await ann.world(code)).view.round?.handCounts[0] === 5);
  const joined = accepted(await eve.join(code, { as: "spectator" }));
  assert.deepEqual(joined.you, { playerId: eve.id, seatIndex: null });
  assert.deepEqual(
    joined.spectators.map(({ playerId, name }) => [playerId, name]),
    [[eve.id, "Eve"]],
  );
  assert.deepEqual(joined.view.round.hands, {});
  assert.deepEqual(joined.view.legal, []);
  const stranger = await dot.world(code); // looking on without joining
  assert.equal(stranger.you, null);
  assert.deepEqual(stranger.view.round.hands, {});
  assert.deepEqual(Object.keys((await ann.world(code)).view.round.hands), [ann.id]);
  refused(await eve.act(code, { type: "pass-trump" }), 403, "NOT_A_PLAYER");
  const closed = (await ann.create("whos-deal", { settings: { watching: false, public: true } })).roomCode;
  refused(await eve.join(closed, { as: "spectator" }), 403, "NO_WATCHING");
  refused(await eve.get(`/api/worlds/${closed}`), 403, "NOT_A_MEMBER");
  for (const path of ["log", "history"]) refused(await eve.get(`/api/worlds/${closed}/${path}`), 403, "NOT_A_MEMBER");
});

await test("the owner's departure passes the world on; the last one's closes it (PL-21)", async () => {
  const { roomCode } = await ann.create("whos-deal");
  await bob.join(roomCode);
  accepted(await ann.post(`/api/worlds/${roomCode}/leave`));
  const world = await bob.world(roomCode);
  assert.equal(world.ownerId, bob.id);
  accepted(await bob.act(roomCode, { type: "set-target-score", payload: { targetScore: 5 } }));
});

await test("unknown worlds are not found, whatever they are called", async () => {
  const unknown = [
    ["GET", ""],
    ["POST", "/join"],
    ["POST", "/leave"],
    ["GET", "/log"],
    ["GET", "/history"],
    ["GET", "/save"],
  ];
  for (const code of ["AAAAAA", "aaaaaa", "A", "AAAAAAA", "......", "%2e%2e%2f", "AAAA0O"])
    for (const [method, rest] of unknown)
      refused(await ann.request(method, `/api/worlds/${code}${rest}`), 404, "ROOM_NOT_FOUND", "There is no such world");
});

await test("the log shows finished rounds and of the running one only what is public", async () => {
  const code = await table([ann, bob, cid, dot], "whos-deal", { settings: { public: true } });
  await until(async () => (await ann.world(code)).view.round?.handCounts[0] === 5);
  const answer = await ann.get(`/api/worlds/${code}/log`);
  accepted(answer);
  assert.equal(answer.headers["content-type"], "text/plain; charset=utf-8");
  assert.match(answer.text, /^oyster 1\ngame whos-deal\n/);
  assert.match(answer.text, /\nseats Ann Bob Cid Dot\n/);
  assert.match(answer.text, /\n# - deal \(shown when it is no secret any longer\)\n/);
  assert.doesNotMatch(answer.text, /[0-9a-f]{32}/);
  assert.equal((await eve.get(`/api/worlds/${code}/log`)).text, answer.text);
});

/* ---- Addresses ---- */

await test("HEAD is GET without its body", async () => {
  for (const path of ["/healthz", "/api/games", "/", "/api/config"]) {
    const head = await ask("HEAD", path),
      get = await ask("GET", path);
    assert.equal(head.status, 200);
    assert.equal(head.text, "");
    assert.equal(head.headers["content-length"], String(Buffer.byteLength(get.text)), path);
    assert.equal(head.headers["content-type"], get.headers["content-type"]);
  }
  assert.equal((await ask("HEAD", "/api/session")).status, 401);
});

await test("other methods are 405 and say which are taken; nothing there is 404", async () => {
  const wrong = await ask("DELETE", "/api/session");
  refused(wrong, 405, "BAD_REQUEST");
  assert.deepEqual(wrong.headers.allow.split(", ").sort(), ["GET", "HEAD", "PATCH", "POST"]);
  const get = await ask("GET", "/api/game/action");
  refused(get, 405, "BAD_REQUEST");
  assert.equal(get.headers.allow, "POST");
  refused(await ask("POST", "/healthz"), 405, "BAD_REQUEST");
  refused(await ask("PUT", "/api/worlds/ABCDEF"), 405, "BAD_REQUEST");
  refused(await ask("GET", "/api/nothing"), 404, "NOT_FOUND");
  refused(await ask("GET", "/api"), 404, "NOT_FOUND");
  refused(await ask("POST", "/nothing"), 404, "NOT_FOUND");
  refused(await ask("GET", "/missing.js"), 404, "NOT_FOUND");
  refused(await ask("GET", "/.git/config"), 404, "NOT_FOUND");
  refused(await ask("OPTIONS", "/api/session"), 405, "BAD_REQUEST");
});

await test("what one answer of the store leads to does not wait for other events", async () => {
  // Worlds of one person are made one after the other, each when the one before is written down.
  const fay = await server.person("Fay");
  const begin = Date.now();
  const made = await Promise.all(Array.from({ length: 96 }, () => fay.create("4-kate")));
  assert.equal(new Set(made.map(({ roomCode }) => roomCode)).size, 96);
  assert.ok(Date.now() - begin < 6000, `${Date.now() - begin} ms`); // with a wait for a timer each: half a minute
});

await test("config names the key and the limits", async () => {
  const { pusher, version, limits } = accepted(await ask("GET", "/api/config"));
  assert.deepEqual(pusher, { key: "oyster", wsPath: "" });
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(
    [limits.body, limits.message, limits.name, limits.chat, limits.actionId, limits.awayMs],
    [16384, 4096, 24, 300, 64, 60000],
  );
});

await test("healthz and readyz say ok", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await ask("GET", path);
    assert.deepEqual([answer.status, answer.text], [200, "ok\n"]);
  }
});

await test("metrics are Prometheus' text, and count", async () => {
  const read = async () => {
    const answer = await ask("GET", "/metrics");
    assert.equal(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    const kinds = new Map(),
      values = new Map();
    for (const line of answer.text.split("\n").slice(0, -1)) {
      const about = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
      if (about) {
        if (about[1] === "TYPE") {
          assert.match(about[3], /^(counter|gauge|histogram)$/);
          assert.ok(!kinds.has(about[2]), `${line} twice`);
          kinds.set(about[2], about[3]);
        }
        continue;
      }
      const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{([a-z]+="[^"\\\n]*",?)+\})? (-?\d+(\.\d+)?)$/.exec(line);
      assert.ok(sample, line);
      assert.ok(!values.has(sample[1] + (sample[2] ?? "")), line);
      assert.ok(kinds.has(sample[1]) || kinds.has(sample[1].replace(/_(bucket|sum|count)$/, "")), line);
      values.set(sample[1] + (sample[2] ?? ""), Number(sample[4]));
    }
    assert.ok(answer.text.endsWith("\n"));
    return values;
  };
  const before = await read();
  const { roomCode } = await ann.create("4-kate");
  await ann.act(roomCode, { type: "start", actionId: "one" });
  await ann.act(roomCode, { type: "start", actionId: "one" });
  await ann.act(roomCode, { type: "start" });
  await ann.act(roomCode, { type: 'x"} 1\nevil 1' });
  const after = await read();
  const rise = (key) => after.get(key) - (before.get(key) ?? 0);
  assert.equal(rise('oyster_actions_total{type="start",result="done"}'), 1);
  assert.equal(rise('oyster_actions_total{type="start",result="duplicate"}'), 1);
  assert.equal(rise('oyster_actions_total{type="start",result="refused"}'), 1);
  assert.equal(rise("oyster_action_seconds_count"), 2);
  assert.equal(after.get("oyster_action_seconds_count"), after.get('oyster_action_seconds_bucket{le="+Inf"}'));
  assert.ok(rise('oyster_http_answers_total{class="2xx"}') >= 3 && rise('oyster_http_answers_total{class="4xx"}') >= 2);
  for (const key of [
    "oyster_connections",
    "oyster_worlds_loaded",
    "oyster_store_commits_total",
    "process_resident_memory_bytes",
  ])
    assert.ok(after.get(key) > 0, key);
  await ask("GET", "/missing.js");
  assert.equal(
    (await read()).get('oyster_http_answers_total{class="4xx"}'),
    after.get('oyster_http_answers_total{class="4xx"}') + 1,
  );
});

await test("every answer has an id, a trusted proxy's where there is one; the log may have it", async () => {
  const id = async (it, headers) => (await it.request("GET", "/healthz", { headers })).headers["x-request-id"];
  const first = await id(server),
    second = await id(server, { "x-request-id": "chosen" });
  assert.match(first, /^[0-9a-f]{16}$/);
  assert.match(second, /^[0-9a-f]{16}$/, "nobody but a proxy chooses an id");
  assert.notEqual(first, second);
  assert.ok(!server.log.includes("event=request "), "nobody asked for lines");
  const open = await Server.start(program, ["--store", "memory", "--trust-proxy", "yes", "--access-log", "yes"]);
  try {
    assert.equal(await id(open, { "x-request-id": "proxy-1.a_B" }), "proxy-1.a_B");
    for (const odd of ["two words", "a=b", "x".repeat(65), ""])
      assert.match(await id(open, { "x-request-id": odd }), /^[0-9a-f]{16}$/);
    const guest = await open.person("Ann");
    const { roomCode } = await guest.create("4-kate");
    await guest.get(`/api/worlds/${roomCode}`);
    await open.request("GET", "/nothing.js");
    const line = (route) =>
      until(
        () =>
          new RegExp(
            `event=request id=(\\S+) address=127\\.0\\.0\\.1 route=${route} status=(\\d+) bytes=\\d+ ms=\\d+\\.\\d{3}$`,
            "m",
          ).exec(open.log),
        route,
      );
    assert.equal((await line('"GET /healthz"'))[1], "proxy-1.a_B");
    assert.equal((await line('"GET /api/worlds/\\*"'))[2], "200");
    assert.equal((await line("pages"))[2], "404");
    assert.ok(!open.log.includes(roomCode), "a code is an invitation and not for the log");
  } finally {
    await open.stop();
  }
});

await test("figures can have a port of their own, and are then nowhere else", async () => {
  const it = await Server.start(program, ["--store", "memory", "--metrics-listen", "127.0.0.1:0"]);
  try {
    const where = await until(() => /has figures at (http:\S+)\/metrics/.exec(it.said)?.[1], "where the figures are");
    const status = async (path, url = where) => (await fetch(url + path)).status;
    assert.deepEqual([await status("/metrics"), await status("/healthz"), await status("/readyz")], [200, 200, 200]);
    assert.deepEqual([await status("/"), await status("/api/games"), await status("/api/config")], [404, 404, 404]);
    assert.deepEqual(
      [await status("/metrics", it.url), await status("/healthz", it.url), await status("/api/games", it.url)],
      [404, 200, 200],
    );
    const text = await (await fetch(`${where}/metrics`)).text();
    assert.match(text, /^oyster_http_seconds_count\{route="GET \/api\/games"\} 2$/m);
    assert.match(text, /^oyster_http_seconds_bucket\{route="GET \/api\/games",le="\+Inf"\} 2$/m);
    assert.match(text, /^oyster_loop_turn_seconds_count [1-9]\d*$/m);
  } finally {
    await it.stop();
  }
});

await test("PL-C16 names that look alike are told apart at a table, and nobody is called like a bot", async () => {
  const { roomCode } = await ann.create("up-n-down");
  const called = async (name) => {
    const person = await server.person(name);
    const { you, seats } = accepted(await person.join(roomCode));
    return seats.find(({ playerId }) => playerId === you.playerId).name;
  };
  assert.equal(await called("Ann"), "Ann 2");
  assert.equal(await called("\u0410nn"), "\u0410nn 3"); // a Cyrillic A
  assert.equal(await called("Bert"), "Bert");
  const cid = await server.person("Cid"); // who changes their name is told apart, too
  accepted(await cid.join(roomCode));
  accepted(await cid.request("PATCH", "/api/session", { body: { name: "ANN" } }));
  const renamed = async () => {
    const { seats, spectators } = await cid.world(roomCode);
    return [...seats, ...spectators].some(({ name }) => name === "ANN 4");
  };
  await until(renamed, "the new name is not told apart");
  for (const name of ["Bot 2", "bot", "\u0412ot 7"])
    refused(
      await ask("POST", "/api/session", { body: { name } }),
      400,
      "BAD_REQUEST",
      "Only bots are called like that",
    );
  for (const name of ["A\u034fnn", "Ann\ufe0f", "A\u{e0100}nn", "A\u17b5nn", "A\u180bnn"])
    refused(await ask("POST", "/api/session", { body: { name } }), 400, "BAD_REQUEST");
  assert.equal((await ask("POST", "/api/session", { body: { name: "Ann \u2764\ufe0f" } })).status, 201);
});

/* ---- Statistics ---- */

await test("statistics count one's own finished games", async () => {
  const people = [await server.person("Fay"), await server.person("Gus")];
  const statistics = async (person) => accepted(await person.get("/api/statistics"));
  assert.deepEqual(await statistics(people[0]), { games: [], last: [] });
  const code = await table(people, "4-kate");
  for (let drop = 0; drop < 7; drop++) {
    const [who] = (await people[0].world(code)).view.turn;
    accepted(await people[who].act(code, { move: `drop ${(drop % 2) + 1}` }));
  }
  const { winner } = (await people[0].world(code)).view;
  const [own, other] = [await statistics(people[winner]), await statistics(people[1 - winner])];
  const none = { discs: 0, "upright fours": 0, "level fours": 0, "diagonal fours": 0, draws: 0 };
  assert.deepEqual(
    own.games.map(({ gameId, played, won, figures }) => [gameId, played, won, figures]),
    [["4-kate", 1, 1, { ...none, discs: 4, "upright fours": 1 }]],
  );
  assert.deepEqual(
    other.games.map(({ played, won, figures }) => [played, won, figures]),
    [[1, 0, { ...none, discs: 3 }]],
  );
  assert.deepEqual(
    own.last.map(({ gameId, won }) => [gameId, won]),
    [["4-kate", true]],
  );
  assert.deepEqual(other.last[0].figures, { ...none, discs: 3 });
  assert.ok(Math.abs(own.last[0].endedAt - Date.now()) < 60000);
  assert.equal(other.last[0].won, false);
  accepted(await people[winner].post(`/api/worlds/${code}/leave`));
  assert.deepEqual(await statistics(people[winner]), own, "who leaves after the end has still played it");
});

/* ---- Pages ---- */

const bytes = (path, headers = {}) =>
  new Promise((resolve, reject) => {
    http
      .get(server.url + path, { headers, agent: server.agent }, (answer) => {
        const parts = [];
        answer
          .on("data", (part) => parts.push(part))
          .on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }));
      })
      .on("error", reject);
  });

await test("pages may load nothing from elsewhere and are framed by nobody", async () => {
  const { status, headers, body } = await bytes("/");
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "text/html; charset=utf-8");
  for (const part of [
    "default-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ])
    assert.ok(headers["content-security-policy"].includes(part), part);
  assert.doesNotMatch(headers["content-security-policy"], /script-src[^;]*'unsafe-(inline|eval)'/);
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["x-frame-options"], "DENY");
  assert.equal(headers["referrer-policy"], "same-origin");
  assert.match(body.toString(), /^<!doctype html>/);
  assert.deepEqual((await bytes("/w/ABCDEF")).body, body); // a view of the client
});

await test("pages are answered 304 while they are the same, and packed where that is understood", async () => {
  const plain = await bytes("/");
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.equal(plain.headers.vary, "Accept-Encoding");
  const same = await bytes("/", { "if-none-match": `"x", ${plain.headers.etag}` });
  assert.deepEqual([same.status, same.body.length], [304, 0]);
  assert.equal((await bytes("/", { "if-none-match": '"other"' })).status, 200);
  const packed = await bytes("/", { "accept-encoding": "br, gzip;q=0.5" });
  assert.equal(packed.headers["content-encoding"], "gzip");
  assert.deepEqual(gunzipSync(packed.body), plain.body);
  assert.notEqual(packed.headers.etag, plain.headers.etag); // other bytes, another tag
  assert.equal((await bytes("/", { "accept-encoding": "gzip", "if-none-match": packed.headers.etag })).status, 304);
  assert.equal((await bytes("/", { "accept-encoding": "gzip", "if-none-match": plain.headers.etag })).status, 200);
  assert.equal((await bytes("/", { "if-none-match": packed.headers.etag })).status, 200);
  assert.equal((await bytes("/", { "accept-encoding": "gzip;q=0" })).headers["content-encoding"], undefined);
  assert.equal((await bytes("/", { "accept-encoding": "identity" })).headers["content-encoding"], undefined);
});

await test("nothing of a request is echoed as a page", async () => {
  const evil = "<script>alert(1)</script>";
  for (const [method, path, body] of [
    ["GET", `/${evil}.html`],
    ["GET", `/api/${evil}`],
    ["POST", "/api/session", { name: "x".repeat(30) + evil }],
    ["POST", "/api/worlds", { gameId: evil }],
    ["POST", "/api/game/action", { roomCode: evil, type: evil }],
  ]) {
    const answer = await ann.request(method, encodeURI(path), body && { body });
    assert.ok(answer.status >= 400);
    assert.equal(answer.headers["content-type"], "application/json");
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
  }
});

await test("the server ends well", async () => {
  const { code } = await server.stop();
  assert.equal(code, 0, server.log);
});

const folder = mkdtempSync(path.join(tmpdir(), "oyster-web-"));
writeFileSync(
  path.join(folder, "index.html"),
  `<!doctype html><meta property="og:title" content="Oyster" /><meta property="og:description" content="Cards" />
<meta property="og:image" content="/preview.png" />`,
);
const behind = await Server.start(program, [...generous, "--web", folder, "--public-url", "https://cards.example.org"]);
await test("a page names its picture by the whole address", async () => {
  assert.match((await behind.request("GET", "/")).text, /content="https:\/\/cards\.example\.org\/preview\.png"/);
});

await test("a link's preview says what the owner lets it say, and no more", async () => {
  const ann = await behind.person("Ann <b>");
  const { roomCode: code } = await ann.create("whos-deal");
  const page = async (room) => (await behind.request("GET", `/w/${room}`)).text;
  const usual = await page("ZZZZZZ");
  assert.match(usual, /og:title" content="Oyster"/);
  assert.equal(await page(code), usual, "nothing without consent");
  const say = async (preview) => accepted(await ann.act(code, { type: "set-manners", payload: { preview } }));
  await say("game");
  assert.match(await page(code), /og:title" content="An invitation to Who's Deal\?"/);
  assert.match(await page(code.toLowerCase()), /og:description" content="1 of 4 is here\./);
  assert.match(await page(code), /og:image" content="https:\/\/cards\.example\.org\/preview\.png"/);
  assert.ok(!(await page(code)).includes("Ann"));
  await say("names");
  assert.match(await page(code), /og:title" content="Ann &lt;b&gt; invites you to Who's Deal\?"/);
  await say("off");
  assert.equal(await page(code), usual);
});

await test("codes cannot be tried by asking for previews, and nobody with a cookie needs one", async () => {
  const strict = await Server.start(program, ["--web", folder, "--failed-joins-per-minute", "3"]);
  const ann = await strict.person("Ann");
  const { roomCode: code } = await ann.create("whos-deal");
  accepted(await ann.act(code, { type: "set-manners", payload: { preview: "game" } }));
  const page = async (room, headers = {}) => (await strict.request("GET", `/w/${room}`, { headers })).text;
  for (let i = 0; i < 5; i++) assert.match(await page(code), /An invitation to/, "what is found costs nothing");
  assert.match(await page(code, { cookie: "oyster_session=x" }), /content="Oyster"/);
  for (let i = 0; i < 3; i++) assert.match(await page("ZZZZZZ"), /content="Oyster"/);
  assert.match(await page(code), /content="Oyster"/);
  await strict.stop();
});

await test("... nor from many addresses", async () => {
  const flags = ["--store", "memory", "--failed-joins-per-minute-in-all", "3", "--trust-proxy", "yes"];
  const strict = await Server.start(program, ["--web", folder, ...flags]);
  const ann = await strict.person("Ann");
  const { roomCode: code } = await ann.create("whos-deal");
  accepted(await ann.act(code, { type: "set-manners", payload: { preview: "game" } }));
  const page = async (room, address) =>
    (await strict.request("GET", `/w/${room}`, { headers: { "x-forwarded-for": `192.0.2.${address}` } })).text;
  for (let i = 0; i < 5; i++) assert.match(await page(code, i), /An invitation to/, "what is found costs nothing");
  for (let i = 0; i < 3; i++) assert.match(await page("ZZZZZZ", i), /content="Oyster"/);
  assert.match(await page(code, 4), /content="Oyster"/);
  await strict.stop();
});

await test("who comes with a link learns who invites to what; others learn nothing", async () => {
  const ann = await behind.person("Ann");
  const { roomCode: code, invitation } = await ann.create("4-kate");
  const ask = (headers) => behind.request("GET", `/api/worlds/${code}/invitation`, { headers });
  refused(await ask({}), 404, "ROOM_NOT_FOUND");
  refused(await ask({ "x-invitation": "0".repeat(32) }), 404, "ROOM_NOT_FOUND");
  assert.deepEqual(accepted(await ask({ "x-invitation": invitation })), {
    gameId: "4-kate",
    host: "Ann",
    people: 1,
    places: 2,
  });
});

await test("with a public URL only pages of that origin act and listen, whatever the Host says", async () => {
  const { host } = new URL(behind.url);
  const from = (origin) =>
    behind.request("POST", "/api/session", { body: { name: "Ann" }, headers: origin ? { origin } : {} });
  accepted(await from("https://cards.example.org"), 201);
  accepted(await from(), 201);
  for (const origin of [`http://${host}`, `https://${host}`, "http://cards.example.org", "https://evil.example"]) {
    refused(await from(origin), 403, "FORBIDDEN");
    const socket = await behind.request("GET", "/app/oyster?protocol=7", { headers: { origin } });
    refused(socket, 403, "FORBIDDEN");
  }
});

await test("behind TLS the cookie is Secure", async () => {
  const answer = await behind.request("POST", "/api/session", { body: { name: "Ann" } });
  assert.match(answer.headers["set-cookie"][0], /; Secure(;|$)/);
});
await behind.stop();
rmSync(folder, { recursive: true });
await sleep(0);
finish();
