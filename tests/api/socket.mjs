// The Pusher protocol and WebSocket frames at the level of bytes.
// node tests/api/socket.mjs PROGRAM
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { Server, finish, test } from "./client.mjs";
import {
  BINARY,
  CLOSE,
  CONTINUATION,
  HELLO,
  PING,
  PONG,
  RawSocket,
  TEXT,
  authorise,
  greeted,
  subscribe,
} from "./raw_socket.mjs";
import { firstStatus, generous } from "./tools.mjs";

const [program = "build/oyster"] = process.argv.slice(2);
const SECRET = "7ad3773142a6692b25b8";
const many = [...generous, "--log-level", "error", "--connections-per-address", "0"];
const server = await Server.start(program, [...many, "--pusher-secret", SECRET]);
const ann = await server.person("Ann"),
  bob = await server.person("Bob"),
  cy = await server.person("Cy");
const { roomCode } = await ann.create("4-kate");
await bob.join(roomCode);
const room = `presence-room-${roomCode}`;
const sign = (text) => createHmac("sha256", SECRET).update(text).digest("hex");

// Still alive: answers a ping.
async function answers(socket) {
  socket.say("pusher:ping");
  const { event } = await socket.event();
  assert.equal(event, "pusher:pong");
}

// ---- The beginning ----

await test("the handshake is RFC 6455's, without compression", async () => {
  const socket = await RawSocket.open(server.port, HELLO, {
    headers: { "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits" },
  });
  assert.equal(socket.status, 101);
  assert.match(socket.head, /^sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=$/im);
  assert.doesNotMatch(socket.head, /sec-websocket-extensions/i);
  const frame = await socket.next();
  assert.deepEqual([frame.fin, frame.rsv, frame.opcode, frame.masked], [1, 0, TEXT, 0]);
  const first = JSON.parse(frame.payload.toString());
  assert.deepEqual(Object.keys(first), ["event", "data"]);
  assert.equal(first.event, "pusher:connection_established");
  assert.match(first.data, /^\{"socket_id":"\d+\.\d+","activity_timeout":30\}$/);
  await socket.kill();
});

await test("every socket has an id of its own", async () => {
  const sockets = await Promise.all(Array.from({ length: 8 }, () => greeted(server)));
  assert.equal(new Set(sockets.map((socket) => socket.id)).size, 8);
  await Promise.all(sockets.map((socket) => socket.kill()));
});

await test("what is no handshake is refused as HTTP", async () => {
  const cases = [
    [{ "Sec-WebSocket-Version": "8" }, 426],
    [{ "Sec-WebSocket-Version": null }, 426],
    [{ "Sec-WebSocket-Key": null }, 400],
    [{ "Sec-WebSocket-Key": "short" }, 400],
    [{ Upgrade: "h2c" }, 400],
    [{ Origin: "http://elsewhere.example" }, 403],
  ];
  for (const [headers, status] of cases) {
    const socket = await RawSocket.open(server.port, HELLO, { headers });
    assert.equal(socket.status, status, JSON.stringify(headers));
    await socket.kill();
  }
  assert.equal((await server.request("GET", HELLO)).status, 400);
  const handshake = (version) =>
    `GET ${HELLO} HTTP/${version}\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  assert.equal(await firstStatus(server, handshake("1.1")), 101);
  assert.equal(await firstStatus(server, handshake("1.0")), 400, "older than WebSockets");
  const own = await RawSocket.open(server.port, HELLO, { headers: { Origin: `http://127.0.0.1:${server.port}` } });
  assert.equal(own.status, 101);
  await own.kill();
});

await test("an unknown key is closed with 4001, another version with 4007", async () => {
  const cases = [
    ["/app/other?protocol=7", 4001],
    ["/app/oyste?protocol=7", 4001],
    ["/app/oysters?protocol=7", 4001],
    ["/app/oyster", 4007],
    ["/app/oyster?protocol=6", 4007],
    ["/app/oyster?protocol=77", 4007],
    ["/app/oyster?protocol=", 4007],
  ];
  for (const [path, code] of cases) {
    const socket = await RawSocket.open(server.port, path);
    const end = await socket.end();
    assert.equal(end.code, code, path);
    assert.deepEqual(
      end.events.map(({ event, data }) => [event, JSON.parse(data).code]),
      [["pusher:error", code]],
    );
    await socket.closed;
  }
});

