// Random games of this tree against those of another one, in turns so that both meet the same machine; prints the
// ratios of their best runs, in moves per CPU-second, since what counts as a round may have changed. The other program
// is one that was built the same way from an earlier commit:
//
//   git worktree add /tmp/base COMMIT && /tmp/base/scripts/build
//   node bench/against.mjs build/oyster /tmp/base/build/oyster [times] [GAME...]
import { execFileSync } from "node:child_process";

const [, , here, base, times = "5", ...games] = process.argv;
const best = new Map();

function measure(path, side) {
  const rows = JSON.parse(
    execFileSync(path, ["bench", "playouts", ...games, "--seconds", "1", "--json"], { encoding: "utf8" }),
  );
  for (const row of rows) {
    const key = `${row.game.padEnd(17)} ${row.preset}`;
    const entry = best.get(key) ?? { here: {}, base: {} };
    best.set(key, entry);
    const fast = row.moves_per_cpu_s;
    // Before there were two ways, all moves were checked.
    const checked = fast * ((row.checked_rounds_per_cpu_s ?? row.rounds_per_cpu_s) / row.rounds_per_cpu_s);
    entry[side].fast = Math.max(entry[side].fast ?? 0, fast);
    entry[side].checked = Math.max(entry[side].checked ?? 0, checked);
  }
}

for (let i = 0; i < Number(times); i++) {
  measure(base, "base");
  measure(here, "here");
}
console.log("million moves/s                fast: base   here  ratio   checked: base   here  ratio");
const million = (rate) => (rate / 1e6).toFixed(2).padStart(7);
for (const [key, { here: mine, base: theirs }] of best) {
  if (mine.fast === undefined || theirs.fast === undefined) continue;
  const columns = (way) => `${million(theirs[way])} ${million(mine[way])}  ${(mine[way] / theirs[way]).toFixed(2)}`;
  console.log(`${key.padEnd(33)} ${columns("fast")}          ${columns("checked")}`);
}
