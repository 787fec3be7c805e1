// node tests/api/erase.mjs PROGRAM: people who want to be gone are gone: from worlds that run, from those that are
// over, and from the bytes of the store. Tried with each kind of store; on Redis with two servers.
import { createECDH, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finish, Person, playToTheEnd, Server, test } from "./client.mjs";
import { Cluster, Redis } from "./nodes.mjs";
import { greeted, subscribe } from "./raw_socket.mjs";
import { accepted, assert, generous, Raw, refused, until } from "./tools.mjs";

const [program = "build/oyster"] = process.argv.slice(2);
const name = "Annabel-Lee";
const at = (server, { id, name, token }) => new Person(server, { playerId: id, name, token }); // elsewhere
const shown = (value) => JSON.stringify(value);

// A device on which somebody may be called by these people.
const subscription = (friends) => {
  const keys = createECDH("prime256v1");
  keys.generateKeys();
  const p256dh = keys.getPublicKey("base64url"),
    auth = randomBytes(16).toString("base64url");
  return { endpoint: "https://push.example/device", keys: { p256dh, auth }, turnMs: 0, friends };
};

// Plays a game against a bot to its end, and begins one with Bob; gives the codes.
async function live(ann, bob) {
  const over = (await ann.create("4-kate", { settings: { speed: "instant" } })).roomCode;
  accepted(await ann.act(over, { type: "start" }));
  await playToTheEnd(ann, over, () => 0);
  const runs = (await ann.create("whos-deal", {})).roomCode;
  accepted(await bob.join(runs));
  accepted(await ann.act(runs, { type: "chat", payload: { text: `I am ${name}, a poet` } }));
  accepted(await bob.act(runs, { type: "chat", payload: { text: `Hello ${name}!` } }));
  accepted(await ann.act(runs, { type: "start" }));
  const left = (await ann.create("whos-deal", {})).roomCode;
  accepted(await bob.join(left));
  accepted(await ann.act(left, { type: "start" }));
  accepted(await ann.post(`/api/worlds/${left}/leave`));
  accepted(await bob.post("/api/push", subscription([ann.id])));
  return { over, runs, left };
}

async function erased(ann, bob, server, other, codes, everything) {
  const socket = await greeted(server);
  await subscribe(ann, socket, `presence-room-${codes.runs}`);
  assert.equal(accepted(await ann.get("/api/statistics")).games.length, 1);
  assert.ok((await everything()).includes(name), "the test looks where the name is");
  refused(await ann.post("/api/session/erase", {}), 400, "BAD_REQUEST");
  refused(await ann.post("/api/session/erase", { erase: "yes" }), 400, "BAD_REQUEST");
  const answers = await Promise.all([1, 2, 3].map(() => ann.post("/api/session/erase", { erase: true })));
  const done = answers.filter(({ status }) => status === 200);
  assert.ok(done.length >= 1, shown(answers.map(({ status, text }) => [status, text])));
  assert.match(done[0].headers["set-cookie"][0], /^oyster_session=; .*Max-Age=0/);
  await socket.closed;
  for (const each of [server, other]) {
    const token = { token: ann.token };
    refused(await each.request("GET", "/api/session", token), 401, "UNAUTHENTICATED");
    refused(
      await each.request("POST", "/api/session/erase", { ...token, body: { erase: true } }),
      401,
      "UNAUTHENTICATED",
    );
    const bobThere = at(each, bob);
    await until(async () => !shown(await bobThere.world(codes.runs)).includes(name), "people still see the name");
    const world = await bobThere.world(codes.runs);
    assert.equal(world.ownerId, bob.id);
    assert.ok(world.seats[0].bot, "a bot took the seat");
    assert.ok(world.seats[0].free && !world.seats[0].away, "somebody else can have it");
    const left = await bobThere.world(codes.left);
    assert.ok(left.seats[0].free && !left.seats[0].away, "also one that was left before");
    const [log, history] = await Promise.all(
      ["log", "history"].map(async (what) => (await bobThere.get(`/api/worlds/${codes.runs}/${what}`)).text),
    );
    assert.ok(!log.includes(name) && log.includes("Somebody"), log);
    assert.ok(!history.includes(name) && !history.includes("poet"), history);
  }
  const store = await everything();
  for (const trace of [name, "poet", ann.id]) assert.ok(!store.includes(trace), `${trace} is still there`);
  accepted(await bob.act(codes.runs, { type: "chat", payload: { text: "It goes on" } }));
}

async function serving(flags, run) {
  const server = await Server.start(program, [...generous, ...flags]);
  try {
    await run(server);
  } finally {
    await server.stop();
  }
}

await test("an erased person is gone, and their worlds go on: memory", () =>
  serving(["--store", "memory"], async (server) => {
    const [ann, bob] = [await server.person(name), await server.person("Bob")];
    const codes = await live(ann, bob);
    let looks = 0;
    await erased(ann, bob, server, server, codes, async () => (looks++ === 0 ? name : ""));
  }));

