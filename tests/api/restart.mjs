// node tests/api/restart.mjs PROGRAM FILL_STORE [WORLDS]: a start on a file with many open worlds in which bots are
// due. The server is ready at once and plays the bots without being asked; figures are printed as comments.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, finish, sleep, test } from "./client.mjs";

const [program, filler, worlds = "10000"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "oyster-restart-"));
const file = join(folder, "store");
execFileSync(filler, [file, worlds]);
const begin = performance.now();
const ms = () => Math.round(performance.now() - begin);
const server = await Server.start(program, ["--store", `sqlite:${file}`]);
const figure = async (name) =>
  Number(new RegExp(`^oyster_${name} (\\d+)`, "m").exec((await server.request("GET", "/metrics")).text)?.[1]);

await test(`${worlds} open worlds: ready within seconds`, async () => {
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await server.request("GET", path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  }
  console.log(`# ready after ${ms()} ms`);
  if (ms() > 10000) throw new Error(`${ms()} ms`);
});

await test("all worlds with a due bot are woken, and their bots move", async () => {
  const wanted = Number(worlds) * 0.7;
  let loaded = 0,
    moves = 0,
    slowest = 0,
    said = false;
  while (loaded < wanted || moves < wanted) {
    const asked = performance.now();
    [loaded, moves] = [Math.max(loaded, await figure("worlds_loaded")), await figure("bot_moves_total")];
    slowest = Math.max(slowest, (performance.now() - asked) / 2);
    if (loaded >= wanted && !said) console.log(`# ${loaded} worlds woken after ${ms()} ms`);
    said ||= loaded >= wanted;
    if (ms() > 120000) throw new Error(`${loaded} worlds and ${moves} moves after ${ms()} ms`);
    await sleep(20);
  }
  const memory = /VmRSS:\s+(\d+)/.exec(
    execFileSync("cat", [`/proc/${server.process.pid}/status`], { encoding: "utf8" }),
  )[1];
  console.log(
    `# ${moves} bots' moves after ${ms()} ms; slowest answer meanwhile ${Math.round(slowest)} ms; ` +
      `${Math.round(memory / 1024)} MB`,
  );
});

await test("the server ends in peace", async () => {
  const { code } = await server.stop();
  if (code !== 0) throw new Error(`exit code ${code}\n${server.log}`);
});
await rm(folder, { recursive: true });
finish();
