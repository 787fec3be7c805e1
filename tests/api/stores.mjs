// node tests/api/stores.mjs PROGRAM FILL_STORE: backup, restore, move, check and stats. What people have, they have in
// the copy: their sessions, their worlds at the same version with the same cards, their lists, their statistics.
import { execFile, spawn } from "node:child_process";
import { createECDH } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person, Server, finish, playToTheEnd, random, test } from "./client.mjs";
import { Redis } from "./nodes.mjs";
import { assert, generous, table, until } from "./tools.mjs";

const [program, fillStore] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "oyster-stores-"));
const at = (name) => join(folder, name);
const redis = await Redis.start(["--appendfsync", "no"]);
const elsewhere = (database) => `redis://127.0.0.1:${redis.port}/${database}`;
const flags = [...generous.slice(2), "--archive-after-ms", "300", "--log-level", "error"];
const serve = (store) =>
  Server.start(program, ["--store", store.includes("://") ? store : `sqlite:${store}`, ...flags]);

function run(...words) {
  return new Promise((resolve) =>
    execFile(program, words, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr })),
  );
}
async function good(...words) {
  const { code, stdout, stderr } = await run(...words);
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}
// Runs SQL on a file that no server has open.
const sqlite = (file, sql) =>
  new Promise((resolve, reject) =>
    execFile("sqlite3", [file, sql], (error, stdout) => (error ? reject(error) : resolve(stdout))),
  );
const stats = async (store) => {
  const { bytes, ...rest } = JSON.parse(await good("stats", store, "--json"));
  assert.ok(bytes > 1000);
  return rest;
};

// What two people have at a server.
async function look(server, people) {
  const all = [await until(async () => (await server.request("GET", "/api/config")).json.push?.key, "no key to push")];
  for (const { id, name, token } of people) {
    const person = new Person(server, { playerId: id, name, token });
    const list = (await person.get("/api/worlds?mine=1")).json.worlds.map(({ roomCode }) => roomCode);
    const statistics = (await person.get("/api/statistics")).json;
    all.push({ list, games: statistics.games, last: statistics.last });
    for (const code of codes) {
      const { version, status, view } = await person.world(code);
      all.push({ code, version, status, cards: JSON.stringify(view?.hand ?? view) });
    }
  }
  return all;
}

const first = at("first.db");
let server = await serve(first);
const people = [await server.person("Ann"), await server.person("Bob")];
const [ann, bob] = people;
const codes = [];
let before;

await test("two people play, archived worlds among them; a server that runs is backed up", async () => {
  for (let i = 0; i < 2; i++) codes.push(await table(people, "4-kate"));
  await Promise.all(
    people.map(async (person, i) => {
      for (const code of codes) await playToTheEnd(person, code, random(i), { pause: 1 });
    }),
  );
  await until(async () => !(await ann.get("/api/worlds?mine=1")).json.worlds.length, "they are not archived");
  codes.push(await table(people, "hand-and-foot"));
  codes.push((await ann.create("whos-deal", { public: true })).roomCode);
  assert.equal((await bob.join(codes[3])).status, 200);
  assert.equal((await bob.post(`/api/worlds/${codes[3]}/leave`)).status, 200);
  const ecdh = createECDH("prime256v1");
  const keys = { p256dh: ecdh.generateKeys("base64url"), auth: "A".repeat(22) };
  assert.equal((await ann.post("/api/push", { endpoint: "https://push.example/ann", keys })).status, 200);
  let over = false;
  const noise = (async () => {
    while (!over) await bob.act(codes[2], { type: "chat", payload: { text: "hm" } });
  })();
  const said = await good("backup", first, at("running.db"));
  over = true;
  await noise;
  assert.match(said, /^4 worlds, \d+ entries, 2 people: nothing is wrong$/m);
  assert.equal((await stat(at("running.db"))).mode & 0o777, 0o600);
  before = await look(server, people);
  await server.stop();
});

await test("the same at a store that was restored, moved to Redis, back, and backed up from there", async () => {
  await good("backup", `sqlite:${first}`, at("backup.db"));
  const counted = await stats(first);
  assert.deepEqual([counted.worlds, counted.archived, counted.games, counted.people], [4, 2, 2, 2]);
  await good("restore", at("backup.db"), at("restored.db"));
  await good("restore", at("backup.db"), elsewhere(1));
  await good("move", first, elsewhere(2));
  await good("move", elsewhere(2), at("back.db"));
  await good("backup", elsewhere(2), at("again.db"));
  for (const store of [at("restored.db"), elsewhere(1), elsewhere(2), at("back.db"), at("again.db")]) {
    assert.match(await good("check", store), /nothing is wrong/, store);
    assert.deepEqual(await stats(store), counted, store);
    server = await serve(store);
    assert.deepEqual(await look(server, people), before, store);
    await server.stop();
  }
  const visited = `SELECT code FROM visits v JOIN worlds w ON w.id = v.world WHERE player = '${bob.id}' ORDER BY code`;
  // By this Bob is found where he has left, if he wants to be erased.
  for (const file of [first, at("restored.db"), at("back.db"), at("again.db")])
    assert.deepEqual((await sqlite(file, visited)).trim().split("\n"), codes.toSorted(), file);
  const subscriptions = `SELECT count(*) FROM notes WHERE owner = '${ann.id}' AND text LIKE '%push.example/ann%'`;
  assert.equal((await sqlite(at("back.db"), subscriptions)).trim(), "1");
});

