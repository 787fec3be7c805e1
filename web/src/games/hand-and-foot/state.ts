// The state of the table that is not in the view: the selection, groups laid aside to play down with, the order of the
// hand, and an open question.
import { createEffect, createMemo, createSignal, on } from "solid-js";
import { pointCount } from "../../amounts";
import { use, type Gate } from "../../table/gate";
import type { Table } from "../../table/table";
import { cardWords } from "../../ui/cards";
import { say } from "../../ui/notes";
import { createDrag } from "./drag";
import { keepOrder, keptOrder, moveBefore, nudge, rememberOrder } from "./order";
import {
  booksFor,
  cardsOf,
  heldCards,
  isWild,
  part,
  pointsOf,
  rankName,
  rankOf,
  spoiledBy,
  suggestionsIn,
  type Book,
  type HandAndFootView,
} from "./view";
import { listed, t } from "../../languages";

export type Asked =
  | { kind: "advanced" }
  | { kind: "take" }
  | { kind: "cannot"; text: string }
  | { kind: "spoil"; book: Book; move: string }
  | { kind: "books"; side: number; book?: number };

export const viewOf = (table: Table) => table.world.view as HandAndFootView;

export function createPlay(table: Table) {
  const view = () => viewOf(table);
  const settings = () => table.world.settings;
  const me = () => view().players.find((player) => player.seatIndex === table.mySeat());
  const mySide = () => view().teams.find((side) => side.id === me()?.team);
  const books = () => mySide()?.melds ?? [];

  // All cards in hand, sorted or as their holder likes it.
  const manual = () => settings().sorting === "choice";
  const [order, setOrder] = createSignal<string[]>(keptOrder(table.world.roomCode));
  const held = createMemo(() => (manual() ? keepOrder(order(), me()?.hand ?? []) : [...(me()?.hand ?? [])]), [], {
    equals: (a, b) => a.join() === b.join(),
  });
  createEffect(
    on(held, (cards) => {
      if (!manual()) return;
      setOrder(cards);
      rememberOrder(table.world.roomCode, cards);
    }),
  );
  const sort = () => {
    setOrder([...(me()?.hand ?? [])]);
    say(t("Your hand is sorted"));
  };
  const shift = (id: string, by: -1 | 1) => manual() && setOrder(nudge(held(), id, by));

  const legal = (type: string) => view().legal.filter((one) => one.type === type);
  const may = (type: string) => legal(type).length > 0;
  const needed = () => (me()?.hasPlayedDown ? 0 : view().minimum);
  const opening = () => me()?.hasPlayedDown === false && view().enough > 0;
  const melding = () => table.myTurn() && view().turnPhase !== "draw" && !may("answer-partner");

  // Groups laid aside until they have enough points to play down, and the cards that are left in the hand.
  const [laid, setLaid] = createSignal<string[][]>([]);
  const aside = createMemo(() => laid().filter((group) => group.every((id) => held().includes(id))));
  const hand = createMemo(() => held().filter((id) => !aside().some((group) => group.includes(id))));
  createEffect(() => {
    if (!opening() || !melding()) setLaid([]);
  });

  const [picked, setPicked] = createSignal<string[]>([]);
  const [suggestion, setSuggestion] = createSignal<string | null>(null);
  const [asked, setAsked] = createSignal<Asked | null>(null);
  const selection = createMemo(() => picked().filter((id) => hand().includes(id)));
  const selected = createMemo(() => new Set(selection()));
  const points = createMemo(() => pointsOf(selection(), view()));
  const parts = createMemo(() => part(selection(), view()));
  const groups = createMemo(() => [...aside(), ...parts().groups]);
  const sum = createMemo(() => pointsOf(groups().flat(), view())); // of what could be laid

  const targets = createMemo(() => booksFor(selection(), books(), view()));

  function clear() {
    setPicked([]);
    setSuggestion(null);
  }

  function toggle(ids: readonly string[], on = !selected().has(ids[0]!)) {
    setSuggestion(null);
    setPicked([...selection().filter((id) => !ids.includes(id)), ...(on ? ids : [])]);
    const cards = listed(ids.map(cardWords));
    say(
      [
        on ? t("{cards} selected", { cards }) : t("{cards} put back", { cards }),
        t("{count} selected, {points}", { count: selection().length, points: pointCount(points()) }),
        ...(opening() ? [t("{sum} of {needed} to play down", { sum: sum(), needed: needed() })] : []),
      ].join(". "),
    );
  }

  async function send(move: string) {
    if (table.busy()) return;
    const refusal = await table.act(move, true);
    if (!refusal) return clear();
    if (refusal.code === "CANNOT_GO_OUT") setAsked({ kind: "cannot", text: refusal.error });
    else table.refuse(refusal);
  }

  // Asks first, if the move would spoil a clean meld.
  function act(move: string) {
    const book = spoiledBy(move, view(), mySide());
    if (book) setAsked({ kind: "spoil", book, move });
    else void send(move);
  }

  // A wild that was not wanted on a clean meld: a suggestion is put back, own choices stay selected.
  function keep() {
    setAsked(null);
    if (suggestion()) clear();
  }

  const draw = () => act("draw");
  const control = (move: string, type: string): Gate => ({
    may: () => may(type),
    move: () => move,
    act: () => act(move),
  });
  const discard = (id: string | undefined) => id !== undefined && act(`discard ${id}`);
  const meldMove = (all: readonly string[][]) => `meld ${all.map((group) => group.join(" ")).join(" / ")}`;

  // What laying the selection means: a meld, a group aside, or playing down with all of them.
  function laying(): "create" | "aside" | "down" {
    if (!opening() || groups().length === 0) return "create";
    return sum() >= view().enough || selection().length === 0 ? "down" : "aside";
  }
  const inMeldPhase = () => melding() && view().turnPhase === "meld";
  const couldLay = () => inMeldPhase() && groups().length > 0 && parts().rest.length === 0;
  const melds: Gate = {
    may: () => suggestion() !== null || (couldLay() && (laying() !== "down" || sum() >= view().enough)),
    move: () => meldMove(parts().rest.length > 0 ? [...aside(), selection()] : groups()),
    act: () =>
      couldLay() && suggestion() === null && laying() === "aside" ? layAside() : act(suggestion() ?? melds.move()),
  };
  function layAside() {
    setLaid(groups());
    clear();
    say(t("Laid aside. {sum} of {needed} to play down", { sum: sum(), needed: needed() }));
  }
  function takeBack(group: readonly string[]) {
    setLaid(aside().filter((one) => one !== group));
    say(
      t("{list} taken back. {sum} of {needed} to play down", {
        list: listed(group.map(cardWords)),
        sum: sum(),
        needed: needed(),
      }),
    );
  }

  const adds: Gate = {
    may: () => inMeldPhase() && targets().length === 1,
    move: () => `add ${(targets()[0] ?? ofRank() ?? books()[0])?.id ?? 0} ${selection().join(" ")}`,
    act: () => act(adds.move()),
    lacks: () => inMeldPhase() && lacksToAdd(),
  };
  const ofRank = () => books().find(({ rank }) => rank === rankOf(selection(), view()));
  function lacksToAdd(): string | false {
    if (books().length === 0) return t("You have laid nothing yet");
    if (selection().length === 0) return t("Select the cards to add first");
    if (targets().length > 1) return t("Tap the meld that they are for");
    return !ofRank() && selection().some((id) => !isWild(id, view())) && t("You have no meld of that rank");
  }
  const discards: Gate = {
    may: () => melding() && selection().length === 1,
    move: () => `discard ${selection().join(" ")}`,
    act: () => discard(selection()[0]),
  };
  const add = (book: Book, cards: readonly string[] = selection()) => act(`add ${book.id} ${cards.join(" ")}`);
  const onlyTake = () =>
    legal("unlock-discard").length === 1 && selection().length === 0 ? legal("unlock-discard")[0]!.move : undefined;
  const takes: Gate = {
    may: () => may("unlock-discard"),
    move: () => "take",
    act: () => (onlyTake() ? act(onlyTake()!) : setAsked({ kind: "take" })),
  };

  // The engine's suggestions; each press shows the next one.
  const suggestions = createMemo(() => (melding() ? suggestionsIn(view()).map(({ move }) => move) : []));
  function suggest() {
    const all = suggestions();
    const next = all[(all.indexOf(suggestion() ?? "") + 1) % all.length]!;
    setLaid([]);
    setPicked(heldCards(cardsOf(next), held()));
    setSuggestion(next);
    const onto = books().find((book) => next.startsWith("add ") && book.id === Number(next.split(" ")[1]));
    const values = { cards: listed(cardsOf(next).map(cardWords)), points: pointCount(points()) };
    say(
      onto
        ? t("Suggested: {cards} onto the {rank}, {points}. Enter lays it", { ...values, rank: rankName(onto.rank) })
        : t("Suggested: {cards}, {points}. Enter lays it", values),
    );
  }

  const suggests: Gate = {
    may: () => suggestions().length > 0,
    move: () => "meld",
    act: suggest,
    lacks: () => melding() && t("There is nothing to lay"),
  };
  const advanced: Gate = { may: inMeldPhase, move: () => "meld", act: () => setAsked({ kind: "advanced" }) };

  // What Enter does: it presses the button that stands out. A wild is never discarded by this key.
  const main = createMemo((): "draw" | "meld" | "add" | "discard" | null => {
    if (may("draw")) return may("choose-pile") ? null : "draw";
    if (!melding()) return null;
    if (suggestion()) return "meld";
    if (adds.may()) return "add";
    if (melds.may()) return "meld";
    return selection().length === 1 && !isWild(selection()[0]!, view()) ? "discard" : null;
  });
  function confirm() {
    const what = main();
    if (what === "draw") draw();
    else if (what) ({ meld: melds, add: adds, discard: discards })[what].act();
  }

  const drag = createDrag({
    cards: (id) => (selected().has(id) ? hand().filter((one) => selected().has(one)) : [id]),
    drop(target, ids, before) {
      if (target === "pile") {
        if (ids.length === 1) discard(ids[0]);
        else say(t("Only one card can be discarded"));
      } else if (target === "meld") {
        setPicked(ids);
        use(table, melds);
      } else if (target === "hand") manual() && setOrder(moveBefore(held(), ids, before));
      else add(books().find((book) => target === `book-${book.id}`)!, ids);
    },
    longPress: (id) => void discard(id),
  });

  return {
    table,
    view,
    settings,
    me,
    mySide,
    books,
    manual,
    held,
    hand,
    sort,
    shift,
    selection,
    selected,
    points,
    parts,
    groups,
    sum,
    aside,
    takeBack,
    suggestion,
    asked,
    setAsked,
    legal,
    may,
    needed,
    opening,
    laying,
    melding,
    targets,
    clear,
    toggle,
    act,
    keep,
    send,
    draw,
    discard,
    add,
    onlyTake,
    main,
    confirm,
    drag,
    control,
    melds,
    adds,
    discards,
    takes,
    suggests,
    advanced,
  };
}
export type Play = ReturnType<typeof createPlay>;
