// A table that somebody sits at: the world as it is shown, the steps on their way to the eye, and a
// way to do something. Components read its signals; where the world is they cannot tell.
import { createSignal, type Accessor } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { isRefusal, seatName, type GameEvent, type Refusal, type Step, type World } from "../model";
import { flip, finish, motionIsReduced, paced, type FlipOptions } from "./flip";
import type { Link } from "./link";

// Steps that come faster than this are shown one after the other ...
const STEP_GAP = 260;
// ... unless so many wait that it is better to catch up at once.
const BACKLOG_MAX = 8;

export interface Line {
  key: number;
  seat: number | null;
  text: string;
  kind: "move" | "chat" | "emote" | "news";
}

export interface Table {
  readonly kind: Link["kind"];
  world: World; // a store: reading it is tracked
  ready: Accessor<boolean>;
  online: Accessor<boolean>;
  problem: Accessor<Refusal | null>; // the world cannot be shown
  lines: Accessor<Line[]>;
  busy: Accessor<boolean>; // an action of ours is on its way
  name(seat: number | null | undefined): string;
  mySeat(): number | null;
  myTurn(): boolean;
  // A round's result is for who has not gone on yet, and for who watches.
  looks(): boolean;
  goOn(): Promise<Refusal | null>;
  // Null: accepted. A refusal was shown already unless `quiet`.
  act(move: string, quiet?: boolean): Promise<Refusal | null>;
  // Would it be accepted? Nothing is changed and nothing shown.
  check(move: string): Promise<Refusal | null>;
  // Shows a refusal that `quiet` kept back.
  refuse(refusal: Refusal): void;
  leave(): Promise<void>;
  close(): void;
  onStep(listener: (step: Step) => void): () => void;
  // The element whose `data-flip` children move, and how.
  stage(element: HTMLElement, options?: (step: Step) => FlipOptions): void;
  // Shows at once whatever is still on its way.
  hurry(): void;
}

export interface TableHooks {
  refused(refusal: Refusal): void;
  say(text: string): void; // to a screen reader
  // What a person reads of an event; undefined: nothing.
  describe(event: GameEvent, table: Table): string | undefined;
}

// `play QC` as people read it.
export const withSigns = (message: string): string =>
  message.replace(/\b(10|[2-9JQKA])([SHDC])\b/g, (_card, rank: string, suit: string) => rank + { S: "♠", H: "♥", D: "♦", C: "♣" }[suit]).replace(/\bJK\b/g, "Joker");

const empty: World = {
  roomCode: "",
  gameId: "",
  status: "waiting",
  ownerId: "",
  settings: {},
  seats: [],
  teamNames: {},
  spectators: [],
  you: null,
  version: 0,
  view: null,
};

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
  let lineKey = 0;
  let actedAt = -Infinity; // what a person does themself is shown without delay
  let logTime = 0;

  // What the view's own log tells of times when nobody listened here.
  function catchUp(next: World) {
    for (const line of next.view?.log ?? [])
      if (line.time > logTime) addLine({ seat: line.seatIndex, kind: "move", text: line.seatIndex === null ? line.message : `${seatName(next.seats[line.seatIndex], next.you?.seatIndex)}: ${withSigns(line.message)}` });
    logTime = next.view?.log.at(-1)?.time ?? logTime;
  }

  // Cards keep their elements: they are told by their id.
  const show = (next: World) => setWorld(reconcile(next, { key: "id" }));

  function addLine(line: Omit<Line, "key">) {
    setLines((old) => [...old.slice(-199), { ...line, key: lineKey++ }]);
  }

  function record(event: GameEvent) {
    const { data } = event;
    if (event.event === "chat" || event.event === "emote") {
      const seat = world.seats.find((one) => one.playerId === data["playerId"])?.seatIndex ?? null;
      const name = data["name"] ?? table.name(seat);
      addLine({ seat, kind: event.event, text: `${name}: ${data["text"] ?? data["id"]}` });
      return;
    }
    const text = hooks.describe(event, table);
    if (!text) return;
    addLine({ seat: data["seatIndex"] ?? null, kind: "move", text });
    hooks.say(text);
  }

  function perform(step: Step) {
    const options = flipOptions?.(step);
    const gap = motionIsReduced() || document.hidden ? 0 : paced(STEP_GAP);
    nextAt = performance.now() + Math.max(gap, options?.hold ?? 0);
    logTime = step.world.view?.log.at(-1)?.time ?? logTime;
    flip(stage, () => show(step.world), options);
    for (const event of step.events) record(event);
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
    busy: () => inFlight() > 0,
    name: (seat) => seatName(world.seats[seat ?? -1], world.you?.seatIndex),
    mySeat: () => world.you?.seatIndex ?? null,
    myTurn: () => world.you?.seatIndex != null && world.status === "playing" && (world.view?.turn.includes(world.you.seatIndex) ?? false),
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
    refuse: (refusal) => hooks.refused(refusal),
    leave: () => link.leave(),
    close() {
      clearTimeout(timer);
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
      world(next) {
        queue = [];
        catchUp(next);
        show(next);
      },
      online: setOnline,
      gone: () => setProblem({ error: "This world is gone", code: "ROOM_NOT_FOUND", status: 404 }),
    })
    .then((first) => {
      if (isRefusal(first)) return setProblem(first);
      catchUp(first);
      show(first);
      return setReady(true);
    });
  return table;
}
