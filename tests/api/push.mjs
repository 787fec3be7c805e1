// node tests/api/push.mjs PROGRAM: being called when the page is closed (Web Push), with a push service of the test's
// own that speaks TLS and opens what arrives as a browser would. Tried with each kind of store.
import { execFileSync } from "node:child_process";
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finish, Person, Server, test } from "./client.mjs";
import { Cluster, Redis } from "./nodes.mjs";
import { greeted, subscribe } from "./raw_socket.mjs";
import { accepted, assert, generous, refused, table, until } from "./tools.mjs";

const [program = "build/oyster"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "oyster-push-"));
const file = (name) => join(folder, name);

// ---- The push service ----

execFileSync("openssl", [
  ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split(" "),
  ..."-addext subjectAltName=DNS:localhost -keyout".split(" "),
  file("key.pem"),
  "-out",
  file("certificate.pem"),
]);
const arrived = []; // in order: path, headers, body
const answers = new Map(); // by path: the status instead of 201
const service = https.createServer(
  { key: readFileSync(file("key.pem")), cert: readFileSync(file("certificate.pem")) },
  (request, answer) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const { url: path, headers, method } = request;
      arrived.push({ path, headers, method, body: Buffer.concat(parts) });
      answer.writeHead(answers.get(path) ?? 201, { location: "https://localhost:1/elsewhere" });
      answer.end("x".repeat(answers.has(path) ? 100 : 100000)); // much longer than anybody reads
    });
  },
);
await new Promise((resolve) => service.listen(0, "127.0.0.1", resolve));
const origin = `https://localhost:${service.address().port}`;
const flags = [
  ...generous.slice(2),
  ..."--push-anywhere yes --away-ms 60000 --public-url https://oyster.example --push-certificates".split(" "),
  file("certificate.pem"),
];

// ---- A browser ----

const from64 = (text) => Buffer.from(text, "base64url");
let devices = 0;

class Device {
  constructor() {
    this.path = `/device/${++devices}`;
    this.ecdh = createECDH("prime256v1");
    this.ecdh.generateKeys();
    this.auth = randomBytes(16);
  }
  subscription(more = {}) {
    const keys = { p256dh: this.ecdh.getPublicKey("base64url"), auth: this.auth.toString("base64url") };
    return { endpoint: origin + this.path, keys, ...more };
  }
  messages() {
    return arrived.filter(({ path }) => path === this.path);
  }
  // RFC 8291, from the browser's side.
  open({ body }) {
    const salt = body.subarray(0, 16);
    assert.equal(body[20], 65);
    const sender = body.subarray(21, 86);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.ecdh.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync("sha256", this.ecdh.computeSecret(sender), this.auth, info, 32));
    const key = Buffer.from(hkdfSync("sha256", secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16));
    const nonce = Buffer.from(hkdfSync("sha256", secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12));
    const sealed = body.subarray(86);
    const cipher = createDecipheriv("aes-128-gcm", key, nonce);
    cipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
  }
}

// RFC 8292: who sends is who was subscribed to, and the signature is for this service, now.
function checkSender({ headers }, serverKey) {
  const [, token, key] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization);
  assert.equal(key, serverKey);
  const [x, y] = [from64(key).subarray(1, 33), from64(key).subarray(33)].map((part) => part.toString("base64url"));
  const known = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const [head, claims, signature] = token.split(".");
  const signed = Buffer.from(`${head}.${claims}`);
  assert.ok(verify("sha256", signed, { key: known, dsaEncoding: "ieee-p1363" }, from64(signature)));
  const { aud, exp, sub } = JSON.parse(from64(claims));
  assert.deepEqual([aud, sub], [origin, "https://oyster.example"]);
  assert.ok(exp > Date.now() / 1000 && exp <= Date.now() / 1000 + 86400);
}

const keyOf = (server) => until(async () => (await server.request("GET", "/api/config")).json.push?.key, "no key");
const minute = () => Math.floor(Date.now() / 60000) % 1440;

// ---- What holds with every store ----

