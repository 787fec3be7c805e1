// What the table of Hand & Foot answers in words.
import { cardCount } from "../../amounts";
import type { Speech } from "../../table/speech";
import type { Table } from "../../table/table";
import { cardWords } from "../../ui/cards";
import { sideName } from "./sides";
import { withMinus, type HandAndFootEvent, type HandAndFootView, type Side } from "./view";
import { awaits, bookWords, describe, missingWords } from "./words";
import { listed, t, telling } from "../../languages";

const viewOf = (table: Table) => table.world.view as HandAndFootView | null;

function hand(table: Table): string | undefined {
  const me = viewOf(table)?.players.find(({ seatIndex }) => seatIndex === table.mySeat());
  if (!me?.hand) return undefined;
  const cards = { count: cardCount(me.hand.length), cards: listed(me.hand.map(cardWords)) };
  return [
    t("Your hand, {count}: {cards}", cards),
    me.newlyDrawn?.length ? t("New: {cards}", { cards: listed(me.newlyDrawn.map(cardWords)) }) : "",
    me.hasPickedUpFoot ? "" : t("Your foot has {cards}", { cards: cardCount(me.footCount) }),
  ]
    .filter(Boolean)
    .join(". ");
}

function laid(table: Table, side: Side): string {
  const books = side.melds.map((book) => telling(book.id, bookWords(book, table.world.settings)));
  const name = sideName(table, side.id);
  return books.length === 0
    ? t("{name} laid nothing.", { name })
    : t("{name} laid {books}.", { name, books: books.join("; ") });
}

function board(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const { top, size } = view.discardPile;
  const pile =
    top === null
      ? t("The pile is empty.")
      : t("The pile has {cards}, {card} on top.", { cards: cardCount(size), card: cardWords(top) });
  const held = view.players
    .filter(({ seatIndex }) => seatIndex !== table.mySeat())
    .map((one) =>
      t("{name} {cards} and {foot} in the foot", {
        name: table.name(one.seatIndex),
        cards: cardCount(one.handCount),
        foot: one.footCount,
      }),
    );
  return [
    pile,
    ...(view.discardPileFrozen ? [t("It is frozen.")] : []),
    t("{cards} to draw.", { cards: cardCount(view.deck.size) }),
    ...view.teams.map((side) => laid(table, side)),
    t("In hand: {held}.", { held: held.join("; ") }),
  ].join(" ");
}

function score(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const me = view.players.find(({ seatIndex }) => seatIndex === table.mySeat());
  const points = view.teams.map((side) => `${sideName(table, side.id)} ${withMinus(side.points)}`);
  return [
    t("Round {round}. {points}.", { round: view.round, points: listed(points) }),
    ...(me && !me.hasPlayedDown ? [t("Your first meld needs {minimum} points.", { minimum: view.minimum })] : []),
    ...(me?.missingToGoOut ? [t("To go out: {missing}.", { missing: missingWords(me.missingToGoOut) })] : []),
  ].join(" ");
}

// What is shown at the seat, and where it comes from.
const places: Record<string, string | true> = {
  "cards-drawn": "deck",
  "pile-taken": "pile",
  "cards-melded": true,
  "book-completed": true,
  "book-closed": true,
  "foot-picked-up": true,
  "card-discarded": true,
  "red-three-laid": true,
};

const atSeat = ({ event }: { event: string }) => places[event];

export const speech: Speech<HandAndFootEvent> = { describe, atSeat, awaits, hand, board, score };
