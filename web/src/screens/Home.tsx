import games from "virtual:games";
import { limits } from "virtual:world";
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import * as api from "../api";
import { isRefusal, type Refusal, type WorldSummary } from "../model";
import { hasLesson } from "../learn/lesson";
import { go } from "../router";
import { returnText, type Return } from "../table/news";
import { enter, resumeSession, session } from "../session";
import { choices } from "../settings";
import { keepPlayed, keepSetup, keptSetup, lastPlayed } from "../table/setup";
import { append, entries, list, remove, type Kept } from "../table/shelf";
import { Brand } from "../ui/controls";
import { Dialog } from "../ui/Dialog";
import { note, say } from "../ui/notes";
import { Picture } from "../ui/pictures";
import "./Home.css";

const gameName = (id: string) => games.find((game) => game.id === id)?.name ?? id;

// What makes a table ready at once, the first time: a bot where none comes by itself.
const usualSetup = (gameId: string): string[] =>
  games.find(({ id }) => id === gameId)?.lobbyBots === false ? ["bot 1 hard"] : [];

function ago(time: number): string {
  const minutes = Math.round((Date.now() - time) / 60000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 60 * 24 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} days ago`;
}

const NO_SERVER = "No connection to the server. Games against bots work all the same.";

// A table that was cleared away can be brought back for this time.
const UNDO_MS = 10_000;

const LOOKED_AT = 3; // worlds that are asked for whose turn it is

const statusWords: Record<WorldSummary["status"], string> = {
  waiting: "waiting to start",
  playing: "being played",
  game_over: "finished",
  closed: "closed",
};

const Company = (props: { back: Return | undefined }) => (
  <Show when={props.back?.company}>
    <span class="quiet small">
      {props.back!.company}
      {props.back!.score ? `. ${props.back!.score}` : ""}
    </span>
  </Show>
);

export function Home() {
  const [kept, setKept] = createSignal<Kept[]>([]);
  const [cleared, setCleared] = createSignal<ReadonlyMap<string, string[]>>(new Map()); // their logs, by code
  const [mine, setMine] = createSignal<WorldSummary[]>([]);
  const [back, setBack] = createSignal<Record<string, Return>>({});
  const [open, setOpen] = createSignal<WorldSummary[]>([]);
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
      void lookAt(own.worlds.filter(({ status }) => status === "playing").slice(0, LOOKED_AT));
    }
    if (!isRefusal(all)) setOpen(all.worlds.filter(({ players, places }) => players > 0 && !(players >= places)));
    return setOnline(!isRefusal(all) || all.status !== 0);
  }
  // Without a network nobody knows who is waiting; with it again, the server is asked anew.
  const noNetwork = () => {
    setOpen([]);
    setOnline(false);
  };
  onMount(() => {
    void list().then(setKept, () => {});
    void askServer();
    addEventListener("offline", noNetwork);
    addEventListener("online", askServer);
    onCleanup(() => {
      removeEventListener("offline", noNetwork);
      removeEventListener("online", askServer);
    });
  });

  // What there is to come back to, of the newest worlds that are being played.
  async function lookAt(worlds: WorldSummary[]) {
    for (const { roomCode } of worlds) {
      const world = await api.getWorld(roomCode);
      if (!isRefusal(world)) setBack((old) => ({ ...old, [roomCode]: returnText(world) }));
    }
  }

  const isCleared = (code: string, lines: string[] | null) => {
    setCleared((old) => new Map([...old].filter(([other]) => other !== code).concat(lines ? [[code, lines]] : [])));
  };

  async function clear(one: Kept) {
    const lines = await entries(one.code);
    await remove(one.code);
    isCleared(one.code, lines);
    say(`${gameName(one.gameId)} is cleared away. It can be brought back for ten seconds`);
    setTimeout(() => {
      if (cleared().get(one.code) !== lines) return;
      setKept((all) => all.filter((other) => other.code !== one.code));
      isCleared(one.code, null);
    }, UNDO_MS);
  }

  async function bringBack(one: Kept) {
    const lines = cleared().get(one.code)!;
    isCleared(one.code, null);
    if (await append(one, 0, lines)) say(`${gameName(one.gameId)} is back`);
  }

  // Against bots, as the person likes it: at once, or to be set up first. A kept setup that the rules no longer allow
  // is forgotten.
  async function play(gameId: string, { setup = keptSetup(gameId) ?? usualSetup(gameId), start = true } = {}) {
    setBusy(gameId);
    keepPlayed(gameId);
    const { createDeviceWorld } = await import("../table/device");
    const lay = (moves: string[]) =>
      createDeviceWorld(gameId, choices.name || "You", [...moves, ...(start ? ["start"] : [])]);
    let made = await lay(setup);
    if (isRefusal(made) && keptSetup(gameId)) {
      keepSetup(gameId, undefined);
      made = await lay(usualSetup(gameId));
    }
    setBusy("");
    if (isRefusal(made)) note(made.error);
    else go(`/t/${made}`);
  }

  // Whatever needs a name asks for it once.
  async function named(then: () => Promise<void>) {
    if (choices.name === "") return void setAsked(() => then);
    const entered = await enter(choices.name);
    if (isRefusal(entered)) return note(entered.error);
    return then();
  }

  const create = (gameId: string) =>
    named(async () => {
      const world = await api.createWorld(gameId);
      if (isRefusal(world)) return note(world.error);
      keepPlayed(gameId);
      return go(`/w/${world.roomCode}`);
    });

  const join = (event: Event) => {
    event.preventDefault();
    const wanted = code().trim().toUpperCase();
    if (!/^[A-Z0-9]{6}$/.test(wanted)) return note("A code has six letters and digits");
    return named(async () => go(`/w/${wanted}`));
  };

  async function openFile(file: File | undefined) {
    if (!file) return;
    const text = await file.text();
    const { isJson, openHere, openThere } = await import("../table/files");
    const open = (opened: () => Promise<string | Refusal>) => async () => {
      setSavedGame(null);
      const to = await opened();
      if (isRefusal(to)) note(to.error);
      else go(to);
    };
    const here = open(() => openHere(text, choices.name || "You"));
    if (!isJson(text) || !online()) return here();
    setSavedGame({ here, there: () => named(open(() => openThere(text))) });
    return undefined;
  }

  async function takeName(event: Event) {
    event.preventDefault();
    const entered = await enter(name().trim());
    if (isRefusal(entered)) return note(entered.error);
    const then = asked();
    setAsked(null);
    return then?.();
  }

  // The game that was played last stands first.
  const last = lastPlayed();
  const shown = [...games].sort((a, b) => Number(b.id === last) - Number(a.id === last));
  // Where it is one's turn comes first.
  const worlds = () =>
    mine()
      .filter((world) => world.status !== "closed")
      .sort((a, b) => Number(back()[b.roomCode]?.mine ?? false) - Number(back()[a.roomCode]?.mine ?? false));
  return (
    <div class="page home">
      <a class="skip" href="#games">
        To the games
      </a>
      <header class="bar spread">
        <Brand />
        <nav class="row" aria-label="You">
          <a class="button icon" href="/guide" aria-label="Player's guide">
            ?
          </a>
          <Show
            when={choices.name}
            fallback={
              <button type="button" class="button own-name" onClick={() => setAsked(() => async () => {})}>
                Your name
              </button>
            }
          >
            <button
              type="button"
              class="button own-name"
              aria-label={`You are ${choices.name}. Change your name`}
              onClick={() => setAsked(() => async () => {})}
            >
              {choices.name}
            </button>
          </Show>
          <a class="button icon" href="/statistics" aria-label="Statistics">
            <svg class="sign" viewBox="0 0 20 20" aria-hidden="true">
              <path d="M3 17V11M8 17V6M13 17V9M18 17V3" />
            </svg>
          </a>
          <a class="button icon" href="/settings" aria-label="Settings">
            ⚙
          </a>
        </nav>
      </header>
      <main class="wrap stack">
        <section class="hero">
          <h1>Pull up a chair</h1>
          <p class="quiet">Games for you, your friends and a few bots. No account: type a name, play.</p>
          <form class="row join" onSubmit={join}>
            <label class="grow">
              <span class="hidden-text">Code of a world</span>
              <input
                class="input code"
                placeholder="CODE"
                maxlength={limits.code}
                autocomplete="off"
                autocapitalize="characters"
                spellcheck={false}
                value={code()}
                onInput={(event) => setCode(event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="button">
              Join
            </button>
            <button type="button" class="button plain" onClick={() => saved.click()}>
              Open a file
            </button>
            <input
              ref={saved}
              type="file"
              hidden
              accept=".json,.oyster-table,application/json,text/plain"
              aria-label="A saved table"
              onChange={(event) => {
                void openFile(event.currentTarget.files?.[0]);
                event.currentTarget.value = "";
              }}
            />
          </form>
        </section>

        <Show when={!online()}>
          <p class="panel">{NO_SERVER}</p>
        </Show>

        <Show when={kept().length + worlds().length > 0}>
          <section aria-labelledby="running" class="stack">
            <h2 id="running">Continue</h2>
            <ul class="tables">
              <For each={kept()}>
                {(one) => (
                  <li data-game={one.gameId}>
                    <Show
                      when={!cleared().has(one.code)}
                      fallback={
                        <>
                          <span class="cleared">{gameName(one.gameId)} is cleared away</span>
                          <button
                            type="button"
                            class="button plain"
                            aria-label={`Undo: bring ${gameName(one.gameId)} back`}
                            ref={(button) => queueMicrotask(() => button.focus())}
                            onClick={() => bringBack(one)}
                          >
                            Undo
                          </button>
                        </>
                      }
                    >
                      <a href={`/t/${one.code}`}>
                        <b>{gameName(one.gameId)}</b>
                        <span class="quiet small">
                          with bots, {one.over ? "finished" : one.back?.mine ? "your turn" : "being played"},{" "}
                          {ago(one.changed)}
                        </span>
                        <Company back={one.back} />
                      </a>
                      <button
                        type="button"
                        class="button plain icon"
                        aria-label={`Clear away ${gameName(one.gameId)}, ${ago(one.changed)}`}
                        onClick={() => clear(one)}
                      >
                        ✕
                      </button>
                    </Show>
                  </li>
                )}
              </For>
              <For each={worlds()}>
                {(one) => (
                  <li data-game={one.gameId}>
                    <a href={`/w/${one.roomCode}`}>
                      <b>{gameName(one.gameId)}</b>
                      <span class="quiet small">
                        {one.roomCode}, {back()[one.roomCode]?.mine ? "your turn" : statusWords[one.status]},{" "}
                        {ago(one.createdAt)}
                      </span>
                      <Company back={back()[one.roomCode]} />
                    </a>
                  </li>
                )}
              </For>
            </ul>
          </section>
        </Show>

        <Show when={open().length > 0}>
          <section aria-labelledby="public" class="stack">
            <h2 id="public">Open tables</h2>
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
                        {one.host ? `with ${one.host}, ` : ""}
                        {one.players} of {one.places} are here, {ago(one.createdAt)}
                      </span>
                    </a>
                  </li>
                )}
              </For>
            </ul>
          </section>
        </Show>

        <section id="games" aria-label="Games" class="games">
          <For each={shown}>
            {(game) => (
              <article class="game" data-game={game.id} aria-labelledby={`game-${game.id}`}>
                <Picture game={game.id} />
                <div class="about">
                  <h2 id={`game-${game.id}`}>{game.name}</h2>
                  <p class="quiet">{game.description}</p>
                  <p class="small quiet facts-line">
                    {game.minPlayers === game.maxPlayers
                      ? `${game.minPlayers} players`
                      : `${game.minPlayers} to ${game.maxPlayers} players`}
                    <span>
                      <Show when={hasLesson(game.id)}>
                        <a href={`/learn/${game.id}`} aria-label={`Learn ${game.name} in two minutes`}>
                          Learn
                        </a>
                      </Show>
                      <a href={`/rules/${game.id}`} aria-label={`Rules of ${game.name}`}>
                        Rules
                      </a>
                    </span>
                  </p>
                  <div class="row">
                    <button
                      type="button"
                      class="button main grow"
                      disabled={busy() !== ""}
                      aria-label={busy() === game.id ? undefined : `Play now: ${game.name} against bots`}
                      onClick={() => play(game.id)}
                    >
                      {busy() === game.id ? "Dealing…" : "Play now"}
                    </button>
                    <button
                      type="button"
                      class="button icon"
                      disabled={busy() !== ""}
                      title="Players, bots, house rules"
                      aria-label={`Set up ${game.name} against bots`}
                      onClick={() => play(game.id, { start: false })}
                    >
                      ⚙
                    </button>
                    <Show when={game.minPlayers === 1}>
                      <button
                        type="button"
                        class="button grow"
                        disabled={busy() !== ""}
                        aria-label={`Solitaire: ${game.name} alone`}
                        onClick={() => play(game.id, { setup: [] })}
                      >
                        Solitaire
                      </button>
                    </Show>
                    <button
                      type="button"
                      class="button grow"
                      aria-disabled={!online() || undefined}
                      title={online() ? undefined : NO_SERVER}
                      aria-label={`With friends: ${game.name}`}
                      onClick={() => (online() ? create(game.id) : note(NO_SERVER))}
                    >
                      With friends
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
              ? "Nobody is waiting just now. Make a world public in its lobby and it shows up here."
              : "Who is waiting is seen once the server can be reached."}
          </p>
        </Show>
      </main>
      <footer class="wrap home-foot quiet">
        <p>
          New here? The <a href="/guide">player's guide</a> has it all on one page: friends, bots, keys, playing without
          a network, and how to play well.
        </p>
      </footer>

      <Dialog
        open={savedGame() !== null}
        title="A saved game"
        onClose={() => setSavedGame(null)}
        footer={
          <>
            <button type="button" class="button" onClick={() => savedGame()!.there()}>
              With friends
            </button>
            <button type="button" class="button main" onClick={() => savedGame()!.here()}>
              On this device
            </button>
          </>
        }
      >
        <p>On this device it goes on at once, against bots. With friends it waits on the server until you start it.</p>
      </Dialog>
      <Dialog open={asked() !== null} title="What shall we call you?" onClose={() => setAsked(null)}>
        <form class="stack" onSubmit={takeName}>
          <label class="field">
            <span>Your name</span>
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
            That's me
          </button>
        </form>
      </Dialog>
    </div>
  );
}