await test("what is there is not written over; what is not there is not made", async () => {
  for (const words of [
    ["backup", first, at("backup.db")],
    ["restore", at("backup.db"), first],
    ["restore", at("backup.db"), elsewhere(1)],
    ["check", at("none.db")],
    ["stats", at("none.db")],
    ["move", at("none.db"), elsewhere(3)],
    ["move", first, first],
    ["backup", first],
    ["check", "memory"],
  ])
    assert.equal((await run(...words)).code, 2, words.join(" "));
  await assert.rejects(stat(at("none.db")));
});

await test("a store that went on is moved again; one that went another way is left alone", async () => {
  server = await serve(first);
  const again = new Person(server, { playerId: ann.id, name: ann.name, token: ann.token });
  assert.equal((await again.act(codes[2], { type: "chat", payload: { text: "more" } })).status, 200);
  const late = await server.person("Late");
  before = await look(server, people);
  await server.stop();
  assert.match(await good("move", first, elsewhere(2)), /^1 worlds with something new, .* 3 people$/m);
  assert.match(await good("move", first, elsewhere(2)), /^0 worlds with something new/m);
  server = await serve(elsewhere(2));
  assert.deepEqual(await look(server, people), before);
  const there = new Person(server, { playerId: late.id, name: late.name, token: late.token });
  assert.equal((await there.get("/api/statistics")).status, 200);
  const annThere = new Person(server, { playerId: ann.id, name: ann.name, token: ann.token });
  assert.equal((await annThere.act(codes[2], { type: "chat", payload: { text: "elsewhere" } })).status, 200);
  await server.stop();
  const { code, stderr } = await run("move", first, elsewhere(2));
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`${codes[2]}: the other store has another log of it`));
});

await test("games whose worlds are gone stay in people's statistics on the way", async () => {
  const old = at("old.db");
  await good("restore", at("backup.db"), old);
  await sqlite(old, "UPDATE totals SET played = played + 5, won = won + 2; UPDATE total_figures SET value = value + 7");
  await good("move", old, elsewhere(4));
  await good("move", elsewhere(4), at("older.db"));
  const games = [];
  for (const store of [old, elsewhere(4), at("older.db")]) {
    server = await serve(store);
    const person = new Person(server, { playerId: ann.id, name: ann.name, token: ann.token });
    games.push((await person.get("/api/statistics")).json.games);
    await server.stop();
  }
  assert.equal(games[0][0].played, 7);
  assert.deepEqual(games[1], games[0]);
  assert.deepEqual(games[2], games[0]);
});

// How each of the two did at a store.
async function played(store) {
  const all = [];
  server = await serve(store);
  for (const { id, name, token } of people) {
    const { games, last } = (await new Person(server, { playerId: id, name, token }).get("/api/statistics")).json;
    all.push({ games, last: last.length });
  }
  await server.stop();
  return all;
}

await test("who deleted their statistics has none at the other store, also if they were there before", async () => {
  const [deleted, file, database] = [at("deleted.db"), at("deleted-there.db"), elsewhere(6)];
  await good("restore", at("backup.db"), deleted);
  for (const store of [file, database]) await good("move", deleted, store);
  const [annBefore, bobBefore] = await played(deleted);
  assert.equal(annBefore.games[0].played, 2);
  server = await serve(deleted);
  const person = new Person(server, { playerId: ann.id, name: ann.name, token: ann.token });
  assert.equal((await person.post("/api/statistics/delete", { delete: true })).status, 200);
  await server.stop();
  const after = await played(deleted);
  assert.deepEqual(after, [{ games: [], last: 0 }, bobBefore]);
  await good("move", deleted, at("deleted-new.db"));
  await good("restore", deleted, elsewhere(7));
  await good("move", elsewhere(7), at("deleted-back.db"));
  for (const store of [file, database]) await good("move", deleted, store);
  for (const store of [at("deleted-new.db"), elsewhere(7), at("deleted-back.db"), file, database]) {
    assert.deepEqual(await played(store), after, store);
    assert.match(await good("check", store), /nothing is wrong/, store);
  }
});

