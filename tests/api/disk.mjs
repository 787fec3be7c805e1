// node tests/api/disk.mjs PROGRAM CHECK_STORE: the disk fills up while people play, and has room again. In
// between, actions are refused and change nothing, reading works, and no restart is needed.
// The disk is a limit on the size of files (prlimit), changed from outside while the server runs.
import { execFileSync, spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, finish, sleep, test } from "./client.mjs";
import { Promises } from "./promises.mjs";

const [program, checker] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "oyster-disk-"));
const file = join(folder, "store");
const flags = [
  "--store",
  `sqlite:${file}`,
  "--actions-per-second",
  "100000",
  "--actions-burst",
  "100000",
  "--sessions-per-minute",
  "1000",
];
const promises = new Promises(checker, file);
const limit = (size) => execFileSync("prlimit", ["--pid", String(server.process.pid), `--fsize=${size}:`]);
const fill = () => limit(1);
const free = () => limit("unlimited");

function equal(got, wanted, what) {
  if (got !== wanted) throw new Error(`${what}: ${got}, not ${wanted}`);
}

let server = await Server.start(program, flags);
const ann = await server.person("Ann"),
  bob = await server.person("Bob"),
  cy = await server.person("Cy");
let next = 0;
async function act(person, code, action) {
  const actionId = `a${next++}`;
  const promise = promises.ask(code, person.id, actionId);
  const answer = await person.act(code, { ...action, actionId });
  promises.answered(promise, answer);
  return answer;
}
async function refused(person, code, action) {
  const answer = await act(person, code, action);
  equal(`${answer.status} ${answer.json?.code}`, "503 UNAVAILABLE", JSON.stringify(action));
}
async function done(person, code, action) {
  const answer = await act(person, code, action);
  equal(answer.status, 200, `${JSON.stringify(action)} ${answer.text}`);
  return answer.json.version;
}

const duel = (await ann.create("4-kate", { settings: { speed: "instant" } })).roomCode;
const wait = (await ann.create("whos-deal")).roomCode;
const busy = (await cy.create("4-kate")).roomCode; // against a bot
await bob.join(duel);
await done(ann, duel, { type: "start" });
const turn = (world) => [ann, bob].find((person) => world.seats[world.view.turn[0]].playerId === person.id);

await test("a full disk: actions are refused and change nothing", async () => {
  const before = await ann.world(duel),
    mover = turn(before);
  fill();
  for (let i = 0; i < 3; i++) await refused(mover, duel, { type: "drop", payload: { column: 4 } });
  equal((await ann.world(duel)).version, before.version, "the version");
  equal(JSON.stringify(await ann.world(duel)), JSON.stringify(before), "the world");
});

await test("a full disk: so are joining, leaving, new worlds, new people and new names", async () => {
  for (const [method, path, body] of [
    ["POST", `/api/worlds/${wait}/join`, {}],
    ["POST", "/api/worlds", { gameId: "4-kate" }],
    ["POST", "/api/session", { name: "Dee" }],
    ["PATCH", "/api/session", { name: "Robert" }],
  ]) {
    const answer = await bob.request(method, path, { body });
    equal(`${answer.status} ${answer.json?.code}`, "503 UNAVAILABLE", `${method} ${path}`);
  }
  equal((await ann.post(`/api/worlds/${wait}/leave`)).status, 503, "leaving");
  equal((await ann.world(wait)).seats[0].playerId, ann.id, "the owner");
});

await test("a full disk: reading works", async () => {
  for (const path of [
    "/api/session",
    "/api/games",
    "/api/worlds?public=1",
    "/api/worlds?mine=1",
    `/api/worlds/${wait}`,
    `/api/worlds/${duel}/log`,
    "/healthz",
    "/metrics",
  ])
    equal((await ann.get(path)).status, 200, path);
});

await test("a full disk: the server is not ready, and says once a minute what it refused", async () => {
  equal((await ann.get("/readyz")).status, 503, "/readyz");
  const told = server.log.split("\n").filter((line) => line.includes("event=request_failed"));
  equal(told.length, 1, "lines about answers of 500 and above");
  equal(/ status=503 .*count=1$/.test(told[0]), true, told[0]);
  for (const event of ["not_written", "world_reread"])
    equal(server.log.split(`event=${event} `).length - 1, 1, `lines of ${event}`);
});

await test("a refused action that is sent again, with room on the disk, is done once", async () => {
  const before = await ann.world(duel),
    mover = turn(before),
    actionId = "again";
  const action = { type: "drop", payload: { column: 4 }, actionId };
  equal((await mover.act(duel, action)).status, 503, "the first try");
  free();
  const promise = promises.ask(duel, mover.id, actionId);
  const answer = await mover.act(duel, action);
  promises.answered(promise, answer);
  equal(answer.status, 200, "the second");
  equal(answer.json.duplicate, undefined, "a duplicate");
  equal((await mover.act(duel, action)).json.duplicate, true, "a duplicate");
  equal((await ann.world(duel)).version, answer.json.version, "the version");
});

await test("with room on the disk everything goes on without a restart, lists included", async () => {
  equal((await ann.get("/readyz")).status, 200, "/readyz");
  equal((await bob.join(wait)).status, 200, "joining");
  const mine = (await bob.get("/api/worlds?mine=1")).json.worlds.map((world) => world.roomCode).sort();
  equal(mine.join(), [duel, wait].sort().join(), "Bob's worlds");
  equal((await bob.post("/api/worlds", { gameId: "4-kate" })).status, 201, "a new world");
});

