// node tests/api/handover.mjs PROGRAM HAND_OVER: a server that is restarted again and again by a service manager
// which keeps its listening socket (tests/hand_over.c), while people play. Nobody is refused a connection, nobody
// gets an error, and no move is lost. Then: settings that are read again at SIGHUP.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Server, finish, sleep, test } from "./client.mjs";
import { accepted, assert, generous, table, until } from "./tools.mjs";

const [program, handOver] = process.argv.slice(2);
const restarts = 10;
const pairs = 4;
const folder = await mkdtemp(join(tmpdir(), "oyster-handover-"));

// A server behind the manager; `pid` is that of the present run.
async function managed(flags) {
  const manager = spawn(handOver, [program, "serve", "--store", `sqlite:${join(folder, "store")}`, ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const server = Object.assign(new Server(), { manager, agent: new http.Agent({ keepAlive: false }), runs: 0 });
  server.exit = new Promise((resolve) => manager.on("exit", resolve));
  createInterface({ input: manager.stdout }).on("line", (line) => {
    const [word, value] = line.split(" ");
    if (word === "port") server.url = `http://127.0.0.1:${value}`;
    if (word === "pid") {
      server.pid = Number(value);
      server.runs++;
    }
  });
  await until(() => server.url && server.pid);
  return server;
}

const withoutLimits = generous.slice(2); // its store is a file
const server = await managed([...withoutLimits, "--requests-per-second", "0"]);

let over = false;
let moves = 0;

async function playOn(number) {
  const people = [await server.person(`Ann${number}`), await server.person(`Bob${number}`)];
  const code = await table(people, "4-kate");
  for (let version = 0; !over; ) {
    const world = await people[0].world(code);
    assert.ok(world.version >= version, `version ${world.version} after ${version}: something was lost`);
    if (world.status === "game_over") {
      accepted(await people[0].act(code, { type: "play-again", payload: {} }));
      continue;
    }
    const [seat] = world.view.turn;
    const [{ move }] = (await people[seat].world(code)).view.legal;
    version = accepted(await people[seat].act(code, { move })).version ?? version;
    moves++;
  }
}

await test(`${restarts} restarts while ${pairs * 2} people play: no error, nothing lost`, async () => {
  const playing = Array.from({ length: pairs }, (_, i) => playOn(i));
  const failed = Promise.race(playing);
  for (let i = 1; i <= restarts; i++) {
    const before = moves;
    await Promise.race([failed, until(() => moves > before + 4 * pairs)]);
    process.kill(server.pid, "SIGTERM");
    await Promise.race([failed, until(() => server.runs > i)]);
  }
  over = true;
  await Promise.all(playing);
  console.log(`# ${moves} moves`);
});

await test("the manager and the last run end well", async () => {
  server.manager.kill("SIGTERM");
  assert.equal(await server.exit, 0);
});

await test("settings are read again at SIGHUP; wrong ones change nothing", async () => {
  const file = join(folder, "oyster.conf");
  const lines = (...more) => writeFile(file, ["log-level = info", ...more].map((line) => `${line}\n`).join(""));
  await lines("worlds-per-player = 1");
  const one = await Server.start(program, ["--store", "memory", "--config", file]);
  const ann = await one.person("Ann");
  const make = async () => (await ann.post("/api/worlds", { gameId: "4-kate" })).status;
  const reload = async (event) => {
    const before = one.log.length;
    one.process.kill("SIGHUP");
    await until(() => one.log.slice(before).includes(event));
    return one.log.slice(before);
  };
  assert.deepEqual([await make(), await make()], [201, 429]);
  await lines("worlds-per-player = 2", "message-max = 5000");
  assert.match(await reload("event=reloaded"), /setting_waits setting=message-max/);
  assert.deepEqual([await make(), await make()], [201, 429]);
  await lines("worlds-per-player = 3", "nonsense = 1");
  assert.match(await reload("not_reloaded"), /There is no setting 'nonsense'/);
  assert.equal(await make(), 429);
  await sleep(0);
  await one.stop();
});

await rm(folder, { recursive: true });
finish();
