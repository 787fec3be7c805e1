// node tests/api/devices.mjs PROGRAM: a person's devices. Each has a token of its own; another one comes by a link that
// holds for some minutes and once; each can be logged out from any other, after which its sockets close. Tried with
// each kind of store; on Redis with two servers.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { finish, Person, Server, test } from "./client.mjs";
import { Cluster, Redis } from "./nodes.mjs";
import { authorise, greeted, subscribe } from "./raw_socket.mjs";
import { accepted, assert, generous, refused, until } from "./tools.mjs";

const [program = "build/oyster"] = process.argv.slice(2);
const PHONE =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36";

const link = async (person) => accepted(await person.post("/api/session/link"), 201);
const claim = (server, secret, headers = {}) =>
  server.request("POST", "/api/session/claim", { body: { secret }, headers });
const devices = async (person) => accepted(await person.get("/api/session/devices")).devices;

// The same person on one more device, at any server.
async function another(person, server = person.server, headers = {}) {
  const { secret } = await link(person);
  return new Person(server, accepted(await claim(server, secret, headers), 201));
}

const isOut = async (person) => refused(await person.get("/api/session"), 401, "UNAUTHENTICATED");
const isIn = async (person) => accepted(await person.get("/api/session"));

async function listening(person, server = person.server) {
  const socket = await greeted(server);
  await subscribe(person, socket, `private-player-${person.id}`);
  return socket;
}

async function serving(flags, run, more) {
  const server = await Server.start(program, [...generous, ...flags], more);
  try {
    await run(server);
  } finally {
    await server.stop();
  }
}

// All of it, with two servers that may be one.
async function live(one, other) {
  const ann = await one.person("Ann");
  const bob = await one.person("Bob");
  const { secret, until: end } = await link(ann);
  assert.match(secret, /^[0-9a-f]{32}$/);
  assert.ok(end > Date.now() + 8 * 60000 && end < Date.now() + 12 * 60000, "ten minutes");
  const answer = await claim(other, secret, { "user-agent": PHONE });
  const { playerId, name, token } = accepted(answer, 201);
  assert.deepEqual([playerId, name], [ann.id, "Ann"]);
  assert.match(answer.headers["set-cookie"][0], new RegExp(`^oyster_session=${token}; .*HttpOnly`));
  const phone = new Person(other, { playerId, name, token });
  refused(await claim(one, secret), 404, "LINK_GONE"); // once
  const list = await devices(phone);
  assert.deepEqual(list.map((each) => [each.name, each.current]).sort(), [
    ["A program", false],
    ["Chrome on Android", true],
  ]);
  for (const each of list) {
    assert.match(each.id, /^[0-9a-f]{16}$/);
    assert.ok(Math.abs(each.createdAt - Date.now()) < 60000 && Math.abs(each.seenAt - Date.now()) < 60000);
  }
  const { roomCode } = await ann.create("4-kate");
  accepted(await phone.act(roomCode, { type: "start" })); // the same seat

  // Of a newer link the older one is worth nothing; a wrong one never was.
  const [old, newer] = [await link(ann), await link(ann)];
  refused(await claim(one, old.secret), 404, "LINK_GONE");
  refused(await claim(one, `${newer.secret.slice(0, 31)}${newer.secret.endsWith("0") ? "1" : "0"}`), 404, "LINK_GONE");
  for (const wrong of ["", "x", newer.secret.toUpperCase().replace(/[0-9]/g, "A"), token])
    refused(await claim(one, wrong), 404, "LINK_GONE");
  refused(await claim(one, 7), 400, "BAD_REQUEST");
  refused(await one.request("GET", "/api/session", { token: newer.secret }), 401, "UNAUTHENTICATED");
  const racers = await Promise.all([one, other, one, other].map((server) => claim(server, newer.secret)));
  assert.deepEqual(racers.map(({ status }) => status).sort(), [201, 404, 404, 404], "one of those at the same time");
  const tablet = new Person(one, racers.find(({ status }) => status === 201).json);

  // One is logged out from another: its token is worth nothing, its sockets close, and nobody else's.
  const sockets = [await listening(ann, other), await listening(phone, one), await listening(tablet, one)];
  const stays = await listening(bob);
  const closed = [];
  sockets.forEach((socket, i) => void socket.closed.then(() => closed.push(i)));
  const mine = (await devices(phone)).find(({ current }) => current).id;
  refused(await bob.post("/api/session/logout", { device: mine }), 404, "NOT_FOUND");
  refused(await ann.post("/api/session/logout", { device: 7 }), 400, "BAD_REQUEST");
  const back = await link(phone); // by which it would come back
  const gone = accepted(await ann.post("/api/session/logout", { device: mine }));
  assert.deepEqual(gone, {});
  refused(await claim(other, back.secret), 404, "LINK_GONE");
  await until(() => closed.length > 0, "the socket of the phone stays open");
  assert.deepEqual(closed, [1]);
  await until(async () => (await phone.get("/api/session")).status === 401);
  await Promise.all([isOut(new Person(one, { ...phone, playerId })), isIn(ann), isIn(tablet)]);
  refused(await ann.post("/api/session/logout", { device: mine }), 404, "NOT_FOUND");

  // All others, then this one, whose cookie goes as well.
  accepted(await tablet.post("/api/session/logout", { others: true }));
  await until(() => closed.length === 2, "the socket of the first device stays open");
  assert.deepEqual(closed, [1, 0]);
  await until(async () => (await ann.get("/api/session")).status === 401);
  assert.deepEqual((await devices(tablet)).length, 1);
  const second = await another(tablet, other);
  const out = await tablet.post("/api/session/logout");
  accepted(out);
  assert.match(out.headers["set-cookie"][0], /^oyster_session=; .*Max-Age=0/);
  await sockets[2].closed;
  await isOut(tablet);
  await isIn(second);

  // Everywhere, and a renewed token, end all of them; so does a link that was made before.
  const third = await another(second, one);
  const fresh = accepted(await third.post("/api/session/renew")).token;
  await until(async () => (await second.get("/api/session")).status === 401);
  await isOut(third);
  third.token = fresh;
  assert.equal((await devices(third)).length, 1);
  const late = await link(third);
  accepted(await third.post("/api/session/logout", { everywhere: true }));
  await isOut(third);
  refused(await claim(other, late.secret), 404, "LINK_GONE");
  await isIn(bob);
  assert.ok(!stays.ended, "nobody else's");
  await stays.kill();

  // What a device was permitted before it was logged out is worth nothing afterwards, at the other server either.
  const cy = await one.person("Cy");
  const lost = await another(cy, one);
  const [early, same] = [await greeted(other), await greeted(other)];
  const channel = `private-player-${cy.id}`;
  const permission = accepted(await authorise(lost, early.id, channel));
  const good = accepted(await authorise(cy, same.id, channel));
  accepted(await cy.post("/api/session/logout", { others: true }));
  early.say("pusher:subscribe", { ...permission, channel });
  const { code: closedWith, events } = await early.end();
  assert.ok(!events.some(({ event }) => event.includes("succeeded")), JSON.stringify(events));
  assert.notEqual(closedWith, 1000);
  same.say("pusher:subscribe", { ...good, channel });
  await same.until("pusher_internal:subscription_succeeded", channel);
  await same.kill();

  // A device that asks for a link or a new token while it is logged out gets neither.
  for (let i = 0; i < 20; i++) {
    const [way, status] = i % 2 ? ["renew", 200] : ["link", 201];
    const thief = await another(cy, one);
    const [done, got] = await Promise.all([
      cy.post("/api/session/logout", { others: true }),
      thief.post(`/api/session/${way}`),
    ]);
    if (way === "renew" && got.status === status && done.status !== 200) {
      cy.token = got.json.token; // the other way round: it came first
      continue;
    }
    accepted(done);
    await isIn(cy);
    if (got.status !== status) continue;
    if (way === "link") refused(await claim(one, got.json.secret), 404, "LINK_GONE");
    else await isOut(new Person(one, got.json));
  }

  // Who is erased is gone from all devices.
  const eve = await one.person("Eve");
  const both = [eve, await another(eve, other)];
  const last = await link(eve);
  accepted(await both[1].post("/api/session/erase", { erase: true }));
  for (const each of both) await until(async () => (await each.get("/api/session")).status === 401);
  refused(await claim(one, last.secret), 404, "LINK_GONE");
}

