// Thousands of requests with mistakes in them, the same ones in every run: the server must answer or close
// the connection, and must not stop. Usage: node fuzz.mjs PROGRAM [COUNT]
import net from "node:net";
import { Server, finish, random, sleep, test } from "./client.mjs";
import { assert, generous, until } from "./tools.mjs";

const program = process.argv[2],
  count = Number(process.argv[3] ?? 3000);
const server = await Server.start(program, [...generous, "--connections-per-address", "0", "--header-ms", "2000"]);
const ann = await server.person("Ann");
const { roomCode } = await ann.create("whos-deal", { settings: { speed: "instant" } });
await ann.act(roomCode, { type: "start" });
const choose = random(20260);

const head = `Host: x\r\nAuthorization: Bearer ${ann.token}\r\n`;
const request = (method, path, body) =>
  `${method} ${path} HTTP/1.1\r\n${head}` +
  `${body === undefined ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body ?? ""}`;
const good = [
  request("GET", "/healthz"),
  request("GET", "/api/games"),
  request("GET", `/api/worlds/${roomCode}`),
  request("GET", `/api/worlds/${roomCode}/log`),
  request("GET", `/api/worlds/${roomCode}/history`),
  request("GET", "/api/worlds?public=1&gameId=whos-deal&before=5"),
  request("POST", "/api/session", '{"name":"Fuzz"}'),
  request("PATCH", "/api/session", '{"name":"Ann"}'),
  request(
    "POST",
    "/api/worlds",
    '{"gameId":"hand-and-foot","preset":"closers","settings":{"rounds":2,"minimums":[1,2]},"public":true}',
  ),
  request("POST", `/api/worlds/${roomCode}/join`, '{"as":"spectator"}'),
  request(
    "POST",
    "/api/game/action",
    JSON.stringify({ roomCode, type: "call-trump", payload: { pickUp: true, goAlone: false }, actionId: "x" }),
  ),
  request("POST", "/api/game/action", JSON.stringify({ roomCode, type: "play-card", payload: { cardId: "JH" } })),
  request("POST", "/api/game/action", JSON.stringify({ roomCode, move: "play JH" })),
  request(
    "POST",
    "/api/game/action",
    JSON.stringify({ roomCode, type: "start", payload: { teams: { a: ["x"], b: [ann.id] }, targetScore: 5 } }),
  ),
  request("POST", `/teams/0/books/open/4/4S,4H,4D?roomCode=${roomCode}`),
  request("POST", "/api/pusher/auth", `socket_id=1.2&channel_name=presence-room-${roomCode}`),
  request("POST", "/api/worlds/load", '{"gameState":{"phase":"playing"},"players":[{"hand":["KH"]}]}'),
  `POST /api/session HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\na\r\ne":"Chunk"}\r\n0\r\n\r\n`,
  request("GET", "/"),
  `GET /app/oyster?protocol=7 HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: ` +
    "websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
    "MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n\u0081\u0085\u0001\u0002\u0003\u0004abcde\u0089\u0080abcd",
].map((text) => Buffer.from(text, "latin1"));
const pieces = [
  "\r\n",
  "\r\n\r\n",
  "\u0000",
  "%00",
  "%",
  "{",
  "}",
  "[",
  "]",
  '"',
  "\\",
  "\\ud800",
  "\\u0000",
  "-1",
  "99999999999999999999",
  "1e999",
  "null",
  "true",
  ":",
  ",",
  " ",
  "\u00ff\u00fe",
  "../",
  "Content-Length: 5\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Expect: 100-continue\r\n",
  "Connection: close\r\n",
  "Origin: http://x\r\n",
  "Cookie: oyster_session=x\r\n",
  "x".repeat(300),
  "[".repeat(100),
].map((text) => Buffer.from(text, "latin1"));

function mutate(bytes) {
  for (let i = 1 + choose(4); i > 0; i--) {
    const at = choose(bytes.length + 1),
      piece = pieces[choose(pieces.length)];
    const rest = (from) => bytes.subarray(Math.min(from, bytes.length));
    switch (choose(6)) {
      case 0:
        bytes = Buffer.concat([bytes.subarray(0, at), piece, rest(at)]);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), rest(at + 1 + choose(8))]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([choose(256)]), rest(at + 1)]);
        break;
      case 3:
        bytes = bytes.subarray(0, at);
        break;
      case 4:
        bytes = Buffer.concat([bytes, good[choose(good.length)]]);
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(0, at), piece, rest(at + piece.length)]);
    }
  }
  return bytes;
}

// Sends them in a few pieces and hangs up after the first answer, or without one.
const send = (bytes) =>
  new Promise((resolve) => {
    const socket = net.connect(server.port, "127.0.0.1");
    const cut = choose(3) === 0 ? choose(bytes.length + 1) : bytes.length;
    const patience = choose(4) === 0 ? 1 : 40;
    socket
      .on("error", () => {})
      .on("close", resolve)
      .on("data", () => setTimeout(() => socket.destroy(), choose(3)));
    socket.on("connect", () => {
      socket.write(bytes.subarray(0, cut));
      if (cut < bytes.length) setTimeout(() => socket.destroyed || socket.write(bytes.subarray(cut)), 1);
      setTimeout(() => socket.destroy(), patience);
    });
  });

await test(`${count} requests with something wrong in them`, async () => {
  for (let i = 0; i < count; i += 16) {
    await Promise.all(Array.from({ length: 16 }, () => send(mutate(good[choose(good.length)]))));
    assert.equal(server.process.exitCode, null, server.log);
  }
  assert.equal((await server.request("GET", "/healthz")).status, 200);
  assert.ok((await ann.get("/api/games")).json.games.length >= 5);
});

await test("nothing stays behind", async () => {
  server.agent.destroy();
  await until(
    async () =>
      Number(
        /^oyster_connections (\d+)$/m.exec(
          (await server.request("GET", "/metrics", { headers: { connection: "close" } })).text,
        )[1],
      ) <= 2,
    "connections stay open",
  );
});

await test("and the server ends well", async () => {
  const { code } = await server.stop();
  assert.equal(code, 0, server.log.slice(-5000));
  assert.doesNotMatch(server.log, /Sanitizer|runtime error/);
});
await sleep(0);
finish();
