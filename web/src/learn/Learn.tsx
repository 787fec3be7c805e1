// The screen of a lesson: a table of this device that is not kept, and the coach beside it.
import games from "virtual:games";
import { createEffect, createMemo, createResource, createSignal, on, onCleanup, Show } from "solid-js";
import { loadGameUi, type GameUi } from "../games/kind";
import { Frame } from "../screens/Frame";
import { NotFound } from "../screens/NotFound";
import { choices } from "../settings";
import { DeviceLink, newCode } from "../table/device";
import { describe } from "../table/speech";
import { createTable, type Table } from "../table/table";
import { refuse, say } from "../ui/notes";
import { loadLesson, type Lesson } from "./lesson";
import { said, t } from "../languages";
import "../screens/World.css";
import "./Learn.css";

export default function Learn(props: { gameId: string }) {
  const [loaded] = createResource(
    () => props.gameId,
    async (gameId) => {
      const [lesson, ui] = await Promise.all([loadLesson(gameId), loadGameUi(gameId)]);
      return { lesson, ui };
    },
  );
  createEffect(
    () =>
      (document.title = `${t("Learn {game}", {
        game: games.find((game) => game.id === props.gameId)?.name ?? t("a game"),
      })} – Oyster`),
  );
  return (
    <div class="page world" data-game={props.gameId}>
      <Show when={loaded()}>
        {(found) => (
          <Show when={found().lesson} fallback={<NotFound />}>
            {(lesson) => <Lecture lesson={lesson()} ui={found().ui} />}
          </Show>
        )}
      </Show>
    </div>
  );
}

function Lecture(props: { lesson: Lesson; ui: GameUi }) {
  const { lesson, ui } = props;
  const link = new DeviceLink(newCode(), {
    gameId: lesson.gameId,
    name: choices.name || t("You"),
    entries: [...lesson.entries],
    fleeting: true,
  });
  const table = createTable(link, {
    refused: (refusal) => refuse(refusal),
    say,
    describe: (event, at, events) => describe(ui, event, at, events),
  });
  onCleanup(() => table.close());
  const coached: GameUi = {
    ...ui,
    Table: () => (
      <div class="lesson">
        <Coach lesson={lesson} table={table} />
        <ui.Table table={table} />
      </div>
    ),
  };
  return (
    <Show
      when={table.ready()}
      fallback={<p role="status">{said(table.problem()?.error ?? "") || t("Setting the table…")}</p>}
    >
      <Frame table={table} ui={coached} />
    </Show>
  );
}

function Coach(props: { lesson: Lesson; table: Table }) {
  const [read, setRead] = createSignal<ReadonlySet<string>>(new Set<string>());
  const [met, setMet] = createSignal(0);
  const idea = createMemo(() => props.lesson.advise(props.table, read()));
  const number = () => props.lesson.ideas.indexOf(idea().id) + 1;
  let panel!: HTMLElement;

  createEffect(() => setMet((most) => Math.max(most, number())));
  createEffect(
    on(
      () => idea().text,
      (text) => say(text),
    ),
  );
  // Lights up what the idea points at, again after each change of the table.
  const light = () => {
    const { light: wanted } = idea();
    for (const old of document.querySelectorAll("[data-lit]")) old.removeAttribute("data-lit");
    if (wanted) for (const found of panel.parentElement!.querySelectorAll(wanted)) found.setAttribute("data-lit", "");
  };
  createEffect(() => {
    idea();
    const watcher = new MutationObserver(light);
    watcher.observe(panel.parentElement!, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["class", "aria-disabled"],
    });
    light();
    onCleanup(() => watcher.disconnect());
  });

  const next = () => {
    setRead((old) => new Set([...old, idea().id]));
    if (!panel.contains(document.activeElement)) panel.focus();
  };
  return (
    <aside class="coach" aria-label={t("Coach")} tabindex="-1" ref={panel}>
      <p class="small quiet">{t("{met} of {all}", { met: met(), all: props.lesson.ideas.length })}</p>
      <h2>{idea().title}</h2>
      <p class="grow">{idea().text}</p>
      <Show when={idea().gate}>
        <button type="button" class="button main" data-coach-next onClick={next}>
          {t("Next")}
        </button>
      </Show>
    </aside>
  );
}
