// node tests/api/growth.mjs PROGRAM [SECONDS]: the store does not grow without bound. Bytes are limited by person,
// address and world, entries by world, worlds by person, names by hour, each with a refusal that says so; then 24
// sessions of one address write whatever they can for a while, and the store stays under LIMIT_MB.
import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person, Server, finish, sleep, test } from "./client.mjs";
import { Cluster } from "./nodes.mjs";
import { accepted, assert, refused, until } from "./tools.mjs";

const [program = "build/oyster", seconds = "8"] = process.argv.slice(2);
const SECONDS = Number(seconds),
  SESSIONS = 24,
  LIMIT_MB = 24; // whatever they do in ten minutes
const MANY = ["--actions-per-second", "100000", "--actions-burst", "100000"];
const folder = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "oyster-growth-"));

// A server with these limits, until the test is over.
async function limited(flags, run) {
  const server = await Server.start(program, ["--store", "memory", ...MANY, ...flags]);
  try {
    await run(server);
  } finally {
    const { code } = await server.stop();
    assert.equal(code, 0, server.log);
  }
}
const setting = (turn) => ({ type: "set-settings", payload: { speed: turn % 2 ? "fast" : "relaxed" } });
// Acts until it is refused; gives that refusal and how often it went well before.
async function actUntilRefused(person, code, action = setting, most = 1000) {
  for (let count = 0; count < most; count++) {
    const answer = await person.act(code, action(count));
    if (answer.status !== 200) return { answer, count };
  }
  throw new Error(`never refused in ${most} times`);
}

await test("a setting that stands twice in a line is refused, however it is sent", async () => {
  await limited([], async (server) => {
    const ann = await server.person("Ann"),
      { roomCode } = await ann.create("whos-deal");
    const twice = await ann.act(roomCode, { move: "set speed=fast speed=normal" });
    refused(twice, 400, "INVALID_SETTING", "'speed' stands there twice");
    const { version } = accepted(await ann.act(roomCode, { move: "set   speed=fast" }));
    assert.equal(accepted(await ann.act(roomCode, { move: "set speed=fast" })).version, version); // it is so already
  });
});

await test("a new token for a device counts as what it costs", async () => {
  await limited(["--written-per-minute", "6000"], async (server) => {
    const ann = await server.person("Ann");
    let count = 0,
      answer;
    for (; count < 100; count++) {
      answer = await ann.post("/api/session/renew");
      if (answer.status !== 200) break;
      ann.token = answer.json.token;
    }
    refused(answer, 429, "RATE_LIMITED", "You have had a lot written down; please wait a moment");
    assert.ok(count >= 8 && count < 20, `${count}`);
    accepted(await ann.post("/api/session/logout", { others: true })); // nobody is kept from that
  });
});

await test("bytes are limited by person", async () => {
  await limited(["--written-per-minute", "6000"], async (server) => {
    const ann = await server.person("Ann"),
      { roomCode } = await ann.create("whos-deal"); // 4,096
    const { answer, count } = await actUntilRefused(ann, roomCode);
    refused(answer, 429, "RATE_LIMITED", "You have had a lot written down; please wait a moment");
    assert.ok(Number(answer.headers["retry-after"]) >= 1);
    assert.ok(count >= 8 && count < 200, `${count}`);
    const bob = await server.person("Bob");
    accepted(await bob.join(roomCode, { as: "spectator" }));
    accepted(await ann.world(roomCode).then((json) => ({ status: 200, json }))); // reading costs nothing
    accepted(await ann.post(`/api/worlds/${roomCode}/leave`)); // nor does leaving
  });
});

await test("... and by address", async () => {
  await limited(["--written-per-minute", "6000", "--sessions-per-minute", "1000"], async (server) => {
    const answers = [];
    for (let i = 0; i < 60; i++)
      answers.push(await server.request("POST", "/api/session", { body: { name: `A${i}` } }));
    const last = answers.at(-1); // 512 bytes each
    refused(last, 429, "RATE_LIMITED", "You have had a lot written down; please wait a moment");
    assert.ok(answers.filter(({ status }) => status === 201).length >= 46);
  });
});

