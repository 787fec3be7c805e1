// What the benches of the server share: programs that are started and ended, loads, figures by turns.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const here = import.meta.dirname;
export const build = join(here, "../../build");
export const seconds = Number(process.argv[2] ?? 3);
export const turns = Number(process.argv[3] ?? 5);
export const folder = mkdtempSync(join(tmpdir(), "oyster-bench-"));
const running = new Set();

// ---- Programs

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

export function program(file, words, options = {}) {
  const child = spawn(file, words, { stdio: ["pipe", "pipe", "inherit"], ...options });
  running.add(child);
  child.ended = new Promise((resolve) => child.on("exit", resolve));
  child.ended.then(() => running.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${file} ended`);
    return value;
  };
  return child;
}

export async function end(child) {
  child.kill("SIGTERM");
  await child.ended;
}

// The oldest programs have no such limits, and refuse settings that they do not know.
const limitsWriting = (file) => execFileSync(file, ["serve", "--help"], { encoding: "utf8" }).includes("written-per-m");

// `more` are further flags, or other ones; `file` is this build's program or an earlier one.
export async function oyster(name, more = {}, file = join(build, "oyster")) {
  const port = await freePort();
  const flags = {
    listen: `127.0.0.1:${port}`,
    store: `sqlite:${join(folder, name)}.db`,
    "log-level": "warn",
    "actions-per-second": 1000000,
    "actions-burst": 1000000,
    "sessions-per-minute": 1000000,
    "connections-per-address": 0,
    "requests-per-second": 0,
    "connections-max": 19000,
    "worlds-per-player": 10000,
    "away-ms": 2147483647,
    ...(limitsWriting(file) && { "written-per-minute": 0, "memberships-per-player": 1000 }),
    ...more,
  };
  const server = program(file, ["serve", ...Object.entries(flags).flatMap(([key, value]) => [`--${key}`, `${value}`])]);
  await server.line();
  return Object.assign(server, { port, target: "oyster" });
}

export async function peer(target, file, words, bytes, ...more) {
  const port = await freePort();
  const server = program(file, [...words, port, bytes, ...more], {
    cwd: here,
    env: { ...process.env, NODE_ENV: "production" },
  });
  await server.line();
  return Object.assign(server, { port, target });
}

export const pairs = (line) =>
  Object.fromEntries(line.split(" ").map((pair) => pair.split("=").map((part, i) => (i ? Number(part) : part))));

export async function load(server, worlds, ...words) {
  const child = program(join(build, "server_load"), [
    server.target,
    server.port,
    worlds,
    `pid=${server.pid}`,
    ...words,
  ]);
  child.ready = pairs(await child.line());
  child.do = async (command) => {
    child.stdin.write(`${command}\n`);
    return pairs(await child.line());
  };
  return child;
}

// ---- Figures

export const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

// The loads by turns; for each the median of every figure, and of its ratio to the first within one turn.
export async function byTurns(loads) {
  const results = loads.map(() => []);
  for (const each of loads) await each.do("run 1");
  for (let turn = 0; turn < turns; turn++)
    for (const [i, each] of loads.entries()) results[i].push(await each.do(`run ${seconds}`));
  const names = Object.keys(results[0][0]);
  return results.map((rows) => ({
    ...Object.fromEntries(names.map((name) => [name, middle(rows.map((row) => row[name]))])),
    to: Object.fromEntries(names.map((name) => [name, middle(results[0].map((row, i) => row[name] / rows[i][name]))])),
  }));
}

export const number = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
export function say(what, value, unit, goal, good) {
  const line =
    `${what.padEnd(66)} ${`${number(value)}${unit}`.padStart(10)}   ` +
    `${goal ? `goal ${goal}: ${good ? "met" : "missed"}` : ""}`;
  console.log(line.trimEnd());
}
export const atLeast = (what, value, unit, goal) => say(what, value, unit, `at least ${goal}${unit}`, value >= goal);
export const atMost = (what, value, unit, goal) => say(what, value, unit, `at most ${goal}${unit}`, value <= goal);

export function table(names, figures) {
  console.log(
    " ".repeat(28) +
      ["actions/s", "p50 ms", "p99 ms", "CPU µs", "pushes", "bytes"].map((name) => name.padStart(11)).join(""),
  );
  for (const [i, row] of figures.entries())
    console.log(
      names[i].padEnd(28) +
        [row.rate, row.p50 / 1000, row.p99 / 1000, row.cpu, row.pushes, row.bytes]
          .map((value) => number(value).padStart(11))
          .join(""),
    );
  console.log("(CPU: of the server, per action; pushes and their bytes: per action and seat; medians)\n");
}

// Everything is ended and removed, however the bench ends.
export async function measure(...parts) {
  try {
    for (const part of parts) await part();
  } finally {
    for (const child of running) child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  }
}
