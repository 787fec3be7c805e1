// A table that somebody sits at: the world as it is shown, a queue of steps that are still to be shown, and a way to
// act. Components read its signals and do not know whether the world is on a server or on this device.
import { createSignal, type Accessor } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import {
  isPassing,
  isRefusal,
  seatName,
  type EventOf,
  type GameEvent,
  type News,
  type Refusal,
  type Seat,
  type Step,
  type World,
  type WorldEvents,
} from "../model";
import { cardWords } from "../ui/cards";
import { newsText } from "./news";
import { flip, finish, motionIsReduced, paced, type FlipOptions } from "./flip";
import type { Link } from "./link";
import { language, listed, t, telling } from "../languages";

// Steps that come faster than this are shown one after the other ...
const STEP_GAP = 260;
// ... unless so many wait that it is better to catch up at once.
const BACKLOG_MAX = 8;
const LINES_MAX = 200;
const RECALL_AGAIN_MS = 1500;
// News of oneself that are told all the same, since they are not one's own doing.
const befalls: ReadonlySet<News> = new Set(["owner", "away"]);

export interface Line {
  version: number; // that it was told with
  seat: number | null;
  text: string;
  kind: "move" | "chat" | "emote" | "news";
  who?: string; // said it
  passing?: boolean; // no record has it: who lost the connection, and who is online again
}

export interface Table {
  readonly kind: Link["kind"];
  world: World; // a store: reading it is tracked
  ready: Accessor<boolean>;
  online: Accessor<boolean>;
  problem: Accessor<Refusal | null>; // the world cannot be shown
  lines: Accessor<Line[]>; // the log, as far as it was heard here
  recall(): Promise<void>; // and before: somebody reads it
  busy: Accessor<boolean>; // an action of ours is on its way
  name(seat: number | null | undefined): string;
  mySeat(): number | null;
  myTurn(): boolean;
  // True for those who are looking at the result of a round: people who have not gone on yet, and spectators.
  looks(): boolean;
  goOn(): Promise<Refusal | null>;
  // Null: accepted. A refusal was shown already unless `quiet`.
  act(move: string, quiet?: boolean): Promise<Refusal | null>;
  // Says whether the move would be accepted; nothing is changed or shown.
  check(move: string): Promise<Refusal | null>;
  // Shows why it would be refused; false if it would not.
  explain(move: string): Promise<boolean>;
  // Shows a refusal that `quiet` kept back.
  refuse(refusal: Refusal): void;
  leave(): Promise<void>;
  close(): void;
  // Tells what no record has, and puts it into the log.
  remark(seat: number, text: string): void;
  onStep(listener: (step: Step) => void): () => void;
  // The element whose `data-flip` children move, and how.
  stage(element: HTMLElement, options?: (step: Step) => FlipOptions): void;
  // Shows at once whatever is still on its way.
  hurry(): void;
}

export interface TableHooks {
  refused(refusal: Refusal): void;
  say(text: string): void; // to a screen reader
  tell?(text: string): void; // what others did around the game, quietly
  // What a person reads of an event, of all those of a move; nothing if it is empty or undefined.
  describe(event: GameEvent, table: Table, events: readonly GameEvent[]): string | undefined;
}

// `play 8C H` as people read it; a letter alone is a suit.
export const withSigns = (message: string): string =>
  message
    .replace(
      /\b(10|[2-9JQKA])?([SHDC])\b/g,
      (_card, rank: string | undefined, suit: string) => (rank ?? "") + { S: "♠", H: "♥", D: "♦", C: "♣" }[suit],
    )
    .replace(/\bJK\b/g, t("Joker"));

const sign = `(?:(?:10|[2-9JQKA])[♠♥♦♣]|${t("Joker")})`;
const inARow = new RegExp(`${sign}(?: ${sign})+(?!\\p{L})`, "gu");
const suits: Record<string, string> = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

// The same for the ear, whether the cards are letters or signs: `play the queen of clubs`. Signs in a row are a list;
// letters are not, since they are what may be typed.
export const withWords = (message: string): string =>
  message
    .replace(inARow, (row) => listed(row.split(" ").map((one) => (one === t("Joker") ? t("joker") : withWords(one)))))
    .replace(/\b(10|[2-9JQKA])([SHDC♠♥♦♣])(?![A-Za-z])/g, (_card, rank: string, suit: string) =>
      cardWords(rank + (suits[suit] ?? suit)),
    )
    .replace(/\bJK\b/g, t("joker"));