await test("a world has a last entry; the game may go on longer than the talk, and order longest", async () => {
  await limited(["--entries-per-world", "100"], async (server) => {
    const people = [await server.person("Ann"), await server.person("Bob")],
      [ann, bob] = people;
    const { roomCode: code } = await ann.create("4-kate");
    await actUntilRefused(ann, code, setting, 70).catch(() => {});
    accepted(await bob.join(code));
    accepted(await ann.act(code, { type: "start" }));
    let drop = 0; // in an order in which nobody wins
    const drops = async (most) => {
      for (let version = 0; version < most; drop++) {
        const { view } = await ann.world(code);
        const next = await people[view.turn[0]].act(code, { move: `drop ${[1, 3, 5, 7, 2, 4, 6][drop % 7]}` });
        if (next.status !== 200) return next;
        ({ version } = next.json);
      }
    };
    await drops(90);
    const full = "This world has been used up; please make a new one";
    refused(await bob.act(code, { type: "emote", payload: { id: "hello" } }), 409, "LOG_FULL", full);
    refused(await drops(100), 409, "LOG_FULL", full);
    assert.equal((await ann.world(code)).version, 98);
    accepted(await ann.act(code, { type: "mute-player", payload: { playerId: bob.id } }));
    accepted(await ann.act(code, { type: "remove-player", payload: { playerId: bob.id } }));
    refused(await ann.act(code, { type: "renew-invitation" }), 409, "LOG_FULL", full);
    accepted(await ann.post(`/api/worlds/${code}/leave`));
  });
});

await test("guests who come and go without end do not use a world up", async () => {
  await limited(["--written-per-minute", "1000000000"], async (server) => {
    const ann = await server.person("Ann"),
      eve = await server.person("Eve"),
      { roomCode } = await ann.create("whos-deal");
    let answer;
    for (let i = 0; i < 200 && (!answer || answer.status === 200); i++) {
      answer = await eve.join(roomCode, { as: "spectator" });
      await eve.post(`/api/worlds/${roomCode}/leave`);
    }
    refused(answer, 429, "RATE_LIMITED");
    assert.ok((await ann.world(roomCode)).version <= 135, `${(await ann.world(roomCode)).version}`);
    accepted(await ann.act(roomCode, setting(0)));
  });
});

await test("... and a last byte", async () => {
  await limited(["--bytes-per-world", "16384"], async (server) => {
    const ann = await server.person("Ann"),
      { roomCode } = await ann.create("whos-deal");
    const { answer, count } = await actUntilRefused(ann, roomCode);
    refused(answer, 409, "LOG_FULL");
    assert.ok(count > 100 && count < 400, `${count}`);
  });
});

await test("one is in so many worlds at a time", async () => {
  await limited(["--memberships-per-player", "2"], async (server) => {
    const [ann, bob] = [await server.person("Ann"), await server.person("Bob")];
    const codes = [];
    for (let i = 0; i < 2; i++) codes.push((await ann.create("whos-deal")).roomCode);
    const text = "You are in 2 worlds already; leave one first";
    refused(await ann.post("/api/worlds", { gameId: "whos-deal" }), 429, "RATE_LIMITED", text);
    for (const code of codes) accepted(await bob.join(code));
    const third = await (await server.person("Cid")).create("whos-deal");
    refused(await bob.join(third.roomCode), 429, "RATE_LIMITED", text);
    accepted(await bob.join(codes[0])); // where one is already
    accepted(await bob.post(`/api/worlds/${codes[0]}/leave`));
    accepted(await bob.join(third.roomCode));
  });
});

await test("... also who comes into several at the same moment", async () => {
  await limited(["--memberships-per-player", "3"], async (server) => {
    const codes = [];
    for (let i = 0; i < 10; i++) codes.push((await (await server.person(`P${i}`)).create("whos-deal")).roomCode);
    const eve = await server.person("Eve");
    const answers = await Promise.all([
      ...codes.map((code) => eve.join(code)),
      ...codes.map(() => eve.post("/api/worlds", { gameId: "4-kate" })),
    ]);
    for (const answer of answers.filter(({ status }) => status >= 300))
      refused(answer, 429, "RATE_LIMITED", /^You are (in|coming into) 3 worlds already/);
    const inside = answers.filter(({ status }) => status < 300).map(({ json }) => json.roomCode);
    assert.equal(inside.length, 3);
    assert.equal(accepted(await eve.get("/api/worlds?mine=1")).worlds.length, 3);
    accepted(await eve.post(`/api/worlds/${inside[0]}/leave`));
    accepted(await eve.join(codes.find((code) => !inside.includes(code)))); // nobody is left in the line
  });
});

