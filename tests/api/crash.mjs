// node tests/api/crash.mjs PROGRAM CHECK_STORE [KILLS [SEED]]: the server is killed again and again while people
// play, and started anew on the same file. Nothing that was acknowledged or shown may be missing, nothing may
// be there twice, and everybody goes on playing with the session they had.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person, Server, finish, offers, random, sleep, test } from "./client.mjs";
import { Promises } from "./promises.mjs";

const [program, checker, kills = "50", seed = String(Date.now() % 100000)] = process.argv.slice(2);
const dice = random(Number(seed));
const folder = await mkdtemp(join(tmpdir(), "oyster-crash-"));
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
  "--log-level",
  "error",
];
const tables = [
  { game: "4-kate", people: 2, settings: { speed: "instant" } },
  { game: "whos-deal", people: 2, settings: { speed: "instant", targetScore: 5 } },
  { game: "up-n-down", people: 3, settings: { speed: "instant" } },
  { game: "terrible-people", people: 4, settings: { speed: "instant" } },
];
const promises = new Promises(checker, file);
const counts = { acts: 0, retries: 0, duplicates: 0, games: 0, early: 0 };

// Every request goes to the server of the present run, and is repeated when that is gone.
let server, up, trouble;
let stopping = false;
class Stubborn extends Person {
  async request(method, path, options = {}) {
    for (let attempt = 0; ; attempt++) {
      const now = await up;
      try {
        return { ...(await now.request(method, path, { token: this.token, ...options })), attempt };
      } catch {
        if (trouble) throw trouble;
        if (attempt === 0 && options.body?.actionId) counts.retries++;
        await sleep(2);
      }
    }
  }
  // Each action is asked for until there is an answer, always with the same id.
  async sure(table, action) {
    const actionId = `${this.name}-${table.number}-${table.next++}`;
    const promise = promises.ask(table.code, this.id, actionId, action);
    const answer = await this.act(table.code, { ...action, actionId });
    promises.answered(promise, answer);
    counts.acts++;
    if (answer.json?.duplicate) counts.duplicates++;
    return answer;
  }
  async look(table) {
    const answer = await this.get(`/api/worlds/${table.code}`);
    if (answer.status !== 200) throw new Error(`${table.code}: ${answer.text}`);
    promises.seen(table.code, answer.json.version);
    return answer.json;
  }
}

async function begin(table, number) {
  Object.assign(table, { number, next: 0, members: [], done: false });
  for (let i = 0; i < table.people; i++) {
    const answer = await server.request("POST", "/api/session", { body: { name: `P${number}${i}` } });
    table.members.push(new Stubborn(server, answer.json));
  }
  const [owner, ...others] = table.members;
  const made = await owner.post("/api/worlds", { gameId: table.game, settings: table.settings });
  if (made.status !== 201) throw new Error(made.text);
  table.code = made.json.roomCode;
  for (const other of others) {
    const answer = await other.join(table.code);
    if (answer.status !== 200) throw new Error(answer.text);
  }
  const answer = await owner.sure(table, { type: "start" });
  if (answer.status !== 200) throw new Error(answer.text);
}

// Plays whatever is offered; the owner begins the next game. When the time is up it stops at the end of a game.
async function play(table, person) {
  const owner = person === table.members[0];
  for (;;) {
    const world = await person.look(table);
    if (world.status === "game_over") {
      if (owner) {
        counts.games++;
        if (stopping) table.done = true;
        else await person.sure(table, { type: "play-again" });
      }
      if (table.done) return;
      await sleep(5);
      continue;
    }
    if (table.done) return;
    const offered = offers(world);
    if (offered.length === 0) {
      await sleep(3 + dice(5));
      continue;
    }
    const { type, payload } = offered[dice(offered.length)];
    const answer = await person.sure(table, { type, payload });
    // What was offered may be refused only because somebody else was faster.
    if (answer.status >= 500) throw new Error(`${type}: ${answer.status} ${answer.text}`);
  }
}

// Kills the server, looks at the file if asked to, and starts it again.
async function killOnce(look) {
  await sleep(dice(10) === 0 ? dice(15) : 20 + dice(250));
  let release;
  up = new Promise((resolve) => {
    release = resolve;
  });
  await server.stop("SIGKILL");
  if (look) await promises.check();
  // Now and then it does not even come up before it is killed again.
  while (dice(8) === 0) {
    counts.early++;
    let early;
    const starting = Server.start(program, flags).then(
      (started) => {
        early = started;
      },
      () => {},
    );
    const child = Server.latest;
    await sleep(dice(30));
    child.kill("SIGKILL");
    await starting;
    await early?.exit;
  }
  server = await Server.start(program, flags);
  release(server);
}

const start = Date.now();
let players = [];
await test("people begin to play", async () => {
  server = await Server.start(program, flags);
  up = Promise.resolve(server);
  for (const [i, table] of tables.entries()) await begin(table, i);
  players = tables.flatMap((table) => table.members.map((person) => play(table, person)));
  for (const player of players)
    player.catch((error) => {
      trouble ??= error;
    });
});

await test(`${kills} kills, seed ${seed}: everybody goes on after each`, async () => {
  for (let i = 1; i <= Number(kills) && !trouble; i++) await killOnce(i % 5 === 0);
  if (trouble) throw trouble;
});

await test("every game goes on to its end", async () => {
  stopping = true;
  await Promise.all(players);
});

await test("sessions are still good, and everybody finds their world", async () => {
  for (const table of tables)
    for (const person of table.members) {
      const session = await person.get("/api/session");
      if (session.json?.playerId !== person.id) throw new Error(session.text);
      const mine = await person.get("/api/worlds?mine=1");
      if (!mine.json.worlds.some((world) => world.roomCode === table.code))
        throw new Error(`${table.code} is not in ${mine.text}`);
      const log = await person.get(`/api/worlds/${table.code}/log`);
      if (log.status !== 200 || !log.text.startsWith("oyster 1\n"))
        throw new Error(`${log.status} ${log.text.slice(0, 200)}`);
    }
});

await test("the server ends in peace", async () => {
  const { code } = await server.stop();
  if (code !== 0) throw new Error(`exit code ${code}\n${server.log}`);
});

await test("nothing acknowledged is lost, nothing is there twice, every world folds", () => promises.check());

await test("enough happened to mean something", async () => {
  if (promises.size < Number(kills) * 2 || counts.retries < Number(kills) / 5) throw new Error(JSON.stringify(counts));
});

console.log(`# ${(Date.now() - start) / 1000} s, ${JSON.stringify(counts)}`);
await rm(folder, { recursive: true });
finish();
