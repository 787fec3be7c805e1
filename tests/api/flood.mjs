// node tests/api/flood.mjs PROGRAM [TRIES] [NAME]: people who do everything to be a nuisance, each kind for a
// while, and two who play on in another world meanwhile. The offenders are refused or closed, the server's memory
// stays within a bound, and every move of the two is acknowledged and seen. Times are printed but not
// asserted, because they depend on the machine.
//
// The server has its usual limits but where `flags` says otherwise. The offenders come from addresses of their own
// (127.1.x.y), as they would from elsewhere.
import { execFileSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, finish, sleep, test } from "./client.mjs";
import { Pair } from "./pair.mjs";
import { HELLO, RawSocket, TEXT, authorise, subscribe } from "./raw_socket.mjs";
import { assert, until } from "./tools.mjs";

const [program = "build/oyster", tries = "10000", only = ""] = process.argv.slice(2);
const TRIES = Number(tries); // tokens and cookies that are made up
const full = TRIES > 10000;
const MOVES = full ? 1000 : 30; // of the two during each flood, at least
const files = execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();
const IDLE = Math.min(10000, files === "unlimited" ? Infinity : Number(files) - 500); // connections
const SIGNATURES = TRIES / 10;
const HEADER_MS = 1500,
  IDLE_MS = full ? 30000 : 75000,
  SEND_QUEUE = 262144;
const BOUND_MB = 64; // the server may need so much more than when the two play alone, whatever comes

const folder = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "oyster-flood-"));
const start = (name) =>
  Server.start(program, [
    "--store",
    `sqlite:${join(folder, name)}`,
    "--log-level",
    "error",
    "--requests-per-second",
    "500",
    "--header-ms",
    `${HEADER_MS}`,
    "--idle-ms",
    `${IDLE_MS}`,
    "--actions-per-second",
    "200",
    "--actions-burst",
    "400",
    "--entries-per-world", // the two play on and on in theirs
    "1000000",
    "--bytes-per-world",
    "16000000",
    "--worlds-per-player",
    "100",
    "--sessions-per-minute",
    "10000",
  ]);
const home = await start("home"),
  neighbour = full ? await start("neighbour") : null;
const pair = await Pair.sitDown(home);
let server = home; // whom the offenders trouble
// Real offenders would have machines of their own. Here they run in this process, which gets only the CPU time that
// the servers and the two leave when times are measured. That still slows others down, because the kernel finishes
// the work that it has begun for them. So for comparison they trouble another server on the same cores first.
if (full) execFileSync("chrt", ["--idle", "--all-tasks", "--pid", "0", `${process.pid}`]);

// ---- Measuring ----

const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${home.process.pid}/status`, "utf8"))[1]) / 1024;
// CPU time of the server so far, in s. The offenders share its cores, so this says more about the server than how
// long others wait.
const cpu = () => {
  const words = readFileSync(`/proc/${home.process.pid}/stat`, "utf8").split(" ");
  return (Number(words[13]) + Number(words[14])) / 100;
};
const comma = (number) => number.toLocaleString("en");
const p99 = (times) => times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1];
async function figure(name) {
  const { text } = await server.request("GET", "/metrics");
  return Number(new RegExp(`^oyster_${name} (\\d+)`, "m").exec(text)[1]);
}

// How long moves of the two took while it was done, again and again until they have made enough of them.
const playedOn = (first, moves) => {
  if (pair.trouble) throw pair.trouble;
  return pair.moves - first >= moves;
};
const patience = 600000;
async function meanwhile(run, moves = MOVES) {
  await pair.lap();
  const first = pair.moves,
    enough = () => playedOn(first, moves);
  do {
    await run(enough);
  } while (!enough());
  return pair.lap();
}
// The two alone, measured each time anew, because other programs come and go.
const alone = (moves) => meanwhile((enough) => until(enough, "the two stopped playing", patience), moves);

let before; // MB
// Measures three times in turn, again and again, because the speed of the machine changes: the two alone, while the
// offenders trouble another server, and while they trouble the server of the two.
const TURNS = full ? 3 : 1;
async function flood(name, run) {
  if (!name.includes(only)) return;
  await test(name, async () => {
    const quiet = [],
      beside = [],
      times = [];
    let peak = rss(),
      rounds = 0,
      elsewhere = 1,
      said,
      seconds = 0,
      worked = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, rss());
    }, 50).unref();
    for (let turn = 0; turn < TURNS; turn++) {
      if (full) {
        quiet.push(...(await alone(MOVES)));
        server = neighbour;
        beside.push(...(await meanwhile((enough) => run(enough, elsewhere++))));
        server = home;
      }
      const begin = performance.now(),
        used = cpu();
      times.push(
        ...(await meanwhile(async (enough) => {
          said = (await run(enough, rounds++)) ?? said;
        })),
      );
      seconds += (performance.now() - begin) / 1000;
      worked += cpu() - used;
    }
    clearInterval(watch);
    const ms = [quiet, beside, times]
      .filter((each) => each.length > 0)
      .map((each) => p99(each).toFixed(1))
      .join(", ");
    console.log(
      `# ${name}: ${said(rounds, seconds)}; ${comma(times.length)} moves meanwhile, all acknowledged, ` +
        `p99 ${ms} ms; ${((worked / seconds) * 100).toFixed(0)}% of a core; ` +
        `${Math.max(0, peak - before).toFixed(0)} MB more (bound ${BOUND_MB})`,
    );
    assert.ok(peak - before <= BOUND_MB, `the server grew by ${(peak - before).toFixed(1)} MB, more than ${BOUND_MB}`);
  });
}

