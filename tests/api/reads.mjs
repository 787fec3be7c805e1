// node tests/api/reads.mjs PROGRAM: costly reads (a world's log, its past, a save, statistics) are made on other
// threads than the loop's, once per version, one at a time for a person, and are charged by what they cost.
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, finish, test } from "./client.mjs";
import { accepted, assert, nextTurn, refused, table } from "./tools.mjs";

const [program = "build/oyster"] = process.argv.slice(2);
const ENTRIES = 3000; // of the long log
const MANY = ["--actions-per-second", "100000", "--actions-burst", "100000"];

const figure = async (server, name) => {
  const { text } = await server.request("GET", "/metrics");
  return Number(new RegExp(`^oyster_${name} (\\d+)`, "m").exec(text)[1]);
};
// CPU time of the server so far, in ticks: of the loop's thread, which is the first one, and of all.
const ticks = (path) => {
  const words = readFileSync(path, "utf8").split(") ")[1].split(" ");
  return Number(words[11]) + Number(words[12]);
};
const cpu = ({ process: { pid } }) => ({
  loop: ticks(`/proc/${pid}/task/${pid}/stat`),
  all: ticks(`/proc/${pid}/stat`),
});

// A world with a log of so many entries.
async function longWorld(person, entries) {
  const { roomCode, version } = await person.create("hand-and-foot");
  for (let left = entries - version; left > 0; left -= 50)
    await Promise.all(
      Array.from({ length: Math.min(50, left) }, async (_, i) =>
        accepted(await person.act(roomCode, { type: "set-settings", payload: { speed: i % 2 ? "fast" : "normal" } })),
      ),
    );
  return roomCode;
}

let server = await Server.start(program, [
  "--store",
  "memory",
  ...MANY,
  "--read-units-per-second",
  "100000",
  "--read-units-burst",
  "1000000",
  "--bot-threads",
  "4",
]);
server.agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

await test("a log is folded on another thread than the loop's", async () => {
  const ann = await server.person("Ann"),
    code = await longWorld(ann, ENTRIES);
  const before = cpu(server);
  let rounds = 0;
  for (let used = 0; used < 100; rounds++) {
    const speed = rounds % 2 ? "fast" : "relaxed"; // what is as it was would not be made anew
    accepted(await ann.act(code, { type: "set-settings", payload: { speed } }));
    assert.equal((await ann.get(`/api/worlds/${code}/history`)).status, 200);
    assert.equal((await ann.get(`/api/worlds/${code}/log`)).status, 200);
    used = cpu(server).all - before.all;
  }
  const after = cpu(server),
    share = (after.loop - before.loop) / (after.all - before.all);
  console.log(`# the loop's thread had ${(share * 100).toFixed(0)} % of the work of ${rounds} rounds`);
  assert.ok(share < 0.5, `${share}`);
});

await test("what was made of a version is not made again", async () => {
  const [ann, bob] = [await server.person("Ann"), await server.person("Bob")];
  const code = await table([ann], "hand-and-foot");
  await nextTurn([ann], code); // so that nothing happens by itself
  accepted(await bob.join(code, { as: "spectator" }));
  for (const path of ["log", "history"]) {
    const made = await figure(server, "reads_made_total");
    const first = await ann.get(`/api/worlds/${code}/${path}`);
    assert.equal(first.status, 200, first.text);
    for (let i = 0; i < 5; i++) assert.equal((await ann.get(`/api/worlds/${code}/${path}`)).text, first.text);
    assert.equal((await figure(server, "reads_made_total")) - made, 1);
    if (path === "log") assert.equal((await bob.get(`/api/worlds/${code}/log`)).text, first.text);
    else accepted(await bob.get(`/api/worlds/${code}/history`)); // is Bob's own
    const more = path === "history" ? 2 : 1;
    assert.equal((await figure(server, "reads_made_total")) - made, more);
    accepted(await (await server.person("Cid")).join(code, { as: "spectator" }));
    assert.equal((await ann.get(`/api/worlds/${code}/${path}`)).status, 200);
    assert.equal((await figure(server, "reads_made_total")) - made, more + 1); // the world has moved on
  }
});

