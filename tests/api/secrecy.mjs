// The law of secrecy, from outside: two servers with worlds that differ only in what the viewer must
// not know send that viewer the same bytes.
// node tests/api/secrecy.mjs PROGRAM SECRECY_WORLDS [short]
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person, Server, finish, test } from "./client.mjs";
import { greeted, subscribe } from "./raw_socket.mjs";

const [program = "build/oyster", worlds = "build/tests/secrecy_worlds", length = "long"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "oyster-secrecy-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const lines = execFileSync(worlds, [join(folder, "a"), join(folder, "b")], { encoding: "utf8" })
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const people = lines.filter((line) => line.token),
  pairs = lines.filter((line) => line.code);
const flags = [
  "--log-level",
  "error",
  "--actions-per-second",
  "1000000",
  "--actions-burst",
  "1000000",
  "--connections-per-address",
  "0",
  "--away-ms",
  "2147483647",
  "--lobby-ms",
  "2147483647",
  "--pusher-secret",
  "the same for both",
];
const servers = await Promise.all(
  ["a", "b"].map((name) => Server.start(program, [...flags, "--store", `sqlite:${join(folder, name)}`])),
);
const EVE = 4,
  FAY = 5; // who watches, and who does not belong here

// Only times may differ.
const plain = (text) => text.replace(/\b1\d{12}\b/g, "TIME").replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME");

const SUITS = [..."SHDC"],
  RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const cards = (ranks) => [...ranks.flatMap((rank) => SUITS.map((suit) => rank + suit))];
const upTo = (last, step = 1) => Array.from({ length: Math.floor(last / step) }, (_, i) => 1 + i * step);
const WRONG = {
  "whos-deal": [
    ...cards(["9", "10", "J", "Q", "K", "A"]).flatMap((card) => [`play ${card}`, `discard ${card}`]),
    "play 2S",
    "pass",
    "order",
    "order alone",
    ...SUITS.flatMap((suit) => [`call ${suit}`, `call ${suit} alone`]),
    "defend alone",
    "redeal",
    "again",
    "next",
  ],
  "hand-and-foot": [
    ...[...cards(RANKS), "JK"].flatMap((card) => [`discard ${card}`, `add 1 ${card}`, `lay ${card}`]),
    ...RANKS.flatMap((rank) => [`meld ${rank}S ${rank}H ${rank}D`, `take ${rank}S ${rank}H`, `meld ${rank}C 2C JK`]),
    "draw",
    "done",
    "undo",
    "pile 1",
    "pile 2",
    "close 1",
    "close 2",
    "ask",
    "answer yes",
    "answer no",
    "again",
    "next",
  ],
  "up-n-down": [
    ...upTo(100).map((card) => `play ${card} ${1 + (card % 4)}`),
    "play 50 9",
    "undo",
    "end",
    "prefer 2 love",
    "again",
    "next",
  ],
  "terrible-people": [
    ...upTo(500, 7).map((card) => `answer ${card}`),
    "answer 1 2",
    "answer 1 2 3",
    "answer",
    "pick 1",
    "pick 2",
    "pick 3",
    "pick 4",
    "again",
    "next",
  ],
};

// Everything that somebody is sent, in order.
async function listen(side, { code, game, viewer, live }) {
  const server = servers[side],
    all = people.map((person) => new Person(server, person));
  const me = all[viewer < 0 ? EVE : viewer],
    said = [];
  const keep = (name, text) => said.push(`${name}: ${plain(text)}`);
  const ask = async (person, path) => {
    const answer = await person.get(path);
    keep(`${person.name} GET ${path}`, `${answer.status} ${answer.text}`);
  };
  const askAll = async () => {
    for (const path of ["", "/log", "/history", "/save"]) await ask(me, `/api/worlds/${code}${path}`);
    for (const path of ["", "/log", "/history", "/save"]) await ask(all[FAY], `/api/worlds/${code}${path}`);
    await ask(me, "/api/worlds?mine=1");
  };
  const name = viewer < 0 ? "public-view" : "view-updated";
  const socket = await greeted(server);
  const hear = async (version) => {
    for (;;) {
      const frame = await socket.next();
      assert.ok(frame, "the socket ended");
      const text = frame.payload.toString(),
        { event, data } = JSON.parse(text);
      keep("heard", text);
      if (event === name && JSON.parse(data).version >= version) return;
    }
  };
  await askAll();
  const { version: begin } = await me.world(code);
  await subscribe(me, socket, `private-player-${me.id}`);
  keep("room", JSON.stringify(await subscribe(me, socket, `presence-room-${code}`)));
  await hear(begin);
  for (const [seat, ...words] of live) {
    const answer = await all[seat].act(code, { move: words[side] });
    assert.equal(answer.status, 200, `${words[side]}: ${answer.text}`);
    await hear(answer.json.version);
  }
  await askAll();
  const { view } = await me.world(code),
    offered = view.legal.map(({ move }) => move);
  for (const person of [me, all[FAY]])
    for (const move of WRONG[game].filter((each) => !offered.includes(each) && (person === me || each.length < 7))) {
      const answer = await person.act(code, { move });
      keep(`${person.name} ${move}`, `${answer.status} ${answer.text}`);
    }
  await askAll();
  const { version } = (await me.act(code, { type: "emote", payload: { id: "hello" } })).json;
  for (let data = {}; data.version !== version; ) {
    const text = (await socket.next()).payload.toString();
    keep("heard", text);
    data = JSON.parse(JSON.parse(text).data);
  }
  await socket.kill();
  return said;
}

const chosen = length === "short" ? pairs.filter((_, i) => i % 4 === 1) : pairs;
let refused = 0,
  heard = 0;
for (const pair of chosen) {
  const who = pair.viewer < 0 ? "those who watch" : `seat ${pair.viewer}`;
  const where = `${pair.game} ${pair.settings} ${pair.code}`;
  await test(`${where}: ${who} cannot tell ${pair.differ} hidden cards from others`, async () => {
    const [a, b] = await Promise.all([listen(0, pair), listen(1, pair)]);
    for (let i = 0; i < Math.max(a.length, b.length); i++) assert.equal(a[i], b[i]);
    refused += a.filter((text) => / (400|403|409) /.test(text.slice(0, 80))).length;
    heard += a.filter((text) => text.startsWith("heard")).length;
  });
}

await test("the comparison would have seen a difference: others do see other cards", async () => {
  for (const { code, viewer, game } of chosen) {
    if (viewer < 0) continue;
    const other = viewer === 0 ? 1 : 0;
    const [a, b] = await Promise.all(
      servers.map((server) => new Person(server, people[other]).get(`/api/worlds/${code}`)),
    );
    assert.equal(a.status, 200);
    assert.notEqual(plain(a.text), plain(b.text), `${game} ${code}`);
  }
  assert.ok(refused > 20 * chosen.length && heard > 4 * chosen.length, `${refused} refusals, ${heard} messages`);
});

for (const server of servers) {
  await server.stop();
  await test("the server has said nothing that went wrong", () => assert.equal(server.log, ""));
}
finish();
