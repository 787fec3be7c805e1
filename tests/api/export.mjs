// node tests/api/export.mjs PROGRAM CHECK_STORE: finished games go from Redis into an SQLite file, however often
// that is interrupted; Redis forgets what is archived only when the file has it; a world that goes on is exported
// again.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person, Server, finish, playToTheEnd, random, test } from "./client.mjs";
import { Cluster } from "./nodes.mjs";
import { Promises } from "./promises.mjs";
import { until } from "./tools.mjs";

const [program, checker] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "oyster-export-"));
const file = join(folder, "games.db");
const cluster = await Cluster.start(program, {
  count: 1,
  flags: [
    "--actions-per-second",
    "100000",
    "--actions-burst",
    "100000",
    "--worlds-per-player",
    "1000",
    "--archive-after-ms",
    "500",
    "--log-level",
    "error",
  ],
});
const {
  redis,
  nodes: [node],
} = cluster;
const [ann, bob] = await Promise.all(["Ann", "Bob"].map((name) => node.person(name)));
const played = new Map(); // what each world's log came to

function run(killAfterMs) {
  const child = spawn(program, ["export", "--finished", cluster.store, file]);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data) => {
      text += data;
    });
  const timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs ?? 60000);
  return new Promise((resolve) =>
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, text });
    }),
  );
}

async function play(code, seed) {
  await Promise.all([ann, bob].map((person, i) => playToTheEnd(person, code, random(seed + i), { pause: 1 })));
  played.set(code, (await ann.world(code)).version);
}

// The file has every world up to that version, every log in it folds, and people have won there what they won here.
async function check({ all = true } = {}) {
  const promises = new Promises(checker, file);
  for (const [code, version] of played) promises.seen(code, version);
  for (const person of all ? [ann, bob] : []) {
    const [{ played: count, won }] = (await person.get("/api/statistics")).json.games;
    promises.games(person.id, count, won);
  }
  const lines = (await promises.check()).trim().split("\n");
  assert.deepEqual(lines.sort(), [...played].map(([code, version]) => `${code} ${version} game_over`).sort());
}
const waiting = async () => Number((await redis.ask("ZCARD", "oyster:finished"))[0].slice(1));
const archived = () =>
  until(async () => (await redis.ask("ZCARD", "oyster:over"))[0] === ":0", "they are not archived");
const expiry = async (code) => Number((await redis.ask("PTTL", `oyster:{${code}}:log`))[0].slice(1));

await test("a store without finished games exports none, and from then on keeps what is finished", async () => {
  const { code, text } = await run();
  assert.deepEqual([code, text], [0, "0 worlds exported\n"]);
});

// One of them was public, and its log is longer than an answer.
await test("games are played, and archived without being forgotten", async () => {
  const one = async (i) => {
    const { roomCode } = await ann.create("4-kate", { public: i === 0, settings: { speed: "instant" } });
    await bob.join(roomCode);
    const speed = (at) => ann.act(roomCode, { type: "set-settings", payload: { speed: at % 2 ? "instant" : "fast" } });
    for (let at = 0; i === 0 && at < 1050; at += 50)
      await Promise.all(Array.from({ length: 50 }, (_, more) => speed(more)));
    assert.equal((await ann.act(roomCode, { type: "start" })).status, 200);
    await play(roomCode, i);
  };
  await Promise.all(Array.from({ length: 10 }, (_, i) => one(i)));
  assert.equal(await waiting(), 10);
  await archived();
  for (const code of played.keys()) assert.equal(await expiry(code), -1);
});

await test("an export that is killed again and again loses none", async () => {
  let killed = 0;
  for (let i = 0; i < 12; i++) killed += (await run(2 + 3 * i)).code === null;
  assert.ok(killed > 0);
  const { code, text } = await run();
  assert.equal(code, 0, text);
  assert.equal(await waiting(), 0);
  await check();
  for (const each of played.keys()) assert.ok((await expiry(each)) > 1000 * 3600 * 24 * 29);
});

