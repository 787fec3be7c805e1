// node tests/api/shortage.mjs PROGRAM: a server whose memory the system limits while people play and others send
// what fills it (setrlimit, by util-linux's prlimit). Meanwhile everybody is answered truly: done, 503, or a closed
// connection. When there is memory again, the server takes up its work by itself.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, finish, offers, sleep, test } from "./client.mjs";
import { assert, generous, nextTurn, until } from "./tools.mjs";

const [program = "build/oyster"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "oyster-shortage-"));
const server = await Server.start(program, [
  ...generous,
  "--store",
  `sqlite:${join(folder, "store")}`,
  "--connections-per-address",
  "0",
  "--header-ms",
  "60000",
]);
const ann = await server.person("Ann");
const { roomCode } = await ann.create("whos-deal", { settings: { speed: "instant" } });
await ann.act(roomCode, { type: "start" });

const status = (name) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8"))[1]) *
  1024;
const limit = (bytes) => execFileSync("prlimit", ["--pid", `${server.process.pid}`, `--as=${bytes}:unlimited`]);

// Halves of requests: of a save, the largest body that is taken, 200 kB, which go when there is no room for more;
// and 3 kB, which stay.
const begun = (length, sent) =>
  `POST /api/worlds/load HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${"x".repeat(sent)}`;
const halves = [begun(262000, 200000), ...Array(9).fill(begun(3900, 3000))];
const hoard = [];
function fill() {
  const socket = net.connect(server.port, "127.0.0.1");
  socket.text = "";
  socket
    .on("error", () => {})
    .on("data", (data) => {
      socket.text += data;
    })
    .on("close", () => {
      socket.over = true;
    });
  socket.write(halves[hoard.length % halves.length]);
  hoard.push(socket);
}

const seen = { 200: 0, 503: 0, closed: 0 };
let version = 0,
  id = 0,
  pressing = false;
async function play() {
  const actionId = `m${id++}`;
  for (const begin = Date.now(); ; ) {
    assert.ok(Date.now() - begin < 60000, `no move is taken any more: ${JSON.stringify(seen)}`);
    const answer = await ann.get(`/api/worlds/${roomCode}`).catch(() => null);
    if (answer?.status === 200 && offers(answer.json).length > 0) {
      const [{ type, payload }] = offers(answer.json);
      const done = await ann.act(roomCode, { type, payload, actionId }).catch(() => null);
      seen[done ? done.status : "closed"]++;
      if (done?.status === 200) {
        assert.ok(done.json.version > version);
        version = done.json.version;
        return;
      }
      if (done) assert.equal(done.json.code, "UNAVAILABLE", done.text);
    } else if (answer && answer.status !== 200) {
      assert.equal(answer.status, 503, answer.text);
      seen[503]++;
    } else if (!answer) seen.closed++;
    else if (answer.json.status === "game_over") await ann.act(roomCode, { type: "play-again" }).catch(() => null);
    if (pressing && enough()) return;
    await sleep(5);
  }
}
const enough = () => seen[503] + seen.closed >= 50;

await test("with memory there is no trouble", async () => {
  for (let i = 0; i < 20; i++) await play();
  assert.equal(seen[503] + seen.closed, 0);
});

await test("without memory, some are refused and nobody is lied to", async () => {
  pressing = true;
  limit(status("VmSize") + (4 << 20));
  for (let i = 0; i < 6000 && !enough(); i++) {
    fill();
    if (i % 4 === 3) await play();
    assert.equal(server.process.exitCode, null, server.log);
  }
  assert.ok(enough(), JSON.stringify(seen));
  console.log(
    `# ${hoard.length} halves of requests; of ${seen[200] + seen[503] + seen.closed} requests of a ` +
      `player ${seen[503]} were answered 503 and ${seen.closed} closed; ` +
      `${hoard.filter(({ text }) => text.startsWith("HTTP/1.1 503 ")).length} halves refused with 503, ` +
      `${hoard.filter(({ text, over }) => over && !text).length} closed`,
  );
});

await test("with memory again, it goes on by itself", async () => {
  pressing = false;
  limit("unlimited");
  hoard.forEach((socket) => socket.destroy());
  for (let i = 0; i < 20; i++) await play();
  const turn = await nextTurn([ann], roomCode);
  assert.ok(turn.over || turn.world.version >= version);
  const { text } = await server.request("GET", "/metrics");
  assert.ok(Number(/^oyster_memory_short_total (\d+)/m.exec(text)[1]) > 0, "the reserve was not needed");
  await until(async () => (await server.request("GET", "/readyz")).status === 200);
});

await test("and ends well", async () => {
  const { code, signal } = await server.stop();
  assert.deepEqual([code, signal], [0, null], server.log);
});
await rm(folder, { recursive: true });
finish();
