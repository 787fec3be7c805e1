// For whoever runs the server: what goes on, and with the second token a message to all, drain and ban. The token stays
// in this tab.
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { call } from "../api";
import { isRefusal, type Refusal } from "../model";
import { Brand } from "../ui/controls";
import { note } from "../ui/notes";
import { said, t } from "../languages";
import "./Host.css";

interface State {
  mayWrite: boolean;
  node: string;
  version: string;
  store: string;
  now: number;
  startedAt: number;
  draining: boolean;
  load: Record<string, number>;
  bans: { address: string; until: number }[];
}
interface HostWorld {
  roomCode: string;
  gameId: string;
  status: string;
  public: boolean;
  people: number;
  version: number;
  games: number;
  changedAt: number;
}
interface HostPerson {
  playerId: string;
  name: string;
  sockets: number;
  seenAt: number;
}
type Paged<K extends string, T> = Record<K, T[]> & { after: string | null };

const KEY = "oyster-host-token";
const REFRESH_MS = 5000;
const PAGES_MAX = 40; // of each list; whoever has more reads them with the API

const loads: [string, string][] = [
  ["connections", t("Connections")],
  ["sockets", t("Sockets")],
  ["worldsInMemory", t("Worlds in memory")],
  ["entriesWaiting", t("Entries that wait for the store")],
  ["botsThinking", t("Bots that think")],
  ["actions", t("Actions since the start")],
  ["botMoves", t("Moves of bots since the start")],
  ["storeFailures", t("Failures of the store")],
];

const statuses: Record<string, string> = {
  waiting: t("waiting#world"),
  playing: t("playing#world"),
  game_over: t("game over#world"),
};

const span = (ms: number) => {
  const minutes = Math.max(0, Math.floor(ms / 60000));
  if (minutes < 60) return t("{minutes} min", { minutes });
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : t("{floor} days", { floor: Math.floor(minutes / 1440) });
};

const about = ({ node, version, store, now, startedAt }: State) =>
  t("{node}, version {version}, for {time}; store {store}.", { node, version, time: span(now - startedAt), store });

