// Several servers on one Redis server of their own, in a temporary folder, and what can befall them. Each server
// reaches Redis through a TCP proxy of its own, its door, with which a test can cut the connection.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person, Server, sleep } from "./client.mjs";

// Nothing outlives the test, however it ends.
const children = new Set();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

const freePort = () =>
  new Promise((resolve) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

export class Redis {
  static async start(flags = ["--appendfsync", "always"]) {
    const redis = new Redis();
    redis.flags = flags;
    redis.folder = await mkdtemp(join(tmpdir(), "oyster-nodes-"));
    redis.port = await freePort();
    await redis.begin();
    return redis;
  }
  async begin() {
    this.process = spawn(
      "redis-server",
      [
        "--port",
        this.port,
        "--bind",
        "127.0.0.1",
        "--dir",
        this.folder,
        "--save",
        "",
        "--appendonly",
        "yes",
        "--logfile",
        "log",
        ...this.flags,
      ],
      { stdio: "ignore" },
    );
    children.add(this.process);
    this.ended = new Promise((resolve) => this.process.on("exit", resolve));
    for (let i = 0; i < 500; i++) {
      if (await this.ping()) return;
      await sleep(10);
    }
    throw new Error("no redis-server");
  }
  // One command, in words without spaces; the lines of its answer without their lengths, or null if there is none.
  ask(...words) {
    return new Promise((resolve) => {
      const socket = net.connect(this.port, "127.0.0.1", () => socket.write(`${words.join(" ")}\r\nQUIT\r\n`));
      let text = "";
      socket.on("data", (data) => {
        text += data;
      });
      socket.on("error", () => {});
      socket.on("close", () =>
        resolve(
          text
            ?.replace(/\+OK\r\n$/, "")
            .split("\r\n")
            .filter((line) => line && !/^[*$]-?\d+$/.test(line)),
        ),
      );
    });
  }
  async ping() {
    return (await this.ask("PING"))?.[0] === "+PONG";
  }
  async kill() {
    this.process.kill("SIGKILL");
    await this.ended;
  }
  async remove() {
    await this.kill();
    await rm(this.folder, { recursive: true });
  }
}

// A server and its replica. Whenever the one is killed the other takes its place, and the first comes back as its
// replica.
export class RedisPair {
  static async start() {
    const pair = new RedisPair();
    pair.master = await Redis.start();
    pair.replica = await Redis.start();
    await pair.follow();
    return pair;
  }
  get port() {
    return this.master.port;
  }
  async follow() {
    await this.replica.ask("CONFIG", "SET", "repl-diskless-sync-delay", 0);
    await this.master.ask("CONFIG", "SET", "repl-diskless-sync-delay", 0);
    await this.replica.ask("REPLICAOF", "127.0.0.1", this.master.port);
    while (!(await this.replica.ask("INFO", "replication")).includes("master_link_status:up")) await sleep(10);
  }
  async kill() {
    await this.master.kill();
    [this.master, this.replica] = [this.replica, this.master]; // until begin() makes it a master it refuses: READONLY
  }
  async begin() {
    await this.master.ask("REPLICAOF", "NO", "ONE");
    await this.replica.begin();
    await this.follow();
  }
  async remove() {
    for (const one of [this.master, this.replica]) await one.remove();
  }
}

// A cluster of three masters; a fault kills one of them at random. Servers connect to them directly, without doors.
export class RedisCluster {
  static async start() {
    const cluster = new RedisCluster();
    cluster.masters = [];
    for (let i = 0; i < 3; i++) {
      const bus = await freePort();
      const master = await Redis.start([
        "--appendfsync",
        "always",
        "--cluster-enabled",
        "yes",
        "--cluster-port",
        bus,
        "--cluster-require-full-coverage",
        "no",
        "--cluster-node-timeout",
        "2000",
      ]);
      cluster.masters.push(Object.assign(master, { bus }));
      await master.ask("CLUSTER", "SET-CONFIG-EPOCH", i + 1);
      await master.ask("CLUSTER", "ADDSLOTSRANGE", Math.floor((i * 16384) / 3), Math.floor(((i + 1) * 16384) / 3) - 1);
      await master.ask("CLUSTER", "MEET", "127.0.0.1", cluster.masters[0].port, cluster.masters[0].bus);
    }
    await cluster.ready();
    return cluster;
  }
  async ready() {
    for (const master of this.masters) {
      const knowsAll = async () =>
        (await master.ask("CLUSTER", "INFO")).includes("cluster_known_nodes:3") &&
        (await master.ask("CLUSTER", "INFO")).includes("cluster_state:ok");
      while (!(await knowsAll())) await sleep(20);
    }
  }
  get port() {
    return this.masters[0].port;
  }
  async kill(i = 1) {
    this.dead = this.masters[i];
    await this.dead.kill();
  }
  async begin() {
    await this.dead.begin();
  }
  // Moves a shard with all that is in it from wherever it is to that master, while people play on.
  async move(tag, to) {
    const target = this.masters[to],
      id = (await target.ask("CLUSTER", "MYID"))[0];
    const slot = (await target.ask("CLUSTER", "KEYSLOT", `{${tag}}`))[0].slice(1);
    for (const source of this.masters) {
      if (source === target || (await source.ask("CLUSTER", "COUNTKEYSINSLOT", slot))[0] === ":0") continue;
      await target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", (await source.ask("CLUSTER", "MYID"))[0]);
      await source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", id);
      for (;;) {
        const keys = (await source.ask("CLUSTER", "GETKEYSINSLOT", slot, 20)) || [];
        if (keys.length === 0) break;
        await source.ask("MIGRATE", "127.0.0.1", target.port, '""', 0, 5000, "KEYS", ...keys);
      }
      await target.ask("CLUSTER", "SETSLOT", slot, "NODE", id);
      await source.ask("CLUSTER", "SETSLOT", slot, "NODE", id);
    }
  }
  async remove() {
    for (const master of this.masters) await master.remove();
  }
}

class Door {
  static async open(redis) {
    const door = new Door();
    door.pairs = new Set();
    door.server = net.createServer((inside) => {
      const outside = net.connect(redis.port, "127.0.0.1");
      const pair = [inside, outside];
      door.pairs.add(pair);
      for (const [one, other] of [pair, [outside, inside]]) {
        one.setNoDelay(true);
        one.on("data", (data) => other.write(data));
        one.on("error", () => {});
        one.on("close", () => {
          other.destroy();
          door.pairs.delete(pair);
        });
      }
    });
    await new Promise((resolve) => door.server.listen(0, "127.0.0.1", resolve));
    return door;
  }
  get port() {
    return this.server.address().port;
  }
  slam() {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }
  // Requests still get through, answers do not; later nothing does.
  swallow() {
    for (const [inside, outside] of this.pairs) {
      outside.removeAllListeners("data");
      outside.once("data", () => {
        inside.destroy();
        outside.destroy();
      });
    }
  }
  close() {
    this.slam();
    this.server.close();
  }
}

export class Cluster {
  // `env` gives the environment of each server.
  static async start(program, { count = 3, flags = [], redis = undefined, env = () => ({}) } = {}) {
    const cluster = new Cluster();
    cluster.program = program;
    cluster.redis = redis ?? (await Redis.start());
    cluster.doors = [];
    cluster.nodes = [];
    Object.assign(cluster, { flags, env });
    for (let i = 0; i < count; i++) {
      cluster.doors.push(await Door.open(cluster.redis));
      await cluster.begin(i);
    }
    return cluster;
  }
  get store() {
    return `redis://127.0.0.1:${this.redis.port}/0`;
  }
  async begin(i) {
    const store = `redis://127.0.0.1:${this.doors[i].port}/0`;
    for (;;) {
      try {
        this.nodes[i] = await Server.start(this.program, ["--store", store, "--node", `n${i}`, ...this.flags], {
          env: this.env(i),
        });
        children.add(this.nodes[i].process);
        return this.nodes[i];
      } catch (error) {
        if (!/cannot be reached|Redis/.test(String(error))) throw error;
        await sleep(20); // Redis is away at the moment
      }
    }
  }
  async kill(i) {
    const node = this.nodes[i];
    this.nodes[i] = null;
    await node.stop("SIGKILL");
  }
  async stop() {
    const ends = await Promise.all(this.nodes.filter(Boolean).map((node) => node.stop()));
    for (const door of this.doors) door.close();
    return ends;
  }
}

// One address for all servers: each connection goes to the next one that is alive.
export class FrontDoor {
  static async open(cluster) {
    const front = new FrontDoor();
    let next = 0;
    front.server = net.createServer((near) => {
      const nodes = cluster.nodes.filter(Boolean);
      const far = net.connect(nodes[next++ % nodes.length].port, "127.0.0.1");
      for (const [one, other] of [
        [near, far],
        [far, near],
      ]) {
        one.pipe(other);
        one.on("error", () => {});
        one.on("close", () => other.destroy());
      }
    });
    await new Promise((resolve) => front.server.listen(0, "127.0.0.1", resolve));
    front.url = `http://127.0.0.1:${front.server.address().port}`;
    return front;
  }
  stop() {
    this.server.close();
  }
}

const within = (promise, ms) =>
  Promise.race([
    promise,
    sleep(ms).then(() => {
      throw new Error("too late");
    }),
  ]);

// Somebody whose every request goes to any server, and to another one if that does not answer, always with the same
// actionId: what was done is done once.
export class Roamer extends Person {
  static async introduce(cluster, name, dice) {
    const answer = await cluster.nodes[0].request("POST", "/api/session", { body: { name } });
    if (answer.status !== 201) throw new Error(answer.text);
    const person = new Roamer(null, answer.json);
    Object.assign(person, { cluster, dice, lost: 0 });
    return person;
  }
  async request(method, path, options = {}) {
    for (let attempt = 0; ; attempt++) {
      const nodes = this.cluster.nodes.filter(Boolean);
      if (this.cluster.trouble) throw this.cluster.trouble;
      if (nodes.length > 0) {
        try {
          const node = nodes[this.dice(nodes.length)];
          const answer = await within(node.request(method, path, { token: this.token, ...options }), 1500);
          if (answer.status !== 503) return { ...answer, attempt, node: `n${this.cluster.nodes.indexOf(node)}` };
        } catch {
          /* gone, or too slow */
        }
      }
      this.lost++;
      await sleep(5 + this.dice(20));
    }
  }
}
