// node tests/api/host.mjs PROGRAM: what a host sees and does behind the two tokens, and that others do neither.
import { Server, finish, test } from "./client.mjs";
import { Cluster } from "./nodes.mjs";
import { greeted, subscribe } from "./raw_socket.mjs";
import { accepted, assert, generous, refused, table, until } from "./tools.mjs";

const [program] = process.argv.slice(2);
const reader = "a-token-that-only-shows";
const writer = "a-token-that-also-acts_1";
const tokens = ["--host-token", reader, "--host-write-token", writer, "--log-level", "error"];
const own = (server, token) => ({
  get: (path = "") => server.request("GET", `/api/host${path}`, { token }),
  post: (path, body) => server.request("POST", `/api/host${path}`, { token, body }),
});
const acts = [
  ["/message", { text: "x" }],
  ["/drain", { on: true }],
  ["/ban", { playerId: "pabc" }],
];

await test("without a token in the settings there is nothing", async () => {
  const server = await Server.start(program, generous);
  for (const token of [undefined, "", writer])
    for (const path of ["", "/worlds", "/people"]) refused(await own(server, token).get(path), 404, "NOT_FOUND");
  for (const [path, body] of acts) refused(await own(server, writer).post(path, body), 404, "NOT_FOUND");
  await server.stop();
});

await test("wrong tokens are refused and limited; a right one is not held up by that elsewhere", async () => {
  const server = await Server.start(program, [...generous, ...tokens, "--trust-proxy", "yes"]);
  const from = (address, token) =>
    server.request("GET", "/api/host", { token, headers: { "x-forwarded-for": address } });
  refused(await from("10.0.0.1"), 401, "UNAUTHENTICATED");
  const statuses = [];
  for (let i = 0; i < 30; i++) statuses.push((await from("10.0.0.1", `${writer}${i}`)).status);
  assert.deepEqual([...new Set(statuses)], [401, 429]);
  assert.ok(statuses.indexOf(429) <= 10, statuses.join(" "));
  refused(await from("10.0.0.1", writer), 429, "RATE_LIMITED"); // nobody can tell whether it was right
  accepted(await from("10.0.0.2", writer));
  for (let i = 0; i < 50; i++) accepted(await from("10.0.0.3", reader)); // right ones do not count
  for (let i = 0; i < 100; i++) await from(`10.0.1.${i % 20}`, `${writer}${i}`);
  accepted(await from("10.0.0.4", writer)); // strangers cannot keep the host away, however many they are
  await server.stop();
});

const server = await Server.start(program, [...generous, ...tokens]);
const [ann, bob] = [await server.person("Ann"), await server.person("Bob")];
const code = await table([ann, bob], "4-kate");
const shows = own(server, reader);
const writes = own(server, writer);

await test("a host sees worlds, people and load; codes only with the token that acts", async () => {
  const socket = await greeted(server, { authorization: `Bearer ${ann.token}` });
  const state = accepted(await shows.get());
  assert.equal(state.mayWrite, false);
  assert.equal(accepted(await writes.get()).mayWrite, true);
  assert.equal(state.load.worldsInMemory, 1);
  assert.equal(state.load.sockets, 1);
  assert.ok(state.now >= state.startedAt && state.load.memoryBytes > 0 && /^\d/.test(state.version));
  const [world] = accepted(await writes.get("/worlds")).worlds;
  assert.deepEqual(
    [world.roomCode, world.gameId, world.status, world.public, world.people],
    [code, "4-kate", "playing", false, 2],
  );
  assert.equal(accepted(await shows.get("/worlds")).worlds[0].roomCode, code[0]);
  const { people, after } = accepted(await shows.get("/people"));
  assert.deepEqual(people.map(({ name, sockets }) => [name, sockets]).sort(), [
    ["Ann", 1],
    ["Bob", 0],
  ]);
  assert.equal(after, null);
  for (const { token } of [ann, bob])
    assert.ok(!JSON.stringify([state, people]).includes(token), "no token of a person");
  socket.end?.();
});