// ---- Offenders ----

// An address of its own for every so many connections.
let opened = 0;
// The server as people at that address of their own speak to it.
const houseAt = (number) =>
  Object.assign(new Server(), {
    url: server.url,
    agent: new http.Agent({ keepAlive: true, localAddress: address(number) }),
  });
const address = (number) => `127.1.${(number >> 8) & 255}.${number & 255}`;
function connect(from = opened++ >> 6) {
  const socket = net.connect({ port: server.port, host: "127.0.0.1", localAddress: address(from) });
  Object.assign(socket, { text: "", last: "", got: 0 });
  socket.on("error", () => {});
  socket.on("data", (data) => {
    socket.got += data.length;
    if (socket.text.length < 4096) socket.text += data.toString("latin1");
    socket.last = (socket.last + data.subarray(-512).toString("latin1")).slice(-512);
  });
  socket.over = new Promise((resolve) => socket.on("close", resolve));
  return socket;
}
const ready = (socket) =>
  new Promise((resolve, reject) =>
    socket.once("connect", resolve).once("close", () => reject(new Error("closed at once"))),
  );
const get = (path, more = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const post = (path, body, more = "") =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const handshake = (more = "") =>
  get(
    HELLO,
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
      `dGhlIHNhbXBsZSBub25jZQ==\r\n${more}`,
  );
const frame = (opcode, payload, how) => RawSocket.prototype.frame(opcode, payload, how);

// Writes as fast as it is taken until the connection ends; `make` gives the next bytes.
async function pour(socket, make) {
  let over = false;
  socket.over.then(() => {
    over = true;
  });
  for (let sent = 0; !over; sent++) {
    if (!socket.write(make(sent)))
      await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), socket.over]);
    if (sent % 16 === 15) await sleep(0);
  }
}

// Requests over a few connections, each batch from another address, in one piece; gives how many answers had which
// status.
async function ask(count, make, addresses) {
  const statuses = {};
  const batch = async (from, many) => {
    const socket = net.connect({ port: server.port, host: "127.0.0.1", localAddress: address(from) });
    socket.on("error", () => {});
    let text = "",
      seen = 0;
    await new Promise((resolve) => {
      socket.on("close", resolve);
      socket.on("data", (data) => {
        text += data.toString("latin1");
        let last = 0;
        for (const found of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
          statuses[found[1]] = (statuses[found[1]] ?? 0) + 1;
          seen++;
          last = found.index + found[0].length;
        }
        text = text.slice(Math.max(last, text.length - 12));
        if (seen >= many) socket.destroy();
      });
      socket.write(Array.from({ length: many }, make).join(""));
    });
  };
  const lanes = 8,
    each = 50;
  let left = count,
    turn = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left > 0) {
        const many = Math.min(each, left);
        left -= many;
        await batch(40000 + (turn++ % addresses), many);
      }
    }),
  );
  return statuses;
}
// Expects that nobody is let in; those who ask too often may also get 429.
const refusedAll = (statuses) =>
  assert.ok(
    Object.keys(statuses).every((status) => ["403", "404", "429"].includes(status)),
    all(statuses),
  );