// ---- Frames ----

await test("pings of both kinds are answered", async () => {
  const socket = await greeted(server);
  socket.say("pusher:ping");
  assert.deepEqual(await socket.event(), { event: "pusher:pong", channel: undefined, data: {} });
  for (const payload of ["", "x", "y".repeat(125)]) {
    socket.send(PING, payload);
    const frame = await socket.next();
    assert.deepEqual([frame.opcode, frame.payload.toString()], [PONG, payload]);
  }
  socket.send(PONG, "nobody asked");
  await answers(socket);
  await socket.kill();
});

await test("client events are refused with 4301 and the socket stays", async () => {
  const socket = await greeted(server);
  socket.say("client-wave", { hand: "left" });
  const { event, data } = await socket.event();
  assert.deepEqual([event, data.code], ["pusher:error", 4301]);
  await answers(socket);
  await socket.kill();
});

await test("events that nobody knows are passed over", async () => {
  const socket = await greeted(server);
  socket.say("pusher:signin", { auth: "x" });
  socket.say("pusher:unsubscribe", { channel: "presence-room-NOBODY" });
  socket.say("pusher:unsubscribe", {});
  socket.say("pusher_internal:member_added", { user_id: "x" });
  await answers(socket);
  await socket.kill();
});

await test("a message comes in pieces, byte by byte, or several at once", async () => {
  const ping = '{"event":"pusher:ping","data":{}}';
  const socket = await greeted(server);
  socket.send(TEXT, ping.slice(0, 5), { fin: 0 });
  socket.send(PING, "between");
  socket.send(CONTINUATION, ping.slice(5, 9), { fin: 0 });
  socket.send(CONTINUATION, "", { fin: 0 });
  socket.send(CONTINUATION, ping.slice(9));
  assert.equal((await socket.next()).payload.toString(), "between");
  assert.equal((await socket.event()).event, "pusher:pong");
  for (const byte of socket.frame(TEXT, ping)) {
    socket.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await socket.event()).event, "pusher:pong");
  const three = Buffer.concat([
    socket.frame(TEXT, ping),
    socket.frame(PING, "p"),
    socket.frame(TEXT, ping),
    socket.frame(TEXT, ping).subarray(0, 9),
  ]);
  socket.write(three);
  assert.equal((await socket.event()).event, "pusher:pong");
  assert.equal((await socket.next()).opcode, PONG);
  assert.equal((await socket.event()).event, "pusher:pong");
  await socket.kill();
});

await test("what comes together with the handshake is answered after the greeting", async () => {
  const { frame } = RawSocket.prototype;
  const socket = await RawSocket.open(server.port, HELLO, {
    more: Buffer.concat([frame(TEXT, '{"event":"pusher:ping"}'), frame(PING, "p")]),
  });
  await socket.hello();
  assert.equal((await socket.event()).event, "pusher:pong");
  assert.equal((await socket.next()).opcode, PONG);
  await socket.kill();
  const stranger = await RawSocket.open(server.port, "/app/other?protocol=7", {
    more: frame(TEXT, '{"event":"pusher:ping"}'),
  });
  const end = await stranger.end();
  assert.deepEqual([end.code, end.events.length], [4001, 1]);
});

await test("messages up to the limit are read", async () => {
  const socket = await greeted(server);
  const empty = JSON.stringify({ event: "pusher:ping", data: "" }).length;
  socket.send(TEXT, JSON.stringify({ event: "pusher:ping", data: "é".repeat((4096 - empty) / 2) }));
  assert.equal((await socket.event()).event, "pusher:pong");
  await socket.kill();
});

