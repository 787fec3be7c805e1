// Measures the server against a raw epoll loop and against Socket.IO, all in one run and by turns,
// since machines are noisy: ratios are what counts. `node bench/server/run.mjs [seconds per turn]`
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const here = import.meta.dirname;
const build = join(here, '../../build');
const seconds = Number(process.argv[2] ?? 3);
const turns = Number(process.argv[3] ?? 5);
const folder = mkdtempSync(join(tmpdir(), 'oyster-bench-'));
const running = new Set();

// ---- Programs

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

function program(file, words, options = {}) {
  const child = spawn(file, words, { stdio: ['pipe', 'pipe', 'inherit'], ...options });
  running.add(child);
  child.ended = new Promise((resolve) => child.on('exit', resolve));
  child.ended.then(() => running.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${file} ended`);
    return value;
  };
  return child;
}

async function end(child) {
  child.kill('SIGTERM');
  await child.ended;
}

async function oyster(name) {
  const port = await freePort();
  const flags = {
    listen: `127.0.0.1:${port}`, store: `sqlite:${join(folder, name)}.db`, 'log-level': 'warn',
    'actions-per-second': 1000000, 'actions-burst': 1000000, 'sessions-per-minute': 1000000,
    'connections-per-address': 0, 'requests-per-second': 0, 'connections-max': 19000, 'worlds-per-player': 10000, 'away-ms': 2147483647,
  };
  const server = program(join(build, 'oyster'), ['serve', ...Object.entries(flags).flatMap(([key, value]) => [`--${key}`, `${value}`])]);
  await server.line();
  return Object.assign(server, { port, target: 'oyster' });
}

async function peer(target, file, words, bytes) {
  const port = await freePort();
  const server = program(file, [...words, port, bytes], { cwd: here, env: { ...process.env, NODE_ENV: 'production' } });
  await server.line();
  return Object.assign(server, { port, target });
}

const pairs = (line) => Object.fromEntries(line.split(' ').map((pair) => pair.split('=').map((part, i) => (i ? Number(part) : part))));

async function load(server, worlds, ...words) {
  const child = program(join(build, 'server_load'), [server.target, server.port, worlds, `pid=${server.pid}`, ...words]);
  child.ready = pairs(await child.line());
  child.do = async (command) => {
    child.stdin.write(`${command}\n`);
    return pairs(await child.line());
  };
  return child;
}

// ---- Figures

const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

// The loads by turns; for each the median of every figure, and of its ratio to the first within one turn.
async function byTurns(loads) {
  const results = loads.map(() => []);
  for (const each of loads) await each.do('run 1');
  for (let turn = 0; turn < turns; turn++)
    for (const [i, each] of loads.entries()) results[i].push(await each.do(`run ${seconds}`));
  const names = Object.keys(results[0][0]);
  return results.map((rows) => ({
    ...Object.fromEntries(names.map((name) => [name, middle(rows.map((row) => row[name]))])),
    to: Object.fromEntries(names.map((name) => [name, middle(results[0].map((row, i) => row[name] / rows[i][name]))])),
  }));
}

const rows = [];
const number = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
function say(what, value, unit, goal, good) {
  const line = `${what.padEnd(66)} ${`${number(value)}${unit}`.padStart(10)}   ${goal ? `goal ${goal}: ${good ? 'met' : 'missed'}` : ''}`;
  rows.push(line);
  console.log(line.trimEnd());
}
const atLeast = (what, value, unit, goal) => say(what, value, unit, `at least ${goal}${unit}`, value >= goal);
const atMost = (what, value, unit, goal) => say(what, value, unit, `at most ${goal}${unit}`, value <= goal);

function table(names, figures) {
  console.log(`${''.padEnd(28)}${['actions/s', 'p50 ms', 'p99 ms', 'CPU µs', 'pushes', 'bytes'].map((name) => name.padStart(11)).join('')}`);
  for (const [i, row] of figures.entries())
    console.log(`${names[i].padEnd(28)}${[row.rate, row.p50 / 1000, row.p99 / 1000, row.cpu, row.pushes, row.bytes].map((value) => number(value).padStart(11)).join('')}`);
  console.log('(CPU: of the server, per action; pushes and their bytes: per action and seat; medians)\n');
}

// ---- The parts

async function againstPeers() {
  const server = await oyster('peers');
  const own = await load(server, 250);
  await own.do('start');
  const bytes = Math.round((await own.do('run 2')).bytes);
  const raw = await peer('raw', join(build, 'server_raw'), [], bytes);
  const socketio = await peer('socketio', process.execPath, ['socketio.mjs'], bytes);
  const loads = [own, await load(raw, 250), await load(socketio, 250)];
  for (const each of loads.slice(1)) await each.do('start');
  const figures = await byTurns(loads);
  table(['oyster, durable (SQLite)', 'raw epoll, in memory', 'Socket.IO, in memory'], figures);
  atLeast('actions/s: oyster, durable / Socket.IO in memory', figures[2].to.rate, '', 2);
  atLeast('actions/s: oyster, durable / raw epoll in memory', figures[1].to.rate, '', 0.5);
  atMost('p99 from the POST to the last push: oyster / Socket.IO', figures[2].to.p99, '', 0.5);
  say("the server's CPU per action: oyster / Socket.IO", figures[2].to.cpu, '');
  say("the server's CPU per action: oyster / raw epoll", figures[1].to.cpu, '');
  for (const each of [...loads.slice(1), raw, socketio]) await end(each);
  console.log();
  const many = await load(server, 1000);
  await many.do('start');
  const scale = await byTurns([many, own]);
  table(['1,000 worlds', '250 worlds'], scale);
  atLeast('actions/s at 1,000 worlds / at 250 worlds', scale[1].to.rate, '', 0.8);
  for (const each of [many, own, server]) await end(each);
}

async function idleSockets() {
  const worlds = 2500;
  const server = await oyster('idle');
  const active = await load(server, 250);
  const before = (await active.do('start')).rss;
  const idle = await load(server, worlds);
  atMost('memory per waiting world with 4 sockets', (idle.ready.rss - before) / worlds, ' KB', 40);
  const started = (await idle.do('start')).rss;
  atMost('memory per playing world with 4 sockets', (started - before) / worlds, ' KB', 40);
  const resting = idle.do('rest 10');
  const figures = await active.do('run 8 500');
  await resting;
  atMost(`p99 of ${figures.rate.toFixed(0)} actions/s beside 10,000 idle sockets`, figures.p99 / 1000, ' ms', 50);
  for (const each of [active, idle, server]) await end(each);
}

async function feel() {
  const server = await oyster('feel');
  const table8 = await load(server, 8, 'speed=normal');
  const start = await table8.do('start');
  atMost('from pressing start to dealt, 8 worlds, the slowest', start.deal_max / 1000, ' ms', 500);
  const figures = await table8.do('run 10 200');
  atMost('turn change: from the POST to the last push, p99', figures.p99 / 1000, ' ms', 100);
  for (const each of [table8, server]) await end(each);
}

const isReady = (port) =>
  new Promise((resolve) => {
    const asked = request({ port, path: '/readyz' }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200));
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });

async function restart() {
  let server = await oyster('restart');
  const makers = await load(server, 10000, 'people=1', 'sockets=no');
  await end(makers);
  await end(server);
  const begin = process.hrtime.bigint();
  server = await oyster('restart');
  while (!(await isReady(server.port)));
  const ms = Number(process.hrtime.bigint() - begin) / 1e6;
  say('ready after a restart with 10,000 open worlds', ms, ' ms');
  await end(server);
}

if (!existsSync(join(here, 'node_modules/socket.io'))) execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: here, stdio: 'ignore' });
try {
  await againstPeers();
  await idleSockets();
  await feel();
  await restart();
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}
