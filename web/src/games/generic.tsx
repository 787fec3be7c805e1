// A plain table for any game: what the view says, the legal moves as buttons, what happened, and who won.
import { createMemo, For, Show } from "solid-js";
import type { GameEvent, Legal } from "../model";
import { withSigns, type Table } from "../table/table";
import { CardFace, cardWords } from "../ui/cards";
import { BotLevel, SeatFace } from "../ui/BotFace";
import { eventWords, words } from "./generic-words";
import type { GameUi } from "./kind";
import { said, t } from "../languages";
import "./generic.css";

// What other parts of the page show.
const shown = new Set(["turn", "legal", "result", "looking", "phaseEndsAt", "botActionAt", "log"]);

function isPlain(value: unknown): boolean {
  return (
    value === null ||
    typeof value !== "object" ||
    (Array.isArray(value) && value.every((one) => one === null || typeof one !== "object"))
  );
}

function text(value: unknown): string {
  if (value === null) return "?";
  if (value === true) return "yes";
  if (value === false) return "no";
  return Array.isArray(value) ? value.join(" ") || "–" : String(value);
}

const isCard = (value: unknown): value is string =>
  typeof value === "string" && /^((10|[2-9JQKA])[SHDC]|JK)(\.\d+)?$/.test(value);

// A card, or several, or anything else in words.
function Plain(props: { value: unknown }) {
  const cards = () => (Array.isArray(props.value) ? props.value : [props.value]);
  return (
    <Show when={cards().length > 0 && cards().every(isCard)} fallback={text(props.value)}>
      <span class="row">
        <For each={cards() as string[]}>
          {(id) => (
            <span class="card" role="img" aria-label={cardWords(id)}>
              <CardFace id={id} />
            </span>
          )}
        </For>
      </span>
    </Show>
  );
}

// An object that belongs to a seat stands under the name of whoever sits there.
function Named(props: { value: Record<string, unknown>; table: Table }) {
  const seat = () => props.value.seatIndex;
  return (
    <>
      <Show when={typeof seat() === "number"}>
        <h3>
          <SeatFace seat={props.table.world.seats[seat() as number]} /> {props.table.name(seat() as number)}{" "}
          <BotLevel seat={props.table.world.seats[seat() as number]} />
        </h3>
      </Show>
      <Facts value={props.value} table={props.table} />
    </>
  );
}

function Facts(props: { value: Record<string, unknown>; table: Table }) {
  const entries = () =>
    Object.entries(props.value).filter(
      ([key, value]) => !shown.has(key) && key !== "id" && key !== "seatIndex" && value !== null,
    );
  return (
    <dl class="facts">
      <For each={entries()}>
        {([key, value]) => (
          <div classList={{ wide: !isPlain(value) }}>
            <dt>{words(key)}</dt>
            <dd>
              <Show when={!isPlain(value)} fallback={<Plain value={value} />}>
                <Show
                  when={Array.isArray(value)}
                  fallback={<Facts value={value as Record<string, unknown>} table={props.table} />}
                >
                  <For each={value as Record<string, unknown>[]}>
                    {(one) => <Named value={one} table={props.table} />}
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
    const found = new Map<string, Legal[]>();
    for (const legal of view()?.legal ?? []) found.set(legal.type, [...(found.get(legal.type) ?? []), legal]);
    return [...found];
  });
  return (
    <div class="generic">
      <section class="panel" aria-label={t("The table")}>
        <h2 class="hidden-text">{t("The table")}</h2>
        <Show when={view()}>
          {(seen) => <Facts value={seen() as unknown as Record<string, unknown>} table={props.table} />}
        </Show>
      </section>
      <section class="panel stack" aria-label={t("Your moves")}>
        <h2>{t("Your moves")}</h2>
        <Show when={groups().length > 0} fallback={<p class="quiet">{t("Nothing to do just now.")}</p>}>
          <For each={groups()}>
            {([type, moves]) => (
              <div role="group" aria-label={words(type)}>
                <Show when={moves.length > 1}>
                  <h3>{words(type)}</h3>
                </Show>
                <div class="row">
                  <For each={moves}>
                    {(legal) => (
                      <button
                        type="button"
                        class="button"
                        disabled={props.table.busy()}
                        onClick={() => props.table.act(legal.move)}
                      >
                        {withSigns(legal.said ?? legal.move)}
                      </button>
                    )}
                  </For>
                </div>
              </div>
            )}
          </For>
        </Show>
      </section>
      {/* The newest line comes first, where it is in sight. */}
      <Show when={view()?.log.length}>
        <section class="panel happened" tabIndex={0} aria-label={t("What happened")}>
          <ul class="quiet">
            <For each={[...view()!.log].reverse()}>
              {(line) => (
                <li>
                  {line.seatIndex === null ? "" : props.table.name(line.seatIndex)} {withSigns(said(line.message))}
                </li>
              )}
            </For>
          </ul>
        </section>
      </Show>
    </div>
  );
}

function Result(props: { table: Table }) {
  const result = () => props.table.world.view?.result;
  const winners = () => (result()?.winners ?? []).map((seat) => props.table.name(seat));
  return (
    <>
      <p>{winners().length > 0 ? t("Won by {list}", { list: winners().join(", ") }) : t("Nobody wins")}</p>
      <ul>
        <For each={result()?.scores ?? []}>
          {(score, seat) => (
            <li>
              <SeatFace seat={props.table.world.seats[seat()]} /> {props.table.name(seat())}: {score}
            </li>
          )}
        </For>
      </ul>
    </>
  );
}

const describe = (event: GameEvent, table: Table) => eventWords(event, table.name);

const ui: GameUi = { Table: GenericTable, describe, Result };
export default ui;
