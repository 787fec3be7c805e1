import type { Glance } from "./news";

// Where the tables of this device are kept: the entries of each world, in order, in IndexedDB.
const NAME = "oyster";

// The person in those entries.
export const ME = "me";

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("worlds", { keyPath: "code" });
      request.result.createObjectStore("entries");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

export interface Kept {
  code: string;
  gameId: string;
  changed: number;
  over: boolean;
  glance?: Glance; // what to say of it at home; tables from before have none
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// The range of keys that holds the entries of a world.
const range = (code: string) => IDBKeyRange.bound([code, 0], [code, Number.MAX_SAFE_INTEGER]);

export async function list(): Promise<Kept[]> {
  const base = await open();
  const all = await done(base.transaction("worlds").objectStore("worlds").getAll());
  return (all as Kept[]).sort((a, b) => b.changed - a.changed);
}

export async function entries(code: string): Promise<string[]> {
  const base = await open();
  return done(base.transaction("entries").objectStore("entries").getAll(range(code)));
}

// Pages of this device tell each other that a table has changed.
let channel: BroadcastChannel | undefined;
const others = () => (channel ??= new BroadcastChannel("oyster-tables"));

export function onChange(changed: (code: string) => void): void {
  others().onmessage = ({ data }: MessageEvent<string>) => changed(data);
}

export const tellOthers = (code: string): void => others().postMessage(code);

// False: the log of this table ends elsewhere by now. Another page went on with it, or cleared it away; nothing was
// written over.
export async function append(kept: Kept, number: number, lines: string[]): Promise<boolean> {
  const base = await open();
  const change = base.transaction(["worlds", "entries"], "readwrite");
  const entries = change.objectStore("entries");
  const write = () => {
    change.objectStore("worlds").put(kept);
    lines.forEach((line, i) => entries.add(line, [kept.code, number + i]));
  };
  const last = entries.getKey([kept.code, number - 1]);
  last.onsuccess = () => (number > 0 && last.result === undefined ? change.abort() : write());
  return new Promise((resolve, reject) => {
    change.oncomplete = () => {
      tellOthers(kept.code);
      resolve(true);
    };
    change.onabort = () =>
      change.error === null || change.error.name === "ConstraintError" ? resolve(false) : reject(change.error);
  });
}

export async function remove(code: string): Promise<void> {
  const base = await open();
  const change = base.transaction(["worlds", "entries"], "readwrite");
  change.objectStore("worlds").delete(code);
  change.objectStore("entries").delete(range(code));
  return new Promise((resolve, reject) => {
    change.oncomplete = () => {
      tellOthers(code);
      resolve();
    };
    change.onabort = () => reject(change.error);
  });
}