const wrong = [
  ["unmasked", 1002, (s) => s.send(TEXT, "{}", { mask: false })],
  ["with a reserved bit", 1002, (s) => s.send(TEXT, "{}", { rsv: 4 })],
  ["of a reserved kind", 1002, (s) => s.send(3, "{}")],
  ["of a reserved control kind", 1002, (s) => s.send(11, "")],
  ["a ping in pieces", 1002, (s) => s.send(PING, "x", { fin: 0 })],
  ["a long ping", 1002, (s) => s.send(PING, "x".repeat(126))],
  ["a continuation of nothing", 1002, (s) => s.send(CONTINUATION, "x")],
  [
    "a new message inside another",
    1002,
    (s) => {
      s.send(TEXT, "{", { fin: 0 });
      s.send(TEXT, "}");
    },
  ],
  ["a length in too many bytes", 1002, (s) => s.send(TEXT, "{}", { long: true })],
  ["a length of 2^63", 1002, (s) => s.write(Buffer.from("81ff8000000000000000", "hex"))],
  ["binary", 1003, (s) => s.send(BINARY, "{}")],
  ["too long", 1009, (s) => s.send(TEXT, "x".repeat(4097))],
  ["said to be too long", 1009, (s) => s.send(TEXT, "{", { claim: 2 ** 40 })],
  [
    "too long in pieces",
    1009,
    (s) => {
      s.send(TEXT, "x".repeat(4000), { fin: 0 });
      s.send(CONTINUATION, "x".repeat(97));
    },
  ],
  ["not UTF-8", 1007, (s) => s.send(TEXT, Buffer.from('{"event":"pusher:ping","data":"\xff"}', "latin1"))],
  ["not UTF-8: half a pair", 1007, (s) => s.send(TEXT, Buffer.from('{"event":"\xed\xa0\x80"}', "latin1"))],
  ["not UTF-8: too long a form", 1007, (s) => s.send(TEXT, Buffer.from('{"event":"\xc0\x80"}', "latin1"))],
  ["a goodbye of one byte", 1002, (s) => s.send(CLOSE, "x")],
  ["a goodbye with a code that is none", 1002, (s) => s.send(CLOSE, Buffer.from([3, 237]))],
  ["a goodbye that is not UTF-8", 1007, (s) => s.send(CLOSE, Buffer.from([3, 232, 255]))],
];
for (const [what, code, send] of wrong) {
  await test(`a frame ${what} is closed with ${code}`, async () => {
    const socket = await greeted(server);
    send(socket);
    assert.equal((await socket.end()).code, code);
    await socket.closed;
  });
}

await test("a letter in two pieces is still a letter", async () => {
  const socket = await greeted(server);
  const bytes = Buffer.from('{"event":"pusher:ping","data":"é"}');
  const half = bytes.indexOf(0xc3) + 1;
  socket.send(TEXT, bytes.subarray(0, half), { fin: 0 });
  socket.send(CONTINUATION, bytes.subarray(half));
  assert.equal((await socket.event()).event, "pusher:pong");
  await socket.kill();
});

await test("a goodbye is answered with its code", async () => {
  for (const [bytes, code] of [
    [[], 0],
    [[3, 232], 1000],
    [[3, 233, 98, 121, 101], 1001],
    [[0x0f, 0xa0], 4000],
  ]) {
    const socket = await greeted(server);
    socket.send(CLOSE, Buffer.from(bytes));
    assert.equal((await socket.end()).code, code);
    await socket.closed;
  }
});

await test("what is no event is closed with 4007", async () => {
  for (const text of [
    "",
    "x",
    "[]",
    "null",
    "{}",
    '{"event":7}',
    '{"event":"pusher:ping","event":"pusher:ping"}',
    "[".repeat(4000),
    '{"event":"a\\u0000b"}',
  ]) {
    const socket = await greeted(server);
    socket.send(TEXT, text);
    const end = await socket.end();
    assert.equal(end.code, 4007, text.slice(0, 60));
    assert.equal(JSON.parse(end.events[0].data).code, 4007);
  }
});

// ---- Permissions ----

