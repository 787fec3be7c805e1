// Before the game: who sits where, which bots, which house rules. The owner changes it, all see it.
import games from "virtual:games";
import allOptions from "virtual:options";
import { levels, limits, usualLevel } from "virtual:world";
import { createEffect, createMemo, createSignal, For, Show } from "solid-js";
import { joinWorld } from "../api";
import { isOwner, isRefusal, seatName, teamName, type Seat } from "../model";
import { go } from "../router";
import { obey } from "../table/speech";
import type { Table } from "../table/table";
import { Brand, land } from "../ui/controls";
import { SeatFace } from "../ui/BotFace";
import { Bubbles } from "../ui/Bubbles";
import { Dialog } from "../ui/Dialog";
import { Invite } from "../ui/Invite";
import { refuse, say } from "../ui/notes";
import { LoadedBy } from "../ui/RulesInForce";
import { isMuted, People } from "./People";
import { Manners, RuleEditor } from "./RuleEditor";
import { scoreText } from "../table/news";
import { keepSetup, setupMoves } from "../table/setup";
import { awaitStart } from "../ui/attention";
import { hearTalk, Talk } from "./Talk";
import { listed, said, t, tn } from "../languages";
import "./Lobby.css";

export default function Lobby(props: { table: Table }) {
  const table = props.table;
  const world = table.world;
  awaitStart(table);
  const game = () => games.find((one) => one.id === world.gameId)!;
  const about = () => allOptions[world.gameId] ?? { options: [], presets: [] };
  const mine = () => isOwner(world);
  const [people, setPeople] = createSignal(false);
  const [picked, setPicked] = createSignal<number | null>(null);
  const [dragged, setDragged] = createSignal<number | null>(null);
  const free = () => game().minPlayers !== game().maxPlayers;
  const teams = createMemo(() =>
    [...new Set(world.seats.map((seat) => seat.team).filter((team) => team !== null))].sort(),
  );
  // Nobody comes to a table of the device: a free place is none.
  const isPlace = (seat: Seat) => seat.open && (table.kind === "network" || seat.playerId !== null);
  // A column for each team, and one for everybody or, where there are teams, for free places.
  const columns = createMemo(() =>
    [...teams(), null]
      .map((team) => ({ team, seats: world.seats.filter((seat) => isPlace(seat) && seat.team === team) }))
      .filter((column) => column.seats.length > 0),
  );
  const ownerName = () => seatName(world.seats.find((seat) => seat.playerId === world.ownerId));

  const roster = createMemo(() =>
    listed(world.seats.filter((seat) => seat.playerId && !seat.bot).map((seat) => seatName(seat))),
  );
  createEffect((before: string | undefined) => {
    const now = roster();
    if (before !== undefined && before !== now) say(t("At the table: {now}", { now }));
    return now;
  });

  hearTalk(table);
  let room!: HTMLElement;

  // Two seats change places: tap one, then the other; or drag; or use the keyboard the same way.
  function pick(seat: Seat) {
    if (!mine()) return;
    const first = picked();
    if (first === null) {
      if (seat.playerId) {
        setPicked(seat.seatIndex);
        say(t("{name} picked. Choose the other place.", { name: seatName(seat, world.you?.seatIndex) }));
      }
      return;
    }
    setPicked(null);
    if (first !== seat.seatIndex) void table.act(`move ${first} ${seat.seatIndex}`);
  }

  function drop(target: Seat) {
    const from = dragged();
    setDragged(null);
    if (from !== null && from !== target.seatIndex) void table.act(`move ${from} ${target.seatIndex}`);
  }

  // People who came when all places were taken are spectators, and may sit down when a place is free.
  const maySit = () =>
    world.you?.seatIndex === null && world.seats.some((seat) => seat.open && (seat.bot || !seat.playerId));
  async function sitDown() {
    const joined = await joinWorld(world.roomCode, "player");
    if (isRefusal(joined)) refuse(joined);
  }

  async function start() {
    const setup = setupMoves(world, about(), !free());
    const refusal = await table.act("start");
    if (!refusal && table.kind === "device") keepSetup(world.gameId, setup);
  }

  // Why the game cannot start yet, in the engine's words.
  const [obstacle, setObstacle] = createSignal<string>();
  createEffect(() => {
    const asked = world.version;
    if (mine())
      void table
        .check("start")
        .then((refusal) => asked === world.version && setObstacle(refusal ? said(refusal.error) : undefined));
  });

  return (
    <>
      <header class="bar spread">
        <Brand />
        <button type="button" class="button" onClick={() => void table.leave().then(() => go("/"))}>
          {t("Leave")}
        </button>
      </header>
      <main
        ref={(element) => {
          room = element;
          land(element);
        }}
        class="wrap lobby"
        tabindex="-1"
      >
        <section class="lobby-head">
          <div>
            <h1>{game().name}</h1>
            <Show when={scoreText(world)}>{(score) => <p class="games-score">{score()}</p>}</Show>
            <p class="quiet">
              {table.kind === "device"
                ? t("Choose players and rules. Play now remembers them.")
                : mine()
                  ? t("Invite people, arrange the table, start when you like.")
                  : t("{name} arranges the table and starts the game.", { name: ownerName() })}
            </p>
          </div>
          <Show
            when={mine()}
            fallback={
              <p class="panel" role="status">
                {t("Waiting for {name} to start…", { name: ownerName() })}
              </p>
            }
          >
            <div class="starting">
              <button type="button" class="button main big" disabled={table.busy()} onClick={() => void start()}>
                {t("Start the game")}
              </button>
              <p class="small obstacle" role="status">
                {obstacle()}
              </p>
            </div>
          </Show>
        </section>

        <Show when={table.kind === "network"}>
          <LoadedBy world={world} />
          <section class="panel invite-panel" aria-labelledby="invite">
            <h2 id="invite" class="hidden-text">
              {t("Invite")}
            </h2>
            <Invite table={table} />
          </section>
        </Show>

        <section class="panel stack seats-panel" aria-labelledby="seats">
          <div class="row spread">
            <h2 id="seats">{t("At the table")}</h2>
            <Show when={table.kind === "network"}>
              <button type="button" class="button" onClick={() => setPeople(true)}>
                {t("People")}
              </button>
            </Show>
            <Show when={mine() && free()}>
              <Places
                table={table}
                min={game().minPlayers}
                max={world.places}
                isPlace={isPlace}
                bots={table.kind === "device" || world.seats.some((seat) => seat.bot)}
              />
            </Show>
            <Show when={mine()}>
              <p class="small quiet seats-hint">
                {picked() === null
                  ? t("To change places: drag, or tap one and then the other.")
                  : t("Now the other place.")}
              </p>
            </Show>
          </div>
          <div class="columns" style={{ "--columns": Math.min(columns().length, 2) }}>
            <For each={columns()}>
              {(column) => (
                <div
                  class={`column team-${column.team ?? "none"}`}
                  role="group"
                  aria-label={
                    column.team ? teamName(world, column.team) : teams().length > 0 ? t("Free places") : t("Players")
                  }
                >
                  <Show when={column.team}>
                    <TeamHeading table={table} team={column.team!} mayChange={mine()} />
                  </Show>
                  <For each={column.seats}>
                    {(seat) => (
                      <div
                        class="seat"
                        data-seat={seat.seatIndex}
                        classList={{
                          picked: picked() === seat.seatIndex,
                          empty: !seat.playerId,
                          target: dragged() !== null && dragged() !== seat.seatIndex,
                        }}
                        draggable={mine() && !!seat.playerId}
                        onDragStart={() => setDragged(seat.seatIndex)}
                        onDragEnd={() => setDragged(null)}
                        onDragOver={(event) => dragged() !== null && event.preventDefault()}
                        onDrop={() => drop(seat)}
                      >
                        <button
                          type="button"
                          class="who"
                          disabled={!mine()}
                          aria-pressed={mine() ? picked() === seat.seatIndex : undefined}
                          onClick={() => pick(seat)}
                        >
                          <span class="avatar" classList={{ bot: !!seat.bot }} aria-hidden="true">
                            <Show when={!seat.bot} fallback={<SeatFace seat={seat} />}>
                              {seat.playerId ? (seat.name ?? "?").slice(0, 1).toUpperCase() : "+"}
                            </Show>
                          </span>
                          <span class="grow">
                            <b>{seatName(seat, world.you?.seatIndex)}</b>
                            <span class="small quiet">
                              {" "}
                              {listed(
                                [
                                  seat.playerId === world.ownerId && t("owner"),
                                  seat.playerId &&
                                    !seat.bot &&
                                    !seat.connected &&
                                    seat.playerId !== world.you?.playerId &&
                                    t("not connected"),
                                ].filter((words) => typeof words === "string"),
                              )}
                            </span>
                          </span>
                        </button>
                        <Show when={mine() && (seat.bot || !seat.playerId)}>
                          <label>
                            <span class="hidden-text">
                              {t("Who plays place {number}", { number: seat.seatIndex + 1 })}
                            </span>
                            <select
                              class="input"
                              value={seat.bot ?? (seat.open ? "open" : "closed")}
                              onChange={(event) => table.act(`bot ${seat.seatIndex} ${event.currentTarget.value}`)}
                            >
                              <For each={levels}>{(level) => <option value={level}>{said(level)}</option>}</For>
                              <Show when={free() && table.kind === "network"}>
                                <option value="open">{t("open#seat")}</option>
                              </Show>
                            </select>
                          </label>
                        </Show>
                        <Show when={!mine() && seat.bot}>
                          <span class="badge">{said(seat.bot!)}</span>
                        </Show>
                        <Show when={mine() && seat.playerId && !seat.bot && seat.playerId !== world.ownerId}>
                          <button
                            type="button"
                            class="button plain icon"
                            aria-label={t("Remove {name}", { name: seat.name })}
                            onClick={() => table.act(`remove ${seat.playerId}`)}
                          >
                            ✕
                          </button>
                        </Show>
                      </div>
                    )}
                  </For>
                </div>
              )}
            </For>
          </div>
          <Show when={world.spectators.length > 0}>
            <div class="row">
              <p class="small quiet">
                {t("Watching: {list}", { list: listed(world.spectators.map((one) => one.name)) })}
              </p>
              <Show when={maySit()}>
                <button type="button" class="button" onClick={() => void sitDown()}>
                  {t("Sit down")}
                </button>
              </Show>
            </div>
          </Show>
        </section>

        <Show when={table.kind === "network"}>
          <section class="panel stack lobby-talk" aria-labelledby="talk">
            <h2 id="talk">{t("Talk")}</h2>
            <Talk table={table} obey={(line) => obey(line, table, {})} />
          </section>
        </Show>

        <section class="panel stack" aria-labelledby="settings">
          <h2 id="settings">{t("House rules")}</h2>
          <RuleEditor table={table} about={about()} mayChange={mine()} />
        </section>

        <Show when={mine()}>
          <section class="panel stack" aria-labelledby="manners">
            <h2 id="manners">{t("Pace and guests")}</h2>
            <div class="options">
              <Manners
                table={table}
                shown={(key) => key === "speed" || (table.kind === "network" && key !== "preview")}
              />
            </div>
          </section>
        </Show>
      </main>
      <Bubbles table={table} stage={() => room} muted={isMuted} />
      <Dialog open={people()} title={t("People")} onClose={() => setPeople(false)}>
        <People table={table} />
      </Dialog>
    </>
  );
}

