// node tests/api/shared_limits.mjs PROGRAM: somebody who asks three servers on one Redis at the same time gets no
// more than one server would give, but for what is on its way when it begins.
import assert from "node:assert/strict";
import { finish, sleep, test } from "./client.mjs";
import { Cluster, Redis } from "./nodes.mjs";

const [program] = process.argv.slice(2);
const RATE = 10,
  BURST = 40,
  SESSIONS = 40,
  JOINS = 14,
  JOINS_IN_ALL = 36;
const cluster = await Cluster.start(program, {
  redis: await Redis.start(["--appendfsync", "everysec"]),
  flags: [
    "--actions-per-second",
    RATE,
    "--actions-burst",
    BURST,
    "--sessions-per-minute",
    SESSIONS,
    "--failed-joins-per-minute",
    JOINS,
    "--failed-joins-per-minute-in-all",
    JOINS_IN_ALL,
    "--trust-proxy",
    "yes",
    "--log-level",
    "error",
  ],
});

const [ann, bob] = await Promise.all(["Ann", "Bob"].map((name, i) => cluster.nodes[i].person(name)));

// How many of these were not refused for being too many, all servers at the same time, until `ms` are over.
async function granted(ms, ask) {
  const begin = Date.now();
  let count = 0,
    next = 0;
  await Promise.all(
    cluster.nodes.map(async (node) => {
      while (Date.now() - begin < ms) {
        const { status } = await ask(node, next++);
        count += status !== 429;
        await sleep(20);
      }
    }),
  );
  return { count, asked: next, seconds: (Date.now() - begin) / 1000 };
}

// A server says at once when somebody has taken a quarter of what may be taken at once, so others miss little more than
// that; on a busy machine word takes longer. Servers that share nothing would give three times as much.
const between = (what, { count, asked, seconds }, burst, rate) => {
  const most = burst + rate * seconds,
    late = burst / 2;
  console.log(`# ${what}: ${count} of ${asked} in ${seconds} s, ${most.toFixed(1)} allowed at one server`);
  assert.ok(count <= most + burst, `${count} of ${most}`);
  assert.ok(count >= Math.min(asked, most - late - 2), `only ${count} of ${most}`);
};

await test("actions of one person", async () => {
  const { roomCode } = await ann.create("4-kate");
  await sleep(1500); // the bucket is full again
  const ask = (node, i) =>
    node.request("POST", "/api/game/action", {
      token: ann.token,
      body: { roomCode, type: "say", payload: { text: `${i}` } },
    });
  between("actions", await granted(2500, ask), BURST, RATE);
});

await test("new people from one address", async () => {
  const taken = 2;
  const { count, asked, seconds } = await granted(1200, (node, i) =>
    node.request("POST", "/api/session", { body: { name: `P${i}` } }),
  );
  between("sessions", { count: count + taken, asked: asked + taken, seconds }, SESSIONS, SESSIONS / 60);
});

// Each answer is delayed, so only a few codes can be tried in this time.
const codes = "ABCDEFGHJK";
const look = (address) => (node, i) =>
  node.request("GET", `/api/worlds/ZZZZ${codes[i % 10]}${codes[Math.floor(i / 10) % 10]}`, {
    token: bob.token,
    headers: address ? { "x-forwarded-for": address(i) } : {},
  });
let tried = 0;
await test("codes without a world that one address tries", async () => {
  const found = await granted(1500, look());
  tried = found.count;
  between("failed joins", found, JOINS, JOINS / 60);
});

await test("codes without a world that many addresses try", async () => {
  between(
    "failed joins in all",
    await granted(
      1500,
      look((i) => `192.0.2.${i % 250}`),
    ),
    JOINS_IN_ALL - tried,
    JOINS_IN_ALL / 60,
  );
});

await cluster.stop();
await cluster.redis.remove();
finish();
