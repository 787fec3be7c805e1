// Measures one, two and three servers on one Redis, against the bare script on the same Redis and against a raw
// server that keeps each action with that script, all in one run and by turns. `node bench/server/nodes.mjs
// [seconds per turn [turns]]`
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import {
  atLeast,
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

await measure(
  () => servers("everysec"),
  () => servers("always"),
);