// The number of places: the owner opens another one, or closes the last one that no person has.
function Places(props: {
  table: Table;
  min: number;
  max: number;
  isPlace: (seat: Seat) => boolean;
  bots: boolean; // who gets a new one
}) {
  const seats = () => props.table.world.seats;
  const count = () => seats().filter(props.isPlace).length;
  const closed = () => seats().find((seat) => !props.isPlace(seat));
  const last = () => seats().findLast((seat) => props.isPlace(seat) && (seat.bot || !seat.playerId));
  const give = (seat: Seat | undefined, what: string) => seat && void props.table.act(`bot ${seat.seatIndex} ${what}`);
  return (
    <div class="row places" role="group" aria-label={t("Places")}>
      <button
        type="button"
        class="button icon"
        aria-label={t("One place less")}
        disabled={count() <= props.min || !last()}
        onClick={() => give(last(), "closed")}
      >
        −
      </button>
      <b role="status">{tn(count(), "{n} place", "{n} places")}</b>
      <button
        type="button"
        class="button icon"
        aria-label={t("One place more")}
        disabled={count() >= props.max || !closed()}
        onClick={() => give(closed(), props.bots ? usualLevel : "open")}
      >
        +
      </button>
    </div>
  );
}

// The owner names a team by writing over its heading.
function TeamHeading(props: { table: Table; team: string; mayChange: boolean }) {
  const letter = () => t("Team {team}", { team: props.team.toUpperCase() });
  const given = () => props.table.world.teamNames[props.team] ?? "";
  const change = async (input: HTMLInputElement) => {
    await props.table.act(`team ${props.team} ${input.value.trim()}`.trim());
    input.value = given();
  };
  return (
    <h3>
      <Show when={props.mayChange} fallback={given() || letter()}>
        <svg class="pencil" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 14l1-4 8-8 3 3-8 8zM9.5 3.5l3 3" />
        </svg>
        <input
          class="team-name"
          aria-label={t("Name of {letter}", { letter: letter() })}
          placeholder={letter()}
          maxlength={limits.name}
          autocomplete="off"
          value={given()}
          onChange={(event) => change(event.currentTarget)}
        />
      </Show>
    </h3>
  );
}