// Ann plays 4 Kate with Bob, who has left after his first move.
async function bobIsAwaited(ann, bob) {
  const code = await table([ann, bob], "4-kate");
  const view = await until(async () => {
    const world = await ann.world(code);
    return world.view?.turn.length > 0 && world.view;
  });
  if (view.turn[0] === 0) accepted(await ann.act(code, { type: "drop", payload: { column: 3 } }));
  return code;
}

async function callsPeople(server, other) {
  const key = await keyOf(server);
  assert.equal(await keyOf(other), key, "all servers have the same key");
  const [ann, bob, eve] = [await server.person("Ann"), await server.person("Bob"), await server.person("Eve")];
  const bobThere = new Person(other, { playerId: bob.id, name: bob.name, token: bob.token });
  const [phone, desk, asleep, gone] = [new Device(), new Device(), new Device(), new Device()];
  const everyDay = { turnMs: 5000, friends: [ann.id] };
  accepted(await bob.post("/api/push", phone.subscription(everyDay)));
  accepted(await bobThere.post("/api/push", desk.subscription({ turnMs: 0, friends: [eve.id] })));
  const quiet = { from: (minute() + 1430) % 1440, to: (minute() + 20) % 1440 };
  accepted(await bob.post("/api/push", asleep.subscription({ ...everyDay, quiet })));
  accepted(await bob.post("/api/push", gone.subscription(everyDay)));
  answers.set(gone.path, 410);

  const code = await bobIsAwaited(ann, bob);
  const [called] = await until(async () => phone.messages().length > 0 && phone.messages(), "nobody was called");
  assert.deepEqual(phone.open(called), { kind: "turn", code, gameId: "4-kate" });
  checkSender(called, key);
  assert.equal(called.method, "POST");
  assert.equal(called.headers["content-encoding"], "aes128gcm");
  assert.equal(called.headers.topic, `turn-${code}`);
  assert.ok(Number(called.headers.ttl) > 0);
  await until(async () => gone.messages().length > 0, "the other device was not called");

  // Somebody who is in Bob's own list calls him to a table, somebody else cannot; both are told the same.
  const { roomCode, invitation } = await ann.create("whos-deal");
  const stranger = (await eve.create("whos-deal")).roomCode;
  assert.deepEqual(accepted(await eve.post(`/api/worlds/${stranger}/call`, { playerId: bob.id })), {});
  await until(async () => desk.messages().length > 0, "a friend's call came to the device that wants it");
  assert.equal(desk.open(desk.messages()[0]).code, stranger);
  refused(await eve.post(`/api/worlds/${roomCode}/call`, { playerId: bob.id }), 404, "ROOM_NOT_FOUND");
  refused(await ann.post(`/api/worlds/${roomCode}/call`, {}), 400, "BAD_REQUEST");
  assert.deepEqual(accepted(await ann.post(`/api/worlds/${roomCode}/call`, { playerId: "p234567abcdefghi" })), {});
  assert.deepEqual(accepted(await ann.post(`/api/worlds/${roomCode}/call`, { playerId: bob.id })), {});
  const [, second] = await until(async () => phone.messages().length > 1 && phone.messages(), "no call to the table");
  assert.deepEqual(phone.open(second), { kind: "table", code: roomCode, gameId: "whos-deal", name: "Ann", invitation });
  assert.equal(second.body.length, called.body.length, "the length tells nothing");
  assert.equal(phone.messages().length, 2, "once for a turn, and nothing from a stranger");
  assert.equal(desk.messages().length, 1, "a device is called for what it wants");
  assert.equal(asleep.messages().length, 0, "quiet hours are quiet");
  assert.equal(gone.messages().length, 1, "a subscription that is gone is forgotten");

  // Who unsubscribes is called no more, nor who is logged out everywhere; phone and desk are the proof.
  accepted(await bob.post("/api/push", desk.subscription({ friends: [ann.id] })));
  accepted(await bob.post("/api/push/end", { endpoint: phone.subscription().endpoint }));
  accepted(await bob.post("/api/push/end", { endpoint: "https://nobody.example/" }));
  accepted(await ann.post(`/api/worlds/${roomCode}/call`, { playerId: bob.id }));
  await until(async () => desk.messages().length > 1, "the desk was not called");
  assert.equal(phone.messages().length, 2);
  return { ann, bob, roomCode, desk };
}

