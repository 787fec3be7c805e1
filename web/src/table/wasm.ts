// The WebAssembly world, with text in and JSON out.
import type { GameEvent, History, Refusal, Registry, Told, World } from "../model";
import { exportsOf, tooLong, WasmDesk, type DeskExports, type Source } from "./module";

interface Exports extends DeskExports {
  games(): void;
  clear(): void;
  fold(length: number): number;
  hear(length: number): number;
  resume(now: number, length: number): void;
  act(now: number, length: number): number;
  check(now: number, length: number): number;
  tick(now: number, length: number): number;
  due(): number;
  view(length: number): void;
  finished(length: number): number;
  recall(length: number): void;
  recall_line(length: number): number;
}

// How a game ended for one person.
export interface Ending {
  score: number;
  won: boolean;
  figures: Record<string, number>;
  sides: number[]; // by seat
}

export interface News {
  line: string;
  events: GameEvent[];
}

const REFUSED = 0;
const DONE = 1;

export class WasmWorld extends WasmDesk<Exports> {
  static async instantiate(source: Source): Promise<WasmWorld> {
    return new WasmWorld(await exportsOf<Exports>(source));
  }

  registry(): Registry {
    this.module.games();
    return this.read();
  }

  // A world from its entries; a refusal if they are not a log.
  load(lines: string[], id: string, now: number): Refusal | null {
    this.module.clear();
    for (const line of lines) {
      const length = this.write(line);
      if (length === null) return tooLong;
      if (!this.module.fold(length)) return this.read();
    }
    this.module.resume(now, this.write(id)!);
    return null;
  }

  // An entry that was made elsewhere.
  hear(id: string, line: string): News | Refusal {
    const length = this.write(`${id} ${line}`);
    if (length === null) return tooLong;
    this.module.hear(length);
    return this.read();
  }

  act(id: string, move: string, now: number): News | Refusal | null {
    const length = this.write(`${id} ${move}`);
    if (length === null) return tooLong;
    const answer = this.module.act(now, length);
    return answer === REFUSED || answer === DONE ? this.read() : null;
  }

  check(id: string, move: string, now: number): Refusal | null {
    const length = this.write(`${id} ${move}`);
    if (length === null) return tooLong;
    return this.module.check(now, length) === REFUSED ? this.read() : null;
  }

  tick(id: string, now: number): News | null {
    return this.module.tick(now, this.write(id)!) ? this.read() : null;
  }

  due(): number | null {
    const due = this.module.due();
    return due < 0 ? null : due;
  }

  view(id: string): World {
    this.module.view(this.write(id)!);
    return this.read();
  }

  // Null while the game is played, and for those who only look on.
  finished(id: string): Ending | null {
    return this.module.finished(this.write(id)!) ? this.read() : null;
  }

  // What the entries of this world told.
  history(lines: string[], id: string): History | Refusal {
    const { version } = this.view(id);
    const entries: Told[] = [];
    this.module.recall(this.write(id)!);
    for (const line of lines) {
      if (!this.module.recall_line(this.write(line) ?? 0)) return this.read();
      const told = this.text();
      if (told) entries.push(JSON.parse(told) as Told);
    }
    return { version, entries };
  }
}
