import games from "virtual:games";
import { limits } from "virtual:world";
import { createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import * as api from "../api";
import { isRefusal, type Refusal, type WorldSummary } from "../model";
import { hasLesson } from "../learn/lesson";
import { go } from "../router";
import { glanceOf, returnText, type Return } from "../table/news";
import { enter, resumeSession, session } from "../session";
import { choices } from "../settings";
import { keepPlayed, keepSetup, keptSetup, lastPlayed } from "../table/setup";
import { append, entries, list, remove, type Kept } from "../table/shelf";
import { Brand } from "../ui/controls";
import { Dialog } from "../ui/Dialog";
import { note, refuse, say } from "../ui/notes";
import { Picture } from "../ui/pictures";
import { rich, said, t, tn } from "../languages";
import "./Home.css";

const gameName = (id: string) => games.find((game) => game.id === id)?.name ?? id;

// What makes a table ready at once, the first time: a bot where none comes by itself.
const usualSetup = (gameId: string): string[] =>
  games.find(({ id }) => id === gameId)?.lobbyBots === false ? ["bot 1 hard"] : [];

function ago(time: number): string {
  const minutes = Math.round((Date.now() - time) / 60000);
  if (minutes < 1) return t("just now");
  if (minutes < 60) return t("{minutes} min ago", { minutes });
  return minutes < 60 * 24
    ? t("{hours} h ago", { hours: Math.round(minutes / 60) })
    : tn(Math.round(minutes / 1440), "{n} days ago", "{n} days ago");
}

const NO_SERVER = t("No connection to the server. Games against bots work all the same.");

// A table that was cleared away can be brought back for this time.
const UNDO_MS = 10_000;

const SHOWN = 3; // tables to come back to, before one asks for all; worlds among them are asked for whose turn it is

const statusWords: Record<WorldSummary["status"], string> = {
  waiting: t("waiting to start"),
  playing: t("being played"),
  game_over: t("finished"),
  closed: t("closed#world"),
};

const LAID_MS = 86_400_000; // a table that is laid and not started, perhaps in another tab, is kept for a day

// A table that was laid for its rules and bots and never started is nothing to come back to.
const isBegun = ({ glance }: Kept): boolean => glance?.status !== "waiting" || glance.played > 0;

const backOf = ({ glance }: Kept): Return | undefined => glance && returnText(glance);

const Company = (props: { back: Return | undefined }) => (
  <Show when={props.back?.company}>
    <span class="quiet small">
      {props.back!.company}
      {props.back!.score ? `. ${props.back!.score}` : ""}
    </span>
  </Show>
);

// A table of this device. For some time after it was cleared away it can be brought back.
const KeptTable = (props: { one: Kept; cleared: boolean; onClear: () => void; onUndo: () => void }) => (
  <li data-game={props.one.gameId}>
    <Show
      when={!props.cleared}
      fallback={
        <>
          <span class="cleared">{t("{game} is cleared away", { game: gameName(props.one.gameId) })}</span>
          <button
            type="button"
            class="button plain"
            aria-label={t("Undo: bring {game} back", { game: gameName(props.one.gameId) })}
            ref={(button) => queueMicrotask(() => button.focus())}
            onClick={() => props.onUndo()}
          >
            {t("Undo")}
          </button>
        </>
      }
    >
      <a href={`/t/${props.one.code}`}>
        <b>{gameName(props.one.gameId)}</b>
        <span class="quiet small">
          {t("with bots, {status}, {time}", {
            status: props.one.over
              ? t("finished")
              : (backOf(props.one)?.turn ?? statusWords[props.one.glance?.status ?? "playing"]),
            time: ago(props.one.changed),
          })}
        </span>
        <Company back={backOf(props.one)} />
      </a>
      <button
        type="button"
        class="button plain icon"
        aria-label={t("Clear away {game}, {time}", {
          game: gameName(props.one.gameId),
          time: ago(props.one.changed),
        })}
        onClick={() => props.onClear()}
      >
        ✕
      </button>
    </Show>
  </li>
);

export function Home() {
  const [kept, setKept] = createSignal<Kept[]>([]);
  const [cleared, setCleared] = createSignal<ReadonlyMap<string, string[]>>(new Map()); // their logs, by code
  const [mine, setMine] = createSignal<WorldSummary[]>([]);
  const [back, setBack] = createSignal<Record<string, Return>>({});
  const [open, setOpen] = createSignal<WorldSummary[]>([]);
  const [rules, setRules] = createSignal<Record<string, string>>({}); // of open tables, in words, by code
  const [unfolded, setUnfolded] = createSignal(false); // all tables to come back to are shown
  const [online, setOnline] = createSignal(true);
  const [code, setCode] = createSignal("");
  const [asked, setAsked] = createSignal<(() => Promise<void>) | null>(null);
  const [name, setName] = createSignal(choices.name);
  const [busy, setBusy] = createSignal("");
  const [savedGame, setSavedGame] = createSignal<{ here: () => void; there: () => void } | null>(null);
  let saved!: HTMLInputElement;

  async function askServer() {
    const found = await resumeSession();
    if (isRefusal(found) && found.status === 0) return setOnline(false);
    setName((old) => old || choices.name);
    const [own, all] = await Promise.all([session() ? api.myWorlds() : { worlds: [] }, api.publicWorlds()]);
    if (!isRefusal(own)) {
      setMine(own.worlds);
      void lookAt(worlds().slice(0, SHOWN));
    }
    if (!isRefusal(all)) {
      setOpen(all.worlds.filter(({ players, places }) => players > 0 && !(players >= places)));
      void tellRules();
    }
    return setOnline(!isRefusal(all) || all.status !== 0);
  }
  // Without a network nobody knows who is waiting; with it again, the server is asked anew.
  const noNetwork = () => {
    setOpen([]);
    setOnline(false);
  };
  onMount(() => {
    void takeStock().catch(() => {});
    void askServer();
    addEventListener("offline", noNetwork);
    addEventListener("online", askServer);
    onCleanup(() => {
      removeEventListener("offline", noNetwork);
      removeEventListener("online", askServer);
    });
  });

  // The house rules of all games are loaded when there is a table to tell them of.
  async function tellRules() {
    if (open().length === 0) return;
    const { rulesOf } = await import("./openRules");
    setRules(Object.fromEntries(open().map((one) => [one.roomCode, rulesOf(one)])));
  }

  async function takeStock() {
    const all = await list();
    setKept(all.filter(isBegun));
    for (const one of all) if (!isBegun(one) && one.changed < Date.now() - LAID_MS) await remove(one.code);
  }

  // What there is to come back to.
  async function lookAt(worlds: WorldSummary[]) {
    for (const { roomCode } of worlds) {
      const world = await api.getWorld(roomCode);
      if (!isRefusal(world)) setBack((old) => ({ ...old, [roomCode]: returnText(glanceOf(world)) }));
    }
  }

  const isCleared = (code: string, lines: string[] | null) => {
    setCleared((old) => new Map([...old].filter(([other]) => other !== code).concat(lines ? [[code, lines]] : [])));
  };

  async function clear(one: Kept) {
    const lines = await entries(one.code);
    await remove(one.code);
    isCleared(one.code, lines);
    say(t("{game} is cleared away. It can be brought back for ten seconds", { game: gameName(one.gameId) }));
    setTimeout(() => {
      if (cleared().get(one.code) !== lines) return;
      setKept((all) => all.filter((other) => other.code !== one.code));
      isCleared(one.code, null);
    }, UNDO_MS);
  }

  async function bringBack(one: Kept) {
    const lines = cleared().get(one.code)!;
    isCleared(one.code, null);
    if (await append(one, 0, lines)) say(t("{game} is back", { game: gameName(one.gameId) }));
  }

  // Against bots, as the person likes it: at once, or to be set up first. A kept setup that the rules no longer allow
  // is forgotten.
  async function play(gameId: string, { setup = keptSetup(gameId) ?? usualSetup(gameId), start = true } = {}) {
    setBusy(gameId);
    keepPlayed(gameId);
    const { createDeviceWorld } = await import("../table/device");
    const lay = (moves: string[]) =>
      createDeviceWorld(gameId, choices.name || t("You"), [...moves, ...(start ? ["start"] : [])]);
    let made = await lay(setup);
    if (isRefusal(made) && keptSetup(gameId)) {
      keepSetup(gameId, undefined);
      made = await lay(usualSetup(gameId));
    }
    setBusy("");
    if (isRefusal(made)) refuse(made);
    else go(`/t/${made}`);
  }

  // Whatever needs a name asks for it once.
  async function named(then: () => Promise<void>) {
    if (choices.name === "") return void setAsked(() => then);
    const entered = await enter(choices.name);
    if (isRefusal(entered)) return refuse(entered);
    return then();
  }

  const create = (gameId: string) =>
    named(async () => {
      const world = await api.createWorld(gameId);
      if (isRefusal(world)) return refuse(world);
      keepPlayed(gameId);
      return go(`/w/${world.roomCode}`);
    });

  const join = (event: Event) => {
    event.preventDefault();
    const wanted = code().trim().toUpperCase();
    if (!/^[A-Z0-9]{6}$/.test(wanted)) return note(t("A code has six letters and digits"));
    return named(async () => go(`/w/${wanted}`));
  };

  async function openFile(file: File | undefined) {
    if (!file) return;
    const text = await file.text();
    const { isJson, openHere, openThere } = await import("../table/files");
    const open = (opened: () => Promise<string | Refusal>) => async () => {
      setSavedGame(null);
      const to = await opened();
      if (isRefusal(to)) refuse(to);
      else go(to);
    };
    const here = open(() => openHere(text, choices.name || t("You")));
    if (!isJson(text) || !online()) return here();
    setSavedGame({ here, there: () => named(open(() => openThere(text))) });
    return undefined;
  }

  async function takeName(event: Event) {
    event.preventDefault();
    const entered = await enter(name().trim());
    if (isRefusal(entered)) return refuse(entered);
    const then = asked();
    setAsked(null);
    return then?.();
  }

  // The game that was played last stands first.
  const last = lastPlayed();
  const shown = [...games].sort((a, b) => Number(b.id === last) - Number(a.id === last));
  const worlds = () =>
    mine()
      .filter((world) => world.status !== "closed")
      .sort((a, b) => Number(b.status === "playing") - Number(a.status === "playing"));
  // Where people wait for one's turn comes first, what is over last.
  const toContinue = createMemo(() => {
    const rank = (status: WorldSummary["status"], awaited = false) =>
      awaited ? 0 : ["playing", "waiting", "game_over"].indexOf(status) + 1;
    return [
      ...kept().map(({ code, over, changed }) => ({ code, rank: rank(over ? "game_over" : "playing"), time: changed })),
      ...worlds().map(({ roomCode, status, createdAt }) => ({
        code: roomCode,
        rank: rank(status, back()[roomCode]?.mine),
        time: createdAt,
      })),
    ].sort((a, b) => a.rank - b.rank || b.time - a.time);
  });
  const shownCodes = createMemo(() =>
    toContinue()
      .slice(0, unfolded() ? undefined : SHOWN)
      .map(({ code }) => code),
  );
  let tables!: HTMLUListElement;
  function unfold() {
    setUnfolded(true);
    tables.children[SHOWN]?.querySelector("a")?.focus();
    void lookAt(worlds().slice(SHOWN));
  }
  return (
    <div class="page home">
      <a class="skip" href="#games">
        {t("To the games")}
      </a>
      <header class="bar spread">
        <Brand />
        <nav class="row" aria-label={t("You")}>
          <a class="button icon" href="/guide" aria-label={t("Player's guide")}>
            ?
          </a>
          <Show
            when={choices.name}
            fallback={
              <button type="button" class="button own-name" onClick={() => setAsked(() => async () => {})}>
                {t("Your name")}
              </button>
            }
          >
            <button
              type="button"
              class="button own-name"
              aria-label={t("You are {name}. Change your name", { name: choices.name })}
              onClick={() => setAsked(() => async () => {})}
            >
              {choices.name}
            </button>
          </Show>
          <a class="button icon" href="/statistics" aria-label={t("Statistics")}>
            <svg class="sign" viewBox="0 0 20 20" aria-hidden="true">
              <path d="M3 17V11M8 17V6M13 17V9M18 17V3" />
            </svg>
          </a>
          <a class="button icon" href="/settings" aria-label={t("Settings")}>
            ⚙
          </a>
        </nav>
      </header>
      <main class="wrap stack">
        <section class="hero">
          <h1>{t("Pull up a chair")}</h1>
          <Show when={!last}>
            <p class="quiet">{t("Games for you, your friends and a few bots. No account: type a name, play.")}</p>
          </Show>
        </section>

        <Show when={!online()}>
          <p class="panel">{NO_SERVER}</p>
        </Show>

        <Show when={toContinue().length > 0}>
          <section aria-labelledby="running" class="stack">
            <h2 id="running">{t("Continue")}</h2>
            <ul ref={tables} class="tables">
              <For each={shownCodes()}>
                {(code) => (
                  <>
                    <Show when={kept().find((one) => one.code === code)}>
                      {(one) => (
                        <KeptTable
                          one={one()}
                          cleared={cleared().has(code)}
                          onClear={() => clear(one())}
                          onUndo={() => bringBack(one())}
                        />
                      )}
                    </Show>
                    <Show when={worlds().find((one) => one.roomCode === code)}>
                      {(one) => (
                        <li data-game={one().gameId}>
                          <a href={`/w/${code}`}>
                            <b>{gameName(one().gameId)}</b>
                            <span class="quiet small">
                              {code}, {back()[code]?.turn ?? statusWords[one().status]}, {ago(one().createdAt)}
                            </span>
                            <Company back={back()[code]} />
                          </a>
                        </li>
                      )}
                    </Show>
                  </>
                )}
              </For>
            </ul>
            <Show when={shownCodes().length < toContinue().length}>
              <button type="button" class="button more-tables" onClick={unfold}>
                {t("All {number} tables", { number: toContinue().length })}
              </button>
            </Show>
          </section>
        </Show>

        <form class="row join" onSubmit={join}>
          <label class="grow">
            <span class="hidden-text">{t("Code of a world")}</span>
            <input
              class="input code"
              placeholder={t("CODE")}
              maxlength={limits.code}
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              value={code()}
              onInput={(event) => setCode(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button">
            {t("Join")}
          </button>
          <button type="button" class="button plain" onClick={() => saved.click()}>
            {t("Open a file")}
          </button>
          <input
            ref={saved}
            type="file"
            hidden
            accept=".json,.oyster-table,application/json,text/plain"
            aria-label={t("A saved table")}
            onChange={(event) => {
              void openFile(event.currentTarget.files?.[0]);
              event.currentTarget.value = "";
            }}
          />
        </form>

        <Show when={open().length > 0}>
          <section aria-labelledby="public" class="stack">
            <h2 id="public">{t("Open tables")}</h2>
            <ul class="tables">
              <For each={open()}>
                {(one) => (
                  <li data-game={one.gameId}>
                    <a
                      href={`/w/${one.roomCode}`}
                      onClick={(event) => {
                        event.preventDefault();
                        void named(async () => go(`/w/${one.roomCode}`));
                      }}
                    >
                      <b>{gameName(one.gameId)}</b>
                      <span class="quiet small">
                        {one.host ? `${t("with {host}", { host: one.host })}, ` : ""}
                        {t("{players} of {places} are here, {time}", {
                          players: one.players,
                          places: one.places,
                          time: ago(one.createdAt),
                        })}
                      </span>
                      <Show when={rules()[one.roomCode]}>
                        <span class="quiet small">{rules()[one.roomCode]}</span>
                      </Show>
                    </a>
                  </li>
                )}
              </For>
            </ul>
          </section>
        </Show>

        <section id="games" aria-label={t("Games")} class="games">
          <For each={shown}>
            {(game) => (
              <article class="game" data-game={game.id} aria-labelledby={`game-${game.id}`}>
                <Picture game={game.id} icon={game.icon} />
                <div class="about">
                  <h2 id={`game-${game.id}`}>{game.name}</h2>
                  <p class="quiet">{said(game.description)}</p>
                  <p class="small quiet facts-line">
                    {game.minPlayers === game.maxPlayers
                      ? tn(game.minPlayers, "{n} player", "{n} players")
                      : t("{minPlayers} to {maxPlayers} players", {
                          minPlayers: game.minPlayers,
                          maxPlayers: game.maxPlayers,
                        })}
                    <span>
                      <Show when={hasLesson(game.id)}>
                        <a
                          href={`/learn/${game.id}`}
                          aria-label={t("Learn {name} in two minutes", { name: game.name })}
                        >
                          {t("Learn")}
                        </a>
                      </Show>
                      <a href={`/rules/${game.id}`} aria-label={t("Rules of {name}", { name: game.name })}>
                        {t("Rules")}
                      </a>
                    </span>
                  </p>
                  <div class="row">
                    <button
                      type="button"
                      class="button main grow"
                      disabled={busy() !== ""}
                      aria-label={
                        busy() === game.id ? undefined : t("Play now: {name} against bots", { name: game.name })
                      }
                      onClick={() => play(game.id)}
                    >
                      {busy() === game.id ? t("Dealing…") : t("Play now")}
                    </button>
                    <button
                      type="button"
                      class="button icon"
                      disabled={busy() !== ""}
                      title={t("Players, bots, house rules")}
                      aria-label={t("Set up {name} against bots", { name: game.name })}
                      onClick={() => play(game.id, { start: false })}
                    >
                      ⚙
                    </button>
                    <Show when={game.minPlayers === 1}>
                      <button
                        type="button"
                        class="button grow"
                        disabled={busy() !== ""}
                        aria-label={t("Solitaire: {name} alone", { name: game.name })}
                        onClick={() => play(game.id, { setup: [] })}
                      >
                        {t("Solitaire")}
                      </button>
                    </Show>
                    <button
                      type="button"
                      class="button grow"
                      aria-disabled={!online() || undefined}
                      title={online() ? undefined : NO_SERVER}
                      aria-label={t("With friends: {name}", { name: game.name })}
                      onClick={() => (online() ? create(game.id) : note(NO_SERVER))}
                    >
                      {t("With friends")}
                    </button>
                  </div>
                </div>
              </article>
            )}
          </For>
        </section>

        <Show when={open().length === 0}>
          <p class="quiet">
            {online()
              ? t("Nobody is waiting just now. Make a world public in its lobby and it shows up here.")
              : t("Who is waiting is seen once the server can be reached.")}
          </p>
        </Show>
      </main>
      <footer class="wrap home-foot quiet">
        <p>
          {rich(
            "New here? The {guide} has it all on one page: friends, bots, keys, playing without a network, " +
              "and how to play well.",
            { guide: <a href="/guide">{t("player's guide")}</a> },
          )}
        </p>
      </footer>

      <Dialog
        open={savedGame() !== null}
        title={t("A saved game")}
        onClose={() => setSavedGame(null)}
        footer={
          <>
            <button type="button" class="button" onClick={() => savedGame()!.there()}>
              {t("With friends")}
            </button>
            <button type="button" class="button main" onClick={() => savedGame()!.here()}>
              {t("On this device")}
            </button>
          </>
        }
      >
        <p>
          {t(
            "On this device it goes on at once, against bots. With friends it waits on the server " +
              "until you start it.",
          )}
        </p>
      </Dialog>
      <Dialog open={asked() !== null} title={t("What shall we call you?")} onClose={() => setAsked(null)}>
        <form class="stack" onSubmit={takeName}>
          <label class="field">
            <span>{t("Your name")}</span>
            <input
              class="input"
              maxlength={limits.name}
              required
              autocomplete="nickname"
              autofocus
              value={name()}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button main">
            {t("That's me")}
          </button>
        </form>
      </Dialog>
    </div>
  );
}
