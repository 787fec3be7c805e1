// The state of the table that is not in the view: the chosen card, and the last trick while it is still shown.
import { speeds } from "virtual:world";
import { createEffect, createMemo, createSignal, on, onCleanup, type Accessor } from "solid-js";
import type { Step, World } from "../../model";
import { choices } from "../../settings";
import { flip, type FlipOptions } from "../../table/flip";
import type { Gate } from "../../table/gate";
import type { Table } from "../../table/table";
import { cardWords } from "../../ui/cards";
import { say } from "../../ui/notes";
import { follow, recall, remember, type History } from "./history";
import { viewOf, type EuchreEvent, type EuchreView, type Played, type Round } from "./view";
import { t } from "../../languages";

const LAST_TRICK_SHOWN_MS = 900; // the result shows it again
const DEAL_STAGGER_MS = 45;
// A trick stays as long as the table waits after its last card.
function trickShown(world: World): number {
  const view = viewOf(world);
  if (view?.round?.trumpPhase === "playing" && view.phaseEndsAt !== null)
    return view.phaseEndsAt - view.log.at(-1)!.time;
  return (LAST_TRICK_SHOWN_MS * (speeds[String(world.settings.speed)] ?? 100)) / 100;
}

export interface Game {
  table: Table;
  view: Accessor<EuchreView | null>;
  round: Accessor<Round | null>;
  // The seat the table is seen from; a spectator looks from seat 0.
  seat: Accessor<number>;
  watching: Accessor<boolean>;
  out: Accessor<boolean>; // sits this hand out
  hand: Accessor<string[]>;
  count(seat: number): number; // of cards, as far as they are dealt to the eye
  can(move: string): boolean;
  waiting: Accessor<boolean>; // a move of ours is on its way and not yet to be seen
  act(move: string): Promise<void>;
  // The same for a control that stays while it cannot be used.
  move(move: () => string): Gate;
  // What a tap on a card is for, if anything.
  picking: Accessor<"play" | "discard" | null>;
  dimmed(id: string): boolean;
  card(id: string): Gate;
  chosen: Accessor<string | null>;
  ahead: Accessor<boolean>; // chosen for the next turn
  confirm(): void;
  takeBack(): void;
  trick: Accessor<Played[]>;
  complete: Accessor<boolean>; // the trick is taken and still lies there
  clearTrick(): void;
  history: Accessor<History>;
  setStage(element: HTMLElement): void;
}

// Cards are dealt one by one; cards that leave fly to where they belong.
function motion(step: Step, before: Round | null): FlipOptions {
  const view = viewOf(step.world);
  const dealt = step.events.some(({ event }) => event === "game-started" || event === "new-round");
  const taken = new Set(before?.lastTrick?.map(({ card }) => card.id));
  return {
    stagger: dealt ? DEAL_STAGGER_MS : 0,
    leaveTo(key) {
      if (taken.has(key) && before) return `seat-${before.lastTrickWinnerSeatIndex}`;
      if (key === view?.round?.dealerPickedUp?.id && !view.round.dealerDiscarded) return `seat-${view.dealerSeatIndex}`;
      return key.startsWith("back") ? undefined : "kitty";
    },
  };
}