const all = (statuses) =>
  Object.entries(statuses)
    .map(([status, count]) => `${comma(count)} times ${status}`)
    .join(", ");

// Opens many at once, does something with each, and waits until the server has closed all.
async function many(count, begin, between = 0) {
  const sockets = [];
  for (let i = 0; i < count; i++) {
    const socket = connect();
    sockets.push(socket);
    begin(socket, i);
    if (i % 64 === 63) await sleep(between);
  }
  await Promise.all(sockets.map((socket) => socket.over));
  return sockets;
}

// ---- Before ----

await test("the two play alone", async () => {
  const quiet = p99(await alone(full ? 2000 : 200)); // until they are warm
  before = rss();
  console.log(
    `# p99 of a move until the other one sees it: ${quiet.toFixed(1)} ms; the server has ${before.toFixed(0)} MB`,
  );
});

// ---- Connections ----

await flood(`${comma(IDLE)} connections that say nothing`, async (enough, round) => {
  const sockets = [];
  for (let i = 0; i < IDLE; i += 100) {
    const some = Array.from({ length: 100 }, (_, at) => connect((round * IDLE + i + at) >> 7));
    await Promise.all(some.map(ready));
    sockets.push(...some);
  }
  const open = await figure("connections");
  assert.ok(open > IDLE, `${open} are open`);
  await until(enough, "the two stopped playing", patience);
  if (full) await Promise.all(sockets.map((socket) => socket.over));
  else sockets.forEach((socket) => socket.destroy());
  assert.ok(sockets.every((socket) => socket.got === 0));
  await until(async () => (await figure("connections")) < 100, "they stay");
  return () => `${comma(open)} open at once${full ? `, all closed after ${IDLE_MS / 1000} s` : ""}`;
});

await flood("slow writers, a byte at a time, and halves of requests", async () => {
  const bytes = post("/api/session", JSON.stringify({ name: "x".repeat(200) })),
    dripping = [];
  const sockets = await many(1000, (socket, i) => {
    let at = 0;
    if (i % 2) socket.write(bytes.slice(0, 1 + (i % (bytes.length - 1))));
    else
      dripping.push(
        setInterval(() => {
          if (!socket.destroyed && at < bytes.length) socket.write(bytes[at++]);
        }, 100),
      );
  });
  dripping.forEach(clearInterval);
  for (const { text } of sockets) assert.match(text, /^(HTTP\/1\.1 408 |$)/); // what is cut off may be lost
  assert.ok(sockets.some(({ text }) => text));
  return (rounds) =>
    `${comma(sockets.length * rounds)} requests at 10 bytes/s or none, all closed with 408 after ${HEADER_MS} ms`;
});

await flood("slow readers", async (_enough, round) => {
  const house = houseAt(25000 + round);
  const eve = await house.person("Eve");
  const { roomCode } = await eve.create("hand-and-foot");
  const slowBefore = await figure("connections_slow_total"),
    sockets = [];
  for (let i = 0; i < 40; i++) {
    const socket = await RawSocket.open(server.port, HELLO, { from: address(25000 + round) });
    await socket.hello();
    await subscribe(eve, socket, `private-player-${eve.id}`);
    await subscribe(eve, socket, `presence-room-${roomCode}`);
    socket.tcp.pause();
    sockets.push(socket);
  }
  const slow = async () => (await figure("connections_slow_total")) - slowBefore;
  for (let i = 0; (await slow()) < sockets.length; i++) {
    if (i > 1000) throw new Error(`only ${await slow()} of ${sockets.length} were closed`);
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        eve.act(roomCode, { type: "set-settings", payload: { speed: at % 2 ? "fast" : "normal" } }),
      ),
    );
  }
  await Promise.all(sockets.map((socket) => socket.kill()));
  house.agent.destroy();
  return (rounds) =>
    `${comma(sockets.length * rounds)} sockets that are not read, all closed when ${SEND_QUEUE / 1024} kB waited`;
});

