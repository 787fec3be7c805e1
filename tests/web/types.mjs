// PL-46: the page's types of views fit what the engine sends. Every recorded game is played in the module; what each
// seat and a spectator see after every move is written as TypeScript, and the compiler checks it against the types.
// Views of the same shape are written once. node tests/web/types.mjs build/oyster.wasm
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [modulePath = `${root}build/oyster.wasm`] = process.argv.slice(2);
const types = {
  "4-kate": ["FourKateView", "four-kate/view"],
  "hand-and-foot": ["HandAndFootView", "hand-and-foot/view"],
  "terrible-people": ["TerribleView", "terrible-people/terrible"],
  "up-n-down": ["UpNDownView", "up-n-down/view"],
  "whos-deal": ["EuchreView", "whos-deal/view"],
};
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

const found = new Map(Object.keys(types).map((game) => [game, new Map()]));
function look(game, seats) {
  for (let seat = -1; seat < seats; seat++) {
    rules.view(seat);
    const view = JSON.parse(heard());
    found.get(game).set(shape(view), shorten(view));
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
      if (!rules.play(who === "-" ? -1 : Number(who), say(words.join(" ")))) break;
      look(record.game, record.seats);
    }
  }
}

const out = `${root}build/types`;
mkdirSync(out, { recursive: true });
writeFileSync(
  `${out}/tsconfig.json`,
  JSON.stringify({
    extends: "../../web/tsconfig.json",
    compilerOptions: { types: [], typeRoots: [] },
    include: ["*.ts", "../../web/node_modules/vite/client.d.ts"],
  }),
);
for (const [game, [type, file]] of Object.entries(types)) {
  const views = [...found.get(game).values()];
  writeFileSync(
    `${out}/${game}.ts`,
    [
      `import type { ${type} } from "../../web/src/games/${file}";`,
      `type Seen = Omit<${type}, ${worlds.map((one) => `"${one}"`).join(" | ")}>;`,
      ...views.map((view, i) => `export const view${i}: Seen = ${JSON.stringify(view)};`),
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
for (const [game, [type]] of Object.entries(types)) {
  const lines = complaints.split("\n").filter((line) => line.includes(`${game}.ts`));
  const count = found.get(game).size;
  const good = lines.length === 0 && count > 3;
  failed += good ? 0 : 1;
  console.log(`${good ? "ok" : "not ok"} - ${count} kinds of views of ${game} are what ${type} says`);
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
