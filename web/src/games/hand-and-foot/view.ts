// Hand & Foot's view (games/hand_and_foot/RULES.md), and what the table works out from it.
import type { Legal, Settings, View } from "../../model";
import { parseCard } from "../../ui/cards";

export interface Book {
  id: number;
  team: number;
  rank: string;
  cards: string[];
  isBook: boolean;
  isClean: boolean;
  isDirty: boolean;
  closed: boolean;
  status: string;
  points: number;
  bonus: number;
  topCard: string | null;
  turned: boolean;
  blackMarker: boolean;
}

export interface Player {
  id: string;
  seatIndex: number;
  team: number;
  score: number;
  handCount: number;
  hand?: string[];
  newlyDrawn?: string[];
  footCount: number;
  hasPlayedDown: boolean;
  hasPickedUpFoot: boolean;
  hasChosenPile: boolean;
  missingToGoOut: string;
}

export interface Side {
  id: number;
  points: number;
  melds: Book[];
  cleanBooks: number;
  dirtyBooks: number;
  redThrees: number;
  roundHistory: { round: number; score: number; wentOut: boolean }[];
}

export interface SideScore {
  side: number;
  melds: Book[];
  meldPoints: number;
  bookBonuses: number;
  handCards: number;
  handPenalty: number;
  footCards: number;
  footPenalty: number;
  redThreeBonus: number;
  goingOutBonus: number;
  roundScore: number;
  totalScore: number;
}

export interface HandAndFootView extends View {
  phase: "setup" | "playing" | "roundEnd" | "gameEnd";
  winner: number | null;
  round: number;
  currentPlayerIndex: number;
  turnPhase: "draw" | "meld" | "discard";
  hasMelded: boolean;
  discardPileFrozen: boolean;
  minimum: number;
  partnerAsked: boolean;
  canUndo: boolean;
  deck: { size: number };
  discardPile: { size: number; top: string | null };
  players: Player[];
  teams: Side[];
  reason?: string;
  wentOut?: number | null;
  scores?: SideScore[];
  winners?: number[];
}

export const isWild = (id: string): boolean => {
  const { rank } = parseCard(id);
  return rank === "2" || rank === "JK";
};

export const withMinus = (points: number): string => String(points).replace("-", "−");

const courts: Record<string, string> = { A: "aces", K: "kings", Q: "queens", J: "jacks", JK: "jokers", wild: "wild cards", "6": "sixes" };
const numbers: Record<string, string> = { "2": "twos", "3": "threes", "4": "fours", "5": "fives", "7": "sevens", "8": "eights", "9": "nines", "10": "tens" };
export const rankName = (rank: string): string => courts[rank] ?? numbers[rank] ?? rank;

// What the table calls books without and with wilds (HT-10).
export const bookKinds = (settings: Settings): [string, string] => (settings["labels"] === "natural-unnatural" ? ["Natural", "Unnatural"] : ["Clean", "Dirty"]);

// Which setting holds what a card of that rank counts.
const valueKeys: Record<string, string> = {
  JK: "jokerPoints", "2": "twoPoints", A: "acePoints", K: "highPoints", Q: "highPoints", J: "highPoints", "10": "highPoints", "9": "highPoints", "8": "eightPoints",
  "7": "lowPoints", "6": "lowPoints", "5": "lowPoints", "4": "lowPoints", "3": "blackThreePoints",
};

export const pointsOf = (cards: readonly string[], settings: Settings): number =>
  cards.reduce((sum, id) => sum + Number(settings[valueKeys[parseCard(id).rank] ?? ""] ?? 0), 0);

export interface Group {
  rank: string;
  cards: string[];
}

// The hand by ranks in the order it came, twos and jokers last.
export function groupByRank(hand: readonly string[]): Group[] {
  const groups = new Map<string, string[]>();
  for (const id of hand) {
    const { rank } = parseCard(id);
    groups.set(rank, [...(groups.get(rank) ?? []), id]);
  }
  return [...groups].map(([rank, cards]) => ({ rank, cards }));
}

// The rank all naturals of a selection share; null: none or several.
export function rankOf(cards: readonly string[]): string | null {
  const ranks = new Set(cards.filter((id) => !isWild(id)).map((id) => parseCard(id).rank));
  return ranks.size === 1 ? [...ranks][0]! : null;
}

// Own books that a selection could go on, as far as ranks tell.
export function booksFor(selection: readonly string[], books: readonly Book[]): Book[] {
  if (selection.length === 0) return [];
  const rank = rankOf(selection);
  const wildOnly = selection.every(isWild);
  return books.filter((book) => (wildOnly ? true : rank !== null && book.rank === rank));
}

// Would this addition turn a clean book into a dirty one? (HF-C32)
export const spoils = (book: Book, cards: readonly string[]): boolean => book.isBook && book.isClean && cards.some(isWild);

// The cards a move names, whatever its verb.
export const cardsOf = (move: string): string[] => move.split(/[ /]+/).filter((word) => /^(?:JK|(?:10|[2-9JQKA])[SHDC])(?:\.\d+)?$/.test(word));

// The clean book that a move would make dirty, if any (HF-C32).
export function spoiledBy(move: string, books: readonly Book[], settings: Settings): Book | undefined {
  const [verb, number] = move.split(" ");
  if (verb === "add") return books.find((book) => book.id === Number(number) && spoils(book, cardsOf(move)));
  if (verb !== "meld" || settings["booksPerRank"] !== "one") return undefined;
  const groups = move.split("/").map(cardsOf);
  return books.find((book) => groups.some((group) => rankOf(group) === book.rank && spoils(book, group)));
}

// The melds and additions that the engine offers, the best first: naturals count, wilds are kept for
// melds that have some already, and what spoils a clean book comes last.
export function suggestionsIn(view: View, books: readonly Book[], settings: Settings): string[] {
  function worth({ type, move }: Legal): number {
    const cards = cardsOf(move);
    const wilds = cards.filter(isWild).length;
    const onto = type === "meld" ? undefined : books.find((book) => book.id === Number(move.split(" ")[1]));
    const soils = onto && wilds > 0 && !onto.cards.some(isWild);
    return pointsOf(cards.filter((id) => !isWild(id)), settings) + (type === "meld" ? 0.5 : 0) - wilds - (soils ? onto.cards.length : 0) - (spoiledBy(move, books, settings) ? 10000 : 0);
  }
  return view.legal
    .filter(({ type }) => type === "meld" || type === "add-to-meld")
    .sort((a, b) => worth(b) - worth(a))
    .map(({ move }) => move);
}

// "5 × 10 + 2 × 20": what a meld's cards count.
export function countTimesValue(cards: readonly string[], settings: Settings): string {
  const counts = new Map<number, number>();
  for (const id of cards) {
    const value = pointsOf([id], settings);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => `${count} × ${value}`).join(" + ");
}
