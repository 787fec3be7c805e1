// Measures one, two and three servers on one Redis, against the bare script on the same Redis and against a raw
// server that keeps each action with that script, all in one run and by turns; then what a master of a Redis Cluster
// that is stopped or dead costs those whose worlds are elsewhere. `node bench/server/nodes.mjs [seconds per turn
// [turns]]`
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import { Person, Server, sleep } from "../../tests/api/client.mjs";
import { RedisCluster } from "../../tests/api/nodes.mjs";
import {
  atLeast,
  atMost,
  build,
  end,
  folder,
  load,
  measure,
  middle,
  number,
  oyster,
  peer,
  program,
  say,
  seconds,
  turns,
} from "./parts.mjs";

const WORLDS = 240,
  IN_FLIGHT = 64;

async function redis(name, appendfsync) {
  const socket = join(folder, `${name}.socket`);
  const server = program("redis-server", [
    "--port",
    0,
    "--unixsocket",
    socket,
    "--dir",
    folder,
    "--appenddirname",
    name,
    "--save",
    "",
    "--appendonly",
    "yes",
    "--appendfsync",
    appendfsync,
  ]);
  while (!(await server.line()).includes("ready to accept connections"));
  return Object.assign(server, { socket });
}

// The worlds of a load are spread over as many servers; gives the sum of the rates, and CPU per action.
async function together(loads) {
  const figures = await Promise.all(loads.map((each) => each.do(`run ${seconds}`)));
  const rate = figures.reduce((sum, row) => sum + row.rate, 0);
  return {
    rate,
    p99: Math.max(...figures.map((row) => row.p99)),
    cpu: figures.reduce((sum, row) => sum + row.cpu * row.rate, 0) / rate,
  };
}

const nodesOn = ({ socket }, count) =>
  Promise.all(Array.from({ length: count }, (_, i) => oyster(`n${i}`, { store: `unix://${socket}`, node: `n${i}` })));

async function servers(appendfsync) {
  const store = await redis(appendfsync, appendfsync);
  const nodes = await nodesOn(store, 3);
  const loads = [];
  for (const count of [1, 2, 3]) {
    loads.push([]);
    for (const node of nodes.slice(0, count)) loads.at(-1).push(await load(node, WORLDS / count));
    for (const each of loads.at(-1)) await each.do("start");
  }
  const bytes = Math.round((await loads[0][0].do("run 1")).bytes);
  const raw = await peer("raw", join(build, "server_raw"), [], bytes, store.socket);
  const rawLoad = [await load(raw, WORLDS)];
  await rawLoad[0].do("start");
  const bare = async () => ({
    rate: Number(execFileSync(join(build, "redis_bench"), [store.socket, seconds, "bare", IN_FLIGHT])),
  });
  const named = [
    ["one server", () => together(loads[0])],
    ["two servers", () => together(loads[1])],
    ["three servers", () => together(loads[2])],
    ["raw epoll with the bare script", () => together(rawLoad)],
    [`the bare script alone, ${IN_FLIGHT} at a time`, bare],
  ];
  const rows = named.map(() => []);
  for (let turn = 0; turn < turns; turn++) for (const [i, [, run]] of named.entries()) rows[i].push(await run());
  console.log(
    `appendfsync ${appendfsync}, ${WORLDS} worlds of four, ${cpus().length} cores for the servers, Redis ` +
      `and the load together\n${"".padEnd(40)}` +
      `${["actions/s", "p99 ms", "CPU µs"].map((name) => name.padStart(11)).join("")}`,
  );
  const column = (value) => (Number.isNaN(value) || value === undefined ? "" : number(value)).padStart(11);
  const of = (i, name) => middle(rows[i].map((row) => row[name]));
  for (const [i, [name]] of named.entries())
    console.log(name.padEnd(40) + [of(i, "rate"), of(i, "p99") / 1000, of(i, "cpu")].map(column).join(""));
  const ratio = (i, k) => middle(rows[i].map((row, turn) => row.rate / rows[k][turn].rate));
  atLeast("actions/s: one server / raw epoll with the bare script", ratio(0, 3), "", 0.5);
  atLeast("actions/s: one server / the bare script alone", ratio(0, 4), "", 0.5);
  say("actions/s: three servers / one", ratio(2, 0), "");
  console.log();
  for (const each of [...loads.flat(), ...rawLoad, raw, ...nodes, store]) await end(each);
}

