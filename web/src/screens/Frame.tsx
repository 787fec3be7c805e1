// The frame around every table: whose turn it is, the menu, the log with the chat, and the result.
import games from "virtual:games";
import { speeds } from "virtual:world";
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show, untrack } from "solid-js";
import type { Accessor, JSX } from "solid-js";
import type { GameUi } from "../games/kind";
import { getConfig } from "../api";
import { isOwner, isRefusal, type Seat } from "../model";
import { go } from "../router";
import { canSave, saveToFile } from "../table/files";
import { answer, createTurns, obey, questions, turnText, type Question } from "../table/speech";
import type { Table } from "../table/table";
import { scoreText } from "../table/news";
import { Attention } from "../ui/attention";
import { Bubbles } from "../ui/Bubbles";
import { Captions } from "../ui/Captions";
import { CheerView, createCheers } from "../ui/Cheer";
import { Brand, Segments } from "../ui/controls";
import { Dialog } from "../ui/Dialog";
import { isForTable } from "../ui/keys";
import { lastNews, refuse, say } from "../ui/notes";
import { sound, soundOf } from "../ui/sound";
import { Invite } from "../ui/Invite";
import { labelOf, LoadedBy, RulesInForce } from "../ui/RulesInForce";
import { isMuted, People } from "./People";
import { CommandLine } from "./CommandLine";
import { Choices } from "./Settings";
import { EmoteButton, hearTalk, Talk } from "./Talk";
import { Watching } from "./Watching";
import { joined, t, telling, tn } from "../languages";

const generalKeys: [string, string][] = [
  ["?", t("this list")],
  [t("Tab, Shift+Tab"), t("to the next or previous control")],
  [t("← → Home End"), t("through the cards of your hand")],
  [t("Enter, Space"), t("choose or play what is in focus")],
  ["Escape", t("take a choice back, close a dialog or the drawer")],
  ["L", t("the log and the talk")],
  ...Object.values(questions).map(({ key, does }): [string, string] => [key, does]),
  ["/", t("type a command: /hand, /play 9 hearts, /help")],
];
const questionOf = new Map(Object.entries(questions).map(([name, { key }]) => [key.toLowerCase(), name as Question]));

const RESULT_DELAY = 1600;

type Open = "" | "menu" | "people" | "rules" | "keys" | "settings" | "invite" | "leave";

// A connection that is back so soon is not told as lost: a page was loaded anew, or a phone changed its network.
const BLINK_MS = 3000;

// `until`: then a bot plays for somebody who is offline; it is there once that is told. `seen`: the connection was lost
// while we looked.
interface Loss {
  since: number;
  seen: boolean;
  until?: number;
}

