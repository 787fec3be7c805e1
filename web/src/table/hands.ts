// For tests: a whole hand of every game, played by somebody who does not see, and all that they hear. The language must
// be settled before this is loaded.
import { readFile } from "node:fs/promises";
import { expect, vi } from "vitest";
import { speech as fourKate } from "../games/four-kate/speech";
import { speech as handAndFoot } from "../games/hand-and-foot/speech";
import { speech as terriblePeople } from "../games/terrible-people/speech";
import { speech as upNDown } from "../games/up-n-down/speech";
import { speech as whosDeal } from "../games/whos-deal/speech";
import { isRefusal, type Legal, type Refusal, type World } from "../model";
import type { Link, LinkListener } from "./link";
import { answer, createTurns, describe, obey, questions, type Question, type Speech } from "./speech";
import { createTable, withWords, type Table } from "./table";
import { WasmWorld, type News } from "./wasm";

const NOW = 1_700_000_000_000;
export const SEED = "5a".repeat(32);
const MOVES_MAX = 2000;
const asked = Object.keys(questions) as Question[];

// A table of the device whose time passes as fast as the bots want.
export class TimelessLink implements Link {
  readonly kind = "device";
  private readonly lines: string[];
  private listener!: LinkListener;
  private now = NOW;
  private constructor(
    private readonly engine: WasmWorld,
    entries: string[],
  ) {
    this.lines = entries.map((entry) => `${NOW} ${entry}`);
    expect(engine.load(this.lines, "me", NOW)).toBeNull();
  }
  static async at(entries: string[]): Promise<TimelessLink> {
    const bytes = await readFile(new URL("../../../build/table.wasm", import.meta.url));
    return new TimelessLink(await WasmWorld.instantiate(bytes), entries);
  }
  async open(listener: LinkListener): Promise<World> {
    this.listener = listener;
    return this.engine.view("me");
  }
  private tell({ line, events }: News) {
    if (line) this.lines.push(line);
    const world = this.engine.view("me");
    this.listener.step({ version: world.version, events, world });
  }
  async act(move: string): Promise<Refusal | null> {
    const news = this.engine.act("me", move, this.now);
    if (isRefusal(news)) return news;
    if (news) this.tell(news);
    return null;
  }
  async check(move: string): Promise<Refusal | null> {
    return this.engine.check("me", move, this.now);
  }
  // What is due next; false if nothing is.
  pass(): boolean {
    const due = this.engine.due();
    if (due === null) return false;
    this.now = Math.max(this.now, due);
    const news = this.engine.tick("me", this.now);
    if (news) this.tell(news);
    return true;
  }
  history = async () => this.engine.history(this.lines, "me");
  async leave() {}
  close() {}
}

export interface Hand {
  game: string;
  speech: Speech;
  entries: string[];
  ends: string; // the event that ends it
  wants?: string[]; // kinds of moves, those that are preferred first
}

export const hands: Hand[] = [
  { game: "whos-deal", speech: whosDeal, entries: ["set targetScore=5", "start"], ends: "round-over" },
  { game: "4-kate", speech: fourKate, entries: ["start"], ends: "game-over" },
  { game: "up-n-down", speech: upNDown, entries: ["bot 1 easy", "set maxCardValue=30", "start"], ends: "game-over" },
  { game: "terrible-people", speech: terriblePeople, entries: ["set targetScore=3", "start"], ends: "game-over" },
  {
    game: "hand-and-foot",
    speech: handAndFoot,
    entries: ["bot 3 closed", "bot 2 closed", "start"],
    ends: "round-over",
    wants: ["draw", "add-to-meld", "meld", "done-melding", "discard"],
  },
];

// The moves in turn, so that a hand has some of everything.
function choose(legal: readonly Legal[], wants: string[] | undefined, turn: number): string {
  const kind = wants?.find((type) => legal.some((one) => one.type === type));
  const moves = legal.filter(({ type }) => (kind ? type === kind : type !== "set-preference" && type !== "undo"));
  return moves[turn % moves.length]!.move;
}

// Moves are typed as people say them.
export async function playHand({ game, speech, entries, ends, wants }: Hand): Promise<string[]> {
  const heard: string[] = [];
  const link = await TimelessLink.at([
    `@me create ABCDEF ${game} ${SEED} ${SEED} Ann`,
    ...entries.map((words) => `@me ${words}`),
  ]);
  const table: Table = createTable(link, {
    refused: ({ error }) => heard.push(`refused: ${error}`),
    say: (text) => heard.push(text),
    describe: (event, at, events) => describe(speech, event, at, events),
  });
  await vi.waitFor(() => expect(table.ready()).toBe(true));
  let over = false;
  const tellTurn = createTurns(table, speech, (text) => heard.push(text));
  table.onStep(({ events }) => {
    tellTurn();
    over ||= events.some(({ event }) => event === ends);
  });
  tellTurn();
  for (let moves = 0, turns = 0; !over && moves < MOVES_MAX; moves++) {
    if (!table.myTurn()) {
      if (table.looks()) await table.goOn();
      else expect(link.pass()).toBe(true);
      continue;
    }
    if (turns % 5 === 1)
      for (const question of asked) heard.push(`> /${question}`, await answer(question, table, speech));
    const typed = `/${withWords(choose(table.world.view!.legal, wants, turns++))}`;
    heard.push(`> ${typed}`);
    heard.push(...[await obey(typed, table, speech)].filter(Boolean));
  }
  expect(over).toBe(true);
  heard.push("> /score", await answer("score", table, speech), "> /help", await obey("/help", table, speech));
  return heard;
}