await test("one person's reads are made one after the other, and few may wait", async () => {
  const [ann, bob] = [await server.person("Ann"), await server.person("Bob")];
  const code = await longWorld(ann, 1000);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const crowd = Object.assign(new Server(), { url: server.url, agent });
  const alone = ["history", "log", "history"].map((what) => ann.get(`/api/worlds/${code}/${what}`));
  for (const answer of await Promise.all(alone)) assert.equal(answer.status, 200, answer.text);
  assert.equal(await figure(server, "reads_running_most"), 1, "nobody else has read anything so far");
  const asked = Array.from({ length: 40 }, () =>
    crowd.request("GET", `/api/worlds/${code}/history`, { token: ann.token }),
  );
  const other = await bob.get("/api/statistics"); // does not wait for Ann's
  accepted(other);
  const answers = await Promise.all(asked);
  for (const answer of answers.filter(({ status }) => status !== 200))
    refused(answer, 429, "RATE_LIMITED", "Please wait until what you asked for has been answered");
  const good = answers.filter(({ status }) => status === 200);
  assert.ok(good.length >= 8 && good.every(({ text }) => text === good[0].text), `${good.length}`);
  agent.destroy();
  assert.equal(await figure(server, "reads_waiting"), 0);
});

await test("of all people together few read at the same time", async () => {
  const people = await Promise.all(Array.from({ length: 16 }, (_, i) => server.person(`Reader ${i}`)));
  const code = await longWorld(people[0], 1000);
  for (const person of people.slice(1)) accepted(await person.join(code, { as: "spectator" }));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const crowd = Object.assign(new Server(), { url: server.url, agent });
  const read = ({ token }) => crowd.request("GET", `/api/worlds/${code}/history`, { token });
  for (const { status, text } of await Promise.all(people.map(read))) assert.equal(status, 200, text);
  agent.destroy();
  const most = await figure(server, "reads_running_most");
  assert.ok(most >= 1 && most <= 2, `${most}`); // half of the threads
});

await test("who reads and goes away leaves nothing behind, and a stop waits for nobody", async () => {
  const ann = await server.person("Ann"),
    code = await longWorld(ann, 2000);
  for (let i = 0; i < 20; i++) {
    const request = http.get(`${server.url}/api/worlds/${code}/history`, {
      headers: { authorization: `Bearer ${ann.token}` },
      agent: false,
    });
    request.on("error", () => {});
    setTimeout(() => request.destroy(), i % 5);
  }
  accepted(await ann.act(code, { type: "set-settings", payload: { speed: "relaxed" } }));
  const last = Promise.allSettled(Array.from({ length: 4 }, () => ann.get(`/api/worlds/${code}/log`)));
  const { code: status } = await server.stop();
  await last;
  assert.equal(status, 0, server.log);
});

// So little that a slow machine does not matter.
const LITTLE = ["--read-units-per-second", "1", "--read-units-burst", "20"];
server = await Server.start(program, ["--store", "memory", ...MANY, ...LITTLE]);

await test("reads are charged by what they cost, to the person", async () => {
  const [ann, bob] = [await server.person("Ann"), await server.person("Bob")];
  const code = await longWorld(ann, 1500);
  accepted(await bob.join(code)); // 16 units
  assert.equal((await ann.get(`/api/worlds/${code}/log`)).status, 200);
  const again = await ann.get(`/api/worlds/${code}/history`);
  refused(again, 429, "RATE_LIMITED", "You have read a lot; please wait a moment");
  assert.ok(Number(again.headers["retry-after"]) >= 1);
  assert.equal((await ann.get(`/api/worlds/${code}/log`)).status, 200); // was made already, and costs one unit
  assert.equal((await ann.get(`/api/worlds/${code}`)).status, 200); // costs nothing
  assert.equal((await bob.get(`/api/worlds/${code}/history`)).status, 200);
});

