// What an Up-N-Down view holds, and sentences about it. What fits where is read from `view.legal`.
import type { EventOf, LegalOf, Nothing, Seat, View } from "../../model";
import { seatName } from "../../model";
import { cardCount } from "../../amounts";
import { t } from "../../languages";

export interface Pile {
  id: number;
  type: "ascending" | "descending";
  start: number;
  top: number;
  cards: number[];
}

export interface Statistics {
  cardsPlayed: number;
  totalMovement: number;
  specialPlays: number;
  averageMovement: number;
}

export interface Player {
  id: string;
  seatIndex: number;
  handCount: number;
  hand?: number[];
  preferences: number[];
  statistics: Statistics;
}

// What playing a card would do.
interface JumpPreview {
  movement: number;
  special: boolean; // the step back
  cost: number; // by how many numbers the pile's room shrinks; a step back gives room
  partner?: number; // the card of the hand that could step back on it afterwards
  pairCost?: number; // and what both cost together
}

interface UpNDownActions {
  "play-card": { payload: { cardId: number; pileId: number }; preview: JumpPreview };
  undo: { payload: Nothing };
  "end-turn": { payload: Nothing };
  "set-preference": { payload: { pileId: number; level: number } };
}

interface UpNDownEvents {
  "game-started": { drawPileCount: number };
  "hand-updated": { hand: number[] };
  "turn-started": { seatIndex: number };
  "card-played": { seatIndex: number; card: number; pileId: number; movement: number; special: boolean };
  "cards-drawn": { seatIndex: number; count: number; drawPileCount: number };
  "play-undone": { seatIndex: number; card: number; pileId: number };
  "turn-ended": { seatIndex: number; cardsPlayed: number };
  "preference-set": { seatIndex: number; pileId: number; level: number };
  "game-over": { won: boolean; cardsLeft: number };
}
export type UpNDownEvent = EventOf<UpNDownEvents>;

export interface UpNDownView extends View<LegalOf<UpNDownActions>> {
  gamePhase: "lobby" | "playing" | "won" | "lost";
  isSolitaire: boolean;
  currentPlayerIndex: number;
  cardsPlayedThisTurn: number;
  minimumThisTurn: number;
  canUndo: boolean;
  foundationPiles: Pile[];
  drawPileCount: number;
  cardsLeft: number; // that are on no pile yet
  players: Player[];
  statistics: Statistics;
  settings: {
    minCardValue: number;
    maxCardValue: number;
    handSize: number;
    minPlayers: number;
    maxPlayers: number;
    minCardsPerTurn: number;
    allowUndo: boolean;
    autoRefillHand: boolean;
    debugMode: boolean;
  };
}

export const levels = ["none", "like", "really like", "love"] as const;
export const levelWords = [t("none#mark"), t("like"), t("really like"), t("love")] as const;

export const rises = (pile: Pile): boolean => pile.type === "ascending";

// What a card would do to a pile that takes it.
export interface Jump {
  pile: number;
  move: string;
  distance: number;
  backward: boolean;
  cost: number;
  partner: number | undefined;
  pairCost: number | undefined;
  best: boolean; // no pile takes the card at a smaller cost
}

export function jumpsOf(view: UpNDownView, card: number | null): Jump[] {
  if (card === null) return [];
  const jumps = view.legal
    .filter((one) => one.type === "play-card")
    .filter(({ payload }) => payload.cardId === card)
    .map(({ payload, move, preview }) => ({
      pile: payload.pileId,
      move,
      distance: preview.movement,
      backward: preview.special,
      cost: preview.cost,
      partner: preview.partner,
      pairCost: preview.pairCost,
    }));
  const least = Math.min(...jumps.map(({ cost }) => cost));
  return jumps.map((jump) => ({ ...jump, best: jump.cost === least }));
}

export const outcomeWords = (won: boolean, left: number): string =>
  won ? t("Won: every card is on a pile!") : t("Lost: {cards} found no place", { cards: cardCount(left) });

export const legalMove = (view: UpNDownView, move: string): boolean => view.legal.some((one) => one.move === move);

// "+3", "−10": the way the number on the pile changes.
export function jumpSign(pile: Pile, jump: Jump): string {
  return `${rises(pile) !== jump.backward ? "+" : "−"}${jump.distance}`;
}

export function jumpWords(jump: Jump): string {
  return jump.backward
    ? t("{distance} backward", { distance: jump.distance })
    : t("a jump of {distance}", { distance: jump.distance });
}

export function pileWords(pile: Pile): string {
  const values = { pile: pile.id, top: pile.top };
  if (pile.cards.length === 0)
    return rises(pile)
      ? t("Pile {pile}, rising, empty, counts as {top}", values)
      : t("Pile {pile}, falling, empty, counts as {top}", values);
  return rises(pile) ? t("Pile {pile}, rising, {top} on top", values) : t("Pile {pile}, falling, {top} on top", values);
}

// Where in the range of the deck a number stands, 0 to 1.
export function share(view: UpNDownView, value: number): number {
  const { minCardValue, maxCardValue } = view.settings;
  const low = minCardValue - 1;
  return (value - low) / (maxCardValue + 1 - low);
}

// Names are followed by their place in the turn order (UD-39).
export function orderSigns(seat: Seat | undefined, you: number | null): string {
  const number = `(${(seat?.seatIndex ?? 0) + 1})`;
  return seat?.seatIndex === you && seatName(seat) !== t("You") ? `${number} (${t("You")})` : number;
}

export const orderName = (seat: Seat | undefined, you: number | null): string =>
  `${seatName(seat)} ${orderSigns(seat, you)}`;

export const markWords = (name: string, level: number): string =>
  [
    t("{name} has no mark for it", { name }),
    t("{name} likes it", { name }),
    t("{name} really likes it", { name }),
    t("{name} loves it", { name }),
  ][level]!;

// How many cards must still be played in the own turn, in words that fit on a phone.
export function awaited(view: UpNDownView): string | undefined {
  if (view.gamePhase !== "playing") return undefined;
  const owed = view.minimumThisTurn - view.cardsPlayedThisTurn;
  const fits = view.legal.some(({ type }) => type === "play-card");
  if (!fits) return owed > 0 || view.isSolitaire ? t("Nothing fits any more") : t("Nothing fits: end the turn");
  if (view.isSolitaire) return t("Play on: {cards} to go", { cards: cardCount(view.cardsLeft) });
  if (owed <= 0) return t("Play on, or end the turn");
  return view.cardsPlayedThisTurn > 0
    ? t("Your turn: {count} more", { count: owed })
    : t("Your turn: {cards}", { cards: cardCount(owed) });
}
