// A plain table for any game: what the view says, and the legal moves as buttons.
import { createMemo, For, Show } from "solid-js";
import type { GameEvent } from "../model";
import type { Table } from "../table/table";
import type { GameUi } from "./kind";
import "./generic.css";

const shown = new Set(["turn", "legal", "looking", "phaseEndsAt", "botActionAt", "log"]);
const words = (key: string) =>
  key
    .replace(/([A-Z])/g, " $1")
    .replace(/[-_]/g, " ")
    .toLowerCase();

function isPlain(value: unknown): boolean {
  return (
    value === null ||
    typeof value !== "object" ||
    (Array.isArray(value) && value.every((one) => one === null || typeof one !== "object"))
  );
}

function text(value: unknown): string {
  if (value === null) return "–";
  if (value === true) return "yes";
  if (value === false) return "no";
  return Array.isArray(value) ? value.join(" ") || "–" : String(value);
}

function Facts(props: { value: Record<string, unknown>; table: Table }) {
  const entries = () =>
    Object.entries(props.value).filter(([key, value]) => !shown.has(key) && key !== "id" && value !== null);
  return (
    <dl class="facts">
      <For each={entries()}>
        {([key, value]) => (
          <div classList={{ wide: !isPlain(value) }}>
            <dt>{words(key)}</dt>
            <dd>
              <Show
                when={!isPlain(value)}
                fallback={key === "seatIndex" ? props.table.name(value as number) : text(value)}
              >
                <Show
                  when={Array.isArray(value)}
                  fallback={<Facts value={value as Record<string, unknown>} table={props.table} />}
                >
                  <For each={value as Record<string, unknown>[]}>
                    {(one) => <Facts value={one} table={props.table} />}
                  </For>
                </Show>
              </Show>
            </dd>
          </div>
        )}
      </For>
    </dl>
  );
}

function GenericTable(props: { table: Table }) {
  const view = () => props.table.world.view;
  // One group of buttons for each kind of move.
  const groups = createMemo(() => {
    const found = new Map<string, string[]>();
    for (const { type, move } of view()?.legal ?? []) found.set(type, [...(found.get(type) ?? []), move]);
    return [...found];
  });
  return (
    <div class="generic">
      <section class="panel" aria-label="The table">
        <Show when={view()}>
          {(seen) => <Facts value={seen() as unknown as Record<string, unknown>} table={props.table} />}
        </Show>
      </section>
      <section class="panel stack" aria-label="Your moves">
        <h2>Your moves</h2>
        <Show when={groups().length > 0} fallback={<p class="quiet">Nothing to do just now.</p>}>
          <For each={groups()}>
            {([type, moves]) => (
              <div role="group" aria-label={words(type)}>
                <h3>{words(type)}</h3>
                <div class="row">
                  <For each={moves}>
                    {(move) => (
                      <button
                        type="button"
                        class="button"
                        disabled={props.table.busy()}
                        onClick={() => props.table.act(move)}
                      >
                        {move}
                      </button>
                    )}
                  </For>
                </div>
              </div>
            )}
          </For>
        </Show>
      </section>
    </div>
  );
}

// An event with a message is told by it; others are told by their name.
function describe(event: GameEvent, table: Table): string | undefined {
  const { data } = event;
  if (event.event === "hand-updated" || event.event.endsWith("-updated") || event.event === "seat-changed")
    return undefined;
  const who = typeof data.seatIndex === "number" ? `${table.name(data.seatIndex)}: ` : "";
  return who + words(event.event);
}

const ui: GameUi = { Table: GenericTable, describe };
export default ui;
