// Who is at the table or looks on, and what can be done about each of them: anybody may stop hearing somebody on this
// device; the owner keeps order for all.
import { createSignal, For, Show } from "solid-js";
import { isOwner, type World } from "../model";
import { choices, choose } from "../settings";
import type { Table } from "../table/table";
import { note } from "../ui/notes";
import { Manners } from "./RuleEditor";
import { listed, t } from "../languages";
import "./People.css";

interface Person {
  id: string;
  name: string;
  about: string[];
  here: boolean; // not only a seat that was left
}

export const isMuted = (id: string): boolean => choices.muted.includes(id);

function about(world: World, id: string, more: string[]): string[] {
  const words = [...more];
  if (id === world.you?.playerId) words.unshift(t("you"));
  if (id === world.ownerId) words.push(t("owner"));
  if (world.muted.includes(id)) words.push(t("muted for everybody"));
  if (isMuted(id)) words.push(t("muted for you"));
  return words;
}

function list(world: World): Person[] {
  const seated = world.seats
    .filter((seat) => seat.playerId && (!seat.bot || seat.away))
    .map((seat) => ({
      id: seat.playerId!,
      name: seat.name ?? "",
      about: about(world, seat.playerId!, seat.away ? [t("a bot plays")] : seat.connected ? [] : [t("not connected")]),
      here: seat.connected || !seat.away,
    }));
  const watching = world.spectators.map(({ playerId, name, connected }) => ({
    id: playerId,
    name,
    about: about(world, playerId, connected ? [t("watching")] : [t("watching"), t("not connected")]),
    here: true,
  }));
  return [...seated, ...watching];
}

export function People(props: { table: Table }) {
  const world = props.table.world;
  const mine = () => isOwner(world);
  const [open, setOpen] = createSignal("");
  return (
    <div class="stack people">
      <ul aria-label={t("People")}>
        <For each={list(world).map(({ id }) => id)}>
          {(id) => {
            const person = () => list(world).find((one) => one.id === id)!;
            return (
              <Show when={person()}>
                <li>
                  <div class="row spread">
                    <span class="grow">
                      <b>{person().name}</b> <span class="small quiet">{listed(person().about)}</span>
                    </span>
                    <Show when={id !== world.you?.playerId}>
                      <button
                        type="button"
                        class="button icon plain"
                        aria-label={t("What to do about {name}", { name: person().name })}
                        aria-expanded={open() === id}
                        onClick={() => setOpen((old) => (old === id ? "" : id))}
                      >
                        ⋯
                      </button>
                    </Show>
                  </div>
                  <Show when={open() === id}>
                    <Actions table={props.table} person={person()} owner={mine()} onDone={() => setOpen("")} />
                  </Show>
                </li>
              </Show>
            );
          }}
        </For>
      </ul>
      <Show when={mine() && world.status !== "waiting"}>
        <div class="options">
          <Manners table={props.table} shown={(key) => key === "watching" || key === "slowChat"} />
        </div>
      </Show>
    </div>
  );
}

function Actions(props: { table: Table; person: Person; owner: boolean; onDone: () => void }) {
  const [sure, setSure] = createSignal(false);
  const muted = () => props.table.world.muted.includes(props.person.id);
  const hear = () => {
    const { id, name } = props.person;
    choose("muted", isMuted(id) ? choices.muted.filter((other) => other !== id) : [...choices.muted, id]);
    note(isMuted(id) ? t("You no longer hear {name}", { name }) : t("You hear {name} again", { name }), "news");
    props.onDone();
  };
  async function act(move: string) {
    if (!(await props.table.act(`${move} ${props.person.id}`))) props.onDone();
  }
  return (
    <div class="person-actions" role="group" aria-label={t("About {name}", { name: props.person.name })}>
      <button type="button" class="button" onClick={hear}>
        {isMuted(props.person.id) ? t("Hear again") : t("Mute for me")}
      </button>
      <Show when={props.owner}>
        <button type="button" class="button" onClick={() => act(muted() ? "unmute" : "mute")}>
          {muted() ? t("Let them talk again") : t("Mute for everybody")}
        </button>
        <Show when={props.person.here}>
          <button type="button" class="button" onClick={() => act("owner")}>
            {t("Make owner")}
          </button>
        </Show>
        <button type="button" class="button" onClick={() => (sure() ? act("remove") : setSure(true))}>
          {sure() ? t("Yes, remove {name} for good", { name: props.person.name }) : t("Remove from the table")}
        </button>
      </Show>
    </div>
  );
}
