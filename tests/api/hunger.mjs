// node tests/api/hunger.mjs HUNGRY_OYSTER CHECK_STORE [full]: what becomes of every single allocation that fails.
// The program is linked with a malloc that fails on demand (tests/hungry.c). Each kind of request is made again and
// again: its first allocation fails, then its second, and so on until it needs no more. Each time the answer must
// be whole and true (2xx: so it is; 503 or a closed connection: nothing was done, or the actionId tells), and the
// next request must work. In the end nothing may have leaked (AddressSanitizer), and the file must hold what was
// promised.
import { closeSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { mkdtemp, mkdir, rm } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person, Server, finish, sleep, test } from "./client.mjs";
import { Promises } from "./promises.mjs";
import { CLOSE, HELLO, RawSocket, TEXT, authorise, subscribe } from "./raw_socket.mjs";
import { assert, nextTurn } from "./tools.mjs";

const [program, checker, form = "short"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "oyster-hunger-"));
const file = join(folder, "store"),
  control = join(folder, "hunger"),
  web = join(folder, "web");
await mkdir(web);
writeFileSync(join(web, "index.html"), "<!doctype html><title>Oyster</title>".padEnd(2000));
writeFileSync(control, Buffer.alloc(16));
const flags = [
  "--store",
  `sqlite:${file}`,
  "--web",
  web,
  "--log-level",
  "error",
  "--actions-per-second",
  "100000",
  "--actions-burst",
  "100000",
  "--sessions-per-minute",
  "100000",
  "--worlds-per-player",
  "1000",
  "--failed-joins-per-minute",
  "100000",
  "--failed-joins-per-minute-in-all",
  "100000",
  "--connections-per-address",
  "0",
  "--memberships-per-player",
  "1000",
  "--written-per-minute",
  "100000000",
  "--renames-per-hour",
  "100000",
];
const promises = new Promises(checker, file);

// ---- The malloc that fails ----

const hunger = openSync(control, "r+"),
  number = Buffer.alloc(8);
const read = (at) => {
  readSync(hunger, number, 0, 8, at);
  return Number(number.readBigInt64LE());
};
const failAt = (left) => {
  number.writeBigInt64LE(BigInt(left));
  writeSync(hunger, number, 0, 8, 0);
};

let server;
async function start() {
  server = await Server.start(program, flags, { env: { OYSTER_HUNGER: control } });
  await server.request("GET", "/readyz"); // all threads have started
  server.agent = new http.Agent(); // a connection for each request: its allocations count as well
}
async function stop() {
  const { code, signal } = await server.stop();
  assert.equal(`${code} ${signal}`, "0 null", `${code} ${signal}\n${server.log.slice(-6000)}`);
}

// Makes the request with its first, second, … allocation failing. `ask` gives an answer, or null if the connection was
// closed; `holds` looks whether a good one is true; `holdsNot` whether nothing was done.
const counts = { paths: 0, failures: 0, refused: 0, closed: 0, done: 0 };
async function path(
  name,
  {
    before = () => {},
    ask,
    holds = () => {},
    holdsNot = () => {},
    good = (answer) => answer.status >= 200 && answer.status < 300,
    stride = 1,
  },
) {
  await test(name, async () => {
    const mine = { failures: 0, refused: 0, closed: 0 };
    let patience = 3; // a world may still be busy with an earlier failure
    for (let i = 1; ; ) {
      const given = await before(i - 1);
      const failed = read(8);
      failAt(i);
      const answer = await ask(given, i).catch((error) => {
        if (/ECONNRESET|socket hang up|EPIPE|ended|closed/.test(String(error))) return null;
        throw error;
      });
      failAt(0);
      assert.equal(server.process.exitCode, null, `allocation ${i}: ${server.log.slice(-4000)}`);
      const where = `allocation ${i} of ${name}: ${answer ? `${answer.status} ${answer.text}` : "closed"}`;
      if (answer && good(answer)) await holds(answer, given);
      else if (answer) {
        assert.equal(answer.status, 503, where);
        if (answer.json) assert.equal(answer.json.code, "UNAVAILABLE", where);
        await holdsNot(answer, given);
        mine.refused++;
      } else {
        await holdsNot(null, given);
        mine.closed++;
      }
      const health = await server.request("GET", "/healthz");
      assert.equal(health.status, 200, where);
      if (read(8) === failed) {
        // the request needed no further allocation
        if (answer && good(answer)) break;
        assert.ok(patience-- > 0, where);
        continue;
      }
      mine.failures++;
      i += i < 100 ? 1 : stride;
      if (i > 20000) throw new Error("it never ends");
    }
    console.log(
      `# ${mine.failures} allocations failed, ${mine.refused} answered 503, ${mine.closed} closed, the ` +
        "others did what they were asked for",
    );
    counts.paths++;
    counts.failures += mine.failures;
    counts.refused += mine.refused;
    counts.closed += mine.closed;
    counts.done += mine.failures - mine.refused - mine.closed;
  });
}

