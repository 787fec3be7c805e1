// Being called when the page is closed (Web Push): this device's subscription, and what it is to be called for. It is
// off until somebody switches it on. What the service worker says then is written down for it here, in the person's
// language.
import games from "virtual:games";
import { call, getConfig } from "./api";
import { contacts } from "./contacts";
import { t } from "./languages";
import { isRefusal, type Refusal } from "./model";
import { choices, choose } from "./settings";

const WORDS = "oyster-calls"; // the cache that service.js reads
const WORDS_PATH = "/calls.json";
const DAY_MIN = 1440;

// The server's key, if it calls people and this browser can be called.
export async function offeredKey(): Promise<string | undefined> {
  if (!("PushManager" in window) || !("serviceWorker" in navigator) || !("Notification" in window)) return undefined;
  const config = await getConfig();
  return isRefusal(config) ? undefined : config.push?.key;
}

// "22:30" on this device's clock, in minutes of the day as the server counts them (UTC).
export function inUtc(clock: string, offsetMin = new Date().getTimezoneOffset()): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return (((hours * 60 + minutes + offsetMin) % DAY_MIN) + DAY_MIN) % DAY_MIN;
}

// What this device wants to be called for.
export function wishes(): object {
  return {
    turnMs: choices.pushTurnMs,
    friends: choices.pushFriends ? contacts().map(({ id }) => id) : [],
    quiet: choices.quiet ? { from: inUtc(choices.quietFrom), to: inUtc(choices.quietTo) } : { from: 0, to: 0 },
  };
}

async function tellWorker(): Promise<void> {
  const names = Object.fromEntries(games.map(({ id, name }) => [id, name]));
  const words = { turn: t("Your turn"), table: t("{name} asks you to a table"), games: names };
  await (await caches.open(WORDS)).put(WORDS_PATH, Response.json(words));
}

const sameKey = (subscription: PushSubscription, key: string): boolean => {
  const bytes = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
  return text === key;
};

async function subscribe(key: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  if (before && sameKey(before, key)) return before;
  await before?.unsubscribe(); // it was for another server, or for a key that is gone
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

const failed = (error: string): Refusal => ({ error, code: "PUSH", status: 0 });

// Switches it on, or tells the server what has changed.
export async function wantPush(): Promise<Refusal | null> {
  const key = await offeredKey();
  if (!key) return failed(t("The server does not call people at the moment"));
  if ((await Notification.requestPermission()) !== "granted")
    return failed(t("This browser does not let us notify you"));
  let subscription: PushSubscription;
  try {
    subscription = await subscribe(key);
    await tellWorker();
  } catch {
    return failed(t("This browser cannot be called at the moment"));
  }
  const kept = await call<object>("POST", "/api/push", { ...subscription.toJSON(), ...wishes() });
  if (isRefusal(kept)) return kept;
  choose({ push: true });
  return null;
}

export async function endPush(): Promise<void> {
  choose({ push: false });
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  if (!subscription) return;
  await call<object>("POST", "/api/push/end", { endpoint: subscription.endpoint });
  await subscription.unsubscribe().catch(() => false);
}

// When the page is loaded: the clock may have changed, people may have been met, the browser may no longer allow it.
export async function renewPush(): Promise<void> {
  if (!choices.push || !("Notification" in window)) return;
  if (Notification.permission !== "granted") choose({ push: false });
  else await wantPush();
}
