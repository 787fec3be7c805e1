// A world of this device, off the page's thread: bots may think without a frame being lost. Several pages may have the
// same table open: its log on the shelf is the truth, and each of them follows what the others append to it.
import { glanceOf } from "./news";
import { isRefusal, type GameInfo, type History, type Refusal, type Step, type World } from "../model";
import * as shelf from "./shelf";
import { ME } from "./shelf";
import * as results from "./results";
import { WasmWorld, type News } from "./wasm";

export type Ask =
  | { kind: "open"; code: string }
  | { kind: "create"; code: string; gameId: string; name: string; entries: string[]; fleeting: boolean }
  | { kind: "restore"; lines: string[] }
  | { kind: "act"; move: string }
  | { kind: "check"; move: string }
  | { kind: "history" }
  | { kind: "leave" };

export type Answer = World | GameInfo[] | History | Refusal | null;

export type Tell =
  | { kind: "answer"; number: number; value: Answer }
  | { kind: "step"; step: Step }
  | { kind: "world"; world: World }
  | { kind: "gone" };

// A module a game: nobody loads the rules of games they do not play.
const modules = import.meta.glob<string>("../../../build/tables/*.wasm", {
  query: "?url",
  import: "default",
  eager: true,
});
const gameOf = (lines: string[]): string => /^\S+ \S+ create \S+ ([^@ ]+)/.exec(lines[0] ?? "")?.[1] ?? "";
const noGame: Refusal = { error: "There is no such game here", code: "UNKNOWN_GAME", status: 400 };
let table: WasmWorld;
let loaded: string | undefined; // the game that it is of
let kept: shelf.Kept | undefined;
let count = 0;
let fleeting = false; // a lesson's table is not kept
let late = false; // another page saw to this table last, and bots are its business
let timer: ReturnType<typeof setTimeout> | undefined;

// A page that was not the last to change the table waits this long before it moves for the bots, in case the other
// page is asleep or closed.
const LATE_MS = 1500;
const TRIES = 5;

const tell = (message: Tell) => postMessage(message);
const overtaken: Refusal = { error: "Another tab is faster at this table", code: "CONFLICT", status: 409 };
const noWorld: Refusal = { error: "There is no such table on this device", code: "ROOM_NOT_FOUND", status: 404 };

function hex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function show(news: News): void {
  const world = table.view(ME);
  tell({ kind: "step", step: { version: world.version, events: news.events, world } });
}

// What the shelf says of a table to those who look for one to come back to.
const keptOf = (world: World): shelf.Kept => ({
  code: world.roomCode,
  gameId: world.gameId,
  changed: Date.now(),
  over: world.status === "game_over",
  glance: glanceOf(world),
});

// Stores an entry and then tells the page about it. False if another page was faster; the table has been reloaded
// then.
async function keep(news: News): Promise<boolean> {
  const world = table.view(ME);
  kept = keptOf(world);
  if (news.line && !fleeting) {
    if (!(await shelf.append(kept, count, [news.line]))) return reload(world.roomCode);
    count++;
    late = false;
    if (kept.over) await keepResult(world);
  }
  show(news);
  return true;
}

// A device that keeps no results still plays on.
async function keepResult(world: World): Promise<void> {
  const ending = table.finished(ME);
  if (ending) await results.add(world, results.finishedOf(world, ending, Date.now())).catch(() => {});
}

async function reload(code: string): Promise<false> {
  const lines = await shelf.entries(code);
  if (isRefusal(await open(lines))) gone();
  else tell({ kind: "world", world: table.view(ME) });
  return false;
}

function gone(): void {
  clearTimeout(timer);
  count = 0;
  tell({ kind: "gone" });
}

// Another page has changed this table.
async function follow(code: string): Promise<void> {
  if (count === 0 || fleeting || table.view(ME).roomCode !== code) return;
  const lines = await shelf.entries(code);
  late = true;
  if (lines.length === 0) return gone();
  for (const line of lines.slice(count)) {
    const news = table.hear(ME, line);
    if (isRefusal(news)) return void (await reload(code));
    count++;
    show(news);
  }
  schedule();
}

async function tick(): Promise<void> {
  const news = table.tick(ME, Date.now());
  if (news) await keep(news);
  schedule();
}

function schedule(): void {
  clearTimeout(timer);
  const due = count > 0 ? table.due() : null;
  if (due !== null)
    timer = setTimeout(() => inOrder(tick), Math.min(Math.max(0, due - Date.now()) + (late ? LATE_MS : 0), 60_000));
}

async function load(gameId: string): Promise<Refusal | null> {
  const url = modules[`../../../build/tables/${gameId}.wasm`];
  if (!url) return noGame;
  if (loaded !== gameId) table = await WasmWorld.instantiate(fetch(url));
  loaded = gameId;
  return null;
}

async function open(lines: string[]): Promise<World | Refusal> {
  if (lines.length === 0) return noWorld;
  const broken = (await load(gameOf(lines))) ?? table.load(lines, ME, Date.now());
  if (broken) return broken;
  count = lines.length;
  schedule();
  return table.view(ME);
}

async function answer(ask: Ask): Promise<Answer> {
  switch (ask.kind) {
    case "open":
      shelf.tellOthers(ask.code);
      return open(await shelf.entries(ask.code));
    case "create": {
      const unknown = await load(ask.gameId);
      if (unknown) return unknown;
      const now = Date.now();
      const game = `${ask.gameId}@${table.registry().world.rules[ask.gameId]}`;
      const lines = [`@${ME} create ${ask.code} ${game} ${hex(32)} ${hex(32)} ${ask.name}`, ...ask.entries].map(
        (entry) => `${now} ${entry}`,
      );
      const world = await open(lines);
      fleeting = ask.fleeting;
      if (!isRefusal(world) && !fleeting) await shelf.append(keptOf(world), 0, lines);
      return world;
    }
    case "restore": {
      const world = await open(ask.lines);
      if (!isRefusal(world)) await shelf.append(keptOf(world), 0, ask.lines);
      return world;
    }
    case "act": {
      for (let tries = 0; tries < TRIES && count > 0; tries++) {
        const news = table.act(ME, ask.move, Date.now());
        if (isRefusal(news)) return news;
        if (news && !(await keep(news))) continue;
        schedule();
        return null;
      }
      return count > 0 ? overtaken : noWorld;
    }
    case "check":
      return table.check(ME, ask.move, Date.now());
    case "history":
      if (fleeting) return { version: 0, entries: [] };
      return table.history(await shelf.entries(table.view(ME).roomCode), ME);
    case "leave":
      clearTimeout(timer);
      if (kept ?? count) await shelf.remove(table.view(ME).roomCode);
      return null;
  }
}

// Requests are handled one at a time.
let last: Promise<unknown> = Promise.resolve();
function inOrder(work: () => Promise<unknown>): void {
  last = last.then(work, work);
}

shelf.onChange((code) => inOrder(() => follow(code)));
addEventListener("message", ({ data }: MessageEvent<{ number: number; ask: Ask }>) => {
  inOrder(async () => {
    const value = await answer(data.ask).catch(
      (): Refusal => ({ error: "This device cannot keep the table", code: "UNAVAILABLE", status: 503 }),
    );
    tell({ kind: "answer", number: data.number, value });
  });
});