export default function HostScreen() {
  const [token, setToken] = createSignal(sessionStorage.getItem(KEY) ?? "");
  const [state, setState] = createSignal<State>();
  const [worlds, setWorlds] = createSignal<HostWorld[]>([]);
  const [people, setPeople] = createSignal<HostPerson[]>([]);
  const [problem, setProblem] = createSignal<Refusal>();
  let typed!: HTMLInputElement;
  let message!: HTMLInputElement;
  let address!: HTMLInputElement;

  const ask = <T,>(method: string, path: string, body?: object) =>
    call<T>(method, `/api/host${path}`, body, { authorization: `Bearer ${token()}` });

  async function all<K extends string, T>(path: string, key: K): Promise<T[]> {
    const found: T[] = [];
    let after: string | null = "";
    for (let page = 0; page < PAGES_MAX && after !== null; page++) {
      const next: Paged<K, T> | Refusal = await ask<Paged<K, T>>("GET", `${path}${after && `?after=${after}`}`);
      if (isRefusal(next)) break;
      found.push(...next[key]);
      after = next.after;
    }
    return found;
  }

  async function look() {
    if (!token()) return;
    const found = await ask<State>("GET", "");
    if (isRefusal(found)) {
      setProblem(found);
      if (found.status === 401 || found.status === 404) setState(undefined);
      return;
    }
    setProblem(undefined);
    setState(found);
    sessionStorage.setItem(KEY, token());
    setWorlds((await all<"worlds", HostWorld>("/worlds", "worlds")).sort((a, b) => b.changedAt - a.changedAt));
    setPeople((await all<"people", HostPerson>("/people", "people")).sort((a, b) => b.seenAt - a.seenAt));
  }

  async function act(path: string, body: object, done: string) {
    const answer = await ask<object>("POST", path, body);
    note(isRefusal(answer) ? said(answer.error) : done, isRefusal(answer) ? "refusal" : "news");
    await look();
    return !isRefusal(answer);
  }

  onMount(() => {
    document.title = `${t("Host")} – Oyster`;
    void look();
    const timer = setInterval(() => state() && document.visibilityState === "visible" && void look(), REFRESH_MS);
    onCleanup(() => clearInterval(timer));
  });

  return (
    <div class="page">
      <header class="bar">
        <Brand />
      </header>
      <main class="wrap stack host">
        <h1>{t("This server")}</h1>
        <Show when={problem()}>{(why) => <p role="alert">{said(why().error)}</p>}</Show>
        <Show
          when={state()}
          fallback={
            <form
              class="row"
              onSubmit={(event) => {
                event.preventDefault();
                setToken(typed.value.trim());
                void look();
              }}
            >
              <label class="field">
                <span>{t("The host's token")}</span>
                <input class="input" ref={typed} type="password" autocomplete="off" required />
              </label>
              <button type="submit" class="button primary">
                {t("Show")}
              </button>
            </form>
          }
        >
          {(now) => (
            <>
              <p class="quiet">
                {about(now())}
                {now().draining ? ` ${t("It drains: no new worlds, and a proxy sends people elsewhere.")}` : ""}
                {now().mayWrite ? "" : ` ${t("This token only shows.")}`}
              </p>
              <dl class="host-load">
                <For each={loads}>
                  {([key, words]) => (
                    <div>
                      <dt>{words}</dt>
                      <dd>{now().load[key]}</dd>
                    </div>
                  )}
                </For>
                <div>
                  <dt>{t("Processor time")}</dt>
                  <dd>{t("{seconds} s", { seconds: Math.round(now().load.cpuMs! / 1000) })}</dd>
                </div>
                <div>
                  <dt>{t("Memory")}</dt>
                  <dd>{t("{count} MB", { count: Math.round(now().load.memoryBytes! / 1e6) })}</dd>
                </div>
              </dl>
              <Show when={now().mayWrite}>
                <section class="stack" aria-label={t("Acting")}>
                  <form
                    class="row"
                    onSubmit={async (event) => {
                      event.preventDefault();
                      if (await act("/message", { text: message.value }, t("Everybody at a table was told")))
                        message.value = "";
                    }}
                  >
                    <label class="field">
                      <span>{t("Message to all tables")}</span>
                      <input class="input" ref={message} maxlength="200" required />
                    </label>
                    <button type="submit" class="button">
                      {t("Send")}
                    </button>
                  </form>
                  <form
                    class="row"
                    onSubmit={async (event) => {
                      event.preventDefault();
                      if (await act("/ban", { address: address.value, hours: 24 }, t("Not served for a day")))
                        address.value = "";
                    }}
                  >
                    <label class="field">
                      <span>{t("Ban an address for a day")}</span>
                      <input class="input" ref={address} required />
                    </label>
                    <button type="submit" class="button">
                      {t("Ban")}
                    </button>
                  </form>
                  <button
                    type="button"
                    class="button"
                    onClick={() => void act("/drain", { on: !now().draining }, t("Done"))}
                  >
                    {now().draining ? t("Take new worlds again") : t("Drain: no new worlds")}
                  </button>
                  <For each={now().bans}>
                    {(ban) => (
                      <p>
                        {t("{address} is not served for {time}.", {
                          address: ban.address,
                          time: span(ban.until - now().now),
                        })}{" "}
                        <button
                          type="button"
                          class="button small"
                          onClick={() => void act("/ban", { address: ban.address, hours: 0 }, t("Served again"))}
                        >
                          {t("Serve again")}
                        </button>
                      </p>
                    )}
                  </For>
                </section>
              </Show>
              <section>
                <h2>{t("Open worlds: {count}", { count: worlds().length })}</h2>
                <div class="host-table" role="region" aria-label={t("Open worlds")} tabindex="0">
                  <table>
                    <thead>
                      <tr>
                        <th>{t("World")}</th>
                        <th>{t("Game")}</th>
                        <th>{t("Status")}</th>
                        <th>{t("People")}</th>
                        <th>{t("Entries")}</th>
                        <th>{t("Changed")}</th>
                      </tr>
                    </thead>
                    <tbody>
                      <For each={worlds()}>
                        {(world) => (
                          <tr>
                            <td>{now().mayWrite ? world.roomCode : `${world.roomCode}…`}</td>
                            <td>{world.gameId}</td>
                            <td>
                              {(statuses[world.status] ?? world.status) + (world.public ? `, ${t("public")}` : "")}
                            </td>
                            <td>{world.people}</td>
                            <td>{world.version}</td>
                            <td>{t("{time} ago", { time: span(now().now - world.changedAt) })}</td>
                          </tr>
                        )}
                      </For>
                    </tbody>
                  </table>
                </div>
              </section>
              <section>
                <h2>{t("People: {count}", { count: people().length })}</h2>
                <div class="host-table" role="region" aria-label={t("People")} tabindex="0">
                  <table>
                    <thead>
                      <tr>
                        <th>{t("Name")}</th>
                        <th>{t("Here now")}</th>
                        <th>{t("Seen")}</th>
                        <Show when={now().mayWrite}>
                          <th>{t("Ban")}</th>
                        </Show>
                      </tr>
                    </thead>
                    <tbody>
                      <For each={people()}>
                        {(person) => (
                          <tr>
                            <td>{person.name}</td>
                            <td>{person.sockets > 0 ? t("yes") : ""}</td>
                            <td>{t("{time} ago", { time: span(now().now - person.seenAt) })}</td>
                            <Show when={now().mayWrite}>
                              <td>
                                <button
                                  type="button"
                                  class="button small"
                                  aria-label={t("Ban {name}", { name: person.name })}
                                  onClick={() =>
                                    confirm(
                                      t("{name} loses their session, worlds and statistics. Ban?", {
                                        name: person.name,
                                      }),
                                    ) && void act("/ban", { playerId: person.playerId }, t("Their session has ended"))
                                  }
                                >
                                  {t("Ban")}
                                </button>
                              </td>
                            </Show>
                          </tr>
                        )}
                      </For>
                    </tbody>
                  </table>
                </div>
              </section>
            </>
          )}
        </Show>
      </main>
    </div>
  );
}