await flood("answers that are asked for and not read", async (_enough, round) => {
  const open = await figure("connections");
  const sockets = Array.from({ length: 64 }, (_, i) => connect(30000 + ((round * 64 + i) % 8192)));
  sockets.forEach((socket) => {
    socket.pause();
    socket.write(get("/api/games").repeat(120));
  });
  await Promise.all(sockets.map(ready));
  await until(async () => (await figure("connections")) <= open, "they are not closed");
  sockets.forEach((socket) => socket.destroy());
  return (rounds) =>
    `${comma(64 * rounds)} connections with 120 requests each, all closed ${HEADER_MS} ms after the ` +
    "first that could not be answered";
});

await flood("requests without end from one address", async (enough) => {
  let closed = 0,
    refused = 0;
  const lane = async () => {
    while (!enough()) {
      const socket = connect(20000);
      socket.write(get("/api/config").repeat(400) + get("/api/config", "Connection: close\r\n"));
      await socket.over;
      closed++;
      refused += socket.last.includes("HTTP/1.1 429 ") || socket.got === 0; // or closed while it still wrote
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  assert.ok(refused > 0, `none of ${closed}`);
  return (_, seconds) =>
    `${comma(closed)} connections with 400 requests each in ${seconds.toFixed(1)} s, ${comma(refused)} ` +
    "closed with 429, the others answered: 500 requests a second are";
});

const restless = new Map(); // by server: one person there, and a world of theirs
await flood("actions without end by one person", async (_enough, round) => {
  if (!restless.has(server)) {
    const eve = await server.person("Eve");
    restless.set(server, { eve, ...(await eve.create("4-kate")) });
  }
  const { eve, roomCode } = restless.get(server);
  const action = JSON.stringify({ roomCode, type: "emote", payload: { id: "hello" } });
  const statuses = await ask(
    2000,
    () => post("/api/game/action", action, `Authorization: Bearer ${eve.token}\r\n`),
    16,
  );
  assert.ok(statuses[429] > 0 && (statuses[200] ?? 0) < 1900, all(statuses));
  return round === 0 ? () => `of 2,000 at once ${all(statuses)}` : undefined;
});

const LISTENERS = 36, // sockets of one person
  ROOMS = 15; // that each of them hears
const listeners = new Map(); // by server: one person, and so many games of theirs
await flood("subscriptions that bring many views", async (_enough, round) => {
  if (!listeners.has(server)) {
    const eve = await server.person("Eve"),
      rooms = [];
    for (let i = 0; i < ROOMS; i++) {
      const { roomCode } = await eve.create("hand-and-foot");
      assert.equal((await eve.act(roomCode, { type: "start" })).status, 200);
      rooms.push(`presence-room-${roomCode}`);
    }
    listeners.set(server, { eve, rooms });
  }
  const { eve, rooms } = listeners.get(server),
    own = `private-player-${eve.id}`;
  eve.server = houseAt(26000 + round);
  const sockets = await Promise.all(
    Array.from({ length: LISTENERS }, async () => {
      const socket = await RawSocket.open(server.port, HELLO, { from: address(26000 + round) });
      await socket.hello();
      for (const room of rooms) await subscribe(eve, socket, room);
      return { socket, auth: (await authorise(eve, socket.id, own)).json };
    }),
  );
  const twice = [{ event: "pusher:subscribe" }, { event: "pusher:unsubscribe" }];
  for (const { socket, auth } of sockets)
    for (let i = 0; i < 8; i++) for (const { event } of twice) socket.say(event, { ...auth, channel: own });
  // Closed for that, or because what was sent at once is more than may wait.
  const closed = await Promise.all(
    sockets.map(async ({ socket }) => {
      socket.say("pusher:ping");
      for (let frame; (frame = await socket.next()) && frame.opcode === TEXT; )
        if (JSON.parse(frame.payload.toString()).event === "pusher:pong") return socket.kill().then(() => false);
      return true;
    }),
  );
  assert.ok(closed.includes(true), "nobody is closed");
  eve.server.agent.destroy();
  if (round === 0)
    return () =>
      `${comma(LISTENERS * ROOMS * 8)} views asked for at once on ${LISTENERS} sockets of one address, of which ` +
      `${closed.filter(Boolean).length} were closed`;
});

// ---- Bots ----

// Experts at all other seats of instant tables, where programs move as soon as they may. Bots elsewhere still have
// their turn.
const TABLES = 6,
  BOT_MS = 3000;
await flood("tables where bots play without a pause", async (enough, round) => {
  const houses = Array.from({ length: TABLES + 1 }, (_, i) => houseAt(27000 + round * (TABLES + 1) + i));
  const sue = await houses[TABLES].person("Sue"),
    settings = { speed: "instant" };
  const begin = async (owner, game, seats, level) => {
    const { roomCode } = await owner.create(game, { settings });
    for (const seatIndex of seats) await owner.act(roomCode, { type: "set-bot", payload: { seatIndex, level } });
    const { status, text } = await owner.act(roomCode, { type: "start" });
    assert.equal(status, 200, text);
    return roomCode;
  };
  let over = false;
  const playOn = async (owner) => {
    const code = await begin(owner, "hand-and-foot", [1, 2, 3], "expert");
    while (!over) {
      const move = (await owner.world(code)).view.legal.at(-1);
      if (move) await owner.act(code, { type: move.type, payload: move.payload });
      else await sleep(5);
    }
    await owner.post(`/api/worlds/${code}/leave`);
  };
  const tables = [];
  for (let i = 0; i < TABLES; i++) tables.push(playOn(await houses[i].person(`Eve ${i}`)));
  let slowest = 0;
  do {
    const own = await begin(sue, "4-kate", [1], "easy");
    for (let i = 0; i < 3; i++) {
      const { type, payload } = (await sue.world(own)).view.legal[0],
        since = performance.now();
      assert.equal((await sue.act(own, { type, payload })).status, 200);
      await until(async () => (await sue.world(own)).view.turn.includes(0), "the bot does not move", BOT_MS);
      slowest = Math.max(slowest, performance.now() - since);
    }
    await sue.post(`/api/worlds/${own}/leave`);
    await sleep(100); // nobody may act without end
  } while (!enough());
  over = true;
  await Promise.all(tables);
  for (const { agent } of houses) agent.destroy();
  return round === 0
    ? () => `${TABLES} tables of experts; a bot elsewhere moved after ${slowest.toFixed(0)} ms at the latest`
    : undefined;
});

// ---- Costly reads ----

const READERS = 16; // people, each from an address of their own
const ENTRIES = full ? 1800 : 300; // of the log that they read
const libraries = new Map(); // by server: these people and their world
async function library() {
  if (!libraries.has(server)) {
    const readers = await Promise.all(Array.from({ length: READERS }, (_, i) => server.person(`Eve ${i}`)));
    const [owner, ...others] = readers;
    const { roomCode } = await owner.create("hand-and-foot");
    for (const other of others) await other.join(roomCode, { as: "spectator" });
    const found = { readers, roomCode, turn: 0, change: () => owner.act(roomCode, setting(found.turn++)) };
    while ((await found.change()).json.version < ENTRIES) await sleep(5);
    libraries.set(server, found);
  }
  return libraries.get(server);
}
const setting = (turn) => ({ type: "set-settings", payload: { speed: turn % 2 ? "fast" : "normal" } });
// All of them ask without end, and the world moves on all the time, so that nothing stays as it was.
const readings = {
  "the record of a long log": (code) => `/api/worlds/${code}/log`,
  "what a long log told": (code) => `/api/worlds/${code}/history`,
  statistics: () => "/api/statistics",
  "lists of worlds": () => "/api/worlds?public=1",
  "a world": (code) => `/api/worlds/${code}`,
};
for (const [what, path] of Object.entries(readings))
  await flood(`read without end (${what})`, async (_enough, round) => {
    const { readers, roomCode, change } = await library();
    let turn = 0,
      over = false;
    // Who waits is answered, whatever was charged before.
    while ((await readers[0].get(path(roomCode))).status !== 200) await sleep(100);
    const moving = (async () => {
      for (; !over; await sleep(5)) await change();
    })();
    const statuses = await ask(
      800,
      () => get(path(roomCode), `Authorization: Bearer ${readers[turn++ % READERS].token}\r\n`),
      READERS,
    );
    over = true;
    await moving;
    assert.ok(
      Object.keys(statuses).every((status) => status === "200" || status === "429"),
      all(statuses),
    );
    return round === 0 ? () => `of 800 at once by ${READERS} people ${all(statuses)}` : undefined;
  });

// ---- Too much ----

await flood("bodies, headers and frames without end", async () => {
  const chunk = Buffer.alloc(65536, "x"),
    piece = Buffer.concat([Buffer.from("10000\r\n"), chunk, Buffer.from("\r\n")]);
  const endless = [
    [`POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n`, chunk],
    [`POST /api/session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`, piece],
    [`POST /api/worlds/load HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`, piece],
    ["GET / HTTP/1.1\r\nX: ", chunk],
    [`GET /${"x".repeat(9000)}`, chunk],
    [Buffer.concat([Buffer.from(handshake()), frame(1, "{", { claim: 2 ** 40 })]), chunk],
    [Buffer.concat([Buffer.from(handshake()), frame(2, "{", { claim: 2 ** 62 })]), chunk],
  ];
  const sockets = await Promise.all(
    endless
      .flatMap((each) => [each, each, each, each])
      .map(async ([start, more]) => {
        const socket = connect();
        socket.write(start);
        await pour(socket, () => more);
        return socket;
      }),
  );
  for (const { text } of sockets) assert.match(text, /^(HTTP\/1\.1 (413|431|101) |$)/); // what is cut off may be lost
  return (rounds) => `${comma(rounds * sockets.length)} of them, all closed`;
});

await flood("messages in pieces without end, and pings", async () => {
  const kinds = [
    [frame(1, "x", { fin: 0 }), () => frame(0, "x", { fin: 0 })], // a byte at a time
    [frame(1, "", { fin: 0 }), () => frame(0, "", { fin: 0 })], // nothing at a time
    [frame(1, "x".repeat(4000), { fin: 0 }), () => frame(0, "x".repeat(90), { fin: 0 })],
    [frame(9, ""), () => frame(9, "x".repeat(125))],
    [frame(10, ""), () => frame(10, "")],
  ];
  const sockets = await Promise.all(
    kinds
      .flatMap((each) => [each, each, each, each])
      .map(async ([start, next]) => {
        const socket = connect();
        socket.write(handshake());
        socket.write(start);
        await pour(socket, next);
        return socket;
      }),
  );
  return (rounds) => `${comma(rounds * sockets.length)} sockets, all closed with 1009 or 4100`;
});

await flood("JSON as deep as a body is long", async () => {
  const bodies = [
    "[".repeat(16000),
    '{"a":'.repeat(3000),
    `{"name":${"[".repeat(33)}${"]".repeat(33)}}`,
    `${"[".repeat(8000)}${"]".repeat(8000)}`,
  ];
  let turn = 0;
  const statuses = await ask(400, () => post("/api/session", bodies[turn++ % bodies.length]), 16);
  assert.ok(
    Object.keys(statuses).every((status) => status === "400" || status === "429"),
    all(statuses),
  );
  const sockets = await many(50, (socket) => {
    socket.write(handshake());
    socket.write(frame(1, "[".repeat(4096)));
  });
  assert.ok(sockets.every(({ text }) => /pusher:error.*4007/.test(text)));
  return (rounds) => `${comma(rounds * 450)} bodies and messages, each refused with 400, 429 or 4007`;
});

// ---- Forged ----

await flood("forged tokens and cookies", async (_enough, round) => {
  const count = round === 0 ? TRIES : 1000,
    begin = performance.now();
  const token = () => randomBytes(32).toString("base64url");
  let turn = 0;
  const statuses = await ask(
    count,
    () =>
      get(
        "/api/session",
        turn++ % 2 ? `Authorization: Bearer ${token()}\r\n` : `Cookie: oyster_session=${token()}\r\n`,
      ),
    200,
  );
  const rate = (count / (performance.now() - begin)) * 1000;
  assert.ok(!statuses[200]);
  if (round === 0)
    return () =>
      `${comma(TRIES)} tries from 200 addresses, ${comma(Math.round(rate))} a second: ${all(statuses)}, none accepted`;
});

await flood("forged permissions for channels", async (_enough, round) => {
  const count = round === 0 ? SIGNATURES : 100,
    begin = performance.now(),
    victim = `private-player-${"A".repeat(16)}`;
  let inside = 0,
    wrong = 0,
    left = count;
  const one = async () => {
    const socket = connect();
    socket.write(handshake());
    await until(() => socket.text.includes("socket_id") || socket.destroyed);
    const id = /socket_id\\":\\"([\d.]+)/.exec(socket.text)?.[1];
    const auth = `oyster:${createHmac("sha256", randomBytes(16)).update(`${id}:${victim}`).digest("hex")}`;
    socket.write(frame(1, JSON.stringify({ event: "pusher:subscribe", data: { channel: victim, auth } })));
    await socket.over;
    inside += socket.text.includes("subscription_succeeded");
    wrong += /pusher:error.*4009/.test(socket.text);
  };
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (left-- > 0) await one();
    }),
  );
  assert.deepEqual([inside, wrong], [0, count]);
  const rate = (count / (performance.now() - begin)) * 1000;
  if (round === 0)
    return () => `${comma(SIGNATURES)} signatures, ${comma(Math.round(rate))} a second, each closed with 4009`;
});

