// node tests/soak_report.mjs PART: what the output of a part of tests/soak (.build/soak/PART.log) comes to, as
// text, into .build/soak/PART.txt. Without a part: these texts go into docs/reliability.md, each between its two
// marks.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";

const folder = new URL("../.build/soak/", import.meta.url),
  document = new URL("../docs/reliability.md", import.meta.url);
const { KILLS, GAMES, SEEDS, SECONDS_EACH } = process.env;
const number = (value) => Number(String(value).replaceAll(",", "")).toLocaleString("en");
// The last of the comments in which tests say how much there was: `# 12.3 s, {"acts": 4711, ...}`.
const counted = (log) => {
  const [, seconds, json] = found(log, /^# ([\d.]+) s, (\{.*\})$/gm).at(-1);
  return { seconds: Math.round(seconds), ...JSON.parse(json) };
};
const found = (log, pattern) => {
  const all = [...log.matchAll(pattern)];
  if (all.length === 0) throw new Error(`nothing like ${pattern}`);
  return all;
};

// Of three servers: `# 100 faults in 36 s: 9 worlds, 9534 acts, ...`.
const clustered = (log) => {
  const [[, count, seconds, list]] = found(log, /^# (\d+) faults in ([\d.]+) s: (.*)$/gm);
  return { count, seconds, ...Object.fromEntries(list.split(", ").map((each) => each.split(" ").reverse())) };
};
const faults = (log) => {
  const { count, seconds, acts, games, views, duplicates, ...kinds } = clustered(log);
  const words = {
    kills: "servers killed",
    stops: "stopped for a while",
    restarts: "restarts of Redis",
    cuts: "connections cut",
    swallowed: "answers swallowed",
    moves: "shards moved",
  };
  const happened = Object.entries(words).flatMap(([kind, said]) =>
    Number(kinds[kind]) ? [`${number(kinds[kind])} ${said}`] : [],
  );
  return (
    `${number(count)} faults in ${number(seconds)} s: ${happened.join(", ")}; ${number(acts)} actions in ` +
    `${number(games)} games, of which ${number(duplicates)} were repeated after a lost answer, found to be ` +
    `done, and done once; ${number(views)} views compared; nothing lost, doubled, misplaced or forked`
  );
};

const parts = {
  games: () => `${number(GAMES)} games of bots of each of the five, every one checked move by move`,
  worlds: (log) => {
    const count = (name) => number(found(log, new RegExp(`^# ${name}: (\\d+)`, "gm"))[0][1]);
    return (
      `${number(SEEDS)} random worlds: ${count("entries")} entries, ${count("refusals")} refusals, ` +
      `${count("duplicates")} repeated actions, ${count("restarts")} restarts, ${count("games finished")} ` +
      "games finished"
    );
  },
  replicas: (log) => {
    const [[, seeds]] = found(log, /^ok - (\d+) seeds/gm);
    const [[, counts]] = found(log, /^# (\d+ steps, .*)$/gm);
    const [[, faults]] = found(log, /^# faults: (.*)$/gm);
    const planted = found(log, /^ok \d+ - .* \((seed|it ends)/gm).length;
    const written = (text) => text.replace(/\d{4,}/g, number);
    return (
      `${number(seeds)} seeds: ${written(counts)}; ${written(faults)}; nothing wrong. ` +
      `All ${planted} planted mistakes found`
    );
  },
  crash: (log) => {
    const { seconds, acts, retries, duplicates, games, early } = counted(log);
    return (
      `${number(KILLS)} kills in ${number(seconds)} s, ${number(early)} more during a start; ` +
      `${number(acts)} actions in ${number(games)} games, ${number(retries)} of them repeated after a ` +
      `kill, of which ${number(duplicates)} had been done and were done once; nothing lost`
    );
  },
  cluster: faults,
  replicated: faults,
  sharded: faults,
  disk: (log) => {
    const [[, cuts]] = found(log, /^# power was cut (\d+) times/gm),
      [[, missing]] = found(log, /^# memory was missing (\d+) times/gm);
    return (
      `power cut ${number(cuts)} times in a simulated disk, at each sync and between; every call that ` +
      `writes, syncs, reads or opens failed once, and each allocation of SQLite (${number(missing)}); ` +
      "nothing acknowledged lost, nothing refused kept"
    );
  },
  growth: (log) => found(log, /^# 24 sessions, \d+ s: (.*)$/gm)[0][1],
  floods: (log) => {
    const rows = found(
      log,
      new RegExp(
        "^# (.*?): (.*); ([\\d,]+) moves meanwhile, all acknowledged, " +
          "p99 ([\\d.]+), ([\\d.]+), ([\\d.]+) ms; (\\d+)% of a core; (\\d+) MB more",
        "gm",
      ),
    );
    return [
      "",
      "| what they did | what became of them | moves of the two | their p99, ms: alone; offenders at a " +
        "neighbour; here | here / neighbour | CPU of the server, % of a core | memory, MB more |",
      "|---|---|---|---|---|---|---|",
      ...rows.map(
        ([, name, said, moves, quiet, beside, here, core, more]) =>
          `| ${name} | ${said} | ${number(moves)} | ${quiet}; ${beside}; ${here} | ` +
          `${(here / beside).toFixed(1)} | ${core} | ${more} |`,
      ),
      "",
    ].join("\n");
  },
  memory: (log) => found(log, /^# (\d+ kinds of requests, .*)$/gm)[0][1].replace(/\d{4,}/g, number),
  threads: (log) => {
    const kills = found(log, /(\d+) kills, seed/g)[0][1],
      crash = counted(log),
      cluster = clustered(log);
    return (
      `${number(kills)} kills, ${number(cluster.count)} faults of three servers, a full disk and a start ` +
      `with 2,000 worlds under ThreadSanitizer, ${number(crash.acts + Number(cluster.acts))} actions: no ` +
      "report"
    );
  },
  fuzz: (log) => {
    const units = found(log, /number_of_executed_units: (\d+)/g).map(([, count]) => Number(count));
    return (
      `${units.length} parsers for ${SECONDS_EACH} s each, ${number(units.reduce((a, b) => a + b))} ` +
      "inputs: no crash, no report"
    );
  },
};

const [part] = process.argv.slice(2);
if (part && !parts[part]) console.log(`${part} has no figures`);
else if (part)
  writeFileSync(
    new URL(`${part}.txt`, folder),
    `${parts[part](readFileSync(new URL(`${part}.log`, folder), "utf8"))}\n`,
  );
else {
  let text = readFileSync(document, "utf8");
  const fill = (name, said) => {
    const marks = new RegExp(`(<!-- ${name} -->)[^]*?(<!-- /${name} -->)`);
    if (!marks.test(text)) throw new Error(`docs/reliability.md has no place for ${name}`);
    text = text.replace(marks, (_, begin, end) => begin + said + end);
  };
  for (const name of Object.keys(parts)) {
    const file = new URL(`${name}.txt`, folder);
    if (existsSync(file)) fill(name, readFileSync(file, "utf8").replace(/\n$/, ""));
  }
  fill("machine", `${os.cpus().length} cores, ${Math.round(os.totalmem() / 2 ** 30)} GB of memory`);
  writeFileSync(document, text);
}
