// node tests/api/lost_tail.mjs PROGRAM: a Redis that writes once a second loses power, and with it the last moves. All
// servers notice, say so and go on from the same, older log; people who listen see the table as it is, and play on.
import assert from "node:assert/strict";
import { readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Person, Server, finish, playToTheEnd, random, sleep, test } from "./client.mjs";
import { Cluster, Redis } from "./nodes.mjs";
import { until } from "./tools.mjs";
import { Window } from "./window.mjs";

const [program] = process.argv.slice(2);
const redis = await Redis.start(["--appendfsync", "everysec"]);
const cluster = await Cluster.start(program, {
  flags: ["--actions-per-second", "1000", "--actions-burst", "1000", "--log-level", "warn"],
  redis,
});
const people = await Promise.all(["Ann", "Bob", "Cy"].map((name, i) => cluster.nodes[i].person(name)));
const [ann] = people;
const { roomCode } = await ann.create("up-n-down", { settings: { speed: "instant" } });
for (const person of people.slice(1)) assert.equal((await person.join(roomCode)).status, 200);
assert.equal((await ann.act(roomCode, { type: "start" })).status, 200);
const windows = await Promise.all(people.map((person) => Window.open(person, roomCode)));
const logAt = async (i) =>
  (await new Person(cluster.nodes[i], { ...ann, playerId: ann.id }).get(`/api/worlds/${roomCode}/log`)).text;
const versions = () => Promise.all(people.map(async (person) => (await person.world(roomCode)).version));

// Makes so many moves, each by the person who is awaited.
async function play(moves) {
  for (let done = 0; done < moves; ) {
    for (const person of people) {
      const { view, you } = await person.world(roomCode);
      if (!view?.turn.includes(you.seatIndex) || view.legal.length === 0) continue;
      const { type, payload } = view.legal[0];
      done += (await person.act(roomCode, { type, payload })).status === 200;
    }
  }
  await until(async () => new Set(await versions()).size === 1, "the servers do not agree");
}

// Where the log of Redis ends by now; it writes at once what it flushes later, unless it is flushing just then.
async function ending() {
  const isWritten = async () => (await redis.ask("INFO", "persistence")).includes("aof_buffer_length:0");
  await until(isWritten, "Redis does not write its log");
  const folder = join(redis.folder, "appendonlydir");
  const name = (await readdir(folder)).find((file) => file.endsWith(".incr.aof"));
  return { path: join(folder, name), size: (await stat(join(folder, name))).size };
}

let kept, lost, before;
await test("moves are made, and the last of them never reach the disk", async () => {
  await play(6);
  [kept] = await versions();
  const { path, size } = await ending();
  before = await logAt(0);
  await play(6);
  [lost] = await versions();
  assert.ok(lost > kept);
  for (const window of windows) await window.reached(lost);
  await redis.kill();
  await truncate(path, size);
  await redis.begin();
});

await test("every server notices, says so, and has the same older log", async () => {
  const words = `event=went_back world=${roomCode} from=${lost} to=${kept}`;
  await until(
    async () => cluster.nodes.every((node) => node.log.includes(words)),
    `not everybody has noticed: ${cluster.nodes.map((node) => node.log).join("\n")}`,
    20000,
  );
  await until(
    async () => (await Promise.all([0, 1, 2].map(logAt))).every((text) => text === before),
    "their logs differ",
  );
  assert.deepEqual(await versions(), [kept, kept, kept]);
});

await test("who listens is shown the table as it is", async () => {
  for (const [i, window] of windows.entries()) {
    await window.until(() => window.version === kept, "the older view");
    assert.deepEqual(window.view.turn, (await people[i].world(roomCode)).view.turn);
  }
});

await test("the game goes on from there to its end, with one log", async () => {
  const ends = await Promise.all(people.map((person, i) => playToTheEnd(person, roomCode, random(i + 1))));
  assert.ok(ends.every(({ world }) => world.status === "game_over"));
  const logs = await Promise.all([0, 1, 2].map(logAt));
  assert.ok(logs.every((text) => text === logs[0]));
  for (const window of windows) await window.reached(ends[0].world.version);
});

for (const window of windows) window.close();
await test("a Redis that is gone is told of, and so is its return, though nobody plays", async () => {
  const last = (node, event) => node.log.lastIndexOf(`event=${event}`);
  const back = () => cluster.nodes.every((node) => last(node, "store_back") >= last(node, "store_lost"));
  await until(back, "nobody says that it came back before");
  const marks = cluster.nodes.map(({ log }) => log.length);
  await redis.kill();
  await until(
    () => cluster.nodes.every((node, i) => last(node, "store_lost") > marks[i]),
    "nobody says that it is gone",
  );
  await redis.begin();
  await until(back, "nobody says that it is back");
});

await test("a server whose Redis nobody knows by its name any more answers all the same", async () => {
  const lost = join(redis.folder, "names-lost");
  const server = await Server.start(
    program,
    ["--store", cluster.store.replace("127.0.0.1", "localhost"), "--log-level", "warn"],
    { env: { LD_PRELOAD: join(dirname(resolve(program)), "tests/libnames.so"), NAMES_LOST: lost } },
  );
  await writeFile(lost, "");
  await redis.kill();
  for (let i = 0; i < 20; i++) {
    assert.equal((await server.request("GET", "/healthz")).status, 200);
    await sleep(20);
  }
  await redis.begin();
  await rm(lost);
  const listens = async () =>
    Number((await redis.ask("PUBSUB", "NUMSUB", "oyster:0:"))[1].slice(1)) === cluster.nodes.length + 1;
  await until(listens, "it does not listen again");
  await until(async () => (await server.request("GET", "/readyz")).status === 200, "it has no store");
  await server.stop();
});

await test("the servers end in peace", async () => {
  for (const { code } of await cluster.stop()) assert.equal(code, 0);
});
await redis.remove();
finish();
