// What a seat sees of Who's Deal?, and how that is put in order for the eye. What is legal is not
// decided here: `view.legal` says it.
import type { View, World } from "../../model";
import { cardWords, parseCard } from "../../ui/cards";

export type Suit = "spades" | "hearts" | "diamonds" | "clubs";
export type Team = "a" | "b";
export const suits: readonly Suit[] = ["spades", "hearts", "diamonds", "clubs"];

export interface Card {
  suit: Suit;
  rank: string;
  id: string;
}

export interface Played {
  playerId: string;
  seatIndex: number;
  card: Card;
}

export interface TakenTrick {
  winnerSeatIndex: number;
  cards: { seatIndex: number; id: string }[];
}

export interface Round {
  trumpPhase: "dealing" | "round1" | "round2" | "dealer_discard" | "defending" | "playing" | "round_over";
  handCounts: number[];
  hands: Record<string, Card[]>;
  kittyCount: number;
  kitty: Card[]; // those that the viewer knows
  faceUpCard: Card | null;
  trumpSuit: Suit | null;
  callingPlayerId: string | null;
  callingTeam: Team | null;
  goingAlone: boolean;
  alonePlayerId: string | null;
  inactivePartnerSeatIndex: number | null;
  aloneDefenderSeatIndex: number | null;
  dealerPickedUp: Card | null;
  dealerDiscarded: boolean;
  currentTurnSeatIndex: number | null;
  passedPlayers: string[];
  tricks: TakenTrick[]; // of this hand
  currentTrick: Played[];
  lastTrick?: Played[];
  lastTrickWinnerSeatIndex?: number;
  trickLeadSeatIndex: number | null;
  tricksWon: Record<Team, number>;
  tricksPlayed: number;
}

export interface EuchreView extends View {
  phase: "playing" | "game_over";
  teams: Record<Team, { playerIds: string[]; score: number }>;
  seats: string[];
  targetScore: number;
  dealerSeatIndex: number;
  winningTeam: Team | null;
  round: Round | null;
}

export const viewOf = (world: World): EuchreView | null => world.view as EuchreView | null;

export const teamOf = (seat: number): Team => (seat % 2 === 0 ? "a" : "b");
export const otherTeam = (team: Team): Team => (team === "a" ? "b" : "a");

// Where a seat is, seen from another one: turns go around clockwise, so the next player is at the left.
export type Side = "bottom" | "left" | "top" | "right";
const sides: readonly Side[] = ["bottom", "left", "top", "right"];
export const sideOf = (seat: number, from: number): Side => sides[(seat - from + 4) % 4]!;

const nameOf: Record<string, Suit> = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const sameColour: Record<Suit, Suit> = { spades: "clubs", clubs: "spades", hearts: "diamonds", diamonds: "hearts" };
const isRed = (suit: Suit) => suit === "hearts" || suit === "diamonds";

export const suitLetter = (suit: Suit): string => suit[0]!.toUpperCase();
export const suitTitle = (suit: Suit): string => suit[0]!.toUpperCase() + suit.slice(1);

const printedSuit = (id: string): Suit => nameOf[parseCard(id).suit]!;
export const isLeftBower = (id: string, trump: Suit | null) =>
  trump !== null && parseCard(id).rank === "J" && printedSuit(id) === sameColour[trump];

// The suit a card belongs to: the left bower is a trump.
export const suitIn = (id: string, trump: Suit | null): Suit => (isLeftBower(id, trump) ? trump! : printedSuit(id));

// The name of a card with what trump makes of it.
export function cardTitle(id: string, trump: Suit | null): string {
  if (isLeftBower(id, trump)) return `${cardWords(id)}, left bower`;
  if (trump && parseCard(id).rank === "J" && printedSuit(id) === trump) return `${cardWords(id)}, right bower`;
  return cardWords(id);
}

const order = ["9", "10", "J", "Q", "K", "A"];
function weight(id: string, trump: Suit | null): number {
  if (isLeftBower(id, trump)) return order.length;
  const { rank } = parseCard(id);
  return rank === "J" && printedSuit(id) === trump ? order.length + 1 : order.indexOf(rank);
}

// How far up a card is in a trick; in no trick at all, trumps are above everything else.
export function strength(id: string, led: Suit | null, trump: Suit | null): number {
  const suit = suitIn(id, trump);
  if (suit === trump) return weight(id, trump) + 2 * order.length;
  return led === null || suit === led ? weight(id, trump) + order.length : weight(id, trump) - order.length;
}

function arrangements<T>(items: readonly T[]): T[][] {
  return items.length === 0
    ? [[]]
    : items.flatMap((item) => arrangements(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

// Trump first with its bowers, then suits of alternating colour, high cards before low ones.
export function sortHand(ids: readonly string[], trump: Suit | null): string[] {
  const held = suits.filter((suit) => ids.some((id) => suitIn(id, trump) === suit));
  const clashes = (list: Suit[]) => list.filter((suit, i) => i > 0 && isRed(suit) === isRed(list[i - 1]!)).length;
  const possible = arrangements(held).filter((list) => !trump || !held.includes(trump) || list[0] === trump);
  const best = possible.reduce((a, b) => (clashes(b) < clashes(a) ? b : a));
  return best.flatMap((suit) =>
    ids.filter((id) => suitIn(id, trump) === suit).sort((a, b) => weight(b, trump) - weight(a, trump)),
  );
}

export const seatOf = (view: EuchreView, playerId: string | null): number | null => {
  const seat = view.seats.indexOf(playerId ?? "");
  return seat < 0 ? null : seat;
};

// Who plays against nobody's partner: the partner of a lone caller, or of a lone defender.
export const sitsOut = (round: Round, seat: number): boolean =>
  round.inactivePartnerSeatIndex === seat ||
  (round.aloneDefenderSeatIndex !== null && (round.aloneDefenderSeatIndex + 2) % 4 === seat);

// A card stands for what was taken: all five tricks are a march, too few of them a euchre.
export function outcomeOf(callers: number, defenders: number): "march" | "euchre" | "made" {
  if (callers < defenders) return "euchre";
  return defenders === 0 ? "march" : "made";
}

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