await test("a world that goes on is exported again, and not before it is finished", async () => {
  const [again] = played.keys();
  assert.equal((await ann.act(again, { type: "play-again" })).status, 200);
  assert.equal(await expiry(again), -1);
  assert.equal((await run()).text, "0 worlds exported\n");
  await play(again, 99);
  assert.equal((await run()).text, "1 worlds exported\n");
  await check();
});

await test("a game counts in the file for nobody who had their statistics deleted", async () => {
  const { roomCode } = await ann.create("4-kate", { settings: { speed: "instant" } });
  await bob.join(roomCode);
  assert.equal((await ann.act(roomCode, { type: "start" })).status, 200);
  const before = (await bob.get("/api/statistics")).json.games[0]; // is in the file, and stays there
  await play(roomCode, 150);
  assert.equal((await bob.post("/api/statistics/delete", { delete: true })).status, 200);
  assert.equal((await run()).text, "1 worlds exported\n");
  const promises = new Promises(checker, file);
  promises.games(bob.id, before.played, before.won);
  const ours = (await ann.get("/api/statistics")).json.games[0];
  promises.games(ann.id, ours.played, ours.won);
  await promises.check();
});

await test("a log that was taken away is told of, is never asked for without end, and hides no other", async () => {
  const codes = [];
  for (let i = 0; i < 2; i++) {
    const { roomCode } = await ann.create("4-kate", { settings: { speed: "instant" } });
    await bob.join(roomCode);
    assert.equal((await ann.act(roomCode, { type: "start" })).status, 200);
    await play(roomCode, 200 + i);
    codes.push(roomCode);
  }
  const [gone] = codes;
  await redis.ask("DEL", `oyster:{${gone}}:log`);
  const { code, text } = await run(30000);
  assert.equal(code, 2);
  // Some worlds may be exported twice, if they were archived again meanwhile.
  assert.match(text, new RegExp(`${gone}: its log has a gap; it stays where it is\n[1-9]\\d* worlds exported`));
  played.delete(gone);
  await check({ all: false });
  // More worlds that cannot be exported than a page of the list holds; each of them is reported once.
  const bad = Array.from(
    { length: 150 },
    (_, i) => `BAD${String.fromCharCode(65 + i / 26)}${String.fromCharCode(65 + (i % 26))}A`,
  );
  for (const each of bad) {
    await redis.ask("COPY", `oyster:{${gone}}`, `oyster:{${each}}`);
    await redis.ask("HSET", `oyster:{${each}}`, "code", each);
    await redis.ask("ZADD", "oyster:finished", "1", `"0000000000000001 ${each}"`);
  }
  const { roomCode: last } = await ann.create("4-kate", { settings: { speed: "instant" } });
  await bob.join(last);
  assert.equal((await ann.act(last, { type: "start" })).status, 200);
  await play(last, 202);
  const behind = await run(30000);
  assert.equal(behind.code, 2);
  for (const each of [...bad, gone])
    assert.equal(behind.text.split(`${each}: its log has a gap`).length, 2, behind.text);
  assert.match(behind.text, /\n[1-9]\d* worlds exported/);
  await check({ all: false });
  for (const each of bad) await redis.ask("DEL", `oyster:{${each}}`);
  await archived();
  assert.equal((await run()).text.match(/has a gap/g).length, 1);
  assert.equal(await waiting(), 1); // nor do those hide it that are not there at all
  const fresh = await cluster.begin(0); // one that has nothing in memory
  const answer = await new Person(fresh, { ...ann, playerId: ann.id }).get(`/api/worlds/${gone}`);
  assert.equal(`${answer.status} ${answer.json.code}`, "500 BROKEN");
  assert.match(fresh.log, /event=log_broken/);
  await fresh.stop();
  cluster.nodes = [node];
});