await test("... and to the address", async () => {
  const statuses = [];
  const ann = await server.person("Ann"),
    code = await longWorld(ann, 1900); // all that one may have at once
  for (let i = 0; i < 6; i++) {
    const other = await server.person(`Eve ${i}`);
    accepted(await other.join(code, { as: "spectator" }));
    const answer = await other.get(`/api/worlds/${code}/history`);
    statuses.push(answer.status);
    if (answer.status !== 200) refused(answer, 429, "RATE_LIMITED", "You have read a lot; please wait a moment");
  }
  assert.ok(statuses.includes(429), `${statuses}`);
  const { code: status } = await server.stop();
  assert.equal(status, 0, server.log);
});
await test("a world that is not in memory costs what reading its log does", async () => {
  const folder = await mkdtemp(join(tmpdir(), "oyster-reads-")),
    store = ["--store", `sqlite:${join(folder, "store")}`];
  server = await Server.start(program, [...store, ...MANY]);
  const ann = await server.person("Ann"),
    bob = await server.person("Bob"),
    codes = [await longWorld(ann, 1500), await longWorld(ann, 1500), await longWorld(ann, 1500)];
  await server.stop();
  server = await Server.start(program, [...store, ...MANY, ...LITTLE]);
  const get = (code, { token }) => server.request("GET", `/api/worlds/${code}`, { token });
  accepted(await get(codes[0], ann)); // 16 of 20 units
  for (let i = 0; i < 50; i++) accepted(await get(codes[0], ann)); // in memory, and free
  accepted(await get(codes[1], ann)); // more than are left
  const owed = await get(codes[2], ann);
  refused(owed, 429, "RATE_LIMITED", "You have read a lot; please wait a moment");
  assert.ok(Number(owed.headers["retry-after"]) > 1, "what was read too much is owed");
  refused(await get(codes[2], bob), 404, "ROOM_NOT_FOUND"); // others of the address have some left
  await server.stop();
  await rm(folder, { recursive: true });
});

await test("a name that stays as it is, is answered at once", async () => {
  server = await Server.start(program, ["--store", "memory", ...MANY]);
  const ann = await server.person("Ann"),
    rename = (name) => ann.request("PATCH", "/api/session", { body: { name } });
  await ann.create("4-kate");
  const before = await figure(server, "store_requests_total");
  for (let i = 0; i < 100; i++) assert.equal(accepted(await rename("Ann")).name, "Ann");
  const asked = (await figure(server, "store_requests_total")) - before;
  assert.ok(asked < 50, `the store was asked ${asked} times`);
  assert.equal(accepted(await rename("Anna")).name, "Anna");
  assert.equal(accepted(await ann.get("/api/session")).name, "Anna");
  await server.stop();
});

await test("every route says in docs/reliability.md what it costs", () => {
  const text = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
  const table = text("docs/reliability.md").split("### What a request costs")[1].split("\n### ")[0];
  const told = [...table.matchAll(/`((?:GET|POST|PATCH) [^`]*)`/g)].map(([, route]) => route);
  const routes = [...text("server/api/routes.c").matchAll(/^ {4}\{"([A-Z]+ \/[^"]*)"/gm)].map(([, route]) => route);
  const addresses = [...text("games/hand_and_foot/moves.c").matchAll(/\.address = "([^"]*)"/g)];
  assert.ok(routes.length > 30 && addresses.length === 2, "the table of routes is found");
  routes.push(...addresses.map(([, address]) => `POST ${address}`));
  const names = (route) => new RegExp(`^${route.replaceAll("*", "[A-Z]+")}$`);
  for (const route of routes)
    assert.ok(
      told.some((each) => names(route).test(each)),
      `${route} is not told`,
    );
  for (const each of told)
    assert.ok(
      routes.some((route) => names(route).test(each)),
      `there is no ${each}`,
    );
});

finish();
