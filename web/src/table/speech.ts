// What a table says aloud: whose turn it is, and answers to what somebody who does not see the table may ask.
import prompts from "virtual:prompts";
import type { GameEvent } from "../model";
import { sentenceOf, tellings } from "./captions";
import { scoreText } from "./news";
import { withNotation, withWords, type Table } from "./table";
import { listed, said, t } from "../languages";

// What a game tells of itself in words. No answer means that there is none in this game.
export interface Speech<Event = GameEvent> {
  // A sentence about an event of a move for which the game's captions have none; undefined if it needs none.
  describe?(event: Event, table: Table, events: readonly GameEvent[]): string | undefined;
  // True for an event that is not told, although they have a sentence for it: it is seen well enough.
  needsNoWords?(event: Event, table: Table): boolean;
  // Is what the captions say shown at the seats of others, too? A word is the data-place that it comes flying from.
  atSeat?(row: { event: string; by: string }): boolean | string | undefined;
  // What the table waits for, when neither "Ann's turn" nor the engine's prompt says it all.
  awaits?(table: Table): string | undefined;
  // What belongs to a move that is typed, where it does not explain itself.
  typing?: string;
  // The same for the ear, where what is shown beside it belongs to it: the whole prompt.
  prompt?(table: Table): string | undefined;
  hand?(table: Table): string | undefined;
  board?(table: Table): string | undefined;
  score?(table: Table): string | undefined;
}

// What the action log and the screen reader say of an event of a move, in the words of the terminal as far as it has
// some.
export function describe(
  speech: Speech | undefined,
  event: GameEvent,
  table: Table,
  events: readonly GameEvent[],
): string | undefined {
  const found = tellings(event, table, events);
  if (!found) return speech?.describe?.(event, table, events);
  if (speech?.needsNoWords?.(event, table)) return undefined;
  const told = found.map((one) => sentenceOf(one, table)).filter((text) => text !== "");
  return told.map((text, i) => (i + 1 < told.length ? sentence(text) : text)).join(" ");
}

// What the engine asks somebody who has these moves, in the words of the terminal.
export function askedFor({ world }: Table): string {
  const moves = world.view?.legal.map(({ move }) => `${move} `) ?? [];
  const last = prompts[world.gameId]?.findLast(({ move: word }) => moves.some((move) => move.startsWith(`${word} `)));
  return last ? said(last.text) : t("Your turn");
}

// Says what everybody is waiting for (PL-54).
export function turnText(table: Table, speech: Speech): string {
  const view = table.world.view;
  if (!view) return "";
  if (table.world.status === "game_over") return t("The game is over");
  if (view.looking.length > 0 && !table.looks())
    return t("Waiting for {names} to go on…", { names: listed(view.looking.map((seat) => table.name(seat))) });
  const special = speech.awaits?.(table);
  if (special) return special;
  if (table.myTurn()) return askedFor(table);
  return waitingText(table);
}

// What goes on without anybody, such as a deal.
const ofItself = (): string => t("One moment…");

// Nobody waits for a person who is gone: a bot has the turn.
export function waitingText({ world, name }: Table): string {
  const turn = world.view?.turn ?? [];
  const names = listed(turn.map((seat) => name(seat)));
  if (turn.length === 0) return ofItself();
  return turn.every((seat) => world.seats[seat]?.away)
    ? t("A bot plays for {name}", { name: names })
    : t("Waiting for {name}…", { name: names });
}

function spokenTurn(table: Table, speech: Speech): string {
  const playing = table.world.view !== null && table.world.status === "playing";
  return (playing && table.myTurn() && speech.prompt?.(table)) || turnText(table, speech);
}

// Bots answer at once and cards come of themselves, so that what is told of them says enough.
const onlyBots = ({ world }: Table): boolean =>
  world.status === "playing" &&
  (world.view?.turn.length ?? 0) > 0 &&
  world.view!.turn.every((seat) => world.seats[seat]?.bot != null);

// Returns what is to be called after every change: it says whose turn it is, if that is another sentence than before.
export function createTurns(table: Table, speech: Speech, say: (text: string) => void): () => void {
  let before = "";
  return () => {
    const now = spokenTurn(table, speech);
    if (now !== before && now !== "" && now !== ofItself() && !onlyBots(table)) say(now);
    before = now;
  };
}

export type Question = "turn" | "hand" | "table" | "score" | "last";

const LAST_LINES = 5;

async function lastMoves(table: Table): Promise<string> {
  await table.recall();
  const lines = table.lines().filter(({ kind }) => kind === "move");
  return (
    lines
      .slice(-LAST_LINES)
      .map(({ text }) => sentence(withWords(text)))
      .join(" ") || t("Nothing has happened yet.")
  );
}

export const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

interface Asked {
  key: string;
  does: string;
  answer(table: Table, speech: Speech): string | undefined | Promise<string>;
}

// A key for each question; `/turn` and so on ask the same.
export const questions: Record<Question, Asked> = {
  turn: { key: "W", does: t("say whose turn it is"), answer: spokenTurn },
  hand: {
    key: "Y",
    does: t("read your hand"),
    answer: (table, { hand }) =>
      table.mySeat() === null
        ? t("You are watching and hold nothing.")
        : (hand?.(table) ?? t("You hold nothing here.")),
  },
  table: { key: "B", does: t("read what lies on the table"), answer: (table, { board }) => board?.(table) },
  score: {
    key: "K",
    does: t("read the score"),
    answer: (table, { score }) =>
      [score?.(table), scoreText(table.world)]
        .filter((text) => text !== undefined)
        .map(sentence)
        .join(" "),
  },
  last: { key: "J", does: t("read the last moves"), answer: lastMoves },
};

export async function answer(question: Question, table: Table, speech: Speech): Promise<string> {
  const text = await questions[question].answer(table, speech);
  return text ? sentence(text) : t("There is nothing to say about that yet.");
}

const MOVES_LISTED = 12;

// Where there are many moves, one of each kind.
function help(table: Table, { typing }: Speech): string {
  const moves = table.world.view?.legal.map(({ move }) => withWords(move)) ?? [];
  const commands = Object.keys(questions).map((name) => `/${name}`);
  const about = t("Type {commands} or a move.", { commands: commands.join(", ") });
  if (moves.length === 0) return `${about} ${t("You have no move now.")}`;
  if (moves.length <= MOVES_LISTED) return `${about} ${t("Your moves now: {moves}.", { moves: listed(moves) })}`;
  const kinds = new Map(moves.toReversed().map((move) => [move.split(" ")[0], move]));
  const some = listed([...kinds.values()].reverse());
  const told = t("You have {count} moves now, one of each kind: {moves}.", { count: moves.length, moves: some });
  return [about, told, typing ?? ""].join(" ").trim();
}

// What somebody typed: a question, or a move as the record writes it or as people say it, which the engine reads.
// Returns what is to be said; a move is told by what it does, and a refusal by the table.
export async function obey(line: string, table: Table, speech: Speech): Promise<string> {
  const [, first = "", rest = ""] = /^\s*\/?\s*(\S*)\s*(.*)$/.exec(line) ?? [];
  const word = first.toLowerCase();
  if (word === "") return "";
  if (word in questions && rest === "") return answer(word as Question, table, speech);
  if (word === "help" || word === "?") return help(table, speech);
  await table.act(withNotation(`${word} ${rest}`).trim());
  return "";
}
