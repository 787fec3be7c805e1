// Malformed HTTP, byte by byte; and the limits, each with its own setting.
// Usage: node http.mjs PROGRAM
import crypto from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, finish, sleep, test } from "./client.mjs";
import { authorise, greeted, subscribe } from "./raw_socket.mjs";
import { Raw, accepted, assert, firstStatus, generous, nextTurn, refused, table, until } from "./tools.mjs";

const program = process.argv[2];
const server = await Server.start(program, [...generous, "--connections-per-address", "0"]);
const ann = await server.person("Ann");
const host = "Host: x\r\n";
const status = (bytes) => firstStatus(server, bytes);
const get = (path, more = "") => `GET ${path} HTTP/1.1\r\n${host}${more}\r\n`;
const post = (path, body, more = "") =>
  `POST ${path} HTTP/1.1\r\n${host}Authorization: Bearer ${ann.token}\r\n${more}Content-Length: ` +
  `${body.length}\r\n\r\n${body}`;
const alive = async (it = server) => assert.equal((await it.request("GET", "/healthz")).status, 200);
// A server of its own for one limit.
async function limited(flags, run) {
  const other = await Server.start(program, ["--store", "memory", ...flags]);
  try {
    await run(other);
  } finally {
    const { code } = await other.stop();
    assert.equal(code, 0, other.log);
  }
}

/* ---- Bytes ---- */

