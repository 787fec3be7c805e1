// The log with the talk, at a table and in a lobby: what happened, emotes, and a line to say something.
import { emotes, limits } from "virtual:world";
import { createEffect, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import type { Seat, WorldEvents } from "../model";
import type { Line, Table } from "../table/table";
import { SeatFace } from "../ui/BotFace";
import { isMuted } from "./People";
import { note, say } from "../ui/notes";
import { sound } from "../ui/sound";
import { emoteText, inWords, signOf } from "../ui/emotes";
import { t, telling } from "../languages";

// What others say, unless one has muted them, is read by a screen reader, sounds for those who like it, and is counted.
export function hearTalk(table: Table, count?: () => void): void {
  onCleanup(
    table.onStep(({ events }) => {
      for (const { event, data } of events) {
        if (event !== "chat" && event !== "emote") continue;
        const { playerId, name } = data as WorldEvents["chat" | "emote"];
        if (playerId === table.world.you?.playerId || isMuted(playerId)) continue;
        count?.();
        sound("talk");
        say(telling(name, event === "chat" ? String(data.text) : inWords(String(data.id))));
      }
    }),
  );
}

// One tap says it.
function Emotes(props: { table: Table; onSaid?: () => void }) {
  const emote = (id: string) => {
    void props.table.act(`emote ${id}`);
    props.onSaid?.();
  };
  return (
    <div class="row emotes" role="group" aria-label={t("Emotes")}>
      <For each={emotes}>
        {(id) => (
          <button type="button" class="button" onClick={() => emote(id)}>
            <span aria-hidden="true">{signOf(id)}</span> {inWords(id)}
          </button>
        )}
      </For>
    </div>
  );
}

// The same at the table, without the log: a button that opens them. They close when one is chosen, and when the focus
// or a tap goes elsewhere; Escape is the frame's.
export function EmoteButton(props: { table: Table; open: boolean; onOpen: (open: boolean) => void }) {
  let button!: HTMLButtonElement;
  let choice!: HTMLDivElement;
  const leaves = ({ target }: Event) =>
    props.open && target instanceof Node && !choice.contains(target) && !button.contains(target) && props.onOpen(false);
  onMount(() => addEventListener("pointerdown", leaves, true));
  onCleanup(() => removeEventListener("pointerdown", leaves, true));
  createEffect((before: boolean) => {
    if (props.open) choice.querySelector("button")?.focus();
    else if (before && (choice.contains(document.activeElement) || document.activeElement === document.body))
      button.focus();
    return props.open;
  }, false);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button icon plain"
        aria-label={t("Emotes")}
        aria-expanded={props.open}
        onClick={() => props.onOpen(!props.open)}
      >
        <svg class="balloon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM7.5 14q4.5 5 9 0M8.8 9v1M15.2 9v1" />
        </svg>
      </button>
      <div
        ref={choice}
        class="emote-choice"
        hidden={!props.open}
        onFocusOut={({ relatedTarget }) =>
          relatedTarget instanceof Node && !choice.contains(relatedTarget) && props.onOpen(false)
        }
      >
        <Emotes table={props.table} onSaid={() => props.onOpen(false)} />
      </div>
    </>
  );
}

export function Talk(props: { table: Table; obey: (line: string) => Promise<string> }) {
  const [text, setText] = createSignal("");
  let list!: HTMLOListElement;
  onMount(() => props.table.recall());
  createEffect(() => {
    props.table.lines();
    queueMicrotask(() => list.scrollTo({ top: list.scrollHeight }));
  });
  // The bot that a line tells of; another one may sit there by now.
  const botOf = ({ seat, text }: Line): Seat | undefined => {
    const now = props.table.world.seats[seat ?? -1];
    return now?.character && text.startsWith(now.character.name) ? now : undefined;
  };
  async function send(event: Event) {
    event.preventDefault();
    const said = text().trim();
    if (said.startsWith("/")) {
      setText("");
      const answer = await props.obey(said);
      if (answer) note(answer, "news");
      return;
    }
    if (said && !(await props.table.act(`say ${said}`))) setText("");
  }
  return (
    <>
      <ol ref={list} class="lines" tabindex="0" aria-label={t("Log")}>
        <For
          each={props.table.lines().filter(({ who }) => !who || !isMuted(who))}
          fallback={<li class="quiet">{t("Nothing yet.")}</li>}
        >
          {(line) => (
            <li class={line.kind}>
              <SeatFace seat={botOf(line)} />
              {line.kind === "emote" ? emoteText(line.text) : line.text}
            </li>
          )}
        </For>
      </ol>
      <Show when={props.table.kind === "network"}>
        <Emotes table={props.table} />
        <form class="row" onSubmit={send}>
          <input
            class="input grow"
            maxlength={limits.chat}
            placeholder={t("Say something")}
            aria-label={t("Say something")}
            value={text()}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit" class="button">
            {t("Say")}
          </button>
        </form>
      </Show>
    </>
  );
}