await test("many people come in pages", async () => {
  await Promise.all(Array.from({ length: 300 }, (_, i) => server.person(`P${i}`)));
  const names = new Set();
  let after = "";
  let pages = 0;
  do {
    const page = accepted(await shows.get(`/people${after && `?after=${after}`}`));
    for (const { name } of page.people) names.add(name);
    after = page.after;
    pages++;
  } while (after);
  assert.deepEqual([names.size, pages], [302, 2]);
  for (const odd of ["x", "-1.5", "99.99", "1.-3", "0.99999999999999999999"])
    accepted(await shows.get(`/people?after=${odd}`));
  const gone = await server.person("Gone");
  accepted(await gone.post("/api/session/erase", { erase: true }));
  assert.deepEqual(accepted(await shows.get("/people?after=0.302")).people, []);
});

await test("a token that shows does nothing, and pages of other sites do nothing", async () => {
  for (const [path, body] of acts) refused(await shows.post(path, body), 403, "FORBIDDEN");
  refused(
    await server.request("POST", "/api/host/drain", {
      token: writer,
      body: { on: true },
      headers: { origin: "https://elsewhere.example" },
    }),
    403,
    "FORBIDDEN",
  );
  assert.equal(accepted(await shows.get()).draining, false);
});

await test("drain: not ready and no new worlds, while games go on; and back", async () => {
  accepted(await writes.post("/drain", { on: true }));
  refused(await server.request("GET", "/readyz"), 503, "UNAVAILABLE");
  refused(await ann.post("/api/worlds", { gameId: "4-kate" }), 503, "UNAVAILABLE");
  accepted(await ann.act(code, { type: "chat", payload: { text: "on" } }));
  accepted(await writes.post("/drain", { on: false }));
  assert.equal((await server.request("GET", "/readyz")).status, 200);
  accepted(await ann.post("/api/worlds", { gameId: "4-kate" }), 201);
  refused(await writes.post("/drain", { on: 1 }), 400, "BAD_REQUEST");
});

await test("a banned person has no session any longer; a banned address is not served until it is again", async () => {
  accepted(await writes.post("/ban", { playerId: bob.id }));
  refused(await bob.get("/api/session"), 401, "UNAUTHENTICATED");
  assert.equal((await ann.get("/api/session")).status, 200);
  refused(await writes.post("/ban", { playerId: "nobody" }), 404, "NOT_FOUND");
  for (const body of [{}, { address: "" }, { address: "1.2.3.4", hours: -1 }, { address: "1.2.3.4", hours: 1e6 }])
    refused(await writes.post("/ban", body), 400, "BAD_REQUEST");
  accepted(await writes.post("/ban", { address: "127.0.0.1", hours: 1 }));
  refused(await ann.get("/api/session"), 403, "FORBIDDEN");
  refused(await server.request("POST", "/api/session", { body: { name: "New" } }), 403, "FORBIDDEN");
  assert.equal((await server.request("GET", "/healthz")).status, 200);
  assert.deepEqual(
    accepted(await writes.get()).bans.map(({ address }) => address),
    ["127.0.0.1"],
  );
  accepted(await writes.post("/ban", { address: "127.0.0.1", hours: 0 }));
  assert.equal((await ann.get("/api/session")).status, 200);
});
await server.stop();

await test("several servers: a message, a ban and a person's end are known at all of them", async () => {
  const cluster = await Cluster.start(program, { count: 2, flags: [...generous.slice(2), ...tokens] });
  const [here, there] = cluster.nodes;
  const cy = await there.person("Cy");
  const room = await table([cy], "4-kate");
  const socket = await greeted(there, { authorization: `Bearer ${cy.token}` });
  await subscribe(cy, socket, `presence-room-${room}`);
  accepted(await own(here, writer).post("/message", { text: 'Back in "five" minutes' }));
  const { data } = await socket.until("host-message");
  assert.deepEqual(typeof data === "string" ? JSON.parse(data) : data, { text: 'Back in "five" minutes' });
  refused(await own(here, writer).post("/message", { text: "" }), 400, "BAD_REQUEST");
  refused(await own(here, writer).post("/message", { text: "x".repeat(501) }), 400, "BAD_REQUEST");
  assert.equal(accepted(await own(here, reader).get("/worlds")).worlds.length, 1);
  accepted(await own(here, writer).post("/ban", { playerId: cy.id }));
  await until(async () => (await cy.get("/api/session")).status === 401, "the other server still knows them");
  accepted(await own(here, writer).post("/ban", { address: "127.0.0.1", hours: 1 }));
  await until(
    async () => (await there.request("GET", "/api/session", { token: "x" })).status === 403,
    "the other server still serves",
  );
  await cluster.stop();
  await cluster.redis.remove();
});

finish();
