// What a person at the table has in mind: the selection, the order of the hand, a question that
// waits. All else is in the view.
import { createEffect, createMemo, createSignal, on } from "solid-js";
import type { Table } from "../../table/table";
import { cardWords } from "../../ui/cards";
import { say } from "../../ui/notes";
import { createDrag } from "./drag";
import { keepOrder, keptOrder, moveBefore, nudge, rememberOrder } from "./order";
import { booksFor, cardsOf, isWild, pointsOf, rankName, spoiledBy, suggestionsIn, type Book, type HandAndFootView } from "./view";

export type Asked = { kind: "advanced" } | { kind: "take" } | { kind: "cannot"; text: string } | { kind: "spoil"; book: Book; move: string } | { kind: "books"; side: number };

export const viewOf = (table: Table) => table.world.view as HandAndFootView;

const playersOf = (table: Table, side: number) => viewOf(table).players.filter((player) => player.team === side);

// What the owner called a team.
export const givenName = (table: Table, side: number): string | undefined => table.world.teamNames[table.world.seats[playersOf(table, side)[0]?.seatIndex ?? -1]?.team ?? ""];

// A team by the name it was given, or after its players.
export function sideName(table: Table, side: number): string {
  return givenName(table, side) ?? playersOf(table, side).map((player) => table.name(player.seatIndex)).join(" & ");
}

export function createPlay(table: Table) {
  const view = () => viewOf(table);
  const settings = () => table.world.settings;
  const me = () => view().players.find((player) => player.seatIndex === table.mySeat());
  const mySide = () => view().teams.find((side) => side.id === me()?.team);
  const books = () => mySide()?.melds ?? [];

  // The hand, sorted or as its holder likes it.
  const manual = () => settings()["sorting"] === "choice";
  const [order, setOrder] = createSignal<string[]>(keptOrder(table.world.roomCode));
  const hand = createMemo(() => (manual() ? keepOrder(order(), me()?.hand ?? []) : [...(me()?.hand ?? [])]), [], { equals: (a, b) => a.join() === b.join() });
  createEffect(
    on(hand, (held) => {
      if (!manual()) return;
      setOrder(held);
      rememberOrder(table.world.roomCode, held);
    }),
  );
  const sort = () => {
    setOrder([...(me()?.hand ?? [])]);
    say("Your hand is sorted");
  };
  const shift = (id: string, by: -1 | 1) => manual() && setOrder(nudge(hand(), id, by));

  const [picked, setPicked] = createSignal<string[]>([]);
  const [suggestion, setSuggestion] = createSignal<string | null>(null);
  const [asked, setAsked] = createSignal<Asked | null>(null);
  const selection = createMemo(() => picked().filter((id) => hand().includes(id)));
  const selected = createMemo(() => new Set(selection()));
  const points = createMemo(() => pointsOf(selection(), settings()));

  const legal = (type: string) => view().legal.filter((one) => one.type === type);
  const may = (type: string) => legal(type).length > 0;
  const needed = () => (me()?.hasPlayedDown ? 0 : view().minimum);
  const melding = () => table.myTurn() && view().turnPhase !== "draw" && !may("answer-partner");

  // Own books that the engine lets the selection go on.
  const targets = createMemo(() => {
    const additions = legal("add-to-meld").map(({ move }) => ({ book: Number(move.split(" ")[1]), wild: cardsOf(move).some(isWild) }));
    const kinds = new Set(selection().map(isWild));
    return booksFor(selection(), books()).filter((book) => [...kinds].every((wild) => additions.some((one) => one.book === book.id && one.wild === wild)));
  });

  function clear() {
    setPicked([]);
    setSuggestion(null);
  }

  function toggle(ids: readonly string[], on = !selected().has(ids[0]!)) {
    setSuggestion(null);
    setPicked([...selection().filter((id) => !ids.includes(id)), ...(on ? ids : [])]);
    say(`${ids.map(cardWords).join(", ")} ${on ? "selected" : "put back"}. ${selection().length} selected, ${points()} points`);
  }

  async function send(move: string) {
    if (table.busy()) return;
    const refusal = await table.act(move, true);
    if (!refusal) return clear();
    if (refusal.code === "CANNOT_GO_OUT") setAsked({ kind: "cannot", text: refusal.error });
    else table.refuse(refusal);
  }

  // Whatever would spoil a clean book is asked first.
  function act(move: string) {
    const book = spoiledBy(move, books(), settings());
    if (book) setAsked({ kind: "spoil", book, move });
    else void send(move);
  }

  const draw = () => act("draw");
  const discard = (id: string | undefined) => id !== undefined && act(`discard ${id}`);
  const meld = () => act(suggestion() ?? `meld ${selection().join(" ")}`);
  const add = (book: Book, cards: readonly string[] = selection()) => act(`add ${book.id} ${cards.join(" ")}`);
  const take = () => (legal("unlock-discard").length === 1 && selection().length === 0 ? act(legal("unlock-discard")[0]!.move) : setAsked({ kind: "take" }));

  // Where plays can be undone, one may lay so much that the last card cannot be discarded.
  const strands = (move: string) => me()!.hasPickedUpFoot && me()!.missingToGoOut !== "" && hand().length - cardsOf(move).length < 2;

  // The engine's best meld; asked again, the next one.
  function suggest() {
    const all = suggestionsIn(view(), books(), settings()).filter((move) => !strands(move));
    if (all.length === 0) return say("There is nothing to lay");
    const next = all[(all.indexOf(suggestion() ?? "") + 1) % all.length]!;
    setPicked(cardsOf(next));
    setSuggestion(next);
    const onto = next.startsWith("add ") ? ` onto the ${rankName(books().find((book) => book.id === Number(next.split(" ")[1]))?.rank ?? "")}` : "";
    say(`Suggested: ${cardsOf(next).map(cardWords).join(", ")}${onto}, ${points()} points. Enter lays it`);
  }

  // What Enter does: the button that stands out.
  const main = createMemo((): "draw" | "meld" | "add" | "discard" | null => {
    if (may("draw")) return may("choose-pile") ? null : "draw";
    if (!melding()) return null;
    if (suggestion()) return "meld";
    if (view().turnPhase === "meld" && targets().length === 1) return "add";
    if (selection().length >= 3 && view().turnPhase === "meld") return "meld";
    return selection().length === 1 ? "discard" : null;
  });
  function confirm() {
    const what = main();
    if (what === "draw") draw();
    else if (what === "meld") meld();
    else if (what === "add") add(targets()[0]!);
    else if (what === "discard") discard(selection()[0]);
  }

  const drag = createDrag({
    cards: (id) => (selected().has(id) ? hand().filter((one) => selected().has(one)) : [id]),
    drop(target, ids, before) {
      if (target === "pile") {
        if (ids.length === 1) discard(ids[0]);
        else say("Only one card can be discarded");
      } else if (target === "meld") act(`meld ${ids.join(" ")}`);
      else if (target === "hand") manual() && setOrder(moveBefore(hand(), ids, before));
      else add(books().find((book) => target === `book-${book.id}`)!, ids);
    },
    longPress: (id) => void discard(id),
  });

  return {
    table, view, settings, me, mySide, books, manual, hand, sort, shift, selection, selected, points, suggestion, asked, setAsked, legal, may, needed, melding, targets,
    clear, toggle, act, send, draw, discard, meld, add, take, suggest, main, confirm, drag,
  };
}
export type Play = ReturnType<typeof createPlay>;
