// What the generic table says: names of members and events as words, moves in groups, and events as sentences.
import type { GameEvent, Legal, LogLine } from "../model";
import { withSigns } from "../table/table";
import { said } from "../languages";

export const words = (key: string): string =>
  key
    .replace(/([A-Z])/g, " $1")
    .replace(/[-_]/g, " ")
    .toLowerCase()
    .trim();

// A value as people read it. What is one word to a program becomes several: "round_over".
export function valueWords(value: unknown): string {
  if (value === null) return "?";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = String(value);
  return said(/^[a-z]+([-_][a-z]+|[A-Z][a-z]+)+$/.test(text) ? words(text) : text);
}

export interface MoveGroup {
  label: string; // what its moves have in common; empty for one alone
  moves: { legal: Legal; text: string }[]; // and the rest of each
}

// Moves that differ only in their last argument are one group.
export function groupMoves(legal: readonly Legal[]): MoveGroup[] {
  const groups = new Map<string, Legal[]>();
  for (const one of legal) {
    const key = JSON.stringify([one.type, ...Object.entries(one.payload ?? {}).slice(0, -1)]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((moves) => {
    const texts = moves.map((one) => (one.said ?? one.move).split(" "));
    const most = moves.length > 1 ? Math.min(...texts.map(({ length }) => length)) - 1 : 0;
    let common = 0;
    while (common < most && texts.every((text) => text[common] === texts[0]![common])) common++;
    return {
      label: texts[0]!.slice(0, common).join(" "),
      moves: moves.map((one, i) => ({ legal: one, text: texts[i]!.slice(common).join(" ") })),
    };
  });
}

const isSilent = ({ event }: GameEvent): boolean => event.endsWith("-updated") || event === "seat-changed";

// An event is told by its name and its values, those of lists as well: "Ann: card played 8♦ spades".
export function eventWords(told: GameEvent, name: (seat: number) => string): string | undefined {
  if (isSilent(told)) return undefined;
  const { event, data } = told;
  const who = typeof data.seatIndex === "number" ? `${name(data.seatIndex)}: ` : "";
  const values = Object.entries(data)
    .filter(([key]) => key !== "seatIndex" && key !== "version")
    .flatMap(([, value]) => value as unknown)
    .filter((value) => typeof value === "string" || typeof value === "number");
  return withSigns([who + words(event), ...values].join(" "));
}

const KNOWN_MAX = 1000; // messages that are remembered

type Line = Pick<LogLine, "seatIndex" | "message" | "time">;

// The lines that were not in the log before; its oldest may be gone by now.
function newLines(before: readonly Line[], log: readonly Line[]): readonly Line[] {
  const isOld = (line: Line, old: Line | undefined) =>
    line.time === old?.time && line.seatIndex === old.seatIndex && line.message === old.message;
  let count = Math.min(before.length, log.length);
  while (!log.slice(0, count).every((line, i) => isOld(line, before[before.length - count + i]))) count--;
  return log.slice(count);
}

// The messages of events. The log has them, but does not say whose they are: what a step adds to it belongs to its
// events, the last line to the last event of that seat. An equal event of the past is told by the same message.
export function createMessages() {
  const logs = new Map<string, Line[]>();
  const known = new Map<string, string>();
  let step: readonly GameEvent[] | undefined;
  const keyOf = (room: string, { event, data: { version: _version, ...data } }: GameEvent) =>
    JSON.stringify([room, event, data]);
  const begin = (room: string, log: readonly Line[]) =>
    logs.set(
      room,
      log.map((line) => ({ ...line })),
    );

  function learn(room: string, events: readonly GameEvent[], log: readonly Line[]) {
    let lines = newLines(logs.get(room) ?? log, log);
    if (known.size > KNOWN_MAX) known.clear();
    for (const event of events.filter((one) => !isSilent(one)).reverse()) {
      const at = lines.findLastIndex(({ seatIndex }) => seatIndex === (event.data.seatIndex ?? null));
      if (at < 0) continue;
      known.set(keyOf(room, event), lines[at]!.message);
      lines = lines.slice(0, at);
    }
    begin(room, log);
  }
  return {
    begin, // with the log as it is
    of(event: GameEvent, events: readonly GameEvent[], room: string, log: readonly Line[]): string | undefined {
      if (events !== step) learn(room, events, log);
      step = events;
      return known.get(keyOf(room, event));
    },
  };
}