// And back: cards in what somebody typed, as the record writes them. The engine knows English names itself.
let typed: { cards: Map<string, string>; pattern: RegExp } | undefined;
const typedCards = () => {
  const suited = "2 3 4 5 6 7 8 9 10 J Q K A".split(" ").flatMap((rank) => [..."SHDC"].map((suit) => rank + suit));
  const cards = new Map([...suited, "JK"].map((id) => [cardWords(id).toLowerCase(), id]));
  return { cards, pattern: new RegExp(`(^|[^\\p{L}\\d])(${[...cards.keys()].join("|")})(?![\\p{L}\\d])`, "giu") };
};

export function withNotation(line: string): string {
  if (language === "en") return line;
  typed ??= typedCards();
  return line.replace(
    typed.pattern,
    (_all, before: string, words: string) => before + typed!.cards.get(words.toLowerCase())!,
  );
}

const empty: World = {
  roomCode: "",
  gameId: "",
  status: "waiting",
  ownerId: "",
  settings: {},
  seats: [],
  places: 0,
  teamNames: {},
  spectators: [],
  played: 0,
  rematch: [],
  muted: [],
  loadedBy: null,
  invitation: null,
  you: null,
  version: 0,
  view: null,
};

type Talk = EventOf<Pick<WorldEvents, "chat" | "emote">>;
const isTalk = (told: GameEvent): told is Talk => told.event === "chat" || told.event === "emote";
const isNews = (told: GameEvent): told is EventOf<Pick<WorldEvents, "news">> => told.event === "news";

// A server says with each event to which version it belongs.
const versionOf = ({ data: { version } }: GameEvent): number | undefined =>
  typeof version === "number" ? version : undefined;

