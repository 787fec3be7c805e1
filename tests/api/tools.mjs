// More for the tests of the API: what is expected of answers, tables with people, bytes by hand.
import assert from "node:assert/strict";
import net from "node:net";
import { sleep } from "./client.mjs";

// A server for tests that are not about limits.
export const generous = [
  "--store",
  "memory",
  "--actions-per-second",
  "100000",
  "--actions-burst",
  "100000",
  "--sessions-per-minute",
  "100000",
  "--failed-joins-per-minute",
  "100000",
  "--failed-joins-per-minute-in-all",
  "100000",
  "--worlds-per-player",
  "10000",
];

export function refused(answer, status, code, error) {
  assert.equal(`${answer.status} ${answer.json?.code}`, `${status} ${code}`, answer.text);
  assert.equal(answer.headers["content-type"], "application/json");
  assert.deepEqual(Object.keys(answer.json), ["error", "code"]);
  assert.ok(answer.json.error.length > 0);
  if (error instanceof RegExp) assert.match(answer.json.error, error);
  else if (error !== undefined) assert.equal(answer.json.error, error);
}

export function accepted(answer, status = 200) {
  assert.equal(answer.status, status, answer.text);
  return answer.json;
}

// A world with these people in its first seats, started. The first is its owner.
export async function table(people, gameId, { settings = {}, start = {}, ...more } = {}) {
  const [owner, ...others] = people;
  const world = accepted(
    await owner.post("/api/worlds", { gameId, settings: { speed: "instant", ...settings }, ...more }),
    201,
  );
  for (const person of others) accepted(await person.join(world.roomCode));
  accepted(await owner.act(world.roomCode, { type: "start", payload: start }));
  return world.roomCode;
}

// Asks until the condition holds: quickly on an idle machine, patiently on a busy one.
export async function until(ask, what = "it never came to be", patience = 60000) {
  for (let begin = Date.now(); Date.now() - begin < patience; await sleep(20)) {
    const found = await ask();
    if (found) return found;
  }
  throw new Error(what);
}

// The world of somebody once one of these people is awaited, with that person; null when it is over.
// Everybody goes on from results at once.
export async function nextTurn(people, code) {
  return until(async () => {
    const worlds = await Promise.all(people.map((person) => person.world(code)));
    if (worlds[0].status === "game_over") return { over: true, world: worlds[0] };
    for (const [i, { view }] of worlds.entries())
      if (view.legal.some(({ type }) => type === "next-round")) await people[i].act(code, { type: "next-round" });
    const at = worlds.findIndex(({ view, you }) => view.turn.includes(you.seatIndex));
    return at >= 0 && { person: people[at], world: worlds[at], view: worlds[at].view, seat: worlds[at].you.seatIndex };
  }, "nobody is awaited");
}

// A bare connection: only what `send` writes is sent; `closed` gives all that came back.
export class Raw {
  constructor(server) {
    this.socket = net.connect(server.port, "127.0.0.1");
    this.text = "";
    this.bytes = 0;
    this.open = new Promise((resolve) => this.socket.once("connect", resolve));
    this.socket.on("data", (data) => {
      this.bytes += data.length;
      this.text += data.toString("latin1");
    });
    this.socket.on("error", () => {});
    this.ended = new Promise((resolve) => this.socket.on("close", () => resolve(this.text)));
  }
  async send(bytes) {
    await this.open;
    this.socket.write(Buffer.from(bytes, "latin1"));
    return this;
  }
  // Once so many answers have come; else as many as came before the end.
  async answers(count) {
    let over = false;
    this.ended.then(() => {
      over = true;
    });
    await until(() => over || this.statuses().length >= count, `no ${count} answers in: ${this.text}`);
    return this.statuses();
  }
  statuses() {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((found) => Number(found[1]));
  }
  end() {
    this.socket.destroy();
  }
}

// Sends these bytes on a connection of their own and gives the first status; 0: closed without one.
export async function firstStatus(server, bytes) {
  const raw = await new Raw(server).send(bytes);
  const [status] = await raw.answers(1);
  raw.end();
  return status ?? 0;
}

export { assert };
