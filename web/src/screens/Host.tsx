// For whoever runs the server: what goes on, and with the second token a message to all, drain and ban. The token stays
// in this tab.
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { call } from "../api";
import { isRefusal, type Refusal } from "../model";
import { Brand } from "../ui/controls";
import { note } from "../ui/notes";
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
  ["connections", "Connections"],
  ["sockets", "Sockets"],
  ["worldsInMemory", "Worlds in memory"],
  ["entriesWaiting", "Entries that wait for the store"],
  ["botsThinking", "Bots that think"],
  ["actions", "Actions since the start"],
  ["botMoves", "Moves of bots since the start"],
  ["storeFailures", "Failures of the store"],
];

const span = (ms: number) => {
  const minutes = Math.max(0, Math.floor(ms / 60000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
};

const about = ({ node, version, store, now, startedAt }: State) =>
  `${node}, version ${version}, for ${span(now - startedAt)}; store ${store}.`;

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
    note(isRefusal(answer) ? answer.error : done, isRefusal(answer) ? "refusal" : "news");
    await look();
    return !isRefusal(answer);
  }

  onMount(() => {
    document.title = "Host – Oyster";
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
        <h1>This server</h1>
        <Show when={problem()}>{(why) => <p role="alert">{why().error}</p>}</Show>
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
                <span>The host's token</span>
                <input class="input" ref={typed} type="password" autocomplete="off" required />
              </label>
              <button type="submit" class="button primary">
                Show
              </button>
            </form>
          }
        >
          {(now) => (
            <>
              <p class="quiet">
                {about(now())}
                {now().draining ? " It drains: no new worlds, and a proxy sends people elsewhere." : ""}
                {now().mayWrite ? "" : " This token only shows."}
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
                  <dt>Processor time</dt>
                  <dd>{Math.round(now().load.cpuMs! / 1000)} s</dd>
                </div>
                <div>
                  <dt>Memory</dt>
                  <dd>{Math.round(now().load.memoryBytes! / 1e6)} MB</dd>
                </div>
              </dl>
              <Show when={now().mayWrite}>
                <section class="stack" aria-label="Acting">
                  <form
                    class="row"
                    onSubmit={async (event) => {
                      event.preventDefault();
                      if (await act("/message", { text: message.value }, "Everybody at a table was told"))
                        message.value = "";
                    }}
                  >
                    <label class="field">
                      <span>Message to all tables</span>
                      <input class="input" ref={message} maxlength="200" required />
                    </label>
                    <button type="submit" class="button">
                      Send
                    </button>
                  </form>
                  <form
                    class="row"
                    onSubmit={async (event) => {
                      event.preventDefault();
                      if (await act("/ban", { address: address.value, hours: 24 }, "Not served for a day"))
                        address.value = "";
                    }}
                  >
                    <label class="field">
                      <span>Ban an address for a day</span>
                      <input class="input" ref={address} required />
                    </label>
                    <button type="submit" class="button">
                      Ban
                    </button>
                  </form>
                  <button
                    type="button"
                    class="button"
                    onClick={() => void act("/drain", { on: !now().draining }, "Done")}
                  >
                    {now().draining ? "Take new worlds again" : "Drain: no new worlds"}
                  </button>
                  <For each={now().bans}>
                    {(ban) => (
                      <p>
                        {ban.address} is not served for {span(ban.until - now().now)}.{" "}
                        <button
                          type="button"
                          class="button small"
                          onClick={() => void act("/ban", { address: ban.address, hours: 0 }, "Served again")}
                        >
                          Serve again
                        </button>
                      </p>
                    )}
                  </For>
                </section>
              </Show>
              <section>
                <h2>Open worlds: {worlds().length}</h2>
                <div class="host-table" role="region" aria-label="Open worlds" tabindex="0">
                  <table>
                    <thead>
                      <tr>
                        <th>World</th>
                        <th>Game</th>
                        <th>Status</th>
                        <th>People</th>
                        <th>Entries</th>
                        <th>Changed</th>
                      </tr>
                    </thead>
                    <tbody>
                      <For each={worlds()}>
                        {(world) => (
                          <tr>
                            <td>{now().mayWrite ? world.roomCode : `${world.roomCode}…`}</td>
                            <td>{world.gameId}</td>
                            <td>{world.status.replace("_", " ") + (world.public ? ", public" : "")}</td>
                            <td>{world.people}</td>
                            <td>{world.version}</td>
                            <td>{span(now().now - world.changedAt)} ago</td>
                          </tr>
                        )}
                      </For>
                    </tbody>
                  </table>
                </div>
              </section>
              <section>
                <h2>People: {people().length}</h2>
                <div class="host-table" role="region" aria-label="People" tabindex="0">
                  <table>
                    <thead>
                      <tr>
                        <th>Name</th>
                        <th>Here now</th>
                        <th>Seen</th>
                        <Show when={now().mayWrite}>
                          <th>Ban</th>
                        </Show>
                      </tr>
                    </thead>
                    <tbody>
                      <For each={people()}>
                        {(person) => (
                          <tr>
                            <td>{person.name}</td>
                            <td>{person.sockets > 0 ? "yes" : ""}</td>
                            <td>{span(now().now - person.seenAt)} ago</td>
                            <Show when={now().mayWrite}>
                              <td>
                                <button
                                  type="button"
                                  class="button small"
                                  aria-label={`Ban ${person.name}`}
                                  onClick={() =>
                                    confirm(`${person.name} loses their session, worlds and statistics. Ban?`) &&
                                    void act("/ban", { playerId: person.playerId }, "Their session has ended")
                                  }
                                >
                                  Ban
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
