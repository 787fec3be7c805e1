// Measures the server against a raw epoll loop and against Socket.IO, all in one run and by turns,
// since machines are noisy: ratios are what counts. `node bench/server/run.mjs [seconds per turn [turns]]`
// With BASE=path/to/oyster it measures this build against that earlier one instead.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import {
  atLeast,
  atMost,
  build,
  byTurns,
  end,
  here,
  load,
  measure,
  middle,
  oyster,
  peer,
  say,
  seconds,
  table,
  turns,
} from "./parts.mjs";

// ---- The parts

async function againstPeers() {
  const server = await oyster("peers");
  const own = await load(server, 250);
  await own.do("start");
  const bytes = Math.round((await own.do("run 2")).bytes);
  const raw = await peer("raw", join(build, "server_raw"), [], bytes);
  const socketio = await peer("socketio", process.execPath, ["socketio.mjs"], bytes);
  const loads = [own, await load(raw, 250), await load(socketio, 250)];
  for (const each of loads.slice(1)) await each.do("start");
  const figures = await byTurns(loads);
  table(["oyster, durable (SQLite)", "raw epoll, in memory", "Socket.IO, in memory"], figures);
  atLeast("actions/s: oyster, durable / Socket.IO in memory", figures[2].to.rate, "", 2);
  atLeast("actions/s: oyster, durable / raw epoll in memory", figures[1].to.rate, "", 0.5);
  atMost("p99 from the POST to the last push: oyster / Socket.IO", figures[2].to.p99, "", 0.5);
  say("the server's CPU per action: oyster / Socket.IO", figures[2].to.cpu, "");
  say("the server's CPU per action: oyster / raw epoll", figures[1].to.cpu, "");
  for (const each of [...loads.slice(1), raw, socketio]) await end(each);
  console.log();
  const many = await load(server, 1000);
  await many.do("start");
  const scale = await byTurns([many, own]);
  table(["1,000 worlds", "250 worlds"], scale);
  atLeast("actions/s at 1,000 worlds / at 250 worlds", scale[1].to.rate, "", 0.8);
  for (const each of [many, own, server]) await end(each);
}

async function idleSockets() {
  const worlds = 2500;
  const server = await oyster("idle");
  const active = await load(server, 250);
  const before = (await active.do("start")).rss;
  const idle = await load(server, worlds);
  atMost("memory per waiting world with 4 sockets", (idle.ready.rss - before) / worlds, " KB", 40);
  const started = (await idle.do("start")).rss;
  atMost("memory per playing world with 4 sockets", (started - before) / worlds, " KB", 40);
  const resting = idle.do("rest 10");
  const figures = await active.do("run 8 500");
  await resting;
  atMost(`p99 of ${figures.rate.toFixed(0)} actions/s beside 10,000 idle sockets`, figures.p99 / 1000, " ms", 50);
  for (const each of [active, idle, server]) await end(each);
}

async function feel() {
  const server = await oyster("feel");
  const table8 = await load(server, 8, "speed=normal");
  const start = await table8.do("start");
  // HF-130, HF-131
  atMost("from pressing start to dealt, 8 worlds, the slowest", start.deal_max / 1000, " ms", 500);
  const figures = await table8.do("run 10 200");
  atMost("turn change: from the POST to the last push, p99", figures.p99 / 1000, " ms", 100);
  for (const each of [table8, server]) await end(each);
}

// People's actions while nobody else plays, and beside 200 worlds whose bots are experts, by turns.
async function besideExperts() {
  const server = await oyster("experts");
  const people = await load(server, 50);
  const experts = await load(server, 200, "people=1", "bots=expert", "speed=normal");
  await people.do("start");
  await experts.do("start");
  await people.do("run 1 20");
  const ratios = [];
  let moves = 0;
  for (let turn = 0; turn < turns; turn++) {
    await experts.do("rest 2"); // until it is everywhere a person's turn
    const alone = await people.do(`run ${seconds} 20`);
    const beside = experts.do(`run ${seconds} 50`);
    const [figures, played] = await Promise.all([people.do(`run ${seconds} 20`), beside]);
    ratios.push(figures.p99 / alone.p99);
    moves += played.rate / turns;
  }
  say("actions/s of people who play with experts, 200 worlds", moves, "");
  atMost("p99 of people's actions: beside experts / without", middle(ratios), "", 1.5);
  for (const each of [people, experts, server]) await end(each);
}

// The same load on this build and on an earlier one, with a file each.
async function againstEarlier(file) {
  const servers = [await oyster("here"), await oyster("earlier", {}, file)];
  const loads = [];
  for (const server of servers) loads.push(await load(server, 250));
  for (const each of loads) await each.do("start");
  const figures = await byTurns(loads);
  table(["this build", "the earlier one"], figures);
  say("actions/s: this build / the earlier one", figures[1].to.rate, "");
  say("p99: this build / the earlier one", figures[1].to.p99, "");
  say("the server's CPU per action: this build / the earlier one", figures[1].to.cpu, "");
  for (const each of [...loads, ...servers]) await end(each);
}

const isReady = (port) =>
  new Promise((resolve) => {
    const asked = request({ port, path: "/readyz" }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode === 200));
    });
    asked.on("error", () => resolve(false));
    asked.end();
  });

async function restart() {
  let server = await oyster("restart");
  const makers = await load(server, 10000, "people=1", "sockets=no");
  await end(makers);
  await end(server);
  const begin = process.hrtime.bigint();
  server = await oyster("restart");
  while (!(await isReady(server.port)));
  const ms = Number(process.hrtime.bigint() - begin) / 1e6;
  say("ready after a restart with 10,000 open worlds", ms, " ms");
  await end(server);
}

if (!existsSync(join(here, "node_modules/socket.io")))
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: here, stdio: "ignore" });
if (process.env.BASE) await measure(() => againstEarlier(process.env.BASE));
else await measure(againstPeers, idleSockets, feel, besideExperts, restart);
