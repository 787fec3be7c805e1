// What an Up-N-Down view holds, and sentences about it. What fits where is read from `view.legal`.
import type { EventOf, LegalOf, Nothing, Seat, View } from "../../model";
import { seatName } from "../../model";

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
  special: boolean; // the step back of ten
  partner?: number; // the card of the hand that could step back ten on it afterwards
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
const likes = ["has no mark for", "likes", "really likes", "loves"];

export const rises = (pile: Pile): boolean => pile.type === "ascending";

// What a card would do to a pile that takes it.
export interface Jump {
  pile: number;
  move: string;
  distance: number;
  backward: boolean;
  partner: number | undefined;
  best: boolean; // no pile takes the card at a smaller price
}

const price = (jump: Omit<Jump, "best">): number => (jump.backward ? -jump.distance : jump.distance);

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
      partner: preview.partner,
    }));
  const least = Math.min(...jumps.map(price));
  return jumps.map((jump) => ({ ...jump, best: price(jump) === least }));
}

export const legalMove = (view: UpNDownView, move: string): boolean => view.legal.some((one) => one.move === move);

// "+3", "−10": the way the number on the pile changes.
export function jumpSign(pile: Pile, jump: Jump): string {
  return `${rises(pile) !== jump.backward ? "+" : "−"}${jump.distance}`;
}

export function jumpWords(jump: Jump): string {
  return jump.backward ? `${jump.distance} backward` : `a jump of ${jump.distance}`;
}

export function pileWords(pile: Pile): string {
  const way = rises(pile) ? "rising" : "falling";
  return `Pile ${pile.id}, ${way}, ${pile.cards.length === 0 ? `empty, counts as ${pile.top}` : `${pile.top} on top`}`;
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
  return seat?.seatIndex === you && seatName(seat) !== "You" ? `${number} (You)` : number;
}

export const orderName = (seat: Seat | undefined, you: number | null): string =>
  `${seatName(seat)} ${orderSigns(seat, you)}`;

export const markWords = (who: string, level: number): string => `${who} ${likes[level]} it`;

const cards = (count: number): string => (count === 1 ? "1 card" : `${count} cards`);

// How many cards must still be played in this turn, in words that fit on a phone.
export function awaited(view: UpNDownView, name: string, mine: boolean): string | undefined {
  if (view.gamePhase !== "playing") return undefined;
  const owed = view.minimumThisTurn - view.cardsPlayedThisTurn;
  const fits = view.legal.some(({ type }) => type === "play-card");
  if (!mine) return `Waiting for ${name}…`;
  if (!fits) return owed > 0 || view.isSolitaire ? "Nothing fits any more" : "Nothing fits: end turn";
  if (view.isSolitaire) return `Play on: ${cards(view.cardsLeft)} to go`;
  return owed > 0 ? `Your turn: ${view.cardsPlayedThisTurn > 0 ? `${owed} more` : cards(owed)}` : "Play on or end turn";
}

// `you` stands for the reader's own seat.
export function eventWords(
  { event, data }: UpNDownEvent,
  name: (seat: number) => string,
  you: number | null,
  isBot: (seat: number) => boolean,
): string | undefined {
  const seat = "seatIndex" in data ? data.seatIndex : -1;
  const who = name(seat);
  const verb = (own: string, other: string) => `${who} ${seat === you ? own : other}`;
  switch (event) {
    case "game-started":
      return `The cards are dealt, ${data.drawPileCount} are left to draw`;
    case "card-played":
      return (
        `${verb("play", "plays")} ${data.card} on pile ${data.pileId}, ` +
        `${data.special ? "10 backward!" : `a jump of ${data.movement}`}`
      );
    case "cards-drawn":
      return data.drawPileCount === 0 ? "The last card is drawn" : undefined;
    case "play-undone":
      return `${verb("take", "takes")} ${data.card} back from pile ${data.pileId}`;
    case "turn-ended":
      return `${verb("end your", "ends the")} turn after ${cards(data.cardsPlayed)}`;
    case "preference-set":
      // Bots mark all the time, and one's own button says it already: these are read at the piles.
      return seat === you || isBot(seat) ? undefined : `${who} ${likes[data.level]} pile ${data.pileId}`;
    case "game-over":
      return data.won ? "Won: every card is on a pile!" : `Lost: ${cards(data.cardsLeft)} found no place`;
    default:
      return undefined;
  }
}
