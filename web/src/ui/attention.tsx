// Your turn when you look away: the title of the tab, a badge, and, if the turn began meanwhile, for those who want it
// a notification, a sound and a vibration. Whether they want it is asked once, when they come back to such a turn.
import { createEffect, createSignal, on, onCleanup, onMount, Show } from "solid-js";
import { choices, choose } from "../settings";
import type { Table } from "../table/table";
import { sound } from "./sound";
import { t } from "../languages";

const VIBRATION_MS = [80, 60, 80];

type Badge = { setAppBadge?(count: number): Promise<void>; clearAppBadge?(): Promise<void> };
const ignore = () => {};

// Some browsers show notifications only through the service worker.
async function notify(title: string, body: string, tag: string): Promise<void> {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(title, { body, tag });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(title, { body, tag });
  }
}

export async function wantCalls(wanted: boolean): Promise<void> {
  choose({ calls: wanted ? "yes" : "no" });
  if (wanted && "Notification" in window && Notification.permission === "default")
    await Notification.requestPermission();
}

// Tables that were seen before their game began: the first turn there is as new as all others.
const awaited = new WeakSet<Table>();
export const awaitStart = (table: Table) => void awaited.add(table);

export function Attention(props: { table: Table; game: string }) {
  const [away, setAway] = createSignal(document.hidden);
  const [missed, setMissed] = createSignal(false);
  const look = () => setAway(document.hidden);
  onMount(() => document.addEventListener("visibilitychange", look));
  onCleanup(() => document.removeEventListener("visibilitychange", look));

  const called = () => away() && props.table.myTurn();
  createEffect((before: boolean) => {
    const now = called();
    const badge = navigator as Badge;
    document.title = `${now ? `● ${t("Your turn")} – ` : ""}${props.game} – Oyster`;
    if (now && !before) badge.setAppBadge?.(1).catch(ignore);
    if (!now && before) badge.clearAppBadge?.().catch(ignore);
    return now;
  }, false);
  createEffect(
    on(
      () => props.table.myTurn(),
      (mine, before) => {
        if (!mine || before) return;
        if (document.hidden) setMissed(true);
        // A window beside others may be seen, but what is typed goes elsewhere.
        if (choices.calls === "yes" && (document.hidden || !document.hasFocus())) {
          sound("turn", true);
          navigator.vibrate?.(VIBRATION_MS);
          void notify(t("Your turn"), props.game, props.table.world.roomCode).catch(ignore);
        }
      },
      { defer: !awaited.delete(props.table) },
    ),
  );
  onCleanup(() => (navigator as Badge).clearAppBadge?.().catch(ignore));

  const answer = (wanted: boolean) => void wantCalls(wanted);
  return (
    <Show when={missed() && !away() && choices.calls === "ask" && props.table.kind === "network"}>
      <section class="watching" aria-label={t("It was your turn while you looked away")}>
        <p>{t("Shall we call you when it is your turn and you look away?")}</p>
        <button type="button" class="button main" onClick={() => answer(true)}>
          {t("Call me")}
        </button>
        <button type="button" class="button" onClick={() => answer(false)}>
          {t("No")}
        </button>
      </section>
    </Show>
  );
}