await test("many at once: each is refused, or done for good", async () => {
  const people = [];
  for (let i = 0; i < 6; i++) people.push(await server.person(`P${i}`));
  const worlds = await Promise.all(people.map((person) => person.create("hand-and-foot")));
  const settle = async (person, i) => {
    for (let n = 0; n < 40; n++) {
      const answer = await act(person, worlds[i].roomCode, {
        type: "name-team", // what is so already would be answered 200 and written nowhere
        payload: { team: "a", name: `Try ${n}` },
      });
      if (answer.status !== 200)
        equal(`${answer.status} ${answer.json.code}`, "503 UNAVAILABLE", "while the disk comes and goes");
    }
  };
  let over = false;
  const weather = (async () => {
    for (let n = 0; !over; n++) {
      n % 2 ? free() : fill();
      await sleep(7);
    }
    free();
  })();
  await Promise.all(people.map(settle));
  over = true;
  await weather;
  for (const [i, person] of people.entries())
    await done(person, worlds[i].roomCode, { type: "set-settings", payload: { speed: "instant" } });
});

await test("bots that cannot write wait, and go on when they can", async () => {
  await done(cy, busy, { type: "start" });
  // The disk is full from the moment on when it is a bot's turn.
  let begin;
  for (;;) {
    begin = await cy.world(busy);
    if (!begin.view.turn.includes(begin.you.seatIndex)) break;
    const { type, payload } = begin.view.legal[0];
    fill();
    await refused(cy, busy, { type, payload });
    free();
    await done(cy, busy, { type, payload });
    fill();
  }
  const tries = async () => Number(/^oyster_store_failures_total (\d+)/m.exec((await cy.get("/metrics")).text)[1]);
  const before = await tries();
  for (let n = 0; n < 600 && (await tries()) === before; n++) await sleep(50);
  const first = await tries();
  await sleep(1000);
  const count = (await tries()) - first;
  if (first === before || count > 20) throw new Error(`${first - before} tries, then ${count} in a second`);
  for (let n = 0; n < 100; n++) {
    const world = await cy.get(`/api/worlds/${busy}`);
    equal(`${world.status} ${world.json.version}`, `200 ${begin.version}`, "reading while a bot tries");
  }
  free();
  for (let n = 0; n < 600; n++) {
    if ((await cy.world(busy)).version > begin.version) return;
    await sleep(50);
  }
  throw new Error("the bot does not move");
});

await test("what was acknowledged is there after a restart, and what was refused is not", async () => {
  fill();
  const before = await ann.world(duel),
    mover = turn(before);
  await refused(mover, duel, { type: "drop", payload: { column: 1 } });
  await server.stop("SIGKILL");
  await promises.check();
  server = await Server.start(program, flags);
  for (const person of [ann, bob, cy]) person.server = server;
  const after = await ann.world(duel);
  equal(after.version, before.version, "the version");
  equal(JSON.stringify(after.view), JSON.stringify(before.view), "the view");
  await done(mover, duel, { type: "drop", payload: { column: 1 } });
  equal((await server.stop()).code, 0, "the exit code");
  await promises.check();
});

// One line that says what is wrong, and exit code 1.
async function fails(store, listen, words) {
  const child = spawn(program, ["serve", "--listen", listen, "--store", `sqlite:${store}`], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "",
    error = "";
  child.stdout.on("data", (data) => {
    out += data;
  });
  child.stderr.on("data", (data) => {
    error += data;
  });
  const code = await new Promise((resolve) => child.on("close", (exit, signal) => resolve(exit ?? signal)));
  equal(code, 1, `the exit code (${error})`);
  equal(out, "", "what it says");
  if (!/^oyster: .*\n$/.test(error) || !words.test(error)) throw new Error(`not one clear line: ${error}`);
}

await test("no such folder", () =>
  fails(join(folder, "none", "store"), "127.0.0.1:0", /none\/store cannot be opened: No such file/));
await test("a folder instead of a file", () => fails(folder, "127.0.0.1:0", /cannot be opened/));
await test("not a database", async () => {
  await writeFile(join(folder, "letter"), "Dear Ann,\n".repeat(500));
  await fails(join(folder, "letter"), "127.0.0.1:0", /letter cannot be opened: file is not a database/);
});
await test("no permission", async () => {
  if (process.getuid() === 0) return; // who may do everything
  await writeFile(join(folder, "closed"), "");
  await chmod(join(folder, "closed"), 0);
  await fails(join(folder, "closed"), "127.0.0.1:0", /closed cannot be opened/);
});
await test("the port is in use", async () => {
  const other = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.on("listening", resolve));
  await fails(join(folder, "fresh"), `127.0.0.1:${other.address().port}`, /in use/);
  other.close();
});
await test("a file that another server has", async () => {
  const store = join(folder, "shared");
  const first = await Server.start(program, ["--store", `sqlite:${store}`]);
  await fails(store, "127.0.0.1:0", /Another server uses .*shared/);
  await first.stop();
  await (await Server.start(program, ["--store", `sqlite:${store}`])).stop();
});

await rm(folder, { recursive: true });
finish();
