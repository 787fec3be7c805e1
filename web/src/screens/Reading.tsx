// A page to read: the guide, or a game's rules with a table of contents and pictures.
import games from "virtual:games";
import pages from "virtual:pages";
import { createEffect, createResource, For, Show } from "solid-js";
import type { Page } from "../pages";
import { Brand } from "../ui/controls";
import { Picture } from "../ui/pictures";
import { Figure } from "./figures";
import { NotFound } from "./NotFound";
import { language, t, tn } from "../languages";
import "./Reading.css";

export default function Reading(props: { page: string }) {
  const spoken = () => (language in (pages[props.page] ?? {}) ? language : "en");
  const load = () => pages[props.page]?.[spoken()];
  const [page] = createResource(load, async (get) => (await get()).default);
  const game = () => games.find((one) => one.id === props.page);

  createEffect(() => {
    const shown = page();
    if (!shown) return;
    document.title = `${shown.title} – Oyster`;
    if (location.hash) queueMicrotask(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
  });

  return (
    <Show when={load()} fallback={<NotFound />}>
      <div class="page reading" data-game={game()?.id}>
        <a class="skip" href="#text">
          {t("To the text")}
        </a>
        <header class="bar spread">
          <Brand />
          <nav class="row" aria-label={t("Pages")}>
            <Show when={game()}>
              <a class="button" href="/guide">
                {t("Guide")}
              </a>
            </Show>
            <a class="button main" href="/">
              {t("Play")}
            </a>
          </nav>
        </header>
        <Show when={page()} fallback={<main class="wrap" aria-busy="true" />}>
          {(shown) => <Article page={shown()} game={game()} language={spoken()} />}
        </Show>
      </div>
    </Show>
  );
}

function Article(props: { page: Page; game: (typeof games)[number] | undefined; language: string }) {
  const players = (game: (typeof games)[number]) =>
    game.minPlayers === game.maxPlayers
      ? tn(game.minPlayers, "{n} player", "{n} players")
      : t("{minPlayers} to {maxPlayers} players", { minPlayers: game.minPlayers, maxPlayers: game.maxPlayers });
  return (
    <main class="wrap reading-grid">
      <header class="reading-head">
        <Show when={props.game}>{(game) => <Picture game={game().id} icon={game().icon} />}</Show>
        <div class="stack">
          <Show when={props.game}>
            {(game) => <p class="small quiet">{t("How to play · {players}", { players: players(game()) })}</p>}
          </Show>
          <h1>{props.page.title}</h1>
          <div class="prose lead" innerHTML={props.page.lead} />
        </div>
      </header>
      <nav class="contents" aria-label={t("Contents")}>
        <details open={matchMedia("(min-width: 60rem)").matches}>
          <summary>{t("Contents")}</summary>
          <ol>
            <For each={props.page.sections}>
              {(section) => (
                <li>
                  <a href={`#${section.id}`}>{section.title}</a>
                </li>
              )}
            </For>
          </ol>
        </details>
      </nav>
      <article id="text" lang={props.language} tabindex="-1">
        <Show when={language !== props.language}>
          <p class="quiet" lang={language}>
            {t("This page is there in English only.")}
          </p>
        </Show>
        <For each={props.page.sections}>
          {(section) => (
            <section aria-labelledby={section.id}>
              <h2 id={section.id}>{section.title}</h2>
              <Figure game={props.game?.id ?? "guide"} section={section.id} />
              <div class="prose" innerHTML={section.html} />
            </section>
          )}
        </For>
        <OtherPages game={props.game?.id} />
      </article>
    </main>
  );
}

const OtherPages = (props: { game: string | undefined }) => (
  <nav class="others" aria-label={t("Rules of the games")}>
    <h2>{props.game ? t("Other games") : t("The rules")}</h2>
    <ul>
      <For each={games.filter((one) => one.id !== props.game && one.id in pages)}>
        {(one) => (
          <li data-game={one.id}>
            <a href={`/rules/${one.id}`}>
              <Picture game={one.id} icon={one.icon} />
              <b>{one.name}</b>
            </a>
          </li>
        )}
      </For>
    </ul>
  </nav>
);
