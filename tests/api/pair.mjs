// Two people who play 4 Kate while others misbehave (flood.mjs). They run in a process of their own and look at nothing
// but what their sockets tell them: a move counts when it is acknowledged and the other one has seen it.
import { fork } from "node:child_process";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { Server, random } from "./client.mjs";
import { HELLO, RawSocket, TEXT, subscribe } from "./raw_socket.mjs";

// Seen from the outside: `moves` counts up, `lap` gives the times in ms since the last one.
export class Pair {
  static async sitDown(server) {
    const pair = Object.assign(new Pair(), { moves: 0, laps: [] });
    pair.process = fork(fileURLToPath(import.meta.url), [server.url]);
    pair.process.on("message", (times) => {
      if (times) pair.laps.shift()(times);
      else pair.moves++;
    });
    pair.failed = new Promise((_, reject) =>
      pair.process.once("exit", (code) => reject(new Error(`the two ended with ${code}`))),
    );
    pair.failed.catch((error) => {
      pair.trouble = error;
    });
    await pair.lap();
    return pair;
  }
  lap() {
    const answer = new Promise((resolve) => this.laps.push(resolve));
    this.process.send("lap");
    return Promise.race([answer, this.failed]);
  }
  end() {
    this.process.kill();
  }
}

class Player {
  constructor(person, socket) {
    Object.assign(this, { person, socket, version: 0, view: null, waiting: null });
  }
  async watch() {
    for (let frame; (frame = await this.socket.next()); ) {
      if (frame.opcode !== TEXT) throw new Error(`a player's socket got ${frame.opcode}`);
      const { event, data } = JSON.parse(frame.payload.toString());
      if (event !== "view-updated") continue;
      const { version, view } = JSON.parse(data);
      if (this.version > 0 && version > this.version + 1) throw new Error(`${version} came after ${this.version}`);
      Object.assign(this, { version, view });
      if (this.waiting && version >= this.waiting.version) this.waiting.resolve();
    }
    throw new Error("a player's socket was closed");
  }
  seen(version) {
    if (this.version >= version) return null;
    return new Promise((resolve) => {
      this.waiting = { version, resolve };
    });
  }
  awaited(seat) {
    return this.view?.turn.includes(seat) && this.view.legal.length > 0;
  }
}

async function play(url) {
  const dice = random(1),
    times = [];
  process.on("message", () => process.send(times.splice(0)));
  process.on("disconnect", () => process.exit());
  const players = [];
  for (const [i, name] of ["Ann", "Bob"].entries()) {
    const server = Object.assign(new Server(), {
      url,
      agent: new http.Agent({ keepAlive: true, localAddress: `127.0.0.${i + 8}` }),
    });
    const person = await server.person(name),
      socket = await RawSocket.open(server.port, HELLO);
    await socket.hello();
    await subscribe(person, socket, `private-player-${person.id}`);
    players.push(new Player(person, socket));
  }
  const [ann, bob] = players;
  const { roomCode } = await ann.person.create("4-kate", { settings: { speed: "instant" } });
  await bob.person.join(roomCode);
  for (const { person, socket } of players) await subscribe(person, socket, `presence-room-${roomCode}`);
  players.forEach((player) =>
    player.watch().catch((error) => {
      throw error;
    }),
  );
  setInterval(() => players.forEach(({ socket }) => socket.say("pusher:ping")), 10000);
  // A connection that was closed while nothing was asked for is no failure: it is asked for again, and done once.
  let number = 0;
  const ask = (player, action, tries = 3) =>
    player.person.act(roomCode, action).catch((error) => {
      if (tries === 0) throw error;
      return ask(player, action, tries - 1);
    });
  const sure = async (player, action) => {
    const answer = await ask(player, { ...action, actionId: `${number++}` });
    if (answer.status !== 200) throw new Error(`${JSON.stringify(action)}: ${answer.status} ${answer.text}`);
    await Promise.all(players.map((each) => each.seen(answer.json.version)));
  };
  await sure(ann, { type: "start" });
  for (;;) {
    const seat = players.findIndex((player, i) => player.awaited(i));
    if (seat < 0) {
      await sure(ann, { type: "play-again" });
      continue;
    }
    const { legal } = players[seat].view,
      { type, payload } = legal[dice(legal.length)];
    const begin = performance.now();
    await sure(players[seat], { type, payload });
    times.push(performance.now() - begin);
    process.send(null);
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await play(process.argv[2]);
