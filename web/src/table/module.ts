// A WebAssembly module of web/wasm: text goes in, JSON comes out (desk.h).
import type { Refusal } from "../model";

export interface DeskExports {
  memory: WebAssembly.Memory;
  input(): number;
  room(): number;
  file_room(): number;
  output(): number;
}

export const tooLong: Refusal = { error: "This is too long", code: "TOO_LARGE", status: 413 };

export type Source = Response | Promise<Response> | BufferSource;

export async function exportsOf<E>(source: Source): Promise<E> {
  const { instance } =
    source instanceof Response || source instanceof Promise
      ? await WebAssembly.instantiateStreaming(source)
      : await WebAssembly.instantiate(source);
  return instance.exports as unknown as E;
}

export class WasmDesk<E extends DeskExports> {
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();

  constructor(protected readonly module: E) {}

  // How many bytes were written; null: there is no room for so many.
  protected write(text: string, room = this.module.room()): number | null {
    const bytes = this.encoder.encode(text);
    if (bytes.length >= room) return null;
    new Uint8Array(this.module.memory.buffer, this.module.input(), bytes.length).set(bytes);
    return bytes.length;
  }

  protected text(): string {
    const bytes = new Uint8Array(this.module.memory.buffer, this.module.output());
    return this.decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  protected read<T>(): T {
    return JSON.parse(this.text()) as T;
  }
}