await test("an erased person is gone from the bytes of an SQLite file, its log included", async () => {
  const folder = await mkdtemp(join(tmpdir(), "oyster-erase-"));
  const file = join(folder, "store");
  const bytes = async (path) => readFile(path, "latin1").catch(() => "");
  const everything = async () => (await bytes(file)) + (await bytes(`${file}-wal`));
  const flags = ["--store", `sqlite:${file}`];
  let codes, bob;
  await serving(flags, async (server) => {
    const ann = await server.person(name);
    bob = await server.person("Bob");
    codes = await live(ann, bob);
    await erased(ann, bob, server, server, codes, everything);
  });
  await serving(flags, async (server) => {
    const back = at(server, bob);
    assert.ok((await back.get(`/api/worlds/${codes.runs}/log`)).text.includes("Somebody")); // the new log folds
  });
  assert.ok(!(await everything()).includes(name));
  await rm(folder, { recursive: true });
});

await test("an erased person is gone from Redis, and other servers notice", async () => {
  const redis = await Redis.start();
  const cluster = await Cluster.start(program, { count: 2, redis, flags: generous.slice(2) });
  try {
    const [one, other] = cluster.nodes;
    const [ann, bob] = [await one.person(name), await one.person("Bob")];
    const codes = await live(ann, bob);
    const bobThere = at(other, bob);
    await until(async () => shown(await bobThere.world(codes.runs)).includes(name)); // it has the world in memory
    await erased(ann, bob, one, other, codes, async () => {
      const keys = (await redis.ask("KEYS", "oyster:*")).filter((key) => key.startsWith("oyster:"));
      const values = [];
      for (const key of keys)
        for (const words of [
          ["GET", key],
          ["HGETALL", key],
          ["LRANGE", key, 0, -1],
          ["SMEMBERS", key],
          ["ZRANGE", key, 0, -1],
        ])
          values.push(...((await redis.ask(...words)) ?? []).filter((line) => !line.startsWith("-WRONGTYPE")));
      return [...keys, ...values].join("\n");
    });
    accepted(await bobThere.act(codes.runs, { type: "chat", payload: { text: "There as well" } }));
    assert.ok(!cluster.nodes.some(({ log }) => /went_back|erasing_/.test(log)), "nothing was taken for a lost log");
  } finally {
    await cluster.stop();
    await redis.remove();
  }
});

// Worlds of one person with so many entries each.
async function longWorlds(person, count, entries) {
  const codes = [];
  for (let i = 0; i < count; i++) {
    const { roomCode } = await person.create("hand-and-foot");
    for (let left = entries; left > 0; left -= 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, j) => person.act(roomCode, { move: `set speed=${j % 2 ? "fast" : "normal"}` })),
      );
    codes.push(roomCode);
  }
  return codes;
}

await test("a long erasure holds up nobody's reads, and goes on when nobody waits for it", () =>
  serving(["--store", "memory"], async (server) => {
    const [ann, bob, cy] = [await server.person(name), await server.person("Bob"), await server.person("Cy")];
    const codes = await longWorlds(ann, 4, 1000);
    for (const code of codes) accepted(await bob.join(code, { as: "spectator" }));
    const socket = await new Raw(server).send(
      `POST /api/session/erase HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ann.token}\r\n` +
        'Content-Length: 14\r\n\r\n{"erase":true}',
    );
    await until(async () => (await ann.get("/api/session")).status === 401, "it does not begin");
    const isThere = async () =>
      (await Promise.all(codes.map((code) => bob.world(code)))).map(shown).join().includes(name);
    accepted(await cy.get("/api/statistics"));
    assert.ok(await isThere(), "the statistics waited until all was erased");
    assert.equal(socket.text, "");
    socket.end();
    await until(async () => !(await isThere()), "it did not go on");
  }));

// A join waits until the world is read; the person goes meanwhile.
await test("whoever is erased comes into no world afterwards, whatever was under way", async () => {
  const folder = await mkdtemp(join(tmpdir(), "oyster-erase-"));
  const flags = ["--store", `sqlite:${join(folder, "store")}`, "--read-units-burst", "100000"];
  let people, code;
  await serving(flags, async (server) => {
    people = [await server.person(name), await server.person("Bob")];
    [code] = await longWorlds(people[1], 1, 10000);
    accepted(await people[1].act(code, { type: "set-manners", payload: { public: true } }));
  });
  await serving(flags, async (server) => {
    const [ann, bob] = people.map((person) => at(server, person));
    accepted(await ann.get("/api/session"));
    const joined = ann.join(code);
    accepted(await ann.post("/api/session/erase", { erase: true }));
    refused(await joined, 401, "UNAUTHENTICATED");
    assert.ok(!shown(await bob.world(code)).includes(name));
  });
  await rm(folder, { recursive: true });
});

await test("however many are about to be erased, people may read", () =>
  serving(["--store", "memory", "--connections-per-address", "0", "--read-units-burst", "100000"], async (server) => {
    server.agent = new http.Agent({ keepAlive: true, maxSockets: 1000 });
    const [ann, cy] = [await server.person(name), await server.person("Cy")];
    await longWorlds(ann, 1, 10000);
    const people = await Promise.all([...Array(600).keys()].map((i) => server.person(`P ${i}`)));
    const erase = (person) => person.post("/api/session/erase", { erase: true });
    const all = [ann, ...people].map(erase);
    const full = await Promise.race(all);
    accepted(await cy.get("/api/statistics"));
    refused(full, 503, "UNAVAILABLE", /^Too many people/);
    await Promise.all(all);
  }));

finish();
