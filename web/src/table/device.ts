// A world in this page: the same engine, in a worker.
import { isRefusal, type History, type Refusal, type World } from "../model";
import { missPart } from "../newer";
import type { Link, LinkListener } from "./link";
import type { Answer, Ask, Tell } from "./worker";

// Codes of worlds on the device look like those of a server; their addresses begin with /t/ instead of /w/.
const LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
export const newCode = (): string =>
  [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => LETTERS[byte % LETTERS.length]).join("");

class Desk {
  private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  private readonly waiting = new Map<number, (value: Answer) => void>();
  private number = 0;
  listener: LinkListener | undefined;

  constructor() {
    this.worker.onerror = () => void missPart();
    this.worker.onmessage = ({ data }: MessageEvent<Tell>) => {
      if (data.kind === "step") return this.listener?.step(data.step);
      if (data.kind === "world") return this.listener?.world(data.world);
      if (data.kind === "gone") return this.listener?.gone();
      this.waiting.get(data.number)?.(data.value);
      this.waiting.delete(data.number);
    };
  }

  ask<T>(ask: Ask): Promise<T> {
    const number = this.number++;
    this.worker.postMessage({ number, ask });
    return new Promise((resolve) => this.waiting.set(number, resolve as (value: Answer) => void));
  }

  end() {
    this.worker.terminate();
  }
}

export interface Birth {
  gameId: string;
  name: string;
  // Entries after the first, without their time, for a table that is set up in advance.
  entries?: string[];
  // A table that is not kept once it is left.
  fleeting?: boolean;
}

export class DeviceLink implements Link {
  readonly kind = "device";
  private readonly desk = new Desk();

  constructor(
    readonly code: string,
    private readonly birth?: Birth,
  ) {}

  async open(listener: LinkListener): Promise<World | Refusal> {
    this.desk.listener = listener;
    const { birth } = this;
    return birth
      ? this.desk.ask({
          kind: "create",
          code: this.code,
          gameId: birth.gameId,
          name: birth.name,
          entries: birth.entries ?? [],
          fleeting: birth.fleeting ?? false,
        })
      : this.desk.ask({ kind: "open", code: this.code });
  }

  act(move: string): Promise<Refusal | null> {
    return this.desk.ask({ kind: "act", move });
  }

  check(move: string): Promise<Refusal | null> {
    return this.desk.ask({ kind: "check", move });
  }

  history(): Promise<History | Refusal> {
    return this.desk.ask({ kind: "history" });
  }

  async leave() {
    await this.desk.ask({ kind: "leave" });
    this.close();
  }

  close() {
    this.desk.end();
  }
}

// A table that is ready to be played at: bots at the other places, dealt. Its code, or why not.
export async function createDeviceWorld(gameId: string, name: string, moves: string[]): Promise<string | Refusal> {
  const link = new DeviceLink(newCode(), { gameId, name });
  const nothing: LinkListener = { step() {}, world() {}, online() {}, gone() {} };
  const world = await link.open(nothing);
  let refusal = isRefusal(world) ? world : null;
  for (const move of moves) refusal ??= await link.act(move);
  if (refusal) await link.leave();
  else link.close();
  return refusal ?? link.code;
}

// A log that came from elsewhere becomes a table of this device.
export async function restoreDeviceWorld(lines: string[]): Promise<Refusal | null> {
  const desk = new Desk();
  const world = await desk.ask<World | Refusal>({ kind: "restore", lines });
  desk.end();
  return isRefusal(world) ? world : null;
}