// ---- People and worlds ----

await start();
const ann = await server.person("Ann"),
  bob = await server.person("Bob");
const get = (what) => ({ ask: () => server.request("GET", what) });
for (const what of [
  "/healthz",
  "/readyz",
  "/metrics",
  "/api/config",
  "/api/games",
  "/",
  "/nothing.js",
  "/api/worlds?public=1",
])
  await path(`GET ${what}`, {
    ...get(what),
    good: ({ status }) => status === (what === "/nothing.js" ? 404 : 200),
    holds: ({ text }) => assert.ok(text.length > 0),
  });

await path("POST /api/session", {
  ask: () => server.request("POST", "/api/session", { body: { name: "Cy" } }),
  holds: async ({ json }) =>
    assert.equal((await new Person(server, json).get("/api/session")).json?.playerId, json.playerId),
});
await path("GET /api/session", {
  ask: () => ann.get("/api/session"),
  holds: ({ json }) => assert.equal(json.playerId, ann.id),
});
let named = "Ann";
await path("PATCH /api/session", {
  ask: (_, i) => ann.request("PATCH", "/api/session", { body: { name: `Ann ${i}` } }),
  holds: async ({ json }) => {
    named = json.name;
    assert.equal((await ann.get("/api/session")).json.name, named);
  },
});
await path("GET /api/statistics", {
  ask: () => ann.get("/api/statistics"),
  holds: ({ json }) => assert.ok(Array.isArray(json.games)),
});

await path("POST /api/statistics/delete", {
  ask: () => ann.post("/api/statistics/delete", { delete: true }),
  holds: async () => assert.deepEqual((await ann.get("/api/statistics")).json.games, []),
});

const mine = async () => (await ann.get("/api/worlds?mine=1")).json.worlds.length;
await path("POST /api/worlds", {
  before: mine,
  ask: () =>
    ann.post("/api/worlds", {
      gameId: "hand-and-foot",
      preset: "partners",
      settings: { speed: "instant" },
      public: true,
    }),
  holds: async ({ json }) => assert.equal((await ann.get(`/api/worlds/${json.roomCode}`)).json.version, json.version),
  holdsNot: async (answer, count) => {
    if (answer) assert.equal(await mine(), count);
  },
});
await path("GET /api/worlds?mine=1", {
  ask: () => ann.get("/api/worlds?mine=1"),
  holds: ({ json }) => assert.ok(json.worlds.length > 0),
});

const fresh = async (gameId = "4-kate") => (await ann.create(gameId, { settings: { speed: "instant" } })).roomCode;
const inside = async (code, person) => (await ann.world(code)).seats.some(({ playerId }) => playerId === person.id);
await path("POST join", {
  before: () => fresh(),
  ask: (code) => bob.join(code),
  holds: async (_, code) => assert.ok(await inside(code, bob)),
  holdsNot: async (answer, code) => {
    if (answer) assert.ok(!(await inside(code, bob)));
    assert.equal((await bob.join(code)).status, 200);
  },
});
await path("POST leave", {
  before: async () => {
    const code = await fresh();
    await bob.join(code);
    return code;
  },
  ask: (code) => bob.post(`/api/worlds/${code}/leave`),
  holds: async (_, code) => assert.ok(!(await inside(code, bob))),
  holdsNot: async (answer, code) => {
    if (answer) assert.ok(await inside(code, bob));
  },
});
const table = await fresh();
await bob.join(table);
await ann.act(table, { type: "start" });
await path("GET world", {
  ask: () => ann.get(`/api/worlds/${table}`),
  holds: ({ json }) => assert.equal(json.roomCode, table),
});
await path("GET history", {
  ask: () => ann.get(`/api/worlds/${table}/history`),
  holds: ({ json }) => assert.ok(Array.isArray(json.entries) && json.version > 0),
});
await path("GET log", {
  ask: () => ann.get(`/api/worlds/${table}/log`),
  holds: ({ text }) => assert.match(text, /^oyster 1\n/),
});
await path("GET an unknown world", { ask: () => ann.get("/api/worlds/AAAAAA"), good: ({ status }) => status === 404 });

