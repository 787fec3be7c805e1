// The same random games in native code and in WebAssembly, alternating so that both meet the same
// machine; prints the rates and the ratio.
//
//   node bench/playouts.mjs path/to/oyster path/to/oyster.wasm [seconds]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [, , oysterPath, wasmPath, seconds = "2"] = process.argv;
const { instance } = await WebAssembly.instantiate(readFileSync(wasmPath), {});
const wasm = instance.exports;

wasm.games();
const memory = () => new Uint8Array(wasm.memory.buffer);
const start = wasm.output();
const { games } = JSON.parse(Buffer.from(memory().subarray(start, memory().indexOf(0, start))).toString());

function wasmRate(index, players, preset) {
  const options = Buffer.from(preset === "standard" ? "" : `preset=${preset}`);
  memory().set(options, wasm.input());
  if (!wasm.start(index, players, options.length)) throw new Error(`cannot start ${games[index].id}`);
  wasm.seed(1n, 0n);
  wasm.playouts(64);
  let moves = 0;
  const begin = process.cpuUsage().user;
  while (process.cpuUsage().user - begin < Number(seconds) * 1e6) moves += wasm.playouts(256);
  return moves / ((process.cpuUsage().user - begin) / 1e6);
}

const million = (rate) => (rate / 1e6).toFixed(2).padStart(8);
console.log(
  "game              preset      players   games/s  rounds/s    M moves/s     wasm   wasm/native  state bytes",
);
for (const [index, game] of games.entries()) {
  const native = JSON.parse(
    execFileSync(oysterPath, ["bench", "playouts", game.id, "--seconds", seconds, "--json"], { encoding: "utf8" }),
  );
  for (const row of native) {
    const rate = wasmRate(index, row.players, row.preset);
    console.log(
      `${row.game.padEnd(17)} ${row.preset.padEnd(11)} ${String(row.players).padStart(7)} ` +
        `${String(row.games_per_cpu_s).padStart(9)} ${String(row.rounds_per_cpu_s).padStart(9)}` +
        `     ${million(row.moves_per_cpu_s)} ${million(rate)}          ` +
        `${(rate / row.moves_per_cpu_s).toFixed(2)} ${String(row.state_bytes).padStart(12)}`,
    );
  }
}
