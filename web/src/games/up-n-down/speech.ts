// What the table of Up-N-Down answers in words.
import type { Speech } from "../../table/speech";
import type { Table } from "../../table/table";
import {
  awaited,
  eventWords,
  jumpsOf,
  jumpWords,
  markWords,
  pileWords,
  type UpNDownEvent,
  type UpNDownView,
} from "./view";

const viewOf = (table: Table) => table.world.view as UpNDownView | null;

function fits(view: UpNDownView, card: number): string {
  const jumps = jumpsOf(view, card);
  return jumps.length === 0 ? "fits nowhere" : jumps.map((jump) => `pile ${jump.pile}, ${jumpWords(jump)}`).join("; ");
}

function hand(table: Table): string | undefined {
  const view = viewOf(table);
  const cards = view?.players.find(({ seatIndex }) => seatIndex === table.mySeat())?.hand;
  if (!view || !cards) return undefined;
  if (!table.myTurn()) return `Your hand: ${cards.join(", ")}`;
  return `Your hand: ${cards.map((card) => `${card}: ${fits(view, card)}`).join(". ")}`;
}

function board(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const marks = (pile: number) =>
    view.players
      .filter(({ preferences }) => preferences[pile - 1]! > 0)
      .map(({ seatIndex, preferences }) => `; ${markWords(table.name(seatIndex), preferences[pile - 1]!)}`)
      .join("");
  const piles = view.foundationPiles.map((pile) => pileWords(pile) + marks(pile.id));
  return `${piles.join(". ")}. ${view.drawPileCount} to draw`;
}

function score(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const { cardsPlayed, specialPlays } = view.statistics;
  const laid = cardsPlayed === 1 ? "1 card is" : `${cardsPlayed} cards are`;
  return `${laid} on the piles, ${view.cardsLeft} to go. Played ten backward: ${specialPlays}`;
}

export const speech: Speech<UpNDownEvent> = {
  describe: (event, table) =>
    eventWords(
      event,
      (seat) => table.name(seat),
      table.mySeat(),
      (seat) => table.world.seats[seat]?.bot != null,
    ),
  awaits(table) {
    const view = viewOf(table);
    return view ? awaited(view, table.name(view.currentPlayerIndex), table.myTurn()) : undefined;
  },
  hand,
  board,
  score,
};