// ---- A Redis Cluster with a master that does not answer

const OWNERS = 8, // of a world each
  PACE_MS = 50; // an action each so often, whether those before were answered or not

// The times of actions in these worlds for so long, in milliseconds.
async function setSpeeds(person, codes) {
  const times = [];
  const act = async (roomCode, i) => {
    const begin = performance.now();
    const payload = { speed: i % 2 === 0 ? "fast" : "normal" };
    const { status, text } = await person.act(roomCode, { type: "set-speed", payload });
    if (status !== 200) throw new Error(text);
    times.push(performance.now() - begin);
  };
  const all = [];
  for (let i = 0; i < (1000 * seconds) / PACE_MS; i++) {
    for (const code of codes) all.push(act(code, i));
    await sleep(PACE_MS);
  }
  await Promise.all(all);
  return times.toSorted((a, b) => a - b);
}

// What is asked of all shards.
async function glance(person, path) {
  const begin = performance.now();
  const { status } = await person.get(path);
  return `${path} ${status} in ${number(performance.now() - begin)} ms`;
}

async function shards() {
  const store = await RedisCluster.start();
  const node = await oyster("sharded", { store: `redis://127.0.0.1:${store.port}/0` });
  const server = Object.assign(new Server(), { url: `http://127.0.0.1:${node.port}` });
  const ann = new Person(server, (await server.request("POST", "/api/session", { body: { name: "Ann" } })).json);
  const has = async (master, keys) => (await master.ask("KEYS", keys)).length > 0;
  const firsts = await Promise.all(store.masters.map((master) => has(master, "oyster:{ma}:player:*")));
  const victim = store.masters[firsts[1] ? 2 : 1]; // not that of the people
  const codes = [];
  while (codes.length < OWNERS) {
    const { roomCode } = await ann.create("4-kate");
    if (!(await has(victim, `oyster:*:{${roomCode}}`))) codes.push(roomCode);
  }
  const at = (times, share) => times[Math.floor(times.length * share)];
  const row = (name, times) =>
    console.log(name.padEnd(40) + [0.5, 0.99, 0.9999].map((share) => number(at(times, share)).padStart(11)).join(""));
  console.log(
    `a Redis Cluster of three masters, ${OWNERS} worlds on two of them, appendfsync always\n` +
      `${"".padEnd(40)}${["p50 ms", "p99 ms", "max ms"].map((name) => name.padStart(11)).join("")}`,
  );
  await setSpeeds(ann, codes);
  for (const [what, hurt, heal] of [
    ["stopped", async () => victim.process.kill("SIGSTOP"), async () => victim.process.kill("SIGCONT")],
    ["killed", () => victim.kill(), () => victim.begin()],
  ]) {
    const rounds = [];
    for (let turn = 0; turn < turns; turn++) {
      const usual = await setSpeeds(ann, codes);
      await hurt();
      const times = await setSpeeds(ann, codes);
      const asked = [await glance(ann, "/readyz"), await glance(ann, "/api/worlds?public=1")];
      await heal();
      await store.ready();
      await sleep(1500);
      rounds.push({ usual, times, asked, ratio: at(times, 0.5) / at(usual, 0.5) });
    }
    const ratio = middle(rounds.map((round) => round.ratio));
    const { usual, times, asked } = rounds.find((round) => round.ratio === ratio);
    row("all three answer", usual);
    row(`the third is ${what}`, times);
    console.log(`meanwhile ${asked.join(", ")}`);
    atMost(`median of an action elsewhere: a master is ${what} / usual`, ratio, "", 1.5);
  }
  await end(node);
  await store.remove();
}

await measure(
  () => servers("everysec"),
  () => servers("always"),
  shards,
);