await test("the signature is Pusher's own", async () => {
  assert.equal(sign("1234.1234:private-foobar"), "58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4");
  const socket = await greeted(server);
  const own = await authorise(ann, socket.id, `private-player-${ann.id}`);
  assert.deepEqual(own.json, { auth: `oyster:${sign(`${socket.id}:private-player-${ann.id}`)}` });
  const there = await authorise(ann, socket.id, room, "/pusher/auth");
  assert.deepEqual(Object.keys(there.json), ["auth", "channel_data"]);
  assert.deepEqual(JSON.parse(there.json.channel_data), { user_id: ann.id, user_info: { name: "Ann" } });
  assert.equal(there.json.auth, `oyster:${sign(`${socket.id}:${room}:${there.json.channel_data}`)}`);
  await socket.kill();
});

await test("the form is decoded", async () => {
  const socket = await greeted(server);
  const odd = (text) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
  const ask = (raw) =>
    ann.request("POST", "/api/pusher/auth", { raw, headers: { "content-type": "application/x-www-form-urlencoded" } });
  const channel = `private-player-${ann.id}`;
  assert.equal((await ask(`socket_id=${odd(socket.id)}&channel_name=${odd(channel)}`)).status, 200);
  assert.equal((await ask(`x=1&channel_name=${channel}&y&socket_id=${socket.id}`)).status, 200);
  for (const raw of [
    "",
    "socket_id=1.1",
    `channel_name=${channel}`,
    `socket_id=${socket.id}&channel_name=`,
    `socket_id=${socket.id}&channel_name=%zz`,
    `socket_id=${socket.id}&channel_name=private%00`,
    `socket_id=${socket.id}&channel_name=private%20x`,
    `socket_id=${socket.id}&channel_name=private+x`,
    `socket_id=${socket.id}&channel_name=private/x`,
    `socket_id=${socket.id}&channel_name=private-%C3%A9`,
    `socket_id=${socket.id}&channel_name=private-${"x".repeat(200)}`,
  ])
    assert.equal((await ask(raw)).status, 400, raw);
  await socket.kill();
});

await test("permission is refused for what is not one's own", async () => {
  const mine = await greeted(server),
    gone = await greeted(server);
  await gone.kill();
  await subscribe(ann, mine, room);
  const own = `private-player-${bob.id}`;
  const cases = [
    [bob, mine.id, own, 403],
    [bob, mine.id, room, 403], // a socket that is Ann's
    [ann, mine.id, own, 403],
    [ann, mine.id, "private-player-", 403],
    [ann, mine.id, "private-x", 403],
    [ann, mine.id, "presence-x", 403],
    [ann, mine.id, "public", 403],
    [ann, mine.id, "private-encrypted-x", 403],
    [ann, mine.id, "cache-x", 403],
    [cy, "1.1", own, 403],
    [cy, "1.1", room, 404], // a stranger to a private world
    [bob, "1.1", own, 403],
    [bob, "1.1", room, 403],
    [bob, "x", own, 403],
    [bob, "1.1.1", own, 403],
    [bob, "", own, 403],
    [ann, mine.id, "presence-room-ZZZZZZ", 404],
    [ann, mine.id, room.toLowerCase(), 403], // a channel has one name; this one would never be heard of
  ];
  for (const [person, id, channel, status] of cases)
    assert.equal((await authorise(person, id, channel)).status, status, `${person.name} ${id} ${channel}`);
  const stranger = { request: (method, path, options) => server.request(method, path, options) };
  assert.equal((await authorise(stranger, mine.id, own)).status, 401);
  const watcher = await greeted(server);
  assert.equal((await authorise(cy, watcher.id, room)).status, 404);
  await Promise.all([mine.kill(), watcher.kill()]);
});

await test("a closed socket gets no permission", async () => {
  const socket = await greeted(server);
  socket.send(CLOSE, Buffer.from([3, 232]));
  await socket.closed;
  for (let tries = 0; (await authorise(ann, socket.id, room)).status === 200; tries++) assert.ok(tries < 100);
});

await test("the cookie says whose a socket is", async () => {
  const socket = await greeted(server, { Cookie: `oyster_session=${ann.token}` });
  assert.equal((await authorise(bob, socket.id, `private-player-${bob.id}`)).status, 403);
  assert.equal((await authorise(ann, socket.id, `private-player-${ann.id}`)).status, 200);
  await socket.kill();
});