// ---- Actions ----

// Each with an id, asked for again until it is answered: then it is done, once.
let next = 0;
const sure = async (person, code, action, promise, actionId) => {
  const answer = await person.act(code, { ...action, actionId });
  promises.answered(promise, answer);
  return answer;
};
const acting = (code, person, action) => ({
  before: async () => {
    const actionId = `a${next++}`;
    return {
      actionId,
      what: await action(),
      promise: promises.ask(code(), person.id, actionId),
      version: (await person.world(code())).version,
    };
  },
  ask: ({ actionId, what, promise }) => sure(person, code(), what, promise, actionId),
  holds: async ({ json }, { actionId, what }) => {
    assert.ok((await person.world(code())).version >= json.version);
    assert.equal((await person.act(code(), { ...what, actionId })).json.duplicate, true);
  },
  holdsNot: async (answer, { actionId, what, promise, version }) => {
    const again = await sure(person, code(), what, promise, actionId);
    assert.equal(again.status, 200, again.text);
    if (answer) assert.ok(!again.json.duplicate && again.json.version > version, "what was answered 503 was done");
  },
});
const lobby = await fresh("hand-and-foot");
let speed = 0;
await path(
  "POST action: settings",
  acting(
    () => lobby,
    ann,
    () => ({ type: "set-settings", payload: { speed: ++speed % 2 ? "fast" : "normal" } }),
  ),
);

// Moves of a game against bots, which have to go on as well.
const solo = await fresh("whos-deal");
await ann.act(solo, { type: "start" });
const move = async (code) => {
  for (;;) {
    const turn = await nextTurn([ann], code);
    if (!turn.over) return { type: turn.view.legal[0].type, payload: turn.view.legal[0].payload };
    const again = await ann.act(code, { type: "play-again" });
    assert.equal(again.status, 200, again.text);
  }
};
await path(
  "POST action: a move, and the bots' answers",
  acting(
    () => solo,
    ann,
    () => move(solo),
  ),
);
await path("POST action: a move by its notation, asked about only", {
  before: async () => {
    await move(solo);
    return (await ann.world(solo)).view.legal[0].move;
  },
  ask: (words) => ann.act(solo, { move: words, check: true }),
});

// ---- Saves ----

const saved = await fresh("hand-and-foot");
await ann.act(saved, { type: "start" });
await nextTurn([ann], saved);
let save;
await path("GET save", {
  ask: () => ann.get(`/api/worlds/${saved}/save`),
  holds: ({ text }) => {
    save = text;
    assert.ok(JSON.parse(text));
  },
});
await path("POST load", {
  before: mine,
  stride: form === "full" ? 1 : 97, // thousands, nearly all of them for the JSON
  ask: () => ann.request("POST", "/api/worlds/load", { raw: save }),
  holds: async ({ json }) => {
    assert.equal((await ann.get(`/api/worlds/${json.roomCode}`)).status, 200);
    await ann.post(`/api/worlds/${json.roomCode}/leave`);
  },
  holdsNot: async (answer, count) => {
    if (answer) assert.equal(await mine(), count);
  },
});

// ---- Sockets ----

const frames = (socket) =>
  socket.next().then((frame) => {
    if (!frame || frame.opcode === CLOSE) throw new Error("closed");
    assert.equal(frame.opcode, TEXT);
    return JSON.parse(frame.payload.toString());
  });
