// Saved games (docs/SAVES.md) without a server, by the same C as on one.
import type { Refusal } from "../model";
import { exportsOf, tooLong, WasmDesk, type DeskExports, type Source } from "./module";

interface Exports extends DeskExports {
  clear(): void;
  fold(length: number): number;
  write(now: number, length: number): number;
  open(now: number, length: number): number;
}

export interface Maker {
  id: string;
  code: string;
  name: string;
}

function randomSeed(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class WasmSaves extends WasmDesk<Exports> {
  static async instantiate(source: Source): Promise<WasmSaves> {
    return new WasmSaves(await exportsOf<Exports>(source));
  }

  // The save of a table with these entries.
  save(lines: string[], id: string, now: number): string | Refusal {
    this.module.clear();
    for (const line of lines) {
      const length = this.write(line);
      if (length === null) return tooLong;
      if (!this.module.fold(length)) return this.read();
    }
    return this.module.write(now, this.write(`${id} ${randomSeed()}`)!) ? this.text() : this.read();
  }

  // The entries of a table that goes on from a save.
  open(save: string, { id, code, name }: Maker, now: number): string[] | Refusal {
    const length = this.write(`${id} ${code} ${randomSeed()} ${name}\n${save}`, this.module.file_room());
    if (length === null) return tooLong;
    this.module.open(now, length);
    return this.read();
  }
}
