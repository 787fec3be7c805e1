// What the server acknowledged to people, written down so that tests/check_store.c can compare the file with it.
import { execFile } from "node:child_process";

export class Promises {
  constructor(checker, file) {
    Object.assign(this, { checker, file, actions: [], versions: new Map(), records: [] });
  }
  get size() {
    return this.actions.length;
  }

  // An action that was sent; until it is answered, nobody knows whether it was done. Somebody who has gone on already,
  // at another server, is told that all is well, and nothing is kept of the second time.
  ask(code, player, actionId, { type } = {}) {
    const action = { line: `${code} ${player} ${actionId}`, kind: "lost", version: 0, idle: type === "next-round" };
    this.actions.push(action);
    return action;
  }
  answered(action, { status, json }) {
    if (status !== 200 || !action.idle) action.kind = status === 200 ? "done" : "none";
    if (status === 200 && !json.duplicate) action.version = json.version;
    if (status === 200) this.seen(action.line.split(" ")[0], json.version);
  }
  seen(code, version) {
    this.versions.set(code, Math.max(version, this.versions.get(code) ?? 0));
  }
  games(player, played, won) {
    this.records.push(`games ${player} ${played} ${won}`);
  }

  // Nobody may have the file open. Gives `CODE VERSION STATUS` of each world.
  check() {
    const lines = [
      ...[...this.versions].map(([code, version]) => `seen ${code} ${version}`),
      ...this.actions.map(({ kind, line, version }) =>
        kind === "done" ? `done ${line} ${version}` : `${kind} ${line}`,
      ),
      ...this.records,
    ];
    return new Promise((resolve, reject) => {
      const child = execFile(this.checker, [this.file], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
        if (error) reject(new Error(`${stderr}${stdout.split("\n").slice(0, 20).join("\n")}`));
        else resolve(stdout);
      });
      child.stdin.on("error", () => {});
      child.stdin.end(`${lines.join("\n")}\n`);
    });
  }
}