await test("a world that one store has lost since, and the other has, counts once", async () => {
  const lost = (file) =>
    sqlite(
      file,
      `CREATE TEMP TABLE gone AS SELECT id FROM worlds WHERE code = '${codes[0]}';
       UPDATE match_seats SET ended_ms = NULL WHERE match IN (SELECT id FROM matches WHERE world IN gone);
       DELETE FROM match_seats WHERE match IN (SELECT id FROM matches WHERE world IN gone);
       DELETE FROM match_stats WHERE match IN (SELECT id FROM matches WHERE world IN gone);
       DELETE FROM matches WHERE world IN gone; DELETE FROM members WHERE world IN gone;
       DELETE FROM visits WHERE world IN gone; DELETE FROM archives WHERE world IN gone;
       DELETE FROM worlds WHERE id IN gone;`,
    );
  const lostThere = async (database) => {
    for (const part of ["", ":log", ":members", ":matches", ":others"])
      await redis.ask(`SELECT ${database}\r\nDEL`, `oyster:{${codes[0]}}${part}`);
  };
  const games = (all) => all.map((each) => each.games);
  const [whole, less] = [at("whole.db"), at("less.db")];
  for (const file of [whole, less]) await good("restore", at("backup.db"), file);
  const expected = games(await played(whole));
  assert.equal(expected[0][0].played, 2);
  for (const [i, there] of [at("lost-there.db"), elsewhere(8)].entries()) {
    await good("move", less, there);
    if (i === 0) await lost(less);
    await good("move", less, there); // the first store has lost it
    assert.deepEqual(games(await played(there)), expected, there);
    await (i === 0 ? lost(there) : lostThere(8));
    assert.deepEqual(games(await played(there)), expected, there);
    await good("move", less, there); // both have
    assert.deepEqual(games(await played(there)), expected, there);
    await good("move", whole, there); // the other store had
    assert.deepEqual(games(await played(there)), expected, there);
    assert.match(await good("check", there), /nothing is wrong/, there);
  }
});

await test("a move that is killed again and again goes on", async () => {
  await new Promise((resolve) => spawn(fillStore, [at("many.db"), "1000"]).on("close", resolve));
  let killed = 0;
  for (let i = 0; i < 8; i++) {
    const child = spawn(program, ["move", at("many.db"), elsewhere(5)]);
    const ended = new Promise((resolve) => child.on("close", resolve));
    const timer = setTimeout(() => child.kill("SIGKILL"), 5 + 15 * i);
    killed += (await ended) === null;
    clearTimeout(timer);
  }
  assert.ok(killed > 0);
  await good("move", at("many.db"), elsewhere(5));
  assert.match(await good("check", elsewhere(5)), /^1000 worlds, 3000 entries, 1 people: nothing is wrong$/m);
});

await test("what is wrong with a file is said", async () => {
  const wrong = async (sql, ...expected) => {
    const broken = at("broken.db");
    for (const end of ["", "-wal", "-shm"]) await rm(broken + end, { force: true });
    await good("restore", at("backup.db"), broken);
    await sqlite(broken, sql);
    const { code, stdout } = await run("check", broken);
    assert.equal(code, 1, `${sql}\n${stdout}`);
    for (const each of expected) assert.match(stdout, each, sql);
  };
  await wrong(
    `UPDATE entries SET text = 'nonsense' WHERE version = 2 AND world = (SELECT max(id) FROM worlds) - 1`,
    new RegExp(`world ${codes[2]}: line 2 of its log does not fold`),
  );
  await wrong(
    "DELETE FROM entries WHERE version = 3",
    new RegExp(`world ${codes[2]} has \\d+ entries and says \\d+`),
    /log is damaged/,
  );
  await wrong(`DELETE FROM worlds WHERE code = '${codes[0]}'`, /belongs to no world/, /the result of game 1/);
  await wrong("DELETE FROM matches", /a seat of a game/, /its log tells of 1 finished games, the results of 0/);
  await wrong(`DELETE FROM people WHERE id = '${bob.id}'`, /its member \S+ is nobody that the store knows/);
  await wrong("DELETE FROM members", /is missing from the list of members/);
  await wrong("UPDATE worlds SET status = 1 WHERE status = 0", /another status than its log/);
  await wrong("UPDATE totals SET played = 0", /is smaller than the games there are/);
});

await test("what is wrong on Redis is said; a log that does not fold travels all the same", async () => {
  const [open, archived] = [codes[3], codes[0]];
  await redis.ask("SELECT 1\r\nLSET", `oyster:{${open}}:log`, 0, "nonsense");
  await redis.ask("SELECT 1\r\nRPOP", `oyster:{${archived}}:log`);
  await redis.ask("SELECT 1\r\nDEL", "oyster:public");
  const { code, stdout } = await run("check", elsewhere(1));
  assert.equal(code, 1);
  for (const each of [
    new RegExp(`world ${open}: line 1 of its log does not fold`),
    new RegExp(`world ${open} is public and not listed`),
    new RegExp(`world ${archived} has \\d+ entries and says \\d+`),
  ])
    assert.match(stdout, each);
  const moved = await run("move", elsewhere(1), at("salvaged.db"));
  assert.equal(moved.code, 1);
  assert.match(moved.stderr, new RegExp(`${open} is copied line by line`));
  assert.match(moved.stderr, new RegExp(`${archived}: its log has a gap`));
  assert.match(await sqlite(at("salvaged.db"), `SELECT text FROM logs WHERE code = '${open}'`), /^nonsense$/m);
});

await redis.remove();
await rm(folder, { recursive: true });
finish();