await test("what is no HTTP is answered 400 and closed", async () => {
  for (const bytes of [
    "\u0000\u0001\u0002\r\n\r\n",
    "nonsense\r\n\r\n",
    "GET\r\n\r\n",
    `GET /a\u0000b HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}X: a\u0000b\r\n\r\n`,
    `GET / HTTP/1.1\r\nBad Header: x\r\n\r\n`,
    `POST / HTTP/1.1\r\n${host}Content-Length : 3\r\n\r\nabc`,
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    `GET / HTTP/1.1\r\n: x\r\n\r\n`,
    `GET /a b HTTP/1.1\r\n${host}\r\n`,
    "\u0016\u0003\u0001\u0002\u0000\u0001",
    `POST / HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`,
    `POST / HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`,
    `POST / HTTP/1.1\r\n${host}Content-Length: 99999999999999999999999\r\n\r\n`,
    `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
    // What a proxy in front of it might read as another request.
    "GET / HTTP/1.1\nHost: x\n\n",
    `GET / HTTP/1.1\r\n${host}A: b\nC: d\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}A: b\r\n c\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}A: b\r\n\tc\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}\rGET / HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}A: b\rC: d\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost:\u0000x\r\n\r\n`,
    `GET /\u00e4 HTTP/1.1\r\n${host}\r\n`,
    `GET /a\tb HTTP/1.1\r\n${host}\r\n`,
    `GET / HTP/1.1\r\n${host}\r\n`,
    `GET / HTTP;1.1\r\n${host}\r\n`,
    "GET / HTTP/1.1\r\n\r\n",
    `GET / HTTP/1.1\r\n${host}${host}\r\n`,
    `POST /api/session HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /api/session HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    `POST /api/session HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ]) {
    const raw = await new Raw(server).send(bytes);
    assert.deepEqual(await raw.answers(1), [400], JSON.stringify(bytes));
    assert.match(raw.text, /\r\nConnection: close\r\n/);
    assert.match(raw.text, /\r\n\r\n\{"error":"[^"]+","code":"BAD_REQUEST"\}$/);
    raw.socket.end();
    await raw.ended;
  }
  await alive();
});

await test("two lengths of one body are refused, whichever they are", async () => {
  for (const more of [
    "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
    "Transfer-Encoding: identity, chunked\r\nContent-Length: 4\r\n",
  ])
    assert.equal(
      await status(`POST /api/session HTTP/1.1\r\n${host}${more}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n`),
      400,
      more,
    );
});

await test("chunks are put together, bad ones refused", async () => {
  const chunked = (chunks) => `POST /api/session HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n${chunks}`;
  const body = '{"name":"Chunky"}';
  const single = [...body].map((c) => `1\r\n${c}\r\n`).join("");
  for (const chunks of [
    `11\r\n${body}\r\n0\r\n\r\n`,
    `${single}0\r\n\r\n`,
    `11;ext=1\r\n${body}\r\n0\r\nTrailer: x\r\n\r\n`,
  ])
    assert.equal(await status(chunked(chunks)), 201, chunks);
  for (const chunks of [
    "x\r\n",
    "-1\r\n",
    `11\r\n${body}X\r\n0\r\n\r\n`,
    "fffffffffffffffff\r\n",
    `5\r\nabcdefgh\r\n0\r\n\r\n`,
    `11\r\n${body}xx0\r\n\r\n`,
    `11\n${body}\r\n0\r\n\r\n`,
    `11\r\n${body}\n0\r\n\r\n`,
    `11\r\n${body}\r\n0\r\n\n`,
    `11;a=\nb\r\n${body}\r\n0\r\n\r\n`,
    `;\r\n${body}\r\n0\r\n\r\n`,
    `11\r\n${body}\r\n0\r\nA: b\n\r\n`,
    `11\r\n${body}\r\n0\r\n A: b\r\n\r\n`,
  ])
    assert.equal(await status(chunked(chunks)), 400, chunks);
  const slow = await new Raw(server).send(chunked(""));
  for (const c of body) {
    await slow.send(`1\r\n${c}`);
    await slow.send("\r\n");
    await sleep(1);
  }
  await slow.send("0\r\n\r\n");
  assert.deepEqual(await slow.answers(1), [201]);
  assert.match(slow.text, /"name":"Chunky"/);
  slow.end();
});

await test("thousands of requests at once are taken by and by, and all answered to who reads", async () => {
  const raw = await new Raw(server).send(get("/healthz").repeat(9999) + get("/healthz", "Connection: close\r\n"));
  await raw.ended;
  assert.equal(raw.text.split("HTTP/1.1 200 OK\r\n").length - 1, 10000);
});

await test("requests in one piece are answered in order; in many pieces too", async () => {
  const raw = await new Raw(server).send(
    get("/healthz") +
      post("/api/worlds", '{"gameId":"4-kate"}') +
      get("/api/worlds/AAAAAA", `Authorization: Bearer ${ann.token}\r\n`) +
      get("/nothing.js") +
      get("/healthz", "Connection: close\r\n") +
      get("/healthz"),
  );
  await raw.ended;
  assert.deepEqual(raw.statuses(), [200, 201, 404, 404, 200]);
  const slow = new Raw(server);
  for (const c of get("/healthz", "Connection: close\r\n")) {
    await slow.send(c);
    if (c === "\n") await sleep(2);
  }
  await slow.ended;
  assert.deepEqual(slow.statuses(), [200]);
  const many = await new Raw(server).send(get("/healthz").repeat(500) + get("/healthz", "Connection: close\r\n"));
  await many.ended;
  assert.equal(many.statuses().length, 501);
});

await test("what comes while an answer is awaited does not move what is being read", async () => {
  // Unknown worlds are answered late; a body with a save waits for the store.
  const lookups = `GET /api/worlds/AAAAAA HTTP/1.1\r\n${host}Authorization: Bearer ${ann.token}\r\n\r\n`;
  const raw = await new Raw(server).send(lookups);
  for (let i = 0; i < 20; i++) {
    await sleep(1);
    await raw.send(get("/healthz", `X-Filler: ${"x".repeat(2000)}\r\n`));
  }
  await raw.send(get("/healthz", "Connection: close\r\n"));
  await raw.ended;
  assert.deepEqual(raw.statuses(), [404, ...Array(21).fill(200)]);
  const code = await table([ann], "hand-and-foot");
  await nextTurn([ann], code);
  const save = (await ann.get(`/api/worlds/${code}/save`)).text; // is read when the store has answered
  const load = await new Raw(server).send(
    post("/api/worlds/load", save) +
      get("/healthz", `X-Filler: ${"x".repeat(2000)}\r\n`).repeat(20) +
      get("/healthz", "Connection: close\r\n"),
  );
  await load.ended;
  assert.deepEqual(load.statuses(), [201, ...Array(21).fill(200)]);
  const flood = await new Raw(server).send(lookups + get("/healthz").repeat(8000));
  await flood.ended; // more than may wait
  const bit = new Raw(server); // nor bit by bit
  let over = false;
  bit.ended.then(() => {
    over = true;
  });
  for (let i = 0; i < 50 && !over; i++) {
    await bit.send(lookups.repeat(30000 / lookups.length));
    await bit.answers(bit.statuses().length + 2);
  }
  assert.ok(over);
  await alive();
});

await test("Expect: 100-continue is answered before the body, and not if it is too large", async () => {
  const head = (length) =>
    `POST /api/session HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
  const raw = await new Raw(server).send(head(14));
  assert.deepEqual(await raw.answers(1), [100]);
  await raw.send('{"name":"Exp"}');
  assert.deepEqual(await raw.answers(2), [100, 201]);
  raw.end();
  assert.equal(await status(head(100000)), 413);
});

await test("who has said all they had is still answered", async () => {
  for (const [path, counts] of [
    ["/healthz", [1, 4, 8, 12, 16, 20, 100]],
    ["/api/games", [1, 12, 500]],
  ])
    for (const count of counts) {
      const raw = new Raw(server);
      raw.socket.end(get(path).repeat(count));
      await raw.ended;
      assert.equal(raw.statuses().length, count, path);
    }
});

await test("half a request that ends is nobody's", async () => {
  for (const bytes of ["GET", get("/healthz").slice(0, -2), post("/api/session", '{"name":"x"}').slice(0, -3)]) {
    const raw = await new Raw(server).send(bytes);
    raw.socket.end();
    await raw.ended;
    assert.deepEqual(raw.statuses(), []);
  }
  await alive();
});

