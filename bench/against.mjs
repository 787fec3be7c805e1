// Random games of this tree against those of another one, in turns so that both meet the same machine; prints the
// ratios of their best runs. The other program is one that was built the same way from an earlier commit:
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
    const fast = row.rounds_per_cpu_s;
    const checked = row.checked_rounds_per_cpu_s ?? fast; // before there were two ways
    entry[side].fast = Math.max(entry[side].fast ?? 0, fast);
    entry[side].checked = Math.max(entry[side].checked ?? 0, checked);
  }
}

for (let i = 0; i < Number(times); i++) {
  measure(base, "base");
  measure(here, "here");
}
console.log("game              preset       fast: base      here  ratio   checked: base      here  ratio");
for (const [key, { here: mine, base: theirs }] of best) {
  if (mine.fast === undefined || theirs.fast === undefined) continue;
  const columns = (way) => {
    const ratio = (mine[way] / theirs[way]).toFixed(2);
    return `${String(theirs[way]).padStart(9)} ${String(mine[way]).padStart(9)}  ${ratio.padStart(5)}`;
  };
  console.log(`${key.padEnd(29)} ${columns("fast")}        ${columns("checked")}`);
}
