// A plain table for any game: what the view says, the legal moves as buttons, what happened, and who won.
import { createMemo, For, Show } from "solid-js";
import type { GameEvent, Legal } from "../model";
import { withSigns, withWords, type Table } from "../table/table";
import { CardFace, cardSigns, cardWords } from "../ui/cards";
import { BotLevel, SeatFace } from "../ui/BotFace";
import { createMessages, eventWords, groupMoves, valueWords, words } from "./generic-words";
import type { GameUi } from "./kind";
import { listed, said, t } from "../languages";
import "./generic.css";

// What other parts of the page show.
const shown = new Set(["turn", "legal", "result", "looking", "phaseEndsAt", "botActionAt", "log", "id", "seatIndex"]);

// One of four suits is a sign beside what it belongs to; its button has the word as its name.
const signs: Record<string, string> = { spades: "♠", hearts: "♥", diamonds: "♦", clubs: "♣" };

type Members = Record<string, unknown>;

function isPlain(value: unknown): boolean {
  return (
    value === null ||
    typeof value !== "object" ||
    (Array.isArray(value) && value.every((one) => one === null || typeof one !== "object"))
  );
}

const isCard = (value: unknown): value is string =>
  typeof value === "string" && /^((10|[2-9JQKA])[SHDC]|JK)(\.\d+)?$/.test(value);

// Plays the only move of a card, or goes to those that there are.
function choose(moves: Legal[], table: Table) {
  if (moves.length === 1) void table.act(moves[0]!.move);
  else document.querySelector<HTMLElement>(`[data-move="${CSS.escape(moves[0]!.move)}"]`)?.focus();
}

// A card; one of the own hand that can be played is a button.
function Card(props: { id: string; mine: boolean; table: Table }) {
  const moves = () =>
    (props.mine ? (props.table.world.view?.legal ?? []) : []).filter(({ payload }) =>
      Object.values(payload ?? {}).includes(props.id.split(".")[0]),
    );
  return (
    <Show
      when={moves()[0]}
      fallback={
        <span class="card" role="img" aria-label={cardWords(props.id)}>
          <CardFace id={props.id} />
        </span>
      }
    >
      {(first) => (
        <button
          type="button"
          class="card"
          aria-label={`${cardWords(props.id)}: ${words(first().type)}${moves().length > 1 ? "…" : ""}`}
          disabled={props.table.busy()}
          onClick={() => choose(moves(), props.table)}
        >
          <CardFace id={props.id} />
        </button>
      )}
    </Show>
  );
}

// A card, or several, or anything else in words.
function Plain(props: { value: unknown; mine: boolean; table: Table }) {
  const values = () => (Array.isArray(props.value) ? props.value : [props.value]);
  return (
    <Show when={values().every(isCard)} fallback={values().map(valueWords).join(" ")}>
      <span class="row">
        <For each={values() as string[]}>{(id) => <Card id={id} mine={props.mine} table={props.table} />}</For>
      </span>
    </Show>
  );
}

// An object that belongs to a seat stands under the name of whoever sits there.
function Named(props: { value: Members; mine: boolean; table: Table }) {
  const seat = () => (typeof props.value.seatIndex === "number" ? props.value.seatIndex : undefined);
  return (
    <>
      <Show when={seat() !== undefined}>
        <h3>
          <SeatFace seat={props.table.world.seats[seat()!]} /> {props.table.name(seat())}{" "}
          <BotLevel seat={props.table.world.seats[seat()!]} />
        </h3>
      </Show>
      <Facts
        value={props.value}
        mine={seat() === undefined ? props.mine : seat() === props.table.mySeat()}
        table={props.table}
      />
    </>
  );
}