await test("paths lead nowhere but where they say", async () => {
  for (const path of [
    "/../../etc/passwd",
    "/..%2f..%2fetc/passwd.txt",
    "//etc/passwd.x",
    "/%00.html",
    "/./x.y",
    "/index.html/../x.js",
  ])
    assert.equal(await status(get(path)), 404, path);
  assert.equal(await status(get("/healthz?x=1")), 200);
  assert.equal(await status(`GET /healthz HTTP/1.0\r\n\r\n`), 200);
  assert.equal(await status("GET /healthz HTTP/2.0\r\n\r\n"), 505);
  assert.equal(await status(`OPTIONS * HTTP/1.1\r\n${host}\r\n`), 404);
  assert.equal(await status(`CONNECT x:443 HTTP/1.1\r\n${host}\r\n`), 404);
});

const handshake = (path, more = "", method = "GET") =>
  `${method} ${path} HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: ` +
  "websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
  `${crypto.randomBytes(16).toString("base64")}\r\n${more}\r\n`;
const app = "/app/oyster?protocol=7&client=js&version=8.0.0";

await test("only a proper handshake opens a socket", async () => {
  assert.equal(await status(handshake(app)), 101);
  for (const bytes of [
    get(app),
    handshake(app).replace("Version: 13", "Version: 8"),
    handshake(app).replace(/Key: \S+/, "Key: short"),
    handshake(app).replace("Upgrade: websocket", "Upgrade: h2c"),
    handshake(app, "", "POST"),
    handshake(app, "", "HEAD"),
  ]) {
    const code = await status(bytes);
    assert.ok(code >= 400 && code < 500, `${code}: ${bytes}`);
  }
  assert.equal(await status(handshake("/healthz")), 200); // nothing to upgrade to
});

/* ---- Other sites ---- */

await test("pages of other sites can neither act nor listen", async () => {
  for (const origin of ["http://evil.example", "null", "http://x.evil", "http://xx", "https://", "x"]) {
    assert.equal(
      await status(`POST /api/session HTTP/1.1\r\n${host}Origin: ${origin}\r\nContent-Length: 12\r\n\r\n{"name":"E"}`),
      403,
      origin,
    );
    assert.equal(await status(handshake(app, `Origin: ${origin}\r\n`)), 403, origin);
  }
  assert.equal(
    await status(`POST /api/session HTTP/1.1\r\n${host}Origin: http://x\r\nContent-Length: 12\r\n\r\n{"name":"E"}`),
    201,
  );
  assert.equal(await status(handshake(app, "Origin: http://x\r\n")), 101);
  assert.equal(await status(get("/api/games", "Origin: http://evil.example\r\n")), 200);
  const answer = await server.request("GET", "/api/games", { headers: { origin: "http://evil.example" } });
  assert.equal(answer.headers["access-control-allow-origin"], undefined);
});

/* ---- Limits ---- */

await test("body-max: larger bodies are 413, even if they are sent", () =>
  limited(["--body-max", "2048"], async (it) => {
    const name = (length) => `{"name":"Ann","x":"${"x".repeat(length - 21)}"}`;
    assert.equal((await it.request("POST", "/api/session", { raw: name(2048) })).status, 201);
    refused(await it.request("POST", "/api/session", { raw: name(2049) }), 413, "TOO_LARGE");
    assert.equal(
      await firstStatus(
        it,
        `POST /api/session HTTP/1.1\r\n${host}Content-Length: 1000000\r\n\r\n${"x".repeat(1000000)}`,
      ),
      413,
    );
    assert.equal(
      await firstStatus(
        it,
        `POST /api/session HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n` +
          `400\r\n${"x".repeat(1024)}\r\n`.repeat(61),
      ),
      413,
    );
    await alive(it);
  }));

await test("unfinished-max: who sends much waits while others have, who sends little is heard", () =>
  limited(["--unfinished-max", "60000"], async (it) => {
    const begin = `POST /api/worlds/load HTTP/1.1\r\n${host}Content-Length: 30000\r\n\r\n`;
    const all = await Promise.all(Array.from({ length: 5 }, () => new Raw(it).send(begin + "x".repeat(29999))));
    const answered = (raw) => raw.text.length > 0;
    await until(() => all.filter(answered).length >= 4, "all are held");
    for (const { text } of all.filter(answered))
      assert.match(text, /^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\n.*"code":"UNAVAILABLE"\}$/s);
    await it.person("Ann");
    for (const raw of all.filter((each) => !answered(each)))
      assert.deepEqual(await raw.send("x").then(() => raw.answers(1)), [401]);
    all.forEach((raw) => raw.end());
    const little = await Promise.all(
      Array.from({ length: 20 }, () => new Raw(it).send(`GET /healthz HTTP/1.1\r\n${host}X: ${"x".repeat(3850)}`)),
    );
    assert.equal(await firstStatus(it, begin + "x".repeat(30000)), 401); // all of them together do not count
    for (const raw of little) assert.deepEqual(await raw.send("\r\n\r\n").then(() => raw.answers(1)), [200]);
    little.forEach((raw) => raw.end());
  }));