export function createGame(table: Table): Game {
  const view = () => viewOf(table.world);
  const round = () => view()?.round ?? null;
  const seat = () => table.mySeat() ?? 0;
  const watching = () => table.mySeat() === null;
  const [choice, setChoice] = createSignal<{ id: string; ahead: boolean } | null>(null);
  const [cleared, setCleared] = createSignal("");
  const [sent, setSent] = createSignal(-1); // the version we moved at
  const [history, setHistory] = createSignal(recall(table.world.roomCode));
  // Whoever comes to the table before anybody has passed or called is shown the deal.
  const [dealt, setDealt] = createSignal(round()?.trumpPhase !== "round1" || round()!.passedPlayers.length > 0);
  let stage: HTMLElement | undefined;

  // A copy, so that the memo hears of cards that come into the list of somebody who has had none.
  const hand = createMemo(() => (dealt() ? [...(round()?.held ?? [])] : []), [] as string[], {
    equals: (a, b) => a.join() === b.join(),
  });
  const moves = createMemo(() => new Set(table.myTurn() ? view()!.legal.map((one) => one.move) : []));
  const can = (move: string) => moves().has(move);
  const out = () =>
    round() !== null && round()!.sittingOutSeatIndexes.includes(seat()) && round()!.trumpPhase !== "dealer_discard";
  const picking = (): "play" | "discard" | null => {
    if (!table.myTurn()) return null;
    const phase = round()?.trumpPhase;
    return phase === "dealer_discard" ? "discard" : phase === "playing" ? "play" : null;
  };

  const trickKey = () => `${view()?.dealerSeatIndex}-${round()?.tricksPlayed}`;
  const complete = createMemo(() => {
    const now = round();
    return (
      now !== null && now.currentTrick.length === 0 && (now.lastTrick?.length ?? 0) > 0 && cleared() !== trickKey()
    );
  });
  const trick = () => (complete() ? round()!.lastTrick! : (round()?.currentTrick ?? []));

  function clearTrick() {
    table.hurry();
    if (!complete()) return;
    const winner = round()!.lastTrickWinnerSeatIndex;
    flip(stage, () => setCleared(trickKey()), {
      leaveTo: (key) => (key.startsWith("back") ? undefined : `seat-${winner}`),
    });
  }

  createEffect(
    on([complete, trickKey], ([shown]) => {
      if (!shown) return;
      const timer = setTimeout(clearTrick, trickShown(table.world));
      onCleanup(() => clearTimeout(timer));
    }),
  );

  const waiting = () => table.busy() || sent() === table.world.version;
  async function act(move: string) {
    if (waiting()) return;
    setChoice(null);
    table.hurry();
    setSent(table.world.version);
    if (await table.act(move)) setSent(-1);
  }

  function tap(id: string) {
    if (waiting() || !round() || watching()) return;
    const again = choice()?.id === id;
    if (picking()) {
      // A second tap at the latest; what is laid away never comes back, so that one is always needed for it.
      if (again || (picking() === "play" && !choices.confirmPlays)) void act(`${picking()} ${id}`);
      else setChoice({ id, ahead: false });
    } else {
      setChoice(again ? null : { id, ahead: true });
      say(again ? t("Taken back") : t("The {card} is chosen for your next turn", { card: cardWords(id) }));
    }
  }

  function confirm() {
    if (choice() && picking()) void act(`${picking()} ${choice()!.id}`);
  }

  // A card that was chosen ahead plays itself once it may, but not before the last trick was seen.
  createEffect(() => {
    const ahead = choice();
    if (!ahead?.ahead || picking() !== "play" || complete()) return;
    const legal = can(`play ${ahead.id}`);
    queueMicrotask(() => {
      if (choice() !== ahead) return;
      setChoice(null);
      if (legal) void act(`play ${ahead.id}`);
      else say(t("The {card} cannot be played now", { card: cardWords(ahead.id) }));
    });
  });
  createEffect(() => {
    if (choice() && !hand().includes(choice()!.id)) setChoice(null);
  });

  onCleanup(
    table.onStep((step) => {
      const next = (step.events as EuchreEvent[]).reduce(follow, history());
      if (next === history()) return;
      setHistory(next);
      remember(step.world.roomCode, next);
    }),
  );

  return {
    table,
    view,
    round,
    seat,
    watching,
    out,
    hand,
    count: (at) => (dealt() ? (round()?.handCounts[at] ?? 0) : 0),
    can,
    waiting,
    act,
    move: (move) => ({ may: () => can(move()), move, act: () => void act(move()) }),
    picking,
    dimmed: (id) => picking() !== null && !can(`${picking()} ${id}`),
    card: (id) => ({
      may: () => (picking() !== null ? can(`${picking()} ${id}`) : round()?.trumpPhase === "playing"),
      move: () => `${picking() ?? "play"} ${id}`,
      act: () => tap(id),
      lacks: () => picking() === null && round()?.trumpPhase !== "playing" && t("First trump is called"),
    }),
    chosen: () => choice()?.id ?? null,
    ahead: () => choice()?.ahead ?? false,
    confirm,
    takeBack: () => setChoice(null),
    trick,
    complete,
    clearTrick,
    history,
    setStage(element) {
      stage = element;
      if (!dealt()) requestAnimationFrame(() => flip(stage, () => setDealt(true), { stagger: DEAL_STAGGER_MS }));
      table.stage(element, (step) => ({
        ...motion(step, round()),
        hold: step.events.some(({ event }) => event === "trick-won") ? trickShown(step.world) : 0,
      }));
    },
  };
}