// Lists that are empty say nothing, nor does a label above names.
function Facts(props: { value: Members; mine: boolean; table: Table }) {
  const entries = () =>
    Object.entries(props.value).filter(
      ([key, value]) => !shown.has(key) && value !== null && !(Array.isArray(value) && value.length === 0),
    );
  const all = (value: unknown) =>
    (Array.isArray(value) ? value : [value]).filter((one): one is Members => one !== null && typeof one === "object");
  return (
    <dl class="facts">
      <For each={entries()}>
        {([key, value]) => (
          <div classList={{ wide: !isPlain(value) }}>
            <dt classList={{ "hidden-text": !isPlain(value) && all(value).every((one) => "seatIndex" in one) }}>
              {words(key)}
            </dt>
            <dd>
              <Show
                when={!isPlain(value)}
                fallback={<Plain value={value} mine={props.mine || key === "hand"} table={props.table} />}
              >
                <For each={all(value)}>{(one) => <Named value={one} mine={props.mine} table={props.table} />}</For>
              </Show>
            </dd>
          </div>
        )}
      </For>
    </dl>
  );
}

const messages = createMessages();

function GenericTable(props: { table: Table }) {
  const view = () => props.table.world.view;
  const groups = createMemo(() => groupMoves(view()?.legal ?? []));
  messages.begin(props.table.world.roomCode, view()?.log ?? []);
  // The newest line comes first.
  const log = createMemo(() =>
    (view()?.log ?? [])
      .map(({ seatIndex, message }) => `${seatIndex === null ? "" : props.table.name(seatIndex)} ${lineWords(message)}`)
      .reverse(),
  );
  return (
    <div class="generic">
      <div class="whole">
        <section class="panel" tabIndex={0} aria-label={t("The table")}>
          <h2 class="hidden-text">{t("The table")}</h2>
          <Show when={view()}>
            {(seen) => <Facts value={seen() as unknown as Members} mine={false} table={props.table} />}
          </Show>
        </section>
        <Show when={log().length > 0}>
          <section class="panel happened" tabIndex={0} aria-label={t("What happened")}>
            <ul class="quiet">
              <For each={log()}>{(line) => <li>{line}</li>}</For>
            </ul>
          </section>
        </Show>
      </div>
      <section class="panel moves" aria-label={t("Your moves")}>
        <h2 class="hidden-text">{t("Your moves")}</h2>
        <Show when={log()[0]}>{(line) => <p class="newest">{line()}</p>}</Show>
        <div class="row">
          <For each={groups()} fallback={<p class="quiet">{t("Nothing to do just now.")}</p>}>
            {({ label, moves }) => (
              <div class="row" role="group" aria-label={withWords(label)}>
                <Show when={label}>
                  <span>{withSigns(label)}</span>
                </Show>
                <For each={moves}>
                  {({ legal, text }) => (
                    <button
                      type="button"
                      class="button"
                      classList={{ main: legal.type === "next-round" }}
                      data-move={legal.move}
                      disabled={props.table.busy()}
                      onClick={() => props.table.act(legal.move)}
                    >
                      <Show when={label}>
                        <span class="hidden-text">{withWords(`${label} ${text}`)}</span>
                      </Show>
                      <span aria-hidden={label ? true : undefined}>
                        {legal.type === "next-round" ? t("Next round") : (signs[text] ?? withSigns(text))}
                      </span>
                    </button>
                  )}
                </For>
              </div>
            )}
          </For>
        </div>
      </section>
    </div>
  );
}

function Result(props: { table: Table }) {
  const result = () => props.table.world.view?.result;
  const winners = () => (result()?.winners ?? []).map((seat) => props.table.name(seat));
  return (
    <>
      <p>{winners().length > 0 ? t("Won by {list}", { list: listed(winners()) }) : t("Nobody wins")}</p>
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

const lineWords = (message: string): string => withSigns(said(message));

// An event is told by its message, if it has one.
function describe(event: GameEvent, table: Table, events: readonly GameEvent[]): string | undefined {
  const { seatIndex, cards } = event.data;
  const message = messages.of(event, events, table.world.roomCode, table.world.view?.log ?? []);
  if (message !== undefined)
    return typeof seatIndex === "number" ? `${table.name(seatIndex)} ${lineWords(message)}` : lineWords(message);
  if (event.event === "cards-drawn" && seatIndex === table.mySeat() && Array.isArray(cards))
    return t("You draw {cards}", { cards: cards.map(cardSigns).join(" ") });
  return eventWords(event, table.name);
}

// While a round's result is looked at, what has just happened stands above the button.
const awaits = ({ world }: Table) => (world.view?.looking.length ? t("The round is over") : undefined);

const ui: GameUi = { Table: GenericTable, describe, awaits, Result };
export default ui;