await test("a person's devices: memory", () => serving([], (server) => live(server, server)));

await test("a person's devices: SQLite, also after a restart and when a link is too old", async () => {
  const folder = await mkdtemp(join(tmpdir(), "oyster-devices-"));
  const flags = ["--store", `sqlite:${join(folder, "store")}`];
  let ann, phone, old;
  await serving(flags, async (server) => {
    await live(server, server);
    ann = await server.person("Ann");
    phone = await another(ann);
    old = await link(ann);
  });
  const later = { LD_PRELOAD: join(dirname(resolve(program)), "tests/libskew.so"), SKEW_MS: 11 * 60000 };
  await serving(
    flags,
    async (server) => {
      ann.server = phone.server = server;
      await Promise.all([isIn(ann), isIn(phone)]);
      refused(await claim(server, old.secret), 404, "LINK_GONE");
      accepted(await phone.post("/api/session/logout", { others: true }));
      await isOut(ann);
    },
    { env: later },
  );
  await rm(folder, { recursive: true });
});

await test("a person's devices: Redis, at two servers", async () => {
  const redis = await Redis.start();
  const cluster = await Cluster.start(program, { count: 2, redis, flags: generous.slice(2) });
  try {
    await live(...cluster.nodes);
  } finally {
    await cluster.stop();
    await redis.remove();
  }
});

await test("links are limited like new people, and devices to ten", () =>
  serving(["--sessions-per-minute", "30"], async (server) => {
    const ann = await server.person("Ann");
    for (let i = 1; i < 10; i++) await another(ann);
    assert.equal((await devices(ann)).length, 10);
    const { secret } = await link(ann);
    refused(await claim(server, secret), 409, "TOO_MANY_DEVICES");
    accepted(await ann.post("/api/session/logout", { device: (await devices(ann)).find((one) => !one.current).id }));
    refused(await claim(server, secret), 404, "LINK_GONE"); // the one that is gone may have made it
    accepted(await claim(server, (await link(ann)).secret), 201);
    const tries = [];
    for (let i = 0; i < 40; i++) tries.push((await claim(server, "0".repeat(32))).status);
    assert.ok(tries.filter((status) => status === 404).length <= 19, String(tries));
    assert.equal(tries.at(-1), 429);
  }));

await test("pages of other sites can neither make a link nor use one", () =>
  serving([], async (server) => {
    const ann = await server.person("Ann");
    const headers = { origin: "http://elsewhere.example" };
    refused(await ann.request("POST", "/api/session/link", { body: {}, headers }), 403, "FORBIDDEN");
    refused(await claim(server, (await link(ann)).secret, headers), 403, "FORBIDDEN");
  }));

finish();