async function erasedAreNotCalled(server, { ann, bob, roomCode, desk }) {
  accepted(await bob.post("/api/session/erase", { erase: true }));
  const cy = await server.person("Cy");
  const proof = new Device();
  accepted(await cy.post("/api/push", proof.subscription({ friends: [ann.id] })));
  accepted(await ann.post(`/api/worlds/${roomCode}/call`, { playerId: bob.id }));
  accepted(await ann.post(`/api/worlds/${roomCode}/call`, { playerId: cy.id }));
  await until(async () => proof.messages().length > 0, "Cy was not called");
  assert.equal(desk.messages().length, 2);
}

async function serving(more, run) {
  const server = await Server.start(program, [...flags, ...more]);
  try {
    return await run(server);
  } finally {
    await server.stop();
  }
}

await Promise.all([
  test("people who want it are called, and nobody else: memory", () =>
    serving(["--store", "memory"], async (server) => erasedAreNotCalled(server, await callsPeople(server, server)))),
  test("the same with SQLite, whose key lasts", async () => {
    const store = ["--store", `sqlite:${file("store")}`];
    let key, left;
    await serving(store, async (server) => {
      key = await keyOf(server);
      left = await callsPeople(server, server);
    });
    await serving(store, async (server) => {
      assert.equal(await keyOf(server), key);
      const back = ({ id, name, token }) => new Person(server, { playerId: id, name, token });
      await erasedAreNotCalled(server, { ...left, ann: back(left.ann), bob: back(left.bob) });
    });
    const bytes = readFileSync(file("store"), "latin1");
    assert.ok(!bytes.includes(left.desk.path), "nothing of a subscription is left in the file");
  }),
  test("the same on Redis, with two servers", async () => {
    const redis = await Redis.start();
    const cluster = await Cluster.start(program, { count: 2, redis, flags });
    try {
      const [one, other] = cluster.nodes;
      await erasedAreNotCalled(one, await callsPeople(one, other));
    } finally {
      await cluster.stop();
      await redis.remove();
    }
  }),
]);

await test("somebody who is there, or comes back in time, is not called", () =>
  serving(["--store", "memory"], async (server) => {
    const [ann, bob] = [await server.person("Ann"), await server.person("Bob")];
    const [device, proof] = [new Device(), new Device()];
    accepted(await bob.post("/api/push", device.subscription({ turnMs: 5000 })));
    accepted(await ann.post("/api/push", proof.subscription({ turnMs: 5000 })));
    await keyOf(server);
    const code = await bobIsAwaited(ann, bob);
    const socket = await greeted(server);
    await subscribe(bob, socket, `presence-room-${code}`);
    const other = await bobIsAwaited(bob, ann); // now Ann is awaited there, and away
    await until(async () => proof.messages().length > 0, "Ann was not called");
    assert.equal(proof.open(proof.messages()[0]).code, other);
    assert.equal(device.messages().length, 0);
    socket.close?.();
  }));

await test("strangers cannot keep friends from calling", () =>
  serving(["--store", "memory"], async (server) => {
    const [ann, bob] = [await server.person("Ann"), await server.person("Bob")];
    const device = new Device();
    await keyOf(server);
    accepted(await bob.post("/api/push", device.subscription({ friends: [ann.id] })));
    for (const name of ["Eve", "Fay", "Gus"]) {
      const stranger = await server.person(name);
      const { roomCode } = await stranger.create("4-kate");
      for (let i = 0; i < 10; i++) accepted(await stranger.post(`/api/worlds/${roomCode}/call`, { playerId: bob.id }));
      refused(await stranger.post(`/api/worlds/${roomCode}/call`, { playerId: bob.id }), 429, "RATE_LIMITED");
    }
    const { roomCode } = await ann.create("4-kate");
    accepted(await ann.post(`/api/worlds/${roomCode}/call`, { playerId: bob.id }));
    await until(async () => device.messages().length > 0, "the friend was not heard");
    assert.equal(device.open(device.messages()[0]).name, "Ann");
    assert.equal(device.messages().length, 1);
  }));

