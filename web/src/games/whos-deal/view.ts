// What a seat sees of Who's Deal?, as the engine tells it: what is legal, what beats what and how a hand ended is not
// decided here.
import type { EventOf, LegalOf, Nothing, View, World } from "../../model";
import { cardWords, suitWord } from "../../ui/cards";
import { t, tn } from "../../languages";

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

// The two best trumps.
export interface Bowers {
  right: string;
  left: string;
}

// What a legal play or discard would do.
export interface CardPreview {
  suit: Suit; // that it counts as
  strength: number;
  takes?: boolean; // the trick as it lies
}

export interface Round {
  trumpPhase: "dealing" | "round1" | "round2" | "dealer_discard" | "defending" | "playing" | "round_over";
  bowers: Bowers | null;
  sittingOutSeatIndexes: number[];
  ledSuit: Suit | null; // of the current trick
  winningSeatIndex: number | null; // who has the best card of it so far
  outcome: "made" | "march" | "sweep" | "euchre" | null; // of a hand that is over
  pointsAwarded: Record<Team, number> | null;
  handCounts: number[];
  hands: Record<string, Card[]>;
  held: string[]; // the viewer's cards in the order in which people hold them
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

type PlayOf<Payload> = { payload: Payload; preview: CardPreview };
interface EuchreActions {
  "pass-trump": { payload: Nothing };
  "call-trump": { payload: { pickUp: true; goAlone: boolean } | { suit: Suit; goAlone: boolean } };
  "defend-alone": { payload: Nothing };
  redeal: { payload: Nothing };
  discard: PlayOf<{ cardId: string }>;
  "play-card": PlayOf<{ cardId: string }>;
}

type Pair = Record<Team, number>;
interface EuchreEvents {
  "game-started": {
    teams: EuchreView["teams"];
    seats: string[];
    dealer: number;
    faceUpCard: Card;
    targetScore: number;
  };
  "new-round": { dealerSeatIndex: number; faceUpCard: Card };
  "hand-updated": { hand: Card[] };
  "trump-action":
    | { seatIndex: number; action: "pass" | "defend-alone" }
    | { seatIndex: number; action: "order-up" | "call"; suit: Suit; goAlone: boolean };
  "dealer-discarded": { seatIndex: number };
  "trump-confirmed": { trumpSuit: Suit; callingPlayer: string; callingTeam: Team; goAlone: boolean };
  "trick-started": { leadSeatIndex: number };
  "card-played": { seatIndex: number; card: Card };
  "trick-won": { winningSeatIndex: number; winningTeam: Team; tricksWon: Pair };
  "round-over": { callingTeam: Team; tricksWon: Pair; pointsAwarded: Pair; scores: Pair; isGameOver: boolean };
  "game-over": { winningTeam: Team; finalScores: Pair };
  "hand-passed-out": Nothing;
  "hand-thrown-in": { seatIndex: number; hand: Card[] };
}
export type EuchreEvent = EventOf<EuchreEvents>;

export interface EuchreView extends View<LegalOf<EuchreActions>> {
  phase: "playing" | "game_over";
  teams: Record<Team, { playerIds: string[]; score: number }>;
  seats: string[];
  targetScore: number;
  dealerSeatIndex: number;
  winningTeam: Team | null;
  round: Round | null;
}

export const viewOf = (world: World): EuchreView | null => world.view as EuchreView | null;

export const teamOf = ({ teams, seats }: EuchreView, seat: number): Team =>
  teams.a.playerIds.includes(seats[seat]!) ? "a" : "b";

// Where a seat is, seen from another one: turns go around clockwise, so the next player is at the left.
export type Side = "bottom" | "left" | "top" | "right";
const sides: readonly Side[] = ["bottom", "left", "top", "right"];
export const sideOf = (seat: number, from: number): Side => sides[(seat - from + 4) % 4]!;

export const suitLetter = (suit: Suit): string => suit[0]!.toUpperCase();
export const suitTitle = (suit: Suit): string => suitWord(suit)[0]!.toUpperCase() + suitWord(suit).slice(1);

// The name of a card with what trump makes of it.
export function cardTitle(id: string, bowers: Bowers | null | undefined): string {
  if (id === bowers?.left) return t("{card}, left bower", { card: cardWords(id) });
  return id === bowers?.right ? t("{card}, right bower", { card: cardWords(id) }) : cardWords(id);
}

export const seatOf = (view: EuchreView, playerId: string | null): number | null => {
  const seat = view.seats.indexOf(playerId ?? "");
  return seat < 0 ? null : seat;
};

export const trickCount = (n: number): string => tn(n, "{n} trick", "{n} tricks");
