// node tests/replicas_faults.mjs BUILD [SEEDS]: is the simulation of replicas (tests/replicas.c) able to find mistakes? Each one
// below is put into server/rooms/replica.c, compiled, and must be found within SEEDS seeds. docs/reliability.md lists them.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { faults } from "./replicas_faults_list.mjs";

const run = promisify(execFile);
const build = resolve(process.argv[2] ?? "build"), seeds = process.argv[3] ?? "10000";
const root = resolve(import.meta.dirname, "..");
const source = await readFile(join(root, "server/rooms/replica.c"), "utf8");
const folder = await mkdtemp(join(os.tmpdir(), "oyster-faults-"));
const compiler = process.env.CC ?? "cc";
const flags = ["-std=c17", "-O1", "-w", `-I${root}`, "-D_POSIX_C_SOURCE=200809L"];
const objects = [];

async function compile(from, name) {
  const to = join(folder, `${name}.o`);
  await run(compiler, [...flags, "-c", from, "-o", to]);
  return to;
}

// What is wrong with the simulation of this replica.c: the text of the failure, or nothing.
async function simulate(text, name) {
  await writeFile(join(folder, `${name}.c`), text);
  const program = join(folder, name);
  await run(compiler, [await compile(join(folder, `${name}.c`), name), ...objects, join(build, "librules.a"), "-o", program]);
  try {
    await run(program, ["1", seeds], { maxBuffer: 1 << 28, timeout: 600000 });
    return "";
  } catch (error) {
    const [, seed, what] = /^not ok - seed (\d+): (.*)$/m.exec(error.stdout ?? "") ?? [];
    return what ? `seed ${seed}: ${what}` : `it ends: ${error.signal ?? error.code}`;
  }
}

for (const name of ["tests/replicas.c", "server/channels/remote_presence.c", "server/rooms/summary.c", "store/arena.c", "store/chain.c", "store/reserve.c"])
  objects.push(await compile(join(root, name), name.replaceAll("/", "_")));

let failed = 0, number = 0;
const say = (good, text) => { failed += !good; console.log(`${good ? "ok" : "not ok"} ${++number} - ${text}`); };
const waiting = faults.map((fault, i) => ({ ...fault, name: `fault${i}` }));
const worker = async () => {
  for (let fault; (fault = waiting.shift());) {
    const parts = source.split(fault.old);
    if (parts.length !== 2) { say(false, `${fault.what}: stands ${parts.length - 1} times in replica.c`); continue; }
    const found = await simulate(parts.join(fault.new), fault.name).catch((error) => { say(false, `${fault.what}: ${error.stderr ?? error}`); });
    if (found !== undefined) say(found !== "", `${fault.what}${found ? ` (${found})` : ": is not found"}`);
  }
};
await Promise.all([worker(), worker()]);
say((await simulate(source, "right")) === "", "without a mistake nothing is found");
await rm(folder, { recursive: true });
console.log(`1..${number}`);
process.exit(failed > 0 ? 1 : 0);
