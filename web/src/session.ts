// The session with the server: it is created when a name is first needed.
import { createSignal } from "solid-js";
import * as api from "./api";
import { keepContacts } from "./contacts";
import { isRefusal, type Refusal } from "./model";
import { choices, choose } from "./settings";

const [session, setSession] = createSignal<api.Session | null>(null);
export { session };

const stranger: Refusal = { error: "We have not met", code: "UNAUTHENTICATED", status: 401 };

// The server is asked only if it knows this device.
export async function resumeSession(): Promise<api.Session | Refusal> {
  if (!choices.known) return stranger;
  const found = await api.getSession();
  if (!isRefusal(found)) {
    setSession(found);
    if (choices.name === "") choose({ name: found.name });
  }
  return found;
}

// The server no longer knows this device; the tables and results that are kept on it stay.
export const logOut = (everywhere: boolean) => end(() => api.endSession(everywhere));

// This device becomes one more of the person's who made the link.
export async function claim(secret: string): Promise<Refusal | null> {
  if (choices.push) await (await import("./push")).endPush(); // for whoever plays here so far
  const claimed = await api.claimLink(secret);
  if (isRefusal(claimed)) return claimed;
  setSession({ playerId: claimed.playerId, name: claimed.name });
  choose({ name: claimed.name, known: true });
  return null;
}

// The server no longer knows this person, nor does any table. The device forgets how they played here.
export async function erase(): Promise<Refusal | null> {
  const refusal = await end(api.eraseSession);
  if (!refusal) await (await import("./table/results")).clear().catch(() => {}); // no database, so no results
  return refusal;
}

// Whoever uses this device next has played with other people.
async function end(ask: () => Promise<object | Refusal>): Promise<Refusal | null> {
  if (choices.push) await (await import("./push")).endPush();
  const ended = await ask();
  if (isRefusal(ended) && ended.status !== 401) return ended;
  setSession(null);
  keepContacts([]);
  choose({ name: "", known: false });
  return null;
}

// A session under this name: the one there is, renamed if need be, or a new one.
export async function enter(name: string): Promise<api.Session | Refusal> {
  const known = session() ?? (await resumeSession());
  const entered = isRefusal(known)
    ? await api.startSession(name)
    : known.name === name
      ? known
      : await api.rename(name);
  if (isRefusal(entered)) return entered;
  const next = { playerId: entered.playerId ?? (isRefusal(known) ? "" : known.playerId), name: entered.name };
  setSession(next);
  choose({ name: next.name, known: true });
  return next;
}