await test("one has so many names in an hour", async () => {
  await limited(["--renames-per-hour", "2"], async (server) => {
    const ann = await server.person("Ann");
    const call = (name) => ann.request("PATCH", "/api/session", { body: { name } });
    for (const name of ["Bea", "Bea", "Cea"]) accepted(await call(name)); // one's own is no change
    refused(await call("Dea"), 429, "RATE_LIMITED", "You have had many names already; please wait");
    assert.equal(accepted(await ann.get("/api/session")).name, "Cea");
  });
});

// ---- What is old ----

await test("who is seen is noted once an hour, and known for so long from then on", async () => {
  const cluster = await Cluster.start(program, { count: 1, flags: ["--keep-people-ms", "100000000"] });
  const {
    redis,
    nodes: [node],
  } = cluster;
  const ann = await node.person("Ann");
  const key = `oyster:player:${ann.id}`;
  const number = async (...command) => Number((await redis.ask(...command)).at(-1).replace(":", ""));
  const seen = () => number("HGET", key, "seen");
  const first = await seen();
  accepted(await ann.get("/api/session"));
  assert.equal(await seen(), first); // within the hour
  const longAgo = first - 4000000;
  await redis.ask("HSET", key, "seen", `${longAgo}`);
  await redis.ask("PEXPIRE", key, "60000");
  await cluster.kill(0); // or it would remember
  const again = new Person(await cluster.begin(0), { ...ann, playerId: ann.id });
  accepted(await again.get("/api/session"));
  await until(async () => (await seen()) >= first, "nobody was seen");
  assert.ok((await number("PTTL", key)) > 60000);
  await cluster.stop();
  await redis.remove();
});

// ---- Abuse ----

await test(`${SESSIONS} sessions of one address write all they can for ${SECONDS} s`, async () => {
  const file = join(folder, "store");
  const defaults = ["--written-per-minute", "65536", "--renames-per-hour", "30"];
  const server = await Server.start(program, ["--store", `sqlite:${file}`, "--log-level", "error", ...defaults]);
  const size = () =>
    ["", "-wal"].reduce((sum, end) => sum + (existsSync(file + end) ? statSync(file + end).size : 0), 0) / 1e6;
  const statuses = {};
  const count = (answer) => {
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    return answer;
  };
  const end = Date.now() + SECONDS * 1000;
  const long = "x".repeat(300);
  let largest = 0;
  const abuse = async (number) => {
    let person;
    while (!person && Date.now() < end) {
      person = await server.person(`Eve ${number}`).catch(() => null); // 30 a minute
      if (!person) await sleep(1000);
    }
    const codes = [];
    const kinds = [
      async () => {
        const { status, json } = count(await person.post("/api/worlds", { gameId: "hand-and-foot" }));
        if (status === 201) codes.push(json.roomCode);
      },
      (code, turn) =>
        person.act(code, {
          move: `set speed=${turn % 2 ? "fast" : "normal"} public=${turn % 2 ? "yes" : "no"} rounds=${1 + (turn % 4)}`,
        }),
      (code) => person.act(code, { type: "chat", payload: { text: long } }),
      (code, turn) => person.act(code, { move: `set ${"speed=fast speed=normal ".repeat(80)}speed=${turn}` }),
      (code) => person.act(code, { type: "start", payload: { speed: "instant" } }),
      (code) => person.post(`/api/worlds/${code}/leave`),
      (code) => person.join(code),
      (_code, turn) => person.request("PATCH", "/api/session", { body: { name: `Eve ${number} ${turn}` } }),
      () => server.request("POST", "/api/session", { body: { name: `Eve ${number}` } }),
    ];
    for (let turn = 0; person && Date.now() < end; turn++) {
      const code = codes[turn % codes.length] ?? "AAAAAA";
      const answer = await kinds[codes.length === 0 ? 0 : turn % kinds.length](code, turn);
      if (answer) count(answer);
      largest = Math.max(largest, size());
    }
  };
  await Promise.all(Array.from({ length: SESSIONS }, (_, i) => abuse(i)));
  const writes = Object.entries(statuses).map(([status, times]) => `${times.toLocaleString("en")} times ${status}`);
  console.log(
    `# ${SESSIONS} sessions, ${SECONDS} s: ${writes.join(", ")}; the store had at most ${largest.toFixed(1)} MB`,
  );
  assert.ok(statuses[429] > 0, "nobody was limited");
  assert.ok(largest < LIMIT_MB, `${largest} MB`);
  const { code } = await server.stop();
  assert.equal(code, 0, server.log);
});
await rm(folder, { recursive: true });
finish();