// Says when somebody's connection is lost in a game, and when it is back; of one's own a badge says the first. Gives
// what the bar tells until a bot plays for them: the seconds, for those who have seen since when. Who is still at the
// table after that plays without a socket.
function tellConnections(table: Table): Accessor<string | undefined> {
  const there = createMemo(() =>
    table.world.status === "playing"
      ? table.world.seats.filter((seat) => seat.playerId && !seat.bot && seat.seatIndex !== table.mySeat())
      : [],
  );
  const [lost, setLost] = createSignal<ReadonlyMap<string, Loss>>(new Map()); // by id
  const [now, setNow] = createSignal(Date.now());
  const offline = ({ name }: Seat, { until, seen }: Loss): string =>
    seen
      ? t("{name} is offline, a bot plays in {seconds} s", { name, seconds: Math.round((until! - now()) / 1000) })
      : telling(name, t("offline"));
  async function lose(seat: Seat, loss: Loss) {
    const id = seat.playerId!;
    const config = await getConfig();
    if (loss.seen) await new Promise((resolve) => setTimeout(resolve, loss.since + BLINK_MS - Date.now()));
    if (isRefusal(config) || lost().get(id) !== loss) return;
    const told = { ...loss, until: loss.since + config.limits.awayMs };
    setNow(Date.now());
    setLost((old) => new Map(old).set(id, told));
    if (loss.seen) table.remark(seat.seatIndex, offline(seat, told));
  }
  onCleanup(() => setLost(new Map<string, Loss>()));
  createEffect((before: Map<string, boolean>) => {
    const after = new Map(there().map((seat) => [seat.playerId!, seat.connected]));
    const still = new Map([...untrack(lost)].filter(([id]) => after.has(id)));
    const fresh: [Seat, Loss][] = [];
    for (const seat of there()) {
      const id = seat.playerId!;
      if (!seat.connected && !still.has(id)) {
        const loss = { since: Date.now(), seen: before.get(id) ?? false };
        still.set(id, loss);
        fresh.push([seat, loss]);
      }
      if (seat.connected) {
        if (still.get(id)?.until) table.remark(seat.seatIndex, t("{name} is online again", { name: seat.name }));
        still.delete(id);
      }
    }
    setLost(still);
    for (const [seat, loss] of fresh) void lose(seat, loss);
    return after;
  }, new Map<string, boolean>());
  createEffect(() => {
    if (lost().size === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    onCleanup(() => clearInterval(timer));
  });
  createEffect((before: boolean) => {
    if (table.online() && !before) table.remark(table.mySeat() ?? -1, t("You are online again"));
    return table.online();
  }, true);
  return () => {
    const told = there().flatMap((seat) => {
      const loss = lost().get(seat.playerId!);
      return loss?.until && loss.until > now() ? [{ seat, loss }] : [];
    });
    const first = told.find(({ loss }) => loss.seen) ?? told[0];
    return first && offline(first.seat, first.loss);
  };
}

export function Frame(props: { table: Table; ui: GameUi }) {
  const table = props.table;
  const [open, setOpen] = createSignal<Open>("");
  const [side, setSide] = createSignal(false);
  const over = () => table.world.status === "game_over";
  // The result opens after a delay, so that the last move can be seen.
  const [resultSeen, setResultSeen] = createSignal(!over());
  const game = () => games.find((one) => one.id === table.world.gameId);
  const turn = createMemo(() => turnText(table, props.ui));
  const idle = () =>
    (table.world.view?.turn ?? []).filter((seat) => seat !== table.mySeat() && !table.world.seats[seat]?.bot);
  const amOwner = () => isOwner(table.world);
  const watches = () => table.kind === "network" && table.mySeat() === null;
  // What was said while the drawer was closed, also before the page was loaded anew.
  const unreadKey = `oyster-unread-${table.world.roomCode}`;
  const [unread, setUnread] = createSignal(Number(sessionStorage.getItem(unreadKey) ?? 0));
  createEffect(() => side() && setUnread(0));
  createEffect(() => sessionStorage.setItem(unreadKey, String(unread())));
  hearTalk(table, () => side() || setUnread((count) => count + 1));
  const asking = () =>
    table.world.rematch
      .filter((id) => id !== table.world.you?.playerId)
      .map((id) => [...table.world.seats, ...table.world.spectators].find((one) => one.playerId === id)?.name)
      .filter((name) => name != null);
  const wish = () => table.world.spectators.find((one) => one.playerId === table.world.you?.playerId)?.wants;
  const mayJoin = () => watches() && wish() === null && table.world.seats.some((seat) => seat.free);
  const asked = () => table.world.rematch.includes(table.world.you?.playerId ?? "");

  // Events are told before the turn that they lead to.
  const tellTurn = createTurns(table, props.ui, say);
  createEffect(() => {
    turn();
    queueMicrotask(tellTurn);
  });
  onCleanup(table.onStep(tellTurn));
  const ask = async (question: Question) => say(await answer(question, table, props.ui));
  const [typing, setTyping] = createSignal(false);
  const offline = table.kind === "network" ? tellConnections(table) : () => undefined;
  const cheers = createCheers();
  let wasMyTurn = table.myTurn();
  onCleanup(
    table.onStep((step) => {
      for (const event of step.events) {
        const cheer = props.ui.cheers?.(event, table);
        if (cheer) cheers.show(cheer);
      }
      const heard = soundOf(step, table.myTurn(), wasMyTurn);
      wasMyTurn = table.myTurn();
      if (heard) sound(heard);
    }),
  );
  createEffect(
    on(
      over,
      (ended) => {
        const timer = setTimeout(() => setResultSeen(!ended), ended ? (props.ui.endShown ?? RESULT_DELAY) : 0);
        onCleanup(() => clearTimeout(timer));
      },
      { defer: true },
    ),
  );

  const onKey = (event: KeyboardEvent) => {
    if (!isForTable(event)) return;
    if (event.key === "?") setOpen("keys");
    else if (event.key === "l" || event.key === "L") setSide((shown) => !shown);
    else if (event.key === "/") setTyping(true);
    else if (questionOf.has(event.key.toLowerCase())) void ask(questionOf.get(event.key.toLowerCase())!);
    else return;
    event.preventDefault();
  };
  onMount(() => addEventListener("keydown", onKey));

  const [emoting, setEmoting] = createSignal(false);
  // Escape closes the emotes and the drawer before it takes anything back at the table; the focus goes where it came
  // from.
  let balloon!: HTMLButtonElement;
  function closeSide() {
    setSide(false);
    balloon.focus();
  }
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !(side() || emoting()) || document.querySelector("dialog[open]")) return;
    if (emoting()) setEmoting(false);
    else closeSide();
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  onMount(() => addEventListener("keydown", onEscape, true));
  onCleanup(() => removeEventListener("keydown", onEscape, true));

  // If an update or a closed dialog removes the focused element, the table gets the focus. A button that is disabled
  // loses the focus a frame later.
  let floor!: HTMLElement;
  const hold = () =>
    document.activeElement === document.body &&
    !document.querySelector("dialog[open]") &&
    floor.focus({ preventScroll: true });
  const holdSoon = () => requestAnimationFrame(() => requestAnimationFrame(hold));
  onCleanup(table.onStep(holdSoon));
  onMount(hold);
  onMount(() => addEventListener("close", holdSoon, true));
  onCleanup(() => removeEventListener("close", holdSoon, true));
  onCleanup(() => removeEventListener("keydown", onKey));

  async function leave() {
    await table.leave();
    go("/");
  }

  // A finished table of the device stays among those at home, to be looked at again.
  async function leaveResult() {
    if (table.kind === "network") await leave();
    else go("/");
  }

  async function save() {
    const refusal = await saveToFile(table.world, table.kind);
    if (refusal) refuse(refusal);
    else setOpen("");
  }

  // What is on its way already would be refused if a second tap sent it again.
  const once = (move: string) => table.busy() || void table.act(move);

  const close = () => setOpen("");
  return (
    <>
      <header class="bar frame-bar">
        <Brand />
        <div class="asked">
          <p class="turn" classList={{ mine: table.myTurn() }} role="status" aria-live="off">
            {turn()}
          </p>
          <Show when={lastNews() ?? offline()}>
            {(text) => (
              <p class="news" aria-hidden="true" title={text()}>
                {text()}
              </p>
            )}
          </Show>
        </div>
        <Show when={table.kind === "network" && table.world.loadedBy}>
          {(loader) => (
            <button
              type="button"
              class="badge loaded"
              aria-label={t("Loaded by {name}. What that means", { name: loader().name })}
              onClick={() => setOpen("rules")}
            >
              {t("loaded")}
            </button>
          )}
        </Show>
        <Show when={!table.online()}>
          <span class="badge reconnecting" title={t("Trying to reach the server")}>
            {t("⚡ reconnecting")}
          </span>
        </Show>
        <Show when={table.kind === "network"}>
          <EmoteButton table={table} open={emoting()} onOpen={setEmoting} />
        </Show>
        <button
          ref={balloon}
          type="button"
          class="button icon plain"
          aria-label={unread() > 0 ? t("Log and talk, {unread} unread", { unread: unread() }) : t("Log and talk")}
          aria-expanded={side()}
          onClick={() => setSide((shown) => !shown)}
        >
          <svg class="balloon" viewBox="0 0 24 24" aria-hidden="true">
            <path
              d="M4 4h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-8l-5 4.5V16H4
              a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM7 8.5h10M7 12h6"
            />
          </svg>
          <Show when={unread() > 0}>
            <span class="unread" aria-hidden="true">
              {unread() > 9 ? "9+" : unread()}
            </span>
          </Show>
        </button>
        <button type="button" class="button icon plain" aria-label={t("Menu")} onClick={() => setOpen("menu")}>
          ☰
        </button>
      </header>
      <Attention table={table} game={game()?.name ?? ""} />
      <Show when={watches()}>
        <Watching table={table} rounds={props.ui.rounds ?? true} stage={() => floor} />
      </Show>
      <div class="floor" classList={{ "with-side": side() }}>
        <main
          ref={floor}
          class="stage"
          tabindex="-1"
          aria-label={t("{name} table", { name: game()?.name })}
          data-version={table.world.version}
        >
          <h1 class="hidden-text">{game()?.name}</h1>
          <props.ui.Table table={table} />
          <CheerView cheer={cheers.cheer()} />
          <Captions table={table} ui={props.ui} stage={() => floor} />
          <Bubbles table={table} stage={() => floor} muted={isMuted} />
          <Show when={typing()}>
            <CommandLine obey={(line) => obey(line, table, props.ui)} onClose={() => setTyping(false)} />
          </Show>
        </main>
        <Show when={side()}>
          <Side table={table} onClose={closeSide} obey={(line) => obey(line, table, props.ui)} />
        </Show>
      </div>

      <Dialog open={open() === "menu"} title={game()?.name ?? ""} onClose={close}>
        <div class="menu">
          <Show when={table.kind === "network"}>
            <MenuButton onClick={() => setOpen("invite")}>{t("Invite")}</MenuButton>
            <MenuButton onClick={() => setOpen("people")}>{t("People")}</MenuButton>
          </Show>
          <MenuButton onClick={() => setOpen("rules")}>{t("House rules in force")}</MenuButton>
          <a class="button" href={`/rules/${table.world.gameId}`} target="_blank" rel="noopener">
            {t("How to play")}
          </a>
          <Show when={amOwner() && !over()}>
            <div class="field menu-speed">
              <span>{t("Speed of this table")}</span>
              <Segments
                label={t("Speed of this table")}
                values={Object.keys(speeds)}
                text={labelOf}
                value={String(table.world.settings.speed)}
                onChoose={(speed) => table.act(`speed ${speed}`)}
              />
            </div>
          </Show>
          <Show when={canSave(table)}>
            <MenuButton onClick={save}>{t("Save to a file")}</MenuButton>
          </Show>
          <MenuButton onClick={() => setOpen("keys")}>{t("Keys")}</MenuButton>
          <MenuButton
            onClick={() => {
              close();
              setTyping(true);
            }}
          >
            {t("Type a command")}
          </MenuButton>
          <MenuButton onClick={() => setOpen("settings")}>{t("Settings")}</MenuButton>
          <Show when={amOwner()}>
            <For each={idle()}>
              {(seat) => (
                <MenuButton onClick={() => table.act(`hand-over ${seat}`).then(close)}>
                  {t("Let a bot play for {name}", { name: table.name(seat) })}
                </MenuButton>
              )}
            </For>
          </Show>
          <a class="button" href="/">
            {t("Back home, keep my place")}
          </a>
          <MenuButton onClick={() => setOpen("leave")}>{t("Leave the table")}</MenuButton>
        </div>
      </Dialog>
      <Dialog open={open() === "invite"} title={t("Invite")} onClose={close}>
        <Invite table={table} />
      </Dialog>
      <Dialog open={open() === "people"} title={t("People")} onClose={close}>
        <People table={table} />
      </Dialog>
      <Dialog open={open() === "rules"} title={t("House rules in force")} onClose={close}>
        <LoadedBy world={table.world} />
        <RulesInForce world={table.world} />
      </Dialog>
      <Dialog open={open() === "settings"} title={t("Settings")} onClose={close}>
        <Choices heading="h3" />
      </Dialog>
      <Dialog open={open() === "keys"} title={t("Keys")} onClose={close}>
        <dl class="keys">
          <For each={[...(props.ui.keys ?? []), ...generalKeys]}>
            {([keys, does]) => (
              <div>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            )}
          </For>
        </dl>
      </Dialog>
      <Dialog
        open={open() === "leave"}
        title={t("Leave the table?")}
        onClose={close}
        footer={
          <>
            <button type="button" class="button" onClick={close}>
              {t("Stay")}
            </button>
            <button type="button" class="button main" onClick={leave}>
              {t("Leave")}
            </button>
          </>
        }
      >
        <p>
          <Show when={table.kind === "network"} fallback={t("This table is cleared away and cannot be brought back.")}>
            {t("A bot plays on for you at once. You can come back with the same link, until somebody takes your seat.")}
          </Show>
        </p>
      </Dialog>
      <Dialog
        open={over() && !resultSeen()}
        title={t("The game is over")}
        onClose={() => setResultSeen(true)}
        class="result"
        footer={
          <>
            <button type="button" class="button" onClick={leaveResult}>
              {t("Leave World")}
            </button>
            <Show
              when={amOwner()}
              fallback={
                <>
                  <Show when={mayJoin()}>
                    <button type="button" class="button" onClick={() => once("sit")}>
                      {t("Join the next game")}
                    </button>
                  </Show>
                  <button type="button" class="button main" disabled={asked()} onClick={() => once("rematch")}>
                    {asked() ? t("You asked for a rematch") : t("Ask for a rematch")}
                  </button>
                </>
              }
            >
              <button type="button" class="button" onClick={() => once("lobby")}>
                {t("Back to the lobby")}
              </button>
              <button type="button" class="button main" onClick={() => once("again")}>
                {t("Play Again")}
              </button>
            </Show>
          </>
        }
      >
        <Show when={scoreText(table.world)}>{(score) => <p class="games-score">{score()}</p>}</Show>
        <Show when={wish() != null}>
          <p class="quiet" role="status">
            {t("You play in the next game.")}
          </p>
        </Show>
        <Show when={asking().length > 0}>
          <p class="quiet" role="status">
            {tn(asking().length, "{names} would like another game.", "{names} would like another game.", {
              names: joined(asking()),
            })}
          </p>
        </Show>
        <Show when={props.ui.Result} fallback={<p>{table.lines().at(-1)?.text}</p>}>
          {(Result) => {
            const Shown = Result();
            return <Shown table={table} />;
          }}
        </Show>
      </Dialog>
      <Show when={over() && resultSeen()}>
        <button type="button" class="button main again" onClick={() => setResultSeen(false)}>
          {t("Result")}
        </button>
      </Show>
    </>
  );
}

const MenuButton = (props: { onClick: () => void; children: JSX.Element }) => (
  <button type="button" class="button" onClick={() => props.onClick()}>
    {props.children}
  </button>
);

// The action log and the talk, a drawer on small screens.
const Side = (props: { table: Table; onClose: () => void; obey: (line: string) => Promise<string> }) => (
  <aside class="side" aria-label={t("Log and talk")}>
    <header class="row spread">
      <h2>{t("What happened")}</h2>
      <button
        type="button"
        class="button icon plain"
        aria-label={t("Close log and talk")}
        onClick={() => props.onClose()}
      >
        ✕
      </button>
    </header>
    <Talk table={props.table} obey={props.obey} />
  </aside>
);
