// What happens at a table in words, by the rows of the game's captions.def, by which the terminal says the same. What
// the rows mean stands in engine/caption.h; cli/captions.c reads them likewise.
import rows from "virtual:captions";
import { cardCount, pointCount } from "../amounts";
import { teamName, type GameEvent } from "../model";
import { cardSigns, cardWords, suitWord } from "../ui/cards";
import { said, t, told, type Values } from "../languages";
import type { Table } from "./table";

// A caption; `by` is empty if nobody does it. Or what is remembered of an event.
export type Row =
  | { event: string; by: string; when: string; you: string; others: string; values: string }
  | { event: string; name: string; path: string };
type Caption = Extract<Row, { by: string }>;

// What an event comes to in words.
export interface Telling {
  row: Caption;
  seat: number | null;
  values(card: (id: string) => string): Values;
}

// What was remembered, by the code of the table: each round begins with it, whether it is told now or recalled.
const memories = new Map<string, Record<string, number>>();

// All that a path may lead to.
interface Scene {
  data: Record<string, unknown>;
  events: readonly GameEvent[]; // of the same move
  table: Table;
}

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;

// Whoever joined in mid-round missed the event; the view has the same number.
function remembered({ table: { world } }: Scene, name: string): unknown {
  const seen = (key: string) => member(world.view, key);
  return memories.get(world.roomCode)?.[name] ?? seen(name) ?? seen(`${name}SeatIndex`);
}

function look(scene: Scene, path: string, wanted?: unknown): unknown {
  const [first = "", rest] = path.split(".");
  const fits = (value: unknown) => wanted === undefined || (Array.isArray(value) && value.includes(wanted));
  if (first in scene.data) {
    const value = rest === undefined ? scene.data[first] : member(scene.data[first], rest);
    return fits(value) ? value : undefined;
  }
  if (rest === undefined) return remembered(scene, first);
  return scene.events.map((one) => (one.event === first ? one.data[rest] : undefined)).find((one) => one && fits(one));
}

function holds(scene: Scene, condition: string): boolean {
  const [, list, sign, item] = /^(.+)([~>])(.+)$/.exec(condition) ?? [];
  if (list && item) {
    const wanted = look(scene, item);
    const found = wanted === undefined ? undefined : look(scene, list, wanted);
    return Array.isArray(found) && found.length > (sign === ">" ? 1 : 0);
  }
  const [path = "", word] = condition.split("=");
  const value = look(scene, path);
  if (word === undefined) return Array.isArray(value) ? value.length > 0 : Boolean(value);
  return String(value) === String(word.startsWith("@") ? look(scene, word.slice(1)) : word);
}

const fits = (scene: Scene, { when }: Caption): boolean =>
  when === "" || when.split("&").every((condition) => holds(scene, condition.trim()));

// Those who play in a team read "Your team", unless it has a name.
export function teamWords({ world, mySeat }: Table, team: string): string {
  const mine = world.seats[mySeat() ?? -1]?.team;
  if (!mine || world.teamNames[team]) return teamName(world, team);
  return mine === team ? t("Your team") : t("Their team");
}

// `named` is what stands at the member of the event which the kind names: `without=topCard`.
type Show = (value: never, scene: Scene, card: (id: string) => string, named: unknown) => string;

const kinds: Record<string, Show> = {
  card: (id: string, _scene, card) => card(id),
  cards: (ids: string[]) => ids.map(cardSigns).join(" "),
  without: (ids: string[], _scene, _card, named) =>
    ids
      .filter((_id, i) => i !== ids.indexOf(named as string))
      .map(cardSigns)
      .join(" "),
  suit: (name: string) => suitWord(name),
  counted: (count: number) => cardCount(count),
  points: (count: number) => pointCount(count),
  side: (letter: string, { table }) => teamWords(table, letter),
  text: (text: string) => said(text),
  "text-of": (id: number, _scene, _card, named) =>
    (named as { id: number; text: string }[]).find((one) => one.id === id)!.text,
};

function valuesOf(scene: Scene, { values }: Caption, card: (id: string) => string): Values {
  const filled: Values = {};
  for (const [, place, path, kind, key] of values.matchAll(/(\w+)(?:=([^: ]+))?(?::([\w-]+)(?:=(\w+))?)?/g)) {
    const named = key && scene.data[key];
    const wanted = kind === "without" ? named : undefined;
    const value = path?.startsWith("'") ? path.slice(1) : look(scene, path ?? place!, wanted);
    filled[place!] = kind ? kinds[kind]!(value as never, scene, card, named) : (value as string | number);
  }
  return filled;
}

// What the rows have for an event of a move, or of a deal; undefined if there is none for it.
export function tellings(
  { event, data }: GameEvent,
  table: Table,
  events: readonly GameEvent[],
): Telling[] | undefined {
  const scene = { data, events, table };
  const found: Telling[] = [];
  for (const row of rows[table.world.gameId] ?? []) {
    if (row.event !== event) continue;
    if (!("by" in row)) {
      const memory = memories.get(table.world.roomCode) ?? {};
      memories.set(table.world.roomCode, { ...memory, [row.name]: look(scene, row.path) as number });
      continue;
    }
    const number = look(scene, row.by);
    const seat = typeof number === "number" ? number : null;
    if ((row.by !== "") !== (seat !== null) || found.some((one) => one.row.by === row.by)) continue;
    if (fits(scene, row)) found.push({ row, seat, values: (card) => valuesOf(scene, row, card) });
  }
  return found.length > 0 ? found : undefined;
}

// A sentence for the log and the ear; empty where nothing needs to be said.
export function sentenceOf({ row, seat, values }: Telling, table: Table, card = cardWords): string {
  const text = seat === table.mySeat() ? row.you : row.others;
  return told(text, { name: seat === null ? "" : table.name(seat), ...values(card) });
}

// The same in a few words at the seat, without the name that it begins with.
export const captionOf = ({ row, values }: Telling): string =>
  told(row.others, { name: "", ...values(cardSigns) }, true).trim();
