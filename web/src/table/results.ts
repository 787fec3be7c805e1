// The finished games of this device, in a database of their own: they stay when a table is cleared away.
import type { Finished } from "../counts";
import { seatName, type World } from "../model";
import type { Ending } from "./wasm";

const NAME = "oyster-results";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("finished");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function change<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const base = await open();
  const transaction = base.transaction("finished", mode);
  const request = work(transaction.objectStore("finished"));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => {
      base.close();
      resolve(request.result);
    };
    transaction.onabort = () => reject(transaction.error);
  });
}

// Who played on the same side as `mine`, and who on another.
export function finishedOf(world: World, ending: Ending, endedAt: number): Finished {
  const mine = world.you?.seatIndex ?? 0;
  const others = world.seats.filter(({ seatIndex }) => seatIndex !== mine && ending.sides[seatIndex] !== undefined);
  const named = (same: boolean) =>
    others
      .filter(({ seatIndex }) => (ending.sides[seatIndex] === ending.sides[mine]) === same)
      .map((seat) => seatName(seat));
  return {
    gameId: world.gameId,
    endedAt,
    score: ending.score,
    won: ending.won,
    figures: ending.figures,
    partners: named(true),
    opponents: named(false),
  };
}

// A game is known by its table and its number there, so that two pages with the same table count it once.
export const add = (world: World, finished: Finished): Promise<unknown> =>
  change("readwrite", (store) => store.put(finished, [world.roomCode, world.played]));

// The newest first.
export const all = async (): Promise<Finished[]> =>
  ((await change("readonly", (store) => store.getAll())) as Finished[]).sort((a, b) => b.endedAt - a.endedAt);

export const clear = (): Promise<unknown> => change("readwrite", (store) => store.clear());