async function heard(socket, name) {
  for (;;) {
    const { event, data } = await frames(socket);
    if (event === name) return JSON.parse(data);
    if (event === "pusher:error") throw new Error(`closed: ${data}`);
  }
}
const open = async () => {
  const socket = await RawSocket.open(server.port, HELLO, { headers: { Cookie: `oyster_session=${ann.token}` } });
  return socket;
};
const ok = { status: 200, text: "" };
await path("opening a socket", {
  ask: async () => {
    const socket = await open();
    if (socket.status === 101) await socket.hello();
    await socket.kill();
    return { status: socket.status === 101 ? 200 : socket.status, text: socket.head };
  },
});
const greeted = async () => {
  const socket = await open();
  await socket.hello();
  return socket;
};
await path("POST pusher/auth", {
  before: greeted,
  ask: (socket) => authorise(ann, socket.id, `presence-room-${table}`),
  holds: ({ json }, socket) => {
    assert.match(json.auth, /^oyster:/);
    return socket.kill();
  },
  holdsNot: (_, socket) => socket.kill(),
});
await path("subscribing", {
  before: async () => {
    const socket = await greeted();
    return { socket, auth: (await authorise(ann, socket.id, `presence-room-${table}`)).json };
  },
  ask: async ({ socket, auth }) => {
    socket.say("pusher:subscribe", { ...auth, channel: `presence-room-${table}` });
    await heard(socket, "pusher_internal:subscription_succeeded");
    return ok;
  },
  holds: (_, { socket }) => socket.kill(),
  holdsNot: (_, { socket }) => socket.kill(),
});
await path("a ping", {
  before: greeted,
  ask: async (socket) => {
    socket.say("pusher:ping");
    await heard(socket, "pusher:pong");
    return ok;
  },
  holds: (_, socket) => socket.kill(),
  holdsNot: (_, socket) => socket.kill(),
});
// Those who listen are told of what was done, or they are disconnected and read the world anew.
await path("a push to those who listen", {
  before: async () => {
    const socket = await greeted();
    await subscribe(ann, socket, `private-player-${ann.id}`);
    await subscribe(ann, socket, `presence-room-${lobby}`);
    const { settings } = await ann.world(lobby);
    return { socket, speed: settings.speed === "fast" ? "normal" : "fast" }; // what changes nothing is not told
  },
  ask: async (before) => {
    const answer = await ann.act(lobby, {
      type: "set-settings",
      payload: { speed: before.speed },
      actionId: `p${next++}`,
    });
    if (answer.status === 200) await heard(before.socket, "settings-updated");
    return answer;
  },
  holds: (_, { socket }) => socket.kill(),
  holdsNot: (_, { socket }) => socket.kill(),
});
await path("a view to those who listen", {
  before: async () => {
    const socket = await greeted();
    await subscribe(ann, socket, `private-player-${ann.id}`);
    await subscribe(ann, socket, `presence-room-${solo}`);
    return { socket, action: await move(solo) };
  },
  ask: async ({ socket, action }) => {
    const answer = await ann.act(solo, { ...action, actionId: `v${next++}` });
    if (answer.status === 200) while ((await heard(socket, "view-updated")).version < answer.json.version);
    return answer;
  },
  holds: (_, { socket }) => socket.kill(),
  holdsNot: (_, { socket }) => socket.kill(),
});

// ---- After a restart: who people are and what worlds there are has to be read ----

const many = [];
for (let i = 0; i < 120; i++) {
  const person = await server.person(`P${i}`);
  const { roomCode } = await person.create("4-kate", { settings: { speed: "instant" } });
  many.push({ person, roomCode });
}
await test("the first server ends well, and nothing has leaked", stop);
await start();
for (const { person } of [{ person: ann }, { person: bob }, ...many]) person.server = server;
await path("GET a world that is not in memory, by somebody who is not either", {
  before: (i) => {
    assert.ok(i < many.length, "more allocations than worlds");
    return many[i];
  },
  ask: ({ person, roomCode }) => person.get(`/api/worlds/${roomCode}`),
  holds: ({ json }, { roomCode }) => assert.equal(json.roomCode, roomCode),
  holdsNot: async (_, { person, roomCode }) => assert.equal((await person.get(`/api/worlds/${roomCode}`)).status, 200),
});

await test("memory was short in truth", async () => {
  const short = Number(/^oyster_memory_short_total (\d+)/m.exec((await server.request("GET", "/metrics")).text)[1]);
  assert.ok(short > 0);
});
await test("the second server ends well, and nothing has leaked", stop);
await test("what was promised is in the file, once", () => promises.check());
console.log(
  `# ${counts.paths} kinds of requests, ${counts.failures} allocations that failed one by one: ` +
    `${counts.done} requests were done all the same, ${counts.refused} answered 503, ${counts.closed} ` +
    "connections closed; none lied, nothing leaked",
);
closeSync(hunger);
await sleep(0);
await rm(folder, { recursive: true });
finish();
