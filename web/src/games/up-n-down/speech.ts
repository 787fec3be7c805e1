// What the table of Up-N-Down answers in words.
import type { Speech } from "../../table/speech";
import type { Table } from "../../table/table";
import {
  awaited,
  jumpsOf,
  jumpWords,
  markWords,
  outcomeWords,
  pileWords,
  type UpNDownEvent,
  type UpNDownView,
} from "./view";
import { listed, t, telling, tn } from "../../languages";

const viewOf = (table: Table) => table.world.view as UpNDownView | null;

function fits(view: UpNDownView, card: number): string {
  const jumps = jumpsOf(view, card);
  return jumps.length === 0
    ? t("fits nowhere")
    : jumps.map((jump) => t("pile {pile}, {jump}", { pile: jump.pile, jump: jumpWords(jump) })).join("; ");
}

function hand(table: Table): string | undefined {
  const view = viewOf(table);
  const cards = view?.players.find(({ seatIndex }) => seatIndex === table.mySeat())?.hand;
  if (!view || !cards) return undefined;
  if (!table.myTurn()) return t("Your hand: {cards}", { cards: listed(cards.map(String)) });
  return t("Your hand: {cards}", { cards: cards.map((card) => telling(card, fits(view, card))).join(". ") });
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
  return `${piles.join(". ")}. ${t("{count} to draw", { count: view.drawPileCount })}`;
}

function score(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const { cardsPlayed, specialPlays } = view.statistics;
  const values = { left: view.cardsLeft, back: specialPlays };
  return tn(
    cardsPlayed,
    "{n} card is on the piles, {left} to go. Played ten backward: {back}",
    "{n} cards are on the piles, {left} to go. Played ten backward: {back}",
    values,
  );
}

export const speech: Speech<UpNDownEvent> = {
  describe: ({ event, data }) => (event === "game-over" ? outcomeWords(data.won, data.cardsLeft) : undefined),
  // Bots mark all the time: these are read at the piles.
  needsNoWords: ({ event, data }, table) =>
    event === "preference-set" && table.world.seats[data.seatIndex]?.bot != null,
  atSeat: ({ event }) => event === "card-played" || event === "turn-ended",
  awaits(table) {
    const view = viewOf(table);
    return view && table.myTurn() ? awaited(view) : undefined;
  },
  typing: t("A card is played with its number and that of the pile; /hand says what fits where."),
  hand,
  board,
  score,
};