await flood("channels of others", async () => {
  const eve = await server.person("Eve"),
    socket = await RawSocket.open(server.port);
  await socket.hello();
  const form = () =>
    `socket_id=${socket.id}&channel_name=private-player-${randomBytes(12).toString("base64url").replaceAll("-", "A")}`;
  const statuses = await ask(
    1000,
    () =>
      post(
        "/api/pusher/auth",
        form(),
        `Authorization: Bearer ${eve.token}\r\nContent-Type: application/x-www-form-urlencoded\r\n`,
      ),
    16,
  );
  await socket.kill();
  refusedAll(statuses);
  return (rounds) => `${comma(rounds * 1000)} asked for, all refused with 403, 404 or 429`;
});

await flood("forged origins", async () => {
  const statuses = await ask(1000, () => post("/api/session", '{"name":"Eve"}', "Origin: http://evil.example\r\n"), 16);
  const upgrades = await ask(200, () => handshake("Origin: http://evil.example\r\n"), 16);
  refusedAll(statuses);
  refusedAll(upgrades);
  return (rounds) => `${comma(rounds * 1200)} requests and handshakes, all refused with 403, 404 or 429`;
});

await flood("codes of worlds, guessed", async (_enough, round) => {
  const eve = await server.person("Eve"),
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  const code = () => Array.from(randomBytes(6), (byte) => letters[byte % 32]).join("");
  const statuses = await ask(400, () => get(`/api/worlds/${code()}`, `Authorization: Bearer ${eve.token}\r\n`), 4);
  assert.ok(!statuses[200] && !statuses[403], all(statuses));
  assert.ok(statuses[429] > 0 && (statuses[404] ?? 0) < 200, all(statuses));
  return round === 0 ? () => `of 400 from 4 addresses: ${all(statuses)}` : undefined;
});

// ---- After ----

await test("the two have the server for themselves again, and it ends well", async () => {
  await alone(MOVES);
  server.agent.destroy();
  server.agent = new http.Agent();
  await until(async () => (await figure("connections")) <= 8, "connections stay open");
  console.log(
    `# ${pair.moves} moves in all; the server has ${rss().toFixed(0)} MB at the end, ${before.toFixed(0)} MB before`,
  );
  pair.end();
  for (const each of full ? [home, neighbour] : [home]) {
    const { code } = await each.stop();
    assert.equal(code, 0, each.log);
    assert.equal(each.log, "");
  }
});
await rm(folder, { recursive: true });
finish();
