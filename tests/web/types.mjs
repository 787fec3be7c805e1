// PL-46: the page's types of views, moves and events fit what the engine sends. Every recorded game and some with moves
// at random are played in the module; what each seat and a spectator see after every move, and what it told, is written
// as TypeScript, and the compiler checks it against the types. What has the same shape is written once. A type of an
// event that never came is a mistake as well. node tests/web/types.mjs build/oyster.wasm
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [modulePath = `${root}build/oyster.wasm`] = process.argv.slice(2);
const types = {
  "4-kate": ["FourKateView", "FourKateEvent", "four-kate/view"],
  "hand-and-foot": ["HandAndFootView", "HandAndFootEvent", "hand-and-foot/view"],
  "terrible-people": ["TerribleView", "TerribleEvent", "terrible-people/terrible"],
  "up-n-down": ["UpNDownView", "UpNDownEvent", "up-n-down/view"],
  "whos-deal": ["EuchreView", "EuchreEvent", "whos-deal/view"],
};
// House rules under which games are played at random, so that rare moves and events come as well.
const everything = "undo=yes layRedThrees=yes choosePile=yes askPartner=yes";
const random = [
  ["4-kate", ""],
  ["hand-and-foot", ""],
  ["hand-and-foot", `preset=partners ${everything}`],
  ["hand-and-foot", `preset=closers ${everything}`],
  ["terrible-people", ""],
  ["up-n-down", "allowUndo=yes"],
  ["whos-deal", "defendAlone=yes farmersHand=yes stickTheDealer=no"],
];
const RANDOM_MOVES = 500;
// Events that a room tells, not the rules.
const fromRooms = ["log-recalled"];
// What the world adds to every view.
const worlds = ["looking", "phaseEndsAt", "botActionAt", "log"];

const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const rules = instance.exports;
const memory = () => new Uint8Array(rules.memory.buffer);
const say = (text) => {
  const bytes = Buffer.from(text);
  memory().set(bytes, rules.input());
  return bytes.length;
};
const heard = () => {
  const start = rules.output();
  return Buffer.from(memory().subarray(start, memory().indexOf(0, start))).toString();
};
rules.games();
const { games } = JSON.parse(heard());