await test("unfinished-max: little is 4096 bytes", () =>
  limited(["--unfinished-max", "1024"], async (it) => {
    const long = (size) => get("/healthz", `X: ${"x".repeat(size - get("/healthz", "X: \r\n").length)}\r\n`);
    assert.deepEqual([await firstStatus(it, long(4096)), await firstStatus(it, long(4097))], [200, 503]);
  }));

await test("headers have a limit", async () => {
  assert.equal(await status(get("/healthz", `X: ${"x".repeat(7000)}\r\n`)), 200);
  assert.equal(await status(`GET /${"x".repeat(20000)} HTTP/1.1\r\n${host}\r\n`), 431);
  assert.equal(await status(get("/healthz", `X: ${"x".repeat(50000)}\r\n`)), 431);
  assert.equal(await status(`GET /healthz HTTP/1.1\r\n${"X: y\r\n".repeat(20000)}`), 431);
});

await test("json-depth-max: deeper bodies are refused", () =>
  limited(["--json-depth-max", "6"], async (it) => {
    const nested = (depth) => ({
      raw: `{"name":"Ann","x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)},"y":"[[[[[[[[\\"{{{{{"}`,
    });
    assert.equal((await it.request("POST", "/api/session", nested(6))).status, 201);
    refused(await it.request("POST", "/api/session", nested(7)), 400, "BAD_REQUEST", /nested/);
    refused(await it.request("POST", "/api/session", { raw: "[".repeat(16000) }), 400, "BAD_REQUEST");
    const message = (depth) => `{"event":"pusher:ping","data":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    const good = await new Raw(it).send(handshake(app) + frame(message(6)));
    await until(() => good.text.includes("pusher:pong"), "no pong");
    good.end();
    const deep = await new Raw(it).send(handshake(app) + frame(message(7)));
    await deep.ended;
    assert.ok(!deep.text.includes("pusher:pong"));
    assert.match(deep.text, /pusher:error.*4007/);
  }));

await test("header-ms and idle-ms: who is slow or silent is closed", () =>
  limited(["--header-ms", "300", "--idle-ms", "1000"], async (it) => {
    const slow = await new Raw(it).send("GET /healthz HTTP/1.1\r\nX: ");
    const drip = setInterval(() => slow.send("x"), 100);
    const second = await new Raw(it).send(`${get("/healthz")}GET /healthz`);
    const body = await new Raw(it).send(post("/api/session", '{"name":"Ann"}').slice(0, -3));
    const idle = await new Raw(it).send(get("/healthz"));
    const nothing = new Raw(it);
    await Promise.all([slow, second, body, idle, nothing].map((raw) => raw.ended));
    clearInterval(drip);
    assert.deepEqual(
      [slow, second, body, idle, nothing].map((raw) => raw.statuses()),
      [[408], [200, 408], [408], [200], []],
    );
    await alive(it);
  }));

await test("idle-ms: who does not read their last answer is closed as well", async () => {
  const folder = mkdtempSync(join(tmpdir(), "oyster-http-"));
  writeFileSync(join(folder, "index.html"), "");
  writeFileSync(join(folder, "large.js"), crypto.randomBytes(225000).toString("hex"));
  await limited(["--idle-ms", "1000", "--web", folder], async (it) => {
    const raw = await new Raw(it).send(get("/large.js", "Connection: close\r\n"));
    await new Promise((resolve) => raw.socket.on("readable", resolve)); // and nothing is read
    await until(async () => /^oyster_connections 1$/m.test((await it.request("GET", "/metrics")).text), "it stays");
    raw.end();
  });
  rmSync(folder, { recursive: true });
});

await test("connections-max and connections-per-address: one more is turned away", async () => {
  for (const flags of [
    ["--connections-max", "4"],
    ["--connections-per-address", "4"],
  ])
    await limited(flags, async (it) => {
      const four = Array.from({ length: 4 }, () => new Raw(it));
      for (const raw of four) {
        await raw.send(get("/healthz"));
        assert.deepEqual(await raw.answers(1), [200]);
      }
      const fifth = await new Raw(it).send(get("/healthz"));
      await fifth.ended;
      assert.deepEqual(fifth.statuses(), []);
      await four[0].send(get("/healthz"));
      assert.deepEqual(await four[0].answers(2), [200, 200]);
      four[1].end();
      await until(
        async () => (await firstStatus(it, get("/healthz"))) === 200,
        "a place that is free again is not given",
      );
      four.forEach((raw) => raw.end());
    });
});

await test("connections-per-address: behind a proxy the addresses are those that it names", () =>
  limited(["--connections-per-address", "2", "--trust-proxy", "yes"], async (it) => {
    const open = async (address) => {
      const raw = await new Raw(it).send(handshake(app, address ? `X-Forwarded-For: ${address}\r\n` : ""));
      await raw.answers(1);
      return raw;
    };
    const sockets = [];
    const statuses = async (...addresses) => {
      const found = [];
      for (const address of addresses) {
        const raw = await open(address);
        sockets.push(raw);
        found.push(raw.statuses()[0]);
      }
      return found;
    };
    assert.deepEqual(await statuses("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"), [101, 101, 429, 101]);
    assert.deepEqual(
      await statuses("2001:db8::1", "[2001:db8::2]:4711", "2001:db8:0:0:ffff::3", "2001:db8:0:1::1"),
      [101, 101, 429, 101],
    ); // a /64 is one address
    const network = Array.from({ length: 10 }, (_, i) => `2001:db8:9:${(256 * i).toString(16)}::1`);
    assert.deepEqual(await statuses(...network), [...Array(8).fill(101), 429, 429]); // a /48 has four times as many
    assert.deepEqual(await statuses("::ffff:192.0.2.9", "192.0.2.9:4711", "192.0.2.9"), [101, 101, 429]);
    assert.deepEqual(await statuses("", "", ""), [101, 101, 429]); // past the proxy
    sockets[0].end();
    await until(async () => (await statuses("192.0.2.1"))[0] === 101, "a place that is free again is not given");
    sockets.forEach((raw) => raw.end());
  }));

await test("worlds-per-player: so many and no more, until one is left", () =>
  limited(["--worlds-per-player", "2"], async (it) => {
    const [x, y] = [await it.person("X"), await it.person("Y")];
    const one = (await x.create("4-kate")).roomCode;
    accepted(await x.post("/api/worlds", { gameId: "4-kate" }), 201);
    refused(await x.post("/api/worlds", { gameId: "4-kate" }), 429, "RATE_LIMITED");
    accepted(await y.post("/api/worlds", { gameId: "4-kate" }), 201);
    accepted(await y.join(one));
    accepted(await y.post("/api/worlds", { gameId: "4-kate" }), 201); // a guest's place is none of one's own
    accepted(await x.post(`/api/worlds/${one}/leave`));
    accepted(await x.post("/api/worlds", { gameId: "4-kate" }), 201);
  }));

await test("worlds-per-player: nor more at once, while a disk writes the first", async () => {
  const folder = mkdtempSync(join(tmpdir(), "oyster-http-"));
  await limited(["--worlds-per-player", "2", "--store", `sqlite:${join(folder, "store")}`], async (it) => {
    const x = await it.person("X"),
      answers = await Promise.all(Array.from({ length: 10 }, () => x.post("/api/worlds", { gameId: "4-kate" })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, ...Array(8).fill(429)]);
  });
  rmSync(folder, { recursive: true });
});

// What each of them waits for must wake it: a timer that happens to do so made this hundreds of times slower.
await test("worlds that somebody makes at the same time take about as long as one after the other", () =>
  limited(["--worlds-per-player", "100", "--actions-burst", "100", "--store", "memory"], async (it) => {
    const [x, y] = [await it.person("X"), await it.person("Y")];
    const make = async (person) => assert.equal((await person.post("/api/worlds", { gameId: "4-kate" })).status, 201);
    const begin = performance.now();
    for (let i = 0; i < 16; i++) await make(x);
    const middle = performance.now();
    await Promise.all(Array.from({ length: 16 }, () => make(y)));
    const [apart, together] = [middle - begin, performance.now() - middle];
    assert.ok(together < 20 * apart + 1000, `${together} ms instead of ${apart} ms`);
  }));

await test("actions-per-second: each person's own, with Retry-After", () =>
  limited(["--actions-per-second", "1", "--actions-burst", "3"], async (it) => {
    const [x, y] = [await it.person("X"), await it.person("Y")];
    const { roomCode } = await x.create("whos-deal");
    await y.join(roomCode);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => x.act(roomCode, { type: "emote", payload: { id: "hello" } })),
    );
    const over = answers.filter((answer) => answer.status === 429);
    assert.ok(over.length >= 7 && over.length <= 10, `${over.length} refused`);
    refused(over[0], 429, "RATE_LIMITED");
    assert.match(over[0].headers["retry-after"], /^[12]$/);
    accepted(await y.act(roomCode, { type: "emote", payload: { id: "hello" } }));
    await until(async () => (await x.act(roomCode, { type: "emote", payload: { id: "hello" } })).status === 200);
    const z = await it.person("Z"); // all that is written down counts, whatever it is
    const written = [
      z.create("4-kate"),
      z.join(roomCode),
      z.join(roomCode),
      z.post(`/api/worlds/${roomCode}/leave`),
      z.request("PATCH", "/api/session", { body: { name: "Zoe" } }),
      z.post("/api/worlds/load"),
    ];
    assert.equal(
      (await Promise.all(written)).filter(({ status, code }) => status === 429 || code === "RATE_LIMITED").length,
      3,
    );
    accepted(await z.get("/api/session"));
  }));

await test("requests-per-second: from one address, whatever is asked for", () =>
  limited(["--requests-per-second", "5", "--trust-proxy", "yes"], async (it) => {
    const from = (address) => it.request("GET", "/healthz", { headers: { "x-forwarded-for": address } });
    const flood = await new Raw(it).send(get("/healthz", "X-Forwarded-For: 192.0.2.1\r\n").repeat(100));
    const statuses = await flood.answers(101); // closed with the first refusal
    assert.equal(statuses.pop(), 429);
    assert.ok(statuses.length >= 20 && statuses.length < 90 && statuses.every((code) => code === 200), `${statuses}`);
    const over = await from("192.0.2.1");
    refused(over, 429, "RATE_LIMITED");
    assert.equal(over.headers["retry-after"], "1");
    accepted(await from("192.0.2.2"));
    await until(async () => (await from("192.0.2.1")).status === 200, "nobody is let in again");
  }));

// One subscription may bring the views of many rooms.
await test("requests-per-second: what subscriptions bring counts as well, at their address only", () =>
  limited(["--requests-per-second", "10", "--trust-proxy", "yes"], async (it) => {
    const eve = await it.person("Eve"),
      own = `private-player-${eve.id}`,
      open = (address) => greeted(it, { "X-Forwarded-For": address, Cookie: `oyster_session=${eve.token}` });
    const rooms = [];
    for (let i = 0; i < 4; i++) rooms.push(`presence-room-${await table([eve], "whos-deal")}`);
    const [greedy, modest] = [await open("192.0.2.1"), await open("192.0.2.2")];
    for (const socket of [greedy, modest]) for (const room of rooms) await subscribe(eve, socket, room);
    const { json } = await authorise(eve, greedy.id, own);
    for (let i = 0; i < 25; i++) {
      greedy.say("pusher:subscribe", { ...json, channel: own });
      greedy.say("pusher:unsubscribe", { channel: own });
    }
    greedy.say("pusher:ping");
    // Why it is closed may be lost with what it still sends.
    let last;
    do last = await greedy.event().catch(() => null);
    while (last && !["pusher:error", "pusher:pong"].includes(last.event));
    assert.ok(!last || last.data.code === 4100, "a hundred views for fifty messages");
    await greedy.closed;
    await subscribe(eve, modest, own);
    await modest.kill();
  }));

await test("sessions-per-minute: from one address", () =>
  limited(["--sessions-per-minute", "3", "--trust-proxy", "yes"], async (it) => {
    const from = (address) =>
      it.request("POST", "/api/session", {
        body: { name: "Ann" },
        headers: address ? { "x-forwarded-for": address } : {},
      });
    for (let i = 0; i < 3; i++) accepted(await from(), 201);
    const over = await from();
    refused(over, 429, "RATE_LIMITED");
    assert.ok(Number(over.headers["retry-after"]) >= 1 && Number(over.headers["retry-after"]) <= 60);
    for (let i = 0; i < 3; i++) accepted(await from(`10.0.0.${i}, 192.0.2.1`), 201); // the proxy's word is the last
    refused(await from("10.0.0.9, 192.0.2.1"), 429, "RATE_LIMITED");
    accepted(await from("192.0.2.2"), 201);
    for (let i = 0; i < 3; i++) accepted(await from(`2001:db8::${i}`), 201);
    refused(await from("2001:db8::ffff:0:1"), 429, "RATE_LIMITED"); // a household's /64 is one address
    accepted(await from("2001:db8:0:1::1"), 201);
    const network = []; // whoever has many households, a /48, may do four times as much as one
    for (let i = 0; i < 20; i++) network.push((await from(`2001:db8:7:${i * 300}::1`)).status);
    assert.equal(network.filter((status) => status === 201).length, 12);
    accepted(await from("2001:db8:8::1"), 201);
  }));

await test("all lines of X-Forwarded-For are one list, whose last address counts", () =>
  limited(["--sessions-per-minute", "2", "--trust-proxy", "yes"], async (it) => {
    const from = (...lines) =>
      it.request("POST", "/api/session", { body: { name: "Ann" }, headers: { "x-forwarded-for": lines } });
    const chosen = (i) => `10.1.0.${i}`; // what somebody claims; a proxy such as HAProxy adds a line of its own
    for (let i = 0; i < 2; i++) accepted(await from(chosen(i), "192.0.2.7"), 201);
    refused(await from(chosen(8), "192.0.2.7"), 429, "RATE_LIMITED");
    refused(await from(chosen(8), chosen(9), "10.1.0.5, 192.0.2.7 , "), 429, "RATE_LIMITED");
    accepted(await from("192.0.2.7", "192.0.2.8"), 201); // nor does anybody lock out another
  }));

await test("without trust-proxy nobody gets past a limit by a header", () =>
  limited(["--sessions-per-minute", "2"], async (it) => {
    const statuses = [];
    for (let i = 0; i < 4; i++)
      statuses.push(
        (
          await it.request("POST", "/api/session", {
            body: { name: "A" },
            headers: { "x-forwarded-for": `10.0.0.${i}` },
          })
        ).status,
      );
    assert.deepEqual(statuses, [201, 201, 429, 429]);
  }));

await test("failed-joins-per-minute: codes cannot be tried for long, by one or by all", async () => {
  await limited(["--failed-joins-per-minute", "3"], async (it) => {
    const x = await it.person("X");
    const { roomCode } = await x.create("4-kate");
    for (const [method, path] of [
      ["GET", "AAAAAA"],
      ["POST", "AAAAAB/join"],
      ["GET", "AAAAAC/log"],
    ])
      refused(await x.request(method, `/api/worlds/${path}`), 404, "ROOM_NOT_FOUND");
    const over = await x.get("/api/worlds/AAAAAD");
    refused(over, 429, "RATE_LIMITED");
    assert.ok(Number(over.headers["retry-after"]) >= 1);
    const y = await it.person("Y");
    for (const path of ["", "/log", "/history", "/save"])
      refused(await y.get(`/api/worlds/${roomCode}${path}`), 429, "RATE_LIMITED"); // else a guess would still tell
    refused(await y.join(roomCode), 429, "RATE_LIMITED");
    refused(await x.act("AAAAAE", { type: "drop" }), 429, "RATE_LIMITED");
    accepted(await x.get(`/api/worlds/${roomCode}`)); // whoever is in it does not guess
    accepted(await x.act(roomCode, { type: "start" }));
    accepted(await x.post(`/api/worlds/${roomCode}/leave`));
    accepted(await x.join(roomCode)); // nor who has a seat
  });
  await limited(["--failed-joins-per-minute-in-all", "2", "--trust-proxy", "yes"], async (it) => {
    const x = await it.person("X");
    const look = (address) => x.request("GET", "/api/worlds/AAAAAA", { headers: { "x-forwarded-for": address } });
    assert.deepEqual(
      [(await look("192.0.2.1")).status, (await look("192.0.2.2")).status, (await look("192.0.2.3")).status],
      [404, 404, 429],
    );
  });
});

await test("a closed world and one that never was are told apart by nothing", () =>
  limited(["--close-ms", "0", "--failed-joins-per-minute", "1000"], async (it) => {
    const x = await it.person("X");
    const { roomCode } = await x.create("4-kate");
    accepted(await x.post(`/api/worlds/${roomCode}/leave`));
    await until(async () => (await x.get(`/api/worlds/${roomCode}`)).status === 404, "it does not close");
    const plain = ({ status: code, headers: { date, "x-request-id": id, ...headers }, text }) =>
      JSON.stringify([code, headers, text]);
    for (const [method, rest] of [
      ["GET", ""],
      ["POST", "/join"],
      ["POST", "/leave"],
      ["GET", "/log"],
      ["GET", "/history"],
      ["GET", "/save"],
    ])
      assert.equal(
        plain(await x.request(method, `/api/worlds/${roomCode}${rest}`)),
        plain(await x.request(method, `/api/worlds/AAAAAA${rest}`)),
      );
    const times = { [roomCode]: 0, AAAAAA: 0 };
    for (let i = 0; i < 10; i++)
      for (const code of Object.keys(times)) {
        const begin = performance.now();
        await x.get(`/api/worlds/${code}`);
        times[code] += performance.now() - begin;
      }
    assert.ok(
      Object.values(times).every((time) => time > 100),
      "answers come before the end of their step",
    );
  }));

/* ---- Sockets ---- */

function frame(text) {
  const data = Buffer.from(text),
    mask = crypto.randomBytes(4);
  const top =
    data.length < 126
      ? Buffer.from([0x81, 0x80 | data.length])
      : Buffer.from([0x81, 0xfe, data.length >> 8, data.length & 255]);
  return Buffer.concat([top, mask, data.map((byte, i) => byte ^ mask[i % 4])]).toString("latin1");
}

async function listen(it, person, channels) {
  const raw = await new Raw(it).send(handshake(app));
  await until(() => /socket_id/.test(raw.text), "no greeting");
  const socketId = /\\"socket_id\\":\\"([\d.]+)\\"/.exec(raw.text)[1];
  for (const channel of channels) {
    const answer = accepted(
      await person.request("POST", "/api/pusher/auth", {
        raw: `socket_id=${socketId}&channel_name=${channel}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
    );
    await raw.send(frame(JSON.stringify({ event: "pusher:subscribe", data: { channel, ...answer } })));
  }
  await until(() => raw.text.split("subscription_succeeded").length > channels.length, "no subscription");
  return raw;
}

