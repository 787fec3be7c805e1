// People one has played with on this server, kept on this device alone, the latest first, to invite them again.
import type { World } from "./model";
import { choices } from "./settings";

export interface Contact {
  id: string;
  name: string;
  met: number; // milliseconds since 1970
}

const KEY = "oyster-contacts";
const CONTACTS_MAX = 50;

export function contacts(): Contact[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Contact[];
  } catch {
    return [];
  }
}

export const keepContacts = (list: Contact[]): void =>
  localStorage.setItem(KEY, JSON.stringify(list.slice(0, CONTACTS_MAX)));

// The list with everybody who sits at this table with us.
export function withCompany(known: Contact[], world: World, now: number): Contact[] {
  if (world.you?.seatIndex == null) return known;
  const met = world.seats
    .filter((seat) => seat.playerId && !seat.character && seat.playerId !== world.you?.playerId)
    .map((seat) => ({ id: seat.playerId!, name: seat.name ?? "", met: now }));
  return [...met, ...known.filter(({ id }) => !met.some((one) => one.id === id))].slice(0, CONTACTS_MAX);
}

// Everybody at this table is known from now on, and may call us, if people may.
export function meet(world: World): void {
  const before = contacts();
  const after = withCompany(before, world, Date.now());
  keepContacts(after);
  const fresh = after.some(({ id }) => !before.some((one) => one.id === id));
  if (fresh && choices.push) void import("./push").then(({ renewPush }) => renewPush());
}

// Whom one might ask to this table: everybody known who is not at it.
export const absent = (known: Contact[], world: World): Contact[] =>
  known.filter(({ id }) => ![...world.seats, ...world.spectators].some(({ playerId }) => playerId === id));
