// Before the game: who sits where, which bots, which house rules. The owner changes it, all see it.
import games from "virtual:games";
import allOptions from "virtual:options";
import { createEffect, createMemo, createSignal, For, Show } from "solid-js";
import { isOwner, seatName, settingText, type Level, type Option, type Seat, type Setting } from "../model";
import { go } from "../router";
import type { Table } from "../table/table";
import { BotSign, Brand, land, Segments, Switch } from "../ui/controls";
import { Invite } from "../ui/Invite";
import { say } from "../ui/notes";
import { labelOf, RulesInForce } from "../ui/RulesInForce";
import "./Lobby.css";

const levels: readonly Level[] = ["easy", "medium", "hard"];
const manners: Option[] = [
  { key: "speed", label: "Speed", help: "How long bots think and results stay on the table.", type: "choice", values: ["relaxed", "normal", "fast", "instant"], default: "normal" },
  { key: "public", label: "Public", help: "Shown in the list of open tables, so that anybody can join.", type: "boolean", default: false },
  { key: "watching", label: "Watching", help: "People without a seat may look on.", type: "boolean", default: true },
];

export default function Lobby(props: { table: Table }) {
  const table = props.table;
  const world = table.world;
  const game = () => games.find((one) => one.id === world.gameId)!;
  const about = () => allOptions[world.gameId] ?? { options: [], presets: [] };
  const mine = () => isOwner(world);
  const [picked, setPicked] = createSignal<number | null>(null);
  const [dragged, setDragged] = createSignal<number | null>(null);
  const [filter, setFilter] = createSignal("");
  const free = () => game().minPlayers !== game().maxPlayers;
  const teams = createMemo(() => [...new Set(world.seats.map((seat) => seat.team).filter((team) => team !== null))].sort());
  const columns = createMemo(() => (teams().length > 0 ? teams().map((team) => ({ team, seats: world.seats.filter((seat) => seat.team === team) })) : [{ team: null, seats: world.seats.filter((seat) => seat.open || mine()) }]));
  const ownerName = () => seatName(world.seats.find((seat) => seat.playerId === world.ownerId));

  const roster = createMemo(() => world.seats.filter((seat) => seat.playerId && !seat.bot).map((seat) => seat.name).join(", "));
  createEffect((before: string | undefined) => {
    const now = roster();
    if (before !== undefined && before !== now) say(`At the table: ${now}`);
    return now;
  });

  // Two seats change places: tap one, then the other; or drag; or use the keyboard the same way.
  function pick(seat: Seat) {
    if (!mine()) return;
    const first = picked();
    if (first === null) {
      if (seat.playerId) {
        setPicked(seat.seatIndex);
        say(`${seatName(seat, world.you?.seatIndex)} picked. Choose the other place.`);
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

  const set = (option: Option, value: Setting) => void table.act(`set ${option.key}=${settingText(value)}`);
  const shownOptions = createMemo(() => {
    const wanted = filter().toLowerCase();
    return about().options.filter((option) => option.key !== "preset" && `${option.label} ${option.help}`.toLowerCase().includes(wanted));
  });
  const preset = () => about().presets.find((one) => one.id === world.settings["preset"]);
  const differs = (option: Option) => settingText(world.settings[option.key] ?? option.default) !== settingText(preset()?.settings[option.key] ?? option.default);

  return (
    <>
      <header class="bar spread">
        <Brand />
        <button type="button" class="button" onClick={() => void table.leave().then(() => go("/"))}>
          Leave
        </button>
      </header>
      <main ref={land} class="wrap lobby" tabindex="-1">
        <section class="lobby-head">
          <div>
            <h1>{game().name}</h1>
            <p class="quiet">{mine() ? "Invite people, arrange the table, start when you like." : `${ownerName()} arranges the table and starts the game.`}</p>
          </div>
          <Show when={mine()} fallback={<p class="panel" role="status">Waiting for {ownerName()} to start…</p>}>
            <button type="button" class="button main big" disabled={table.busy()} onClick={() => table.act("start")}>
              Start the game
            </button>
          </Show>
        </section>

        <Show when={table.kind === "network"}>
          <section class="panel" aria-labelledby="invite">
            <h2 id="invite" class="hidden-text">
              Invite
            </h2>
            <Invite code={world.roomCode} />
          </section>
        </Show>

        <section class="panel stack seats-panel" aria-labelledby="seats">
          <div class="row spread">
            <h2 id="seats">At the table</h2>
            <Show when={mine()}>
              <p class="small quiet">{picked() === null ? "To change places: drag, or tap one and then the other." : "Now the other place."}</p>
            </Show>
          </div>
          <div class="columns" style={{ "--columns": Math.min(columns().length, 2) }}>
            <For each={columns()}>
              {(column) => (
                <div class={`column team-${column.team ?? "none"}`} role="group" aria-label={column.team ? `Team ${column.team.toUpperCase()}` : "Players"}>
                  <Show when={column.team}>
                    <h3>Team {column.team!.toUpperCase()}</h3>
                  </Show>
                  <For each={column.seats}>
                    {(seat) => (
                      <div
                        class="seat"
                        classList={{ picked: picked() === seat.seatIndex, empty: !seat.playerId, target: dragged() !== null && dragged() !== seat.seatIndex }}
                        draggable={mine() && !!seat.playerId}
                        onDragStart={() => setDragged(seat.seatIndex)}
                        onDragEnd={() => setDragged(null)}
                        onDragOver={(event) => dragged() !== null && event.preventDefault()}
                        onDrop={() => drop(seat)}
                      >
                        <button type="button" class="who" disabled={!mine()} aria-pressed={mine() ? picked() === seat.seatIndex : undefined} onClick={() => pick(seat)}>
                          <span class="avatar" aria-hidden="true">
                            <Show when={!seat.bot} fallback={<BotSign />}>{seat.playerId ? (seat.name ?? "?").slice(0, 1).toUpperCase() : "+"}</Show>
                          </span>
                          <span class="grow">
                            <b>{seatName(seat, world.you?.seatIndex)}</b>
                            <span class="small quiet">
                              {" "}
                              {seat.playerId === world.ownerId ? "owner" : seat.bot ? "Bot" : ""}
                              {seat.playerId && !seat.bot && !seat.connected && seat.playerId !== world.you?.playerId ? " not connected" : ""}
                            </span>
                          </span>
                        </button>
                        <Show when={mine() && (seat.bot || !seat.playerId)}>
                          <label>
                            <span class="hidden-text">Who plays place {seat.seatIndex + 1}</span>
                            <select class="input" value={seat.bot ?? (seat.open ? "open" : "closed")} onChange={(event) => table.act(`bot ${seat.seatIndex} ${event.currentTarget.value}`)}>
                              <For each={levels}>{(level) => <option value={level}>{level} bot</option>}</For>
                              <Show when={free()}>
                                <option value="open">open</option>
                                <option value="closed">nobody</option>
                              </Show>
                            </select>
                          </label>
                        </Show>
                        <Show when={!mine() && seat.bot}>
                          <span class="badge">{seat.bot}</span>
                        </Show>
                        <Show when={mine() && seat.playerId && !seat.bot && seat.playerId !== world.ownerId}>
                          <button type="button" class="button plain icon" aria-label={`Remove ${seat.name}`} onClick={() => table.act(`remove ${seat.playerId}`)}>
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
            <p class="small quiet">Watching: {world.spectators.map((one) => one.name).join(", ")}</p>
          </Show>
        </section>

        <section class="panel stack" aria-labelledby="settings">
          <h2 id="settings">House rules</h2>
          <Show when={mine()} fallback={<RulesInForce world={world} />}>
            <Show when={about().presets.length > 0}>
              <div class="presets" role="radiogroup" aria-label="Rule book">
                <For each={about().presets}>
                  {(one) => (
                    <button type="button" role="radio" class="preset" aria-checked={world.settings["preset"] === one.id} onClick={() => table.act(`preset ${one.id}`)}>
                      <b>{one.label}</b>
                      <span class="small quiet">{one.help}</span>
                    </button>
                  )}
                </For>
              </div>
            </Show>
            <Show when={about().options.length > 12}>
              <label class="field">
                <span>Find a rule</span>
                <input class="input" type="search" value={filter()} onInput={(event) => setFilter(event.currentTarget.value)} />
              </label>
            </Show>
            <div class="options">
              <For each={[...shownOptions(), ...(filter() ? [] : manners.filter((option) => table.kind === "network" || option.key === "speed"))]}>
                {(option) => (
                  <div class="option" classList={{ differs: differs(option) }}>
                    <OptionField option={option} value={world.settings[option.key] ?? option.default} onSet={(value) => set(option, value)} />
                  </div>
                )}
              </For>
            </div>
            <Show when={about().options.length === 0}>
              <p class="quiet">This game is always played the same.</p>
            </Show>
          </Show>
        </section>
      </main>
    </>
  );
}

function OptionField(props: { option: Option; value: Setting; onSet: (value: Setting) => void }) {
  const { option } = props;
  const help = <span class="small quiet">{option.help}</span>;
  if (option.type === "boolean")
    return (
      <Switch checked={props.value === true} onChange={(checked) => props.onSet(checked)}>
        <b>{option.label}</b>
        <br />
        {help}
      </Switch>
    );
  return (
    <div class="field">
      <span>{option.label}</span>
      {help}
      <Show
        when={option.values && option.values.length <= 5}
        fallback={
          <Show
            when={option.values}
            fallback={
              <input
                class="input"
                aria-label={option.label}
                type={Array.isArray(props.value) ? "text" : "number"}
                min={option.min}
                max={option.max}
                value={settingText(props.value)}
                onChange={(event) => props.onSet(event.currentTarget.value.trim())}
              />
            }
          >
            <select class="input" aria-label={option.label} value={settingText(props.value)} onChange={(event) => props.onSet(event.currentTarget.value)}>
              <For each={option.values}>{(value) => <option value={settingText(value)}>{labelOf(value)}</option>}</For>
            </select>
          </Show>
        }
      >
        <Segments label={option.label} values={option.values!} value={props.value as string | number} text={labelOf} onChoose={(value) => props.onSet(value)} />
      </Show>
    </div>
  );
}
