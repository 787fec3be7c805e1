// node tests/replicas_faults.mjs BUILD [SEEDS]: can the simulation of replicas (tests/replicas.c) find mistakes? Each
// one of tests/replicas_faults.txt is put into server/rooms/replica.c and must be found within SEEDS seeds.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const build = resolve(process.argv[2] ?? "build");
const seeds = process.argv[3] ?? "10000";
const root = resolve(import.meta.dirname, "..");
const folder = await mkdtemp(join(os.tmpdir(), "oyster-faults-"));
const compiler = process.env.CC ?? "cc";
const flags = ["-std=c17", "-O1", "-w", `-I${root}`, "-D_POSIX_C_SOURCE=200809L"];
const parts = [
  "tests/replicas.c",
  "tests/replicas_rooms.c",
  "tests/replicas_store.c",
  "server/channels/remote_presence.c",
  "server/rooms/summary.c",
  "store/arena.c",
  "store/chain.c",
  "store/reserve.c",
];
const source = await readFile(join(root, "server/rooms/replica.c"), "utf8");

// A paragraph for each: a title, then lines as in a patch, which stand once in the source.
const faults = (await readFile(join(root, "tests/replicas_faults.txt"), "utf8"))
  .split(/^## /m)
  .slice(1)
  .map((paragraph) => {
    const [what, ...lines] = paragraph.trimEnd().split("\n");
    const side = (mark) =>
      lines
        .filter((line) => line[0] === mark || line[0] === " ")
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    return { what, right: side("-"), wrong: side("+") };
  });

async function compile(from, name) {
  const to = join(folder, `${name}.o`);
  await run(compiler, [...flags, "-c", from, "-o", to]);
  return to;
}

const objects = await Promise.all(parts.map((name) => compile(join(root, name), name.replaceAll("/", "_"))));

// What the simulation finds in this replica.c; nothing if it finds nothing.
async function simulate(text, name) {
  const program = join(folder, name);
  await writeFile(`${program}.c`, text);
  const object = await compile(`${program}.c`, name);
  await run(compiler, ["-fno-lto", object, ...objects, join(build, "librules.a"), "-o", program]);
  try {
    await run(program, ["1", seeds], { maxBuffer: 1 << 28 });
    return "";
  } catch (error) {
    const [, found, history] =
      /^not ok - (.*)(\n# the shortest history that fails:\n# .*)?$/m.exec(error.stdout ?? "") ?? [];
    if (found && !history) throw new Error(`${name}: found, but no history is printed`);
    return found ?? `it ends: ${error.signal ?? error.code}`;
  }
}

let number = 0;
let failed = 0;
const say = (good, text) => {
  failed += !good;
  console.log(`${good ? "ok" : "not ok"} ${++number} - ${text}`);
};

async function plant({ what, right, wrong }, name) {
  const pieces = source.split(right);
  if (pieces.length !== 2) return say(false, `${what}: its lines stand ${pieces.length - 1} times in replica.c`);
  const found = await simulate(pieces.join(wrong), name);
  say(found !== "", found ? `${what} (${found})` : `${what}: is not found`);
}

const waiting = faults.entries();
const worker = async () => {
  for (const [i, fault] of waiting) await plant(fault, `fault${i}`);
};
await Promise.all([worker(), worker()]);
say((await simulate(source, "right")) === "", "without a mistake nothing is found");
const document = await readFile(join(root, "docs/reliability.md"), "utf8");
const listed = faults.every(({ what }) => document.includes(`\n* ${what}\n`));
say(listed, "docs/reliability.md lists them all");
console.log(`1..${number}`);
await rm(folder, { recursive: true });
process.exit(failed > 0 ? 1 : 0);