await test("a wrong signature is closed with 4009", async () => {
  const other = await greeted(server);
  const channel = `private-player-${bob.id}`;
  await subscribe(bob, other, channel);
  const cases = [
    async () => ({ channel, auth: `oyster:${"0".repeat(64)}` }),
    async () => ({ channel }),
    async () => ({ channel, auth: 7 }),
    async () => ({ channel, auth: "" }),
    async (id) => ({ auth: (await authorise(bob, id, channel)).json.auth }),
    async (id) => ({ channel, auth: (await authorise(bob, id, room)).json.auth }), // of another channel
    async (id) => {
      await authorise(bob, id, channel);
      return { channel, auth: (await authorise(bob, other.id, channel)).json.auth }; // of another socket
    },
    async (id) => ({ channel, auth: (await authorise(bob, id, channel)).json.auth.replace("oyster", "oyster2") }),
    async (id) => ({ channel, auth: (await authorise(bob, id, channel)).json.auth.slice(0, -1) }),
    async (id) => ({ channel, auth: `${(await authorise(bob, id, channel)).json.auth}0` }),
    async (id) => ({ channel: room, auth: (await authorise(bob, id, room)).json.auth }), // without its data
    async (id) => ({
      channel: room,
      auth: (await authorise(bob, id, room)).json.auth,
      channel_data: JSON.stringify({ user_id: ann.id }),
    }),
    async () => ({ channel: `${channel}x`, auth: `oyster:${"f".repeat(64)}` }),
    async () => ({ channel: "public-news" }),
    async () => ({ channel: "x y", auth: "oyster:1" }),
    async () => ({ channel: ["x"], auth: "oyster:1" }),
    async () => "text",
  ];
  for (const [i, make] of cases.entries()) {
    const socket = await greeted(server);
    socket.say("pusher:subscribe", await make(socket.id));
    const end = await socket.end();
    assert.equal(end.code, 4009, `case ${i}`);
    assert.deepEqual(
      end.events.map(({ event }) => event),
      ["pusher:error"],
      `case ${i}`,
    );
  }
  await answers(other);
  await other.kill();
});

await test("too many channels on a socket are refused, those that are there stay", async () => {
  const codes = [];
  for (let i = 0; i < 17; i++) codes.push((await cy.create("4-kate")).roomCode);
  const socket = await greeted(server);
  for (const code of codes.slice(0, 16)) await subscribe(cy, socket, `presence-room-${code}`);
  const channel = `presence-room-${codes[16]}`;
  const last = () =>
    authorise(cy, socket.id, channel).then(({ json }) => socket.say("pusher:subscribe", { ...json, channel }));
  await last();
  const { event, data } = await socket.event();
  assert.deepEqual([event, data.code], ["pusher:error", 4100]);
  socket.say("pusher:unsubscribe", { channel: `presence-room-${codes[3]}` });
  await last();
  assert.equal((await socket.event()).event, "pusher_internal:subscription_succeeded");
  await cy.act(codes[3], { type: "chat", payload: { text: "nobody listens" } });
  await cy.act(codes[0], { type: "chat", payload: { text: "still here" } });
  assert.equal((await socket.until("chat")).data.text, "still here");
  await socket.kill();
});

await test("a permission is worth nothing once its holder has left", async () => {
  const dee = await server.person("Dee"),
    socket = await greeted(server);
  const { roomCode: code } = await ann.create("4-kate");
  const channel = `presence-room-${code}`;
  await dee.join(code);
  const { json: kept } = await authorise(dee, socket.id, channel);
  await subscribe(dee, socket, channel);
  await dee.post(`/api/worlds/${code}/leave`);
  await socket.until("world-updated");
  socket.say("pusher:subscribe", { ...kept, channel });
  const end = await socket.end();
  assert.equal(end.code, 4009);
  assert.deepEqual(
    end.events.map(({ event }) => event),
    ["pusher:error"],
  );
});

await test("the server has survived all that", async () => {
  const socket = await greeted(server);
  await subscribe(ann, socket, room);
  await socket.kill();
  const { code, signal } = await server.stop();
  assert.deepEqual([code, signal], [0, null]);
  assert.equal(server.log, "");
});
finish();
