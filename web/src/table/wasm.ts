// The WebAssembly world, with text in and JSON out.
import type { GameEvent, GameInfo, Refusal, World } from "../model";

interface Exports {
  memory: WebAssembly.Memory;
  input(): number;
  output(): number;
  games(): void;
  clear(): void;
  fold(length: number): number;
  resume(now: number, length: number): void;
  act(now: number, length: number): number;
  check(now: number, length: number): number;
  tick(now: number, length: number): number;
  due(): number;
  view(length: number): void;
}

export interface News {
  line: string;
  events: GameEvent[];
}

// What `input` holds: WORLD_LINE_SIZE, its end included.
const LINE_MAX = 8191;
const tooLong: Refusal = { error: "This is no log of a table", code: "BAD_LOG", status: 400 };
const REFUSED = 0;
const DONE = 1;

export class WasmWorld {
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();

  constructor(private readonly module: Exports) {}

  static async instantiate(source: Response | Promise<Response> | BufferSource): Promise<WasmWorld> {
    const { instance } =
      source instanceof Response || source instanceof Promise
        ? await WebAssembly.instantiateStreaming(source)
        : await WebAssembly.instantiate(source);
    return new WasmWorld(instance.exports as unknown as Exports);
  }

  private write(text: string): number {
    const bytes = this.encoder.encode(text);
    new Uint8Array(this.module.memory.buffer, this.module.input(), bytes.length).set(bytes);
    return bytes.length;
  }

  private read<T>(): T {
    const bytes = new Uint8Array(this.module.memory.buffer, this.module.output());
    return JSON.parse(this.decoder.decode(bytes.subarray(0, bytes.indexOf(0)))) as T;
  }

  games(): GameInfo[] {
    this.module.games();
    return this.read();
  }

  // A world from its entries; a refusal if they are not a log.
  load(lines: string[], id: string, now: number): Refusal | null {
    if (lines.some((line) => this.encoder.encode(line).length > LINE_MAX)) return tooLong;
    this.module.clear();
    for (const line of lines) if (!this.module.fold(this.write(line))) return this.read();
    this.module.resume(now, this.write(id));
    return null;
  }

  fold(line: string): Refusal | null {
    return this.module.fold(this.write(line)) ? null : this.read();
  }

  act(id: string, move: string, now: number): News | Refusal | null {
    const answer = this.module.act(now, this.write(`${id} ${move}`));
    return answer === REFUSED || answer === DONE ? this.read() : null;
  }

  check(id: string, move: string, now: number): Refusal | null {
    return this.module.check(now, this.write(`${id} ${move}`)) === REFUSED ? this.read() : null;
  }

  tick(id: string, now: number): News | null {
    return this.module.tick(now, this.write(id)) ? this.read() : null;
  }

  due(): number | null {
    const due = this.module.due();
    return due < 0 ? null : due;
  }

  view(id: string): World {
    this.module.view(this.write(id));
    return this.read();
  }
}
