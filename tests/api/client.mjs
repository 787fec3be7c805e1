// What the API tests share: a server of their own, people with sessions, and a way to say what is
// expected. `Server.start` waits for the line that says where it listens. OYSTER_FLAGS has flags for all servers.
import { spawn } from "node:child_process";
import http from "node:http";

export class Server {
  static async start(program, flags = [], { quiet = true, env = {} } = {}) {
    const server = new Server();
    Server.latest = server.process = spawn(
      program,
      [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--requests-per-second",
        "0",
        "--written-per-minute",
        "0",
        "--renames-per-hour",
        "100000",
        ...(process.env.OYSTER_FLAGS?.split(" ") ?? []),
        ...flags,
      ],
      { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } },
    );
    server.log = "";
    server.process.stderr.on("data", (data) => {
      server.log += data;
      if (!quiet) process.stderr.write(data);
    });
    server.exit = new Promise((resolve) => server.process.on("exit", (code, signal) => resolve({ code, signal })));
    server.url = await new Promise((resolve, reject) => {
      server.said = "";
      server.process.stdout.on("data", (data) => {
        server.said += data;
        const found = /serves at (http:\S+)/.exec(server.said);
        if (found) resolve(found[1]);
      });
      server.exit.then(({ code, signal }) => reject(new Error(`the server ended: ${code ?? signal}\n${server.log}`)));
    });
    server.agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
    return server;
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  async stop(signal = "SIGTERM") {
    this.agent.destroy();
    this.process.kill(signal);
    return this.exit;
  }

  request(method, path, { token, body, headers = {}, raw } = {}) {
    const data = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const all = { ...headers };
    if (token) all.authorization = `Bearer ${token}`;
    if (data !== undefined) {
      all["content-type"] ??= "application/json";
      all["content-length"] = Buffer.byteLength(data);
    }
    return new Promise((resolve, reject) => {
      const request = http.request(this.url + path, { method, headers: all, agent: this.agent }, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part) => {
          text += part;
        });
        answer.on("end", () => {
          let json;
          try {
            json = JSON.parse(text);
          } catch {
            json = undefined;
          }
          resolve({ status: answer.statusCode, headers: answer.headers, text, json });
        });
      });
      request.on("error", reject);
      if (data !== undefined) request.write(data);
      request.end();
    });
  }

  async person(name) {
    const answer = await this.request("POST", "/api/session", { body: { name } });
    if (answer.status !== 201) throw new Error(`no session: ${answer.text}`);
    return new Person(this, answer.json);
  }
}

export class Person {
  constructor(server, { playerId, name, token }) {
    Object.assign(this, { server, id: playerId, name, token });
  }
  request(method, path, options = {}) {
    return this.server.request(method, path, { token: this.token, ...options });
  }
  get(path) {
    return this.request("GET", path);
  }
  post(path, body = {}) {
    return this.request("POST", path, { body });
  }
  create(gameId, more = {}) {
    return this.post("/api/worlds", { gameId, ...more }).then((answer) => answer.json);
  }
  join(code, more = {}) {
    return this.post(`/api/worlds/${code}/join`, more);
  }
  world(code) {
    return this.get(`/api/worlds/${code}`).then((answer) => answer.json);
  }
  act(roomCode, action) {
    return this.post("/api/game/action", { roomCode, ...action });
  }
}

// What the view offers a person to do now: moves when awaited, and to go on after a round.
export const offers = ({ view, you }) =>
  view?.legal.filter(({ type }) => view.turn.includes(you.seatIndex) || type === "next-round") ?? [];

// A generic client: it knows nothing of any game and posts entries of `view.legal`.
export async function playToTheEnd(person, code, choose, { pause = 5, limit = 20000 } = {}) {
  let moves = 0;
  for (let i = 0; i < limit; i++) {
    const world = await person.world(code);
    if (world.status === "game_over") return { world, moves };
    const legal = offers(world);
    if (legal.length === 0) {
      await sleep(pause);
      continue;
    }
    const { type, payload } = legal[choose(legal.length)];
    const answer = await person.act(code, { type, payload });
    if (answer.status !== 200) throw new Error(`${JSON.stringify({ type, payload })} was offered but ${answer.text}`);
    moves++;
  }
  throw new Error("the game does not end");
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Random numbers that are the same in every run.
export function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// Tests in TAP.
let number = 0,
  failed = 0;
export async function test(name, run) {
  const mine = ++number;
  try {
    await run();
    console.log(`ok ${mine} - ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok ${mine} - ${name}\n# ${String(error.stack ?? error).replaceAll("\n", "\n# ")}`);
  }
}
export function finish() {
  console.log(`1..${number}`);
  process.exit(failed ? 1 : 0);
}