await test("message-max: a longer message closes the socket", () =>
  limited(["--message-max", "300"], async (it) => {
    const message = (length) => {
      const start = '{"event":"pusher:ping","data":{"x":"';
      return `${start}${"x".repeat(length - start.length - 3)}"}}`;
    };
    const good = await new Raw(it).send(handshake(app) + frame(message(300)));
    await until(() => good.text.includes("pusher:pong"), "no pong");
    good.end();
    const long = await new Raw(it).send(handshake(app) + frame(message(301)));
    await long.ended;
    assert.ok(!long.text.includes("pusher:pong"));
    assert.ok(long.text.includes("\u0088\u0002\u0003\u00f1"), "not closed with 1009");
  }));

await test("messages-per-second: who talks without end is closed, and nobody else", () =>
  limited(["--messages-per-second", "1", "--messages-burst", "3"], async (it) => {
    const ping = frame('{"event":"pusher:ping","data":{}}');
    const quiet = await new Raw(it).send(handshake(app) + ping + ping);
    const loud = await new Raw(it).send(handshake(app) + ping.repeat(10));
    await loud.ended;
    assert.equal(loud.text.split("pusher:pong").length - 1, 3);
    assert.match(loud.text, /pusher:error.*4100/);
    assert.ok(loud.text.includes("\u0088\u0002\u0010\u0004"), "not closed with 4100");
    await quiet.send(ping);
    await until(() => quiet.text.split("pusher:pong").length === 4, "no pong");
    await sleep(1100);
    await quiet.send(ping); // one comes back each second
    await until(() => quiet.text.split("pusher:pong").length === 5, "no pong");
    quiet.end();
  }));

