// One world: the way in, the lobby, the table, the end.
import games from "virtual:games";
import { limits } from "virtual:world";
import { createEffect, createResource, createSignal, lazy, Match, onCleanup, Show, Suspense, Switch } from "solid-js";
import * as api from "../api";
import { meet } from "../contacts";
import { loadGameUi, type GameUi } from "../games/kind";
import { isRefusal, type Refusal } from "../model";
import { enter } from "../session";
import { choices } from "../settings";
import { detailed } from "../table/details";
import { DeviceLink } from "../table/device";
import { NetworkLink } from "../table/network";
import { keepPlayed } from "../table/setup";
import { describe } from "../table/speech";
import { createTable, type Table } from "../table/table";
import { Brand } from "../ui/controls";
import { note, refuse, say } from "../ui/notes";
import { Nowhere } from "../ui/Nowhere";
import { sound, wake } from "../ui/sound";
import { Frame } from "./Frame";
import { rich, said, t, tn } from "../languages";
import "./World.css";

const Lobby = lazy(() => import("./Lobby"));

const gone: Refusal = { error: "This world is gone", code: "ROOM_NOT_FOUND", status: 404 };

// The secret of the link that people came with.
const invitation = () => location.hash.slice(1);

async function comeIn(code: string): Promise<Refusal | null> {
  const joined = await api.joinWorld(code, "either", invitation());
  return isRefusal(joined) ? joined : null;
}

export default function WorldScreen(props: { kind: "network" | "device"; code: string }) {
  let ui: GameUi | undefined;
  let table: Table | undefined;
  const [named, setNamed] = createSignal(choices.name !== "" || props.kind === "device");
  const [way] = createResource(
    () => (named() ? props.code : null),
    async (code): Promise<Refusal | { table: Table }> => {
      if (props.kind === "network") {
        const entered = await enter(choices.name);
        const refused = isRefusal(entered) ? entered : await comeIn(code);
        if (refused) return refused;
      }
      return { table: sit(code) };
    },
  );

  function sit(code: string): Table {
    table = createTable(detailed(props.kind === "network" ? new NetworkLink(code) : new DeviceLink(code)), {
      refused(refusal) {
        refuse(refusal);
        sound("no");
      },
      say,
      tell: (text) => note(text, "news"),
      describe: (event, at, events) => describe(ui, event, at, events),
    });
    return table;
  }
  onCleanup(() => table?.close());
  for (const touch of ["click", "keydown"]) {
    addEventListener(touch, wake, true);
    onCleanup(() => removeEventListener(touch, wake, true));
  }

  const found = () => {
    const value = way();
    return value && "table" in value ? value.table : undefined;
  };
  const problem = (): Refusal | undefined => {
    const value = way();
    return value && "error" in value ? value : (found()?.problem() ?? undefined);
  };
  const gameId = () => (found()?.ready() ? found()!.world.gameId : undefined);
  const [loaded] = createResource(gameId, async (id) => (ui = await loadGameUi(id)));
  createEffect(() => {
    const at = props.kind === "network" && found()?.ready() ? found() : undefined;
    if (at?.world.status === "playing") meet(at.world);
  });
  createEffect(() => {
    const at = found()?.ready() ? found() : undefined;
    if (at?.world.status === "playing" && at.mySeat() !== null) keepPlayed(at.world.gameId);
  });
  createEffect(() => {
    const game = games.find((one) => one.id === gameId());
    document.title = game ? `${game.name} – Oyster` : "Oyster";
  });

  return (
    <div class="page world" data-game={gameId()}>
      <Switch
        fallback={
          <>
            <header class="bar">
              <Brand />
            </header>
            <main class="wrap narrow" aria-busy="true">
              <p class="quiet" role="status">
                {t("Coming to the table…")}
              </p>
            </main>
          </>
        }
      >
        <Match when={!named()}>
          <AskName code={props.code} onNamed={() => setNamed(true)} />
        </Match>
        <Match when={problem()}>{(refusal) => <Gone refusal={refusal()} device={props.kind === "device"} />}</Match>
        <Match when={found()?.ready() && found()!.world.status === "closed"}>
          <Gone refusal={gone} device={false} />
        </Match>
        <Match when={found()?.ready() && found()!.world.status === "waiting" && found()}>
          {(at) => (
            <Suspense>
              <Lobby table={at()} />
            </Suspense>
          )}
        </Match>
        <Match when={found()?.ready() && loaded() && found()}>{(at) => <Frame table={at()} ui={loaded()!} />}</Match>
      </Switch>
    </div>
  );
}

const gameName = (id: string): string => games.find((one) => one.id === id)?.name ?? t("a game");

function AskName(props: { code: string; onNamed: () => void }) {
  const [name, setName] = createSignal("");
  // Who typed the code without the link's secret is told nothing before they come in.
  const [about] = createResource(() => api.getInvitation(props.code, invitation()));
  const known = () => {
    const found = about.latest;
    return found && !isRefusal(found) ? found : undefined;
  };
  async function take(event: Event) {
    event.preventDefault();
    const entered = await enter(name().trim());
    if (isRefusal(entered)) refuse(entered);
    else props.onNamed();
  }
  return (
    <>
      <header class="bar">
        <Brand />
      </header>
      <main class="wrap narrow stack">
        <Show when={known()} fallback={<h1>{t("You are invited")}</h1>}>
          {(about) => (
            <>
              <h1>
                {t("{name} invites you to {game}", {
                  name: about().host || t("Somebody"),
                  game: gameName(about().gameId),
                })}
              </h1>
              <p>
                {tn(about().people, "{n} of {places} is here.", "{n} of {places} are here.", {
                  places: about().places,
                })}
              </p>
            </>
          )}
        </Show>
        <p class="quiet">{rich("To world {code}. What shall we call you?", { code: <b>{props.code}</b> })}</p>
        <form class="panel stack" onSubmit={take}>
          <label class="field">
            <span>{t("Your name")}</span>
            <input
              class="input"
              maxlength={limits.name}
              required
              autofocus
              autocomplete="nickname"
              value={name()}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button main">
            {t("Sit down")}
          </button>
        </form>
      </main>
    </>
  );
}

function Gone(props: { refusal: Refusal; device: boolean }) {
  const gone = () => props.refusal.status === 404;
  const [wait, setWait] = createSignal(props.refusal.wait ?? 0);
  const timer = setInterval(() => setWait((seconds) => Math.max(0, seconds - 1)), 1000);
  onCleanup(() => clearInterval(timer));
  const again = (
    <button type="button" class="button" disabled={wait() > 0} onClick={() => location.reload()}>
      {wait() > 0 ? t("Try again in {wait} s", { wait: wait() }) : t("Try again")}
    </button>
  );
  return (
    <Nowhere
      title={gone() ? (props.device ? t("This table is gone") : t("This world is gone")) : t("That did not work")}
      more={gone() ? undefined : again}
    >
      <Show when={gone()} fallback={said(props.refusal.error)}>
        <Show
          when={!props.device}
          fallback={t("No such table is kept on this device. It was cleared away, or it is on another one.")}
        >
          {invitation()
            ? t(
                "Everybody left, it was put away after a while, its link was renewed, or you were sent away. " +
                  "Ask for a new link, or open a table of your own.",
              )
            : t(
                "Everybody left, it was put away after a while, the code is mistyped, or you were sent away. " +
                  "Ask for a new link, or open a table of your own.",
              )}
        </Show>
      </Show>
    </Nowhere>
  );
}
