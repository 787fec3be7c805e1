// What the table of Hand & Foot answers in words.
import type { Speech } from "../../table/speech";
import type { Table } from "../../table/table";
import { cardWords } from "../../ui/cards";
import { sideName } from "./sides";
import { withMinus, type HandAndFootEvent, type HandAndFootView, type Side } from "./view";
import { awaits, bookWords, describe, plural } from "./words";

const viewOf = (table: Table) => table.world.view as HandAndFootView | null;

function hand(table: Table): string | undefined {
  const me = viewOf(table)?.players.find(({ seatIndex }) => seatIndex === table.mySeat());
  if (!me?.hand) return undefined;
  const fresh = me.newlyDrawn?.length ? `. New: ${me.newlyDrawn.map(cardWords).join(", ")}` : "";
  const foot = me.hasPickedUpFoot ? "" : `. Your foot has ${plural(me.footCount, "card")}`;
  return `Your hand, ${plural(me.hand.length, "card")}: ${me.hand.map(cardWords).join(", ")}${fresh}${foot}`;
}

function laid(table: Table, side: Side): string {
  const books = side.melds.map((book) => `${book.id}: ${bookWords(book, table.world.settings)}`);
  return `${sideName(table, side.id)} laid ${books.length === 0 ? "nothing" : books.join("; ")}.`;
}

function board(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const { top, size } = view.discardPile;
  const pile = top === null ? "The pile is empty." : `The pile has ${plural(size, "card")}, ${cardWords(top)} on top.`;
  const frozen = view.discardPileFrozen ? " It is frozen." : "";
  const held = view.players
    .filter(({ seatIndex }) => seatIndex !== table.mySeat())
    .map((one) => `${table.name(one.seatIndex)} ${plural(one.handCount, "card")} and ${one.footCount} in the foot`);
  return (
    `${pile}${frozen} ${plural(view.deck.size, "card")} to draw. ` +
    `${view.teams.map((side) => laid(table, side)).join(" ")} In hand: ${held.join("; ")}.`
  );
}

function score(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const me = view.players.find(({ seatIndex }) => seatIndex === table.mySeat());
  const points = view.teams.map((side) => `${sideName(table, side.id)} ${withMinus(side.points)}`);
  const first = me && !me.hasPlayedDown ? ` Your first meld needs ${view.minimum} points.` : "";
  const out = me?.missingToGoOut ? ` To go out: ${me.missingToGoOut}.` : "";
  return `Round ${view.round}. ${points.join(", ")}.${first}${out}`;
}

export const speech: Speech<HandAndFootEvent> = { describe, awaits, hand, board, score };