await test("messages-per-second: pings and pieces of a message count as well", () =>
  limited(["--messages-per-second", "1", "--messages-burst", "3"], async (it) => {
    const piece = (opcode) => Buffer.from([opcode, 0x80, 1, 2, 3, 4]).toString("latin1");
    for (const bytes of [piece(0x89).repeat(10), piece(0x01) + piece(0x00).repeat(10)]) {
      const raw = await new Raw(it).send(handshake(app) + bytes);
      await raw.ended;
      assert.match(raw.text, /pusher:error.*4100/);
      assert.ok(raw.text.split("\u008a\u0000").length - 1 <= 3, "more pings were answered than allowed");
    }
  }));

await test("activity-ms and patience-ms: a silent socket is closed with 4201", () =>
  limited(["--activity-ms", "2000", "--patience-ms", "500"], async (it) => {
    const silent = await new Raw(it).send(handshake(app)),
      awake = await new Raw(it).send(handshake(app));
    const begin = Date.now();
    const pings = setInterval(() => awake.send(frame('{"event":"pusher:ping","data":{}}')), 500);
    await silent.ended;
    assert.ok(Date.now() - begin >= 2400, "too early");
    assert.match(silent.text, /activity_timeout\\":2\b/);
    assert.match(silent.text, /pusher:error.*4201/);
    assert.ok(silent.text.includes("\u0088\u0002\u0010\u0069"), "not closed with 4201");
    const heard = awake.text.length;
    await until(() => awake.text.length > heard, "who pings is closed as well");
    clearInterval(pings);
    awake.end();
  }));

await test("send-queue-max: who does not read is closed, and nobody else notices", () =>
  limited(["--send-queue-max", "16384", "--actions-per-second", "100000", "--actions-burst", "100000"], async (it) => {
    const [x, y] = [await it.person("X"), await it.person("Y")];
    const code = (await x.create("hand-and-foot")).roomCode;
    await y.join(code);
    const channels = (person) => [`private-player-${person.id}`, `presence-room-${code}`];
    const good = await listen(it, x, channels(x)),
      slow = await listen(it, y, channels(y));
    slow.socket.pause();
    const figure = async (name) =>
      Number(new RegExp(`^${name} (\\d+)$`, "m").exec((await it.request("GET", "/metrics")).text)[1]);
    // Some kilobytes are allowed to everybody.
    const speed = (name) => x.act(code, { type: "set-settings", payload: { speed: name } });
    for (let i = 0; i < 500 && (await figure("oyster_connections_slow_total")) === 0; i++)
      await Promise.all(Array.from({ length: 20 }, (_, at) => speed(at % 2 ? "fast" : "normal")));
    assert.equal(await figure("oyster_connections_slow_total"), 1);
    const before = good.bytes;
    accepted(await speed("relaxed"));
    await until(() => good.bytes > before, "the other one hears nothing any more");
    good.end();
    slow.end();
  }));

await test("listen: every address of the machine, and localhost", async () => {
  for (const listen of ["*:0", "localhost:0", "0.0.0.0:0"]) {
    const it = await Server.start(program, ["--store", "memory", "--listen", listen]);
    assert.equal((await it.request("GET", "/healthz")).status, 200, listen);
    assert.equal((await it.stop()).code, 0);
  }
});

await test("the server ends well", async () => {
  const { code } = await server.stop();
  assert.equal(code, 0, server.log);
});
await sleep(0);
finish();
