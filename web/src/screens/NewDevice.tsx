// /device#SECRET: where the link for another device leads. Nothing happens before a person agrees, since anybody could
// send such a link of their own.
import { createSignal, onMount, Show } from "solid-js";
import { said, t } from "../languages";
import { go } from "../router";
import { claim } from "../session";
import { choices } from "../settings";
import { Brand } from "../ui/controls";
import { note } from "../ui/notes";

export default function NewDevice() {
  const secret = location.hash.slice(1);
  const [busy, setBusy] = createSignal(false);
  onMount(() => (document.title = t("Another device – Oyster")));
  async function agree() {
    setBusy(true);
    const refusal = await claim(secret);
    setBusy(false);
    if (refusal) {
      note(said(refusal.error));
      return;
    }
    note(t("This device is yours, {name}", { name: choices.name }), "news");
    go("/", true);
  }
  return (
    <div class="page">
      <header class="bar">
        <Brand />
      </header>
      <main class="wrap narrow stack">
        <h1>{t("Use this device, too?")}</h1>
        <p>
          {t(
            "You play on here as on the device that made the link: with its name, tables and statistics. " +
              "Go on only if it is your own.",
          )}
        </p>
        <Show when={choices.known && choices.name}>
          <p>{t("{name}, who plays on this device now, is logged out of it.", { name: choices.name })}</p>
        </Show>
        <p class="row">
          <button type="button" class="button main" disabled={busy() || secret === ""} onClick={() => void agree()}>
            {t("Yes, it is my link")}
          </button>
          <a class="button" href="/">
            {t("To the tables")}
          </a>
        </p>
      </main>
    </div>
  );
}