export function createTable(link: Link, hooks: TableHooks): Table {
  const [world, setWorld] = createStore<World>(structuredClone(empty));
  const [ready, setReady] = createSignal(false);
  const [online, setOnline] = createSignal(true);
  const [problem, setProblem] = createSignal<Refusal | null>(null);
  const [lines, setLines] = createSignal<Line[]>([]);
  const [inFlight, setInFlight] = createSignal(0);
  const listeners = new Set<(step: Step) => void>();
  let stage: HTMLElement | undefined;
  let flipOptions: ((step: Step) => FlipOptions) | undefined;
  let queue: Step[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let nextAt = 0; // when the next step may be shown
  let actedAt = -Infinity; // what a person does themself is shown without delay
  let recorded = 0; // the version up to which the lines are whole
  let read = false; // somebody reads the log
  let whole = false; // the history has been loaded, or is being loaded
  let again: ReturnType<typeof setTimeout> | undefined; // when the history is asked for once more
  let closed = false;

  // Cards are matched by their id, so that they keep their elements.
  const show = (next: World) => setWorld(reconcile(next, { key: "id" }));

  function lineOf(told: GameEvent, at: Table, version: number, events: readonly GameEvent[]): Line | undefined {
    if (isTalk(told)) {
      const { playerId, name } = told.data;
      const seat = at.world.seats.find((one) => one.playerId === playerId)?.seatIndex ?? null;
      const said = told.event === "chat" ? told.data.text : told.data.id;
      return { version, seat, kind: told.event, text: telling(name, said), who: playerId };
    }
    if (isNews(told)) {
      const text = newsText(told.data, world.you?.playerId);
      return text ? { version, seat: told.data.seatIndex, kind: "news", text } : undefined;
    }
    const text = hooks.describe(told, at, events);
    const { seatIndex } = told.data;
    return text ? { version, seat: typeof seatIndex === "number" ? seatIndex : null, kind: "move", text } : undefined;
  }

  function record(event: GameEvent, version: number, events: readonly GameEvent[]) {
    const line = lineOf(event, table, version, events);
    if (!line) return;
    if (version > recorded) setLines((old) => [...old.slice(1 - LINES_MAX), line]);
    if (line.kind === "move") hooks.say(withWords(line.text));
    if (isNews(event) && (event.data.playerId !== world.you?.playerId || befalls.has(event.data.what)))
      hooks.tell?.(line.text);
  }

  // The table with the seats of an earlier time.
  function past(seats: Seat[]): Table {
    const mine = () => seats.find((one) => one.playerId === world.you?.playerId)?.seatIndex ?? null;
    return { ...table, world: { ...world, seats }, mySeat: mine, name: (seat) => seatName(seats[seat ?? -1], mine()) };
  }

  // Builds the log from the record, in the same words as live. Steps that are still to be shown add their own lines.
  async function recall() {
    clearTimeout(again);
    read = true;
    if (whole) return;
    whole = true;
    const history = await link.history();
    if (isRefusal(history)) {
      whole = false;
      // Only one history at a time is read for a person, and a network may fail: the log would keep a hole.
      if (isPassing(history) && !closed) again = setTimeout(recall, RECALL_AGAIN_MS);
      return;
    }
    recorded = Math.min(history.version, world.version);
    let at = table;
    const before = history.entries.flatMap(({ version, seats, events }) => {
      if (seats) at = past(seats);
      return version > recorded ? [] : events.flatMap((event) => lineOf(event, at, version, events) ?? []);
    });
    setLines((heard) =>
      [...before, ...heard.filter(({ version, passing }) => passing || version > recorded)]
        .sort((a, b) => a.version - b.version)
        .slice(-LINES_MAX),
    );
  }

  // Starts again from this world, because events were missed or the store has lost some that were told.
  function restart(next: World) {
    queue = [];
    recorded = Math.min(recorded, next.version);
    whole = false;
    setLines((old) => old.filter(({ version }) => version <= next.version));
    show(next);
    if (read) void recall();
  }

  function perform(step: Step) {
    const options = flipOptions?.(step);
    const gap = motionIsReduced() || document.hidden ? 0 : paced(STEP_GAP);
    nextAt = performance.now() + Math.max(gap, options?.hold ?? 0);
    flip(stage, () => show(step.world), options);
    for (const event of step.events) record(event, versionOf(event) ?? step.version, step.events);
    for (const listener of listeners) listener(step);
  }

  function pump() {
    clearTimeout(timer);
    timer = undefined;
    const impatient = () => queue.length > BACKLOG_MAX || performance.now() - actedAt < STEP_GAP;
    while (queue.length > 0 && (impatient() || performance.now() >= nextAt)) perform(queue.shift()!);
    if (queue.length > 0) timer = setTimeout(pump, nextAt - performance.now());
  }

  const table: Table = {
    kind: link.kind,
    world,
    ready,
    online,
    problem,
    lines,
    recall,
    busy: () => inFlight() > 0,
    name: (seat) => seatName(world.seats[seat ?? -1], world.you?.seatIndex),
    mySeat: () => world.you?.seatIndex ?? null,
    myTurn: () =>
      world.you?.seatIndex != null &&
      world.status === "playing" &&
      (world.view?.turn.includes(world.you.seatIndex) ?? false),
    looks: () => world.you?.seatIndex == null || (world.view?.looking.includes(world.you.seatIndex) ?? false),
    goOn: () => table.act("next", true),
    async act(move, quiet = false) {
      setInFlight((count) => count + 1);
      actedAt = performance.now();
      const refusal = await link.act(move);
      setInFlight((count) => count - 1);
      if (refusal && !quiet) hooks.refused(refusal);
      return refusal;
    },
    check: (move) => link.check(move),
    async explain(move) {
      const refusal = await link.check(move);
      if (refusal) hooks.refused(refusal);
      return refusal !== null;
    },
    refuse: (refusal) => hooks.refused(refusal),
    remark(seat, text) {
      const line: Line = { version: world.version, seat, kind: "news", text, passing: true };
      setLines((old) => [...old.slice(1 - LINES_MAX), line]);
      hooks.tell?.(text);
    },
    leave: () => link.leave(),
    close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(again);
      link.close();
    },
    onStep(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stage(element, options) {
      stage = element;
      flipOptions = options;
    },
    hurry() {
      finish();
      while (queue.length > 0) perform(queue.shift()!);
    },
  };

  void link
    .open({
      step(step) {
        queue.push(step);
        pump();
      },
      world: restart,
      online: setOnline,
      gone: () => setProblem({ error: "This world is gone", code: "ROOM_NOT_FOUND", status: 404 }),
    })
    .then((first) => {
      if (isRefusal(first)) return setProblem(first);
      show(first);
      return setReady(true);
    });
  return table;
}