await test("subscriptions are checked, and nobody has too many", () =>
  serving(["--store", "memory"], async (server) => {
    const ann = await server.person("Ann");
    const good = new Device().subscription();
    const bad = [
      {},
      { ...good, endpoint: "http://localhost/a" },
      { ...good, endpoint: "https://user@localhost/a" },
      { ...good, endpoint: `https://localhost/${"x".repeat(1100)}` },
      { ...good, keys: {} },
      { ...good, keys: { ...good.keys, auth: "AAAA" } },
      { ...good, keys: { ...good.keys, p256dh: Buffer.alloc(65, 4).toString("base64url") } },
      { ...good, turnMs: 4999 },
      { ...good, turnMs: 86400001 },
      { ...good, turnMs: "soon" },
      { ...good, quiet: { from: 1440, to: 0 } },
      { ...good, quiet: [1, 2] },
      { ...good, friends: "all" },
      { ...good, friends: [7] },
      { ...good, friends: Array(51).fill("p234567abcdefghi") },
    ];
    for (const each of bad) refused(await ann.post("/api/push", each), 400, "BAD_REQUEST");
    refused(await server.request("POST", "/api/push", { body: good }), 401, "UNAUTHENTICATED");
    refused(await ann.post("/api/push/end", {}), 400, "BAD_REQUEST");
    for (let i = 0; i < 8; i++) accepted(await ann.post("/api/push", new Device().subscription()));
    refused(await ann.post("/api/push", good), 429, "RATE_LIMITED", /8 devices/);
    const renewed = new Person(server, accepted(await ann.post("/api/session/renew"))); // other devices are logged out
    await until(async () => (await renewed.post("/api/push", good)).status === 200, "the others are still called");
    const { secret } = accepted(await renewed.post("/api/session/link"), 201);
    const claimed = await server.request("POST", "/api/session/claim", { body: { secret } });
    const phone = new Person(server, accepted(claimed, 201));
    for (let i = 0; i < 7; i++) accepted(await phone.post("/api/push", new Device().subscription()));
    const another = new Device().subscription();
    refused(await renewed.post("/api/push", another), 429, "RATE_LIMITED");
    accepted(await phone.post("/api/session/logout")); // takes its own with it, and no other's
    await until(async () => (await renewed.post("/api/push", another)).status === 200, "the phone is still called");
    for (let i = 0; i < 6; i++) {
      const more = new Device().subscription();
      await until(async () => (await renewed.post("/api/push", more)).status === 200);
    }
    refused(await renewed.post("/api/push", new Device().subscription()), 429, "RATE_LIMITED");
  }));

await test("a server that does not offer it says so; in earnest only the public internet is called", async () => {
  await serving(["--store", "memory", "--push", "no"], async (server) => {
    const ann = await server.person("Ann");
    assert.equal((await server.request("GET", "/api/config")).json.push, undefined);
    refused(await ann.post("/api/push", new Device().subscription()), 404, "NOT_FOUND");
  });
  const earnest = flags.map((flag, i) => (flags[i - 1] === "--push-anywhere" ? "no" : flag));
  const server = await Server.start(program, [...earnest, "--store", "memory"]);
  try {
    await keyOf(server);
    const [ann, bob] = [await server.person("Ann"), await server.person("Bob")];
    refused(await bob.post("/api/push", new Device().subscription()), 400, "BAD_REQUEST"); // it has a port
    const inner = { ...new Device().subscription({ friends: [ann.id] }), endpoint: "https://localhost/inner" };
    accepted(await bob.post("/api/push", inner));
    const { roomCode } = await ann.create("4-kate");
    accepted(await ann.post(`/api/worlds/${roomCode}/call`, { playerId: bob.id }));
    const metrics = async () => (await server.request("GET", "/metrics")).text;
    await until(async () => /^oyster_push_failed_total 1$/m.test(await metrics()), "it did not fail");
    assert.match(await metrics(), /^oyster_push_sent_total 0$/m);
  } finally {
    await server.stop();
  }
});

service.close();
service.closeAllConnections();
await rm(folder, { recursive: true });
finish();
