// node tests/api/proxies.mjs PROGRAM: people behind nginx and HAProxy, set up as docs/hosting.md says but without TLS.
// The proxies keep connections to the server and send requests of different people over the same one; nobody may ever
// get an answer that is another's, whatever bytes somebody sends in between.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Server, finish, test } from "./client.mjs";
import { accepted, assert, generous, Raw, until } from "./tools.mjs";

const [program = "build/oyster"] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), "oyster-proxies-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.env.PATH += ":/usr/sbin";
const server = await Server.start(program, [...generous, "--trust-proxy", "yes", "--connections-per-address", "0"]);

// The samples of the documentation, in order.
const hosting = readFileSync(new URL("../../docs/hosting.md", import.meta.url), "utf8");
const sample = (name) => new RegExp(`^${name}:\\n\`\`\`\\n(.*?)\`\`\``, "ms").exec(hosting)[1];
const freePort = () =>
  new Promise((resolve) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

const listens = (port) =>
  new Promise((resolve) => {
    const probe = net.connect(port, "127.0.0.1");
    probe.once("connect", () => resolve(true)).once("error", () => resolve(false));
    probe.once("connect", () => probe.destroy());
  });

async function begin(command, name, text) {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  const child = spawn(command[0], [...command.slice(1), file], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (data) => (said += data));
  process.on("exit", () => child.kill());
  return { child, said: () => said };
}

const here = `127.0.0.1:${server.port}`;
async function nginx() {
  const port = await freePort();
  const location = sample("nginx")
    .replace("http://127.0.0.1:8080", "http://oyster")
    .replace("$http_connection", "$connection_upgrade");
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(" ");
  const started = await begin(
    ["nginx", "-e", path.join(folder, "nginx.log"), "-c"],
    "nginx.conf",
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; events {}
http { access_log off; ${paths} upstream oyster { server ${here}; keepalive 4; }
map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
server { listen 127.0.0.1:${port}; ${location} } }`,
  );
  return { name: "nginx", port, ...started };
}

async function haproxy() {
  const port = await freePort();
  const text = sample("HAProxy")
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replace("127.0.0.1:8080", here)
    .replace("backend oyster\n", "backend oyster\n    http-reuse always\n");
  return { name: "HAProxy", port, ...(await begin(["haproxy", "-db", "-f"], "haproxy.cfg", `${text}\n`)) };
}

const people = await Promise.all(Array.from({ length: 6 }, (_, i) => server.person(`P${i}`)));
const { roomCode } = await people[0].create("4-kate");
const get = (target, person, more = "") =>
  `GET ${target} HTTP/1.1\r\nHost: cards\r\nAuthorization: Bearer ${person.token}\r\n${more}\r\n`;
const rename = (person, name, chunked) => {
  const body = JSON.stringify({ name });
  const top = `PATCH /api/session HTTP/1.1\r\nHost: cards\r\nAuthorization: Bearer ${person.token}\r\n`;
  return chunked
    ? `${top}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    : `${top}Content-Length: ${body.length}\r\n\r\n${body}`;
};

// Whose answers these are, in order: every answer of /api/session names the person.
const ids = (text) => [...text.matchAll(/\r\n\r\n\{"playerId":"([^"]+)"/g)].map(([, id]) => id);

for (const proxy of [await nginx(), await haproxy()]) {
  await until(() => listens(proxy.port), `${proxy.name} does not start: ${proxy.said()}`);

  await test(`${proxy.name}: figures are not forwarded`, async () => {
    const raw = await new Raw(proxy).send(get("/metrics", people[0]));
    assert.deepEqual(await raw.answers(1), [404]);
    raw.end();
    for (const other of ["/metrics/", "/metrics?x", "//metrics", "/metrics//", "/%6detrics", "/./metrics"]) {
      const odd = await new Raw(proxy).send(get(other, people[0], "Connection: close\r\n"));
      assert.ok(!(await odd.ended).includes("# TYPE oyster_"), `${other} leads to them`);
    }
    accepted(await server.request("GET", "/metrics"));
  });

  await test(`${proxy.name}: pipelines of many people over shared connections are answered in order`, async () => {
    const lines = await Promise.all(
      people.map(async (person, i) => {
        const raw = new Raw(proxy);
        const requests = Array.from({ length: 20 }, (_, n) =>
          n % 5 === 3 ? rename(person, `P${i} ${n}`, n % 2 === 1) : get("/api/session", person),
        );
        await raw.send(requests.join(""));
        await until(() => ids(raw.text).length === requests.length, `${proxy.name}: ${raw.text}`);
        raw.end();
        return ids(raw.text).every((id) => id === person.id);
      }),
    );
    assert.deepEqual(
      lines,
      people.map(() => true),
    );
  });

  const [eve, ...others] = people;
  const inside = get("/api/session", eve); // what would be smuggled in front of another's request
  const top = `POST /api/worlds/${roomCode}/join HTTP/1.1\r\nHost: cards\r\nAuthorization: Bearer ${eve.token}\r\n`;
  const attempts = {
    "a length and chunks": `${top}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inside}`,
    "chunks by another name": `${top}Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n\r\n{}${inside}`,
    "chunks twice": `${top}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${inside}`,
    "two lengths": `${top}Content-Length: 2\r\nContent-Length: ${inside.length + 2}\r\n\r\n{}${inside}`,
    "a folded header": `${top}X-Y: 1\r\n Content-Length: ${inside.length}\r\n\r\n${inside}`,
    "a length with a sign": `${top}Content-Length: +2\r\n\r\n{}${inside}`,
    "bare line ends": `${top}Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n${inside}`,
    "a chunk that is longer than it says": `${top}Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX\r\n0\r\n\r\n${inside}`,
    "chunks before HTTP/1.1": `${top.replace("1.1", "1.0")}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inside}`,
    "a blank before the colon": `${top}Content-Length : 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inside}`,
    "two hosts": `${top}Host: other\r\nContent-Length: 2\r\n\r\n{}${inside}`,
    "half a body": `${top}Content-Length: 900\r\n\r\n${inside}`,
  };
  await test(`${proxy.name}: nobody's answer goes to another after broken requests`, async () => {
    for (const [what, bytes] of Object.entries(attempts)) {
      const broken = await Promise.all(Array.from({ length: 4 }, () => new Raw(proxy).send(bytes)));
      const seen = await Promise.all(
        others.map(async (person) => {
          const raw = await new Raw(proxy).send(get("/api/session", person).repeat(4));
          await until(() => ids(raw.text).length >= 4, `${proxy.name}, ${what}: ${raw.text}`);
          raw.end();
          return ids(raw.text).every((id) => id === person.id) && raw.statuses().every((status) => status === 200);
        }),
      );
      assert.deepEqual(
        seen,
        others.map(() => true),
        what,
      );
      for (const raw of broken) {
        assert.ok(
          ids(raw.text).every((id) => id === eve.id),
          what,
        ); // and she sees nobody else's
        raw.end();
      }
    }
  });
  proxy.child.kill();
}

await server.stop();
finish();
