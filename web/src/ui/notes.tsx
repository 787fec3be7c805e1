// Short notes at the edge of the screen, and what a screen reader is told.
import { createSignal, For } from "solid-js";
import type { Refusal } from "../model";
import { loadMore, said, t } from "../languages";

interface Note {
  key: number;
  text: string;
  kind: "refusal" | "news";
}

const [notes, setNotes] = createSignal<Note[]>([]);
// Each text is an object of its own: said again, it is another paragraph, and is read again.
const [spoken, setSpoken] = createSignal<{ text: string }[]>([]);
export { spoken };
let key = 0;

// News are told quietly: a screen reader finishes its sentence first (a status, not an alert).
export function note(text: string, kind: Note["kind"] = "refusal", ms = 4500): void {
  const one = { key: key++, text, kind };
  setNotes((old) => [...old.filter((other) => other.text !== text).slice(-2), one]);
  setTimeout(() => setNotes((old) => old.filter((other) => other !== one)), ms);
}

// What the server or the engine refuses, in the person's language.
export const refuse = (refusal: Refusal): void => void loadMore().then(() => note(said(refusal.error)));

// What a table shows in its bar, where it covers nothing.
export const lastNews = (): string | undefined => notes().findLast(({ kind }) => kind === "news")?.text;

export function say(text: string): void {
  setSpoken((old) => [...old.slice(-7), { text }]);
}

export function Notes() {
  const of = (kind: Note["kind"]) => notes().filter((one) => one.kind === kind);
  return (
    <>
      <div class="toasts">
        <div role="alert">
          <For each={of("refusal")}>{(one) => <div class="toast">{one.text}</div>}</For>
        </div>
        <div role="status">
          <For each={of("news")}>{(one) => <div class="toast news">{one.text}</div>}</For>
        </div>
      </div>
      <div class="hidden-text" role="log" aria-live="polite" aria-label={t("What happens at the table")}>
        <For each={spoken()}>{({ text }) => <p>{text}</p>}</For>
      </div>
    </>
  );
}