// Numbers and cards are all alike; words such as phases are not. Of a list the different kinds of members count.
function shape(value) {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shape))].sort().join()}]`;
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return "0";
  if (typeof value === "string") return /^[a-z_A-Z-]{4,16}$/.test(value) ? value : "text";
  return `{${Object.entries(value)
    .map(([key, member]) => `${/^p\d$|^\d+$/.test(key) ? "key" : key}:${shape(member)}`)
    .join()}}`;
}

// A list of objects keeps one of each shape, so that what the compiler reads stays small.
function shorten(value) {
  if (Array.isArray(value) && value.every((one) => one !== null && typeof one === "object" && !Array.isArray(one))) {
    const seen = new Set();
    return value.filter((one) => !seen.has(shape(one)) && seen.add(shape(one))).map(shorten);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member)]));
}

// The header's lines and the moves of a record.
function read(file) {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line && !line.startsWith("#"));
  const header = (word) => lines.find((line) => line.split(" ")[0] === word)?.slice(word.length + 1) ?? "";
  return {
    game: header("game"),
    options: header("options"),
    position: header("position"),
    seats: header("seats").match(/"[^"]*"\S*|\S+/g)?.length ?? 0,
    moves: lines.filter((line) => /^(-|\d) /.test(line)),
  };
}

const found = new Map(Object.keys(types).map((game) => [game, { views: new Map(), events: new Map() }]));
function look(game, seats) {
  const { views } = found.get(game);
  for (let seat = -1; seat < seats; seat++) {
    rules.view(seat);
    const view = JSON.parse(heard());
    views.set(shape(view), shorten(view));
  }
}

function play(game, seats, seat, words) {
  if (!rules.play(seat, say(words))) return false;
  rules.events();
  for (const told of JSON.parse(heard())) found.get(game).events.set(shape(told), shorten(told));
  look(game, seats);
  return true;
}

// One of the moves that are open to the awaited seats, or a deal. Chance is the same in every run.
let chance = 1;
const below = (count) => {
  chance = (chance * 48271) % 2147483647;
  return chance % count;
};
function playRandom(game, options) {
  const index = games.findIndex(({ id }) => id === game);
  const seats = Math.min(Math.max(games[index].minPlayers, 4), games[index].maxPlayers);
  if (!rules.start(index, seats, say(options))) throw new Error(`${game} ${options}: ${heard()}`);
  for (let i = 0; i < RANDOM_MOVES && rules.to_act() !== 0; i++) {
    const awaited = rules.to_act();
    if (awaited < 0) {
      const seed = Array.from({ length: 64 }, () => below(16).toString(16)).join("");
      if (!play(game, seats, -1, `deal ${seed}`) && !play(game, seats, -1, `shuffle ${seed}`)) throw new Error(heard());
      continue;
    }
    const able = Array.from({ length: seats }, (_, seat) => seat).filter((seat) => (awaited >> seat) & 1);
    const seat = able[below(able.length)];
    rules.view(seat);
    const { legal } = JSON.parse(heard());
    if (!play(game, seats, seat, legal[below(legal.length)].move)) throw new Error(heard());
  }
}

for (const folder of readdirSync(`${root}games`, { withFileTypes: true }).filter((one) => one.isDirectory())) {
  let files = [];
  try {
    files = readdirSync(`${root}games/${folder.name}/golden`).filter((name) => name.endsWith(".oyster"));
  } catch {
    /* a game without recorded games */
  }
  for (const name of files) {
    const record = read(`${root}games/${folder.name}/golden/${name}`);
    const index = games.findIndex((game) => game.id === record.game);
    if (record.position || !rules.start(index, record.seats, say(record.options))) continue;
    look(record.game, record.seats);
    for (const line of record.moves) {
      const [who, ...words] = line.split(/\s+/);
      if (!play(record.game, record.seats, who === "-" ? -1 : Number(who), words.join(" "))) break;
    }
  }
}

for (const [game, options] of random) playRandom(game, options);

const out = `${root}build/types`;
mkdirSync(out, { recursive: true });
writeFileSync(
  `${out}/tsconfig.json`,
  JSON.stringify({
    extends: "../../web/tsconfig.json",
    compilerOptions: { types: [], typeRoots: [] },
    include: ["*.ts", "../../web/src/virtual.d.ts", "../../web/node_modules/vite/client.d.ts"],
  }),
);
const words = (names) => names.map((one) => `"${one}"`).join(" | ");
for (const [game, [view, event, file]] of Object.entries(types)) {
  const { views, events } = found.get(game);
  const told = [...new Set([...events.values()].map((one) => one.event)), ...fromRooms];
  writeFileSync(
    `${out}/${game}.ts`,
    [
      `import type { ${view}, ${event} } from "../../web/src/games/${file}";`,
      `type Seen = Omit<${view}, ${words(worlds)}>;`,
      ...[...views.values()].map((one, i) => `export const view${i}: Seen = ${JSON.stringify(one)};`),
      ...[...events.values()].map((one, i) => `export const event${i}: ${event} = ${JSON.stringify(one)};`),
      `export const never: Exclude<${event}["event"], ${words(told)}>[] = [];`,
      "export const none: never[] = never;",
      "",
    ].join("\n"),
  );
}

const node = execFileSync(`${root}scripts/node`, { encoding: "utf8", cwd: root }).trim();
let complaints = "";
try {
  execFileSync(node, [`${root}web/node_modules/typescript/bin/tsc`, "-p", out], { encoding: "utf8" });
} catch (error) {
  complaints = error.stdout;
}
let failed = 0;
for (const [game, [view, event]] of Object.entries(types)) {
  const lines = complaints.split("\n").filter((line) => line.includes(`${game}.ts`));
  const { views, events } = found.get(game);
  const good = lines.length === 0 && views.size > 3 && events.size > 2;
  failed += good ? 0 : 1;
  const what = `${views.size} kinds of views and ${events.size} of events of ${game}`;
  console.log(`${good ? "ok" : "not ok"} - ${what} are what ${view} and ${event} say`);
  for (const line of lines.slice(0, 10)) console.log(`# ${line.slice(0, 400)}`);
}
const other = complaints
  .split("\n")
  .filter((line) => line && !Object.keys(types).some((game) => line.includes(`${game}.ts`)) && !line.startsWith(" "));
if (other.length > 0) {
  failed++;
  console.log(`not ok - the types themselves\n# ${other.slice(0, 5).join("\n# ")}`);
}
process.exit(failed > 0 ? 1 : 0);
