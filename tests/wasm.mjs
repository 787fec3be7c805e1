// PL-46: the laws in WebAssembly, and the same random games in native code and in WebAssembly: what the page
// shows and what the server says come from one definition.
//
//   node tests/wasm.mjs path/to/laws.wasm path/to/oyster.wasm path/to/laws_hashes
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";

const [, , lawsPath, oysterPath, hashesPath] = process.argv;
const GAMES = 40;
let failed = 0;

function report(passed, what, detail = "") {
  console.log(`${passed ? "ok" : "not ok"} - ${what}`);
  if (!passed) {
    failed++;
    if (detail) console.error(`  ${detail}`);
  }
}

async function load(path) {
  const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
  const bytes = () => new Uint8Array(instance.exports.memory.buffer);
  const text = (at) => {
    const memory = bytes();
    return Buffer.from(memory.subarray(at, memory.indexOf(0, at))).toString();
  };
  return { ...instance.exports, bytes, text };
}

const native = new Map(
  execFileSync(hashesPath, [String(GAMES)], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.split(" ")),
);
const laws = await load(lawsPath);
for (let game = 0; game < laws.game_count(); game++) {
  const id = laws.text(laws.game_id(game));
  laws.begin();
  let holds = true;
  for (let seed = 0; seed < GAMES && holds && laws.moves() < 6000; seed++)
    holds = laws.laws_hold(game, BigInt(seed)) !== 0;
  report(holds, `${id} obeys the laws in WebAssembly`, holds ? "" : laws.text(laws.broken()));
  const hash = BigInt.asUintN(64, laws.hash()).toString(16).padStart(16, "0");
  report(hash === native.get(id), `${id} plays the same games in WebAssembly`, `${hash} and ${native.get(id)}`);
}

// The module of the rules: start a game, refuse nonsense, play bots to the end.
const oyster = await load(oysterPath);
const say = (text) => {
  const bytes = Buffer.from(text);
  oyster.bytes().set(bytes, oyster.input());
  return bytes.length;
};
const output = () => oyster.text(oyster.output());
oyster.games();
const { games } = JSON.parse(output());
report(games.length >= 3 && games[1].id === "4-kate", "the module lists the games");
for (const [index, game] of games.entries()) {
  const seats = game.minPlayers;
  report(oyster.start(index, seats, say("")) === 1, `${game.id} starts in the module`);
  report(oyster.play(0, say("nonsense")) === 0 && JSON.parse(output()).code.length > 0, `${game.id} refuses nonsense`);
  oyster.seed(7n, BigInt(index));
  let moves = 0;
  for (let mask; (mask = oyster.to_act() >>> 0) !== 0 && moves < 20000; moves++) {
    if (mask >>> 31) {
      const seed = Buffer.alloc(32, moves + 1).toString("hex");
      if (!oyster.play(-1, say(`deal ${seed}`)) && !oyster.play(-1, say(`shuffle ${seed}`))) break;
      continue;
    }
    const seat = 31 - Math.clz32(mask);
    oyster.bot(seat, 2);
    if (!oyster.play(seat, say(output()))) break;
  }
  oyster.view(0);
  report(oyster.to_act() === 0 && JSON.parse(output()).turn.length === 0, `${game.id} ends in the module`);
}
process.exit(failed ? 1 : 0);