await test("a world of rules that a server does not know is refused there, and left as it is", async () => {
  const { roomCode } = await ann.create("4-kate");
  const key = `oyster:{${roomCode}}:log`;
  const entry = (await redis.ask("LINDEX", key, "0")).at(-1);
  assert.match(entry, / create \w+ 4-kate@1\.1 /);
  await redis.ask("LSET", key, "0", `"${entry.replace("@1.1", "@1.2")}"`);
  const older = await cluster.begin(0); // has nothing in memory
  const there = new Person(older, { ...ann, playerId: ann.id });
  for (const answer of [
    await there.get(`/api/worlds/${roomCode}`),
    await there.join(roomCode),
    await there.act(roomCode, { type: "start" }),
  ])
    assert.deepEqual(
      [answer.status, answer.json],
      [503, { error: "This world follows rules 1.2 of 4 Kate; this server has 1.1", code: "OTHER_RULES" }],
    );
  assert.equal((await redis.ask("LLEN", key)).at(-1), ":1");
  assert.equal((await there.create("4-kate")).status, "waiting", "others are made and played as always");
  assert.doesNotMatch(older.log, /log_broken/);
  await older.stop();
  cluster.nodes = [node];
});

await test("a password is used, and not told", async () => {
  await redis.ask("ACL", "SETUSER", "oyster", "on", ">a/b@c", "~oyster:*", "&oyster:*", "+@all");
  const store = cluster.store.replace("//", "//oyster:a%2Fb%40c@");
  const server = await Server.start(program, ["--store", store]);
  await until(() => server.log.includes(`store=${cluster.store} `), "it does not say where its store is");
  assert.equal((await server.person("Cy")).name, "Cy");
  await server.stop();
  assert.doesNotMatch(server.log, /a%2F/);
});

await test("what is finished waits for nobody in the file", async () => {
  const reader = await Server.start(program, ["--store", `sqlite:${file}`]);
  const { json } = await reader.request("GET", "/api/worlds?public=1");
  await reader.stop();
  assert.deepEqual(json.worlds, []);
});

await test("a world of which the file has another log is left alone", async () => {
  const [shorter, other] = [...played.keys()].slice(2),
    before = await waiting();
  const key = (code) => `oyster:{${code}}`;
  const value = async (...words) => (await redis.ask(...words)).at(-1);
  await redis.ask("RPOP", `${key(shorter)}:log`);
  await redis.ask("HSET", key(shorter), "version", played.get(shorter) - 1);
  const last = await value("LINDEX", `${key(other)}:log`, -1);
  // A moment later.
  await redis.ask("LSET", `${key(other)}:log`, -1, `"${last.replace(/^\d+/, (time) => `${Number(time) + 1}`)}"`);
  for (const code of [shorter, other])
    await redis.ask("ZADD", "oyster:finished", 1, `"${await value("HGET", key(code), "place")} ${code}"`);
  const { code, text } = await run();
  assert.equal(code, 2);
  for (const each of [shorter, other])
    assert.match(text, new RegExp(`${each}: the other store has another log of it; it stays where it is`));
  assert.equal(await waiting(), before + 2);
  await check({ all: false });
});

await test("what cannot be is said", async () => {
  const wrong = async (words, found) => {
    const child = spawn(program, ["export", ...words]);
    let text = "";
    child.stderr.on("data", (data) => {
      text += data;
    });
    const code = await new Promise((resolve) => child.on("exit", resolve));
    assert.equal(code, 2);
    assert.match(text, found);
  };
  await wrong(["--finished", "memory", file], /Only a store on Redis is exported/);
  await wrong(["--finished", "redis://127.0.0.1:1/0", file], /cannot be reached/);
  await wrong(["--finished", cluster.store], /try: oyster export --finished/);
});

await cluster.stop();
await redis.remove();
await rm(folder, { recursive: true });
finish();
