// Hand & Foot's view (games/hand_and_foot/RULES.md), and what the table works out from it.
import type { EventOf, LegalOf, Nothing, Settings, View, WorldEvents } from "../../model";
import { parseCard } from "../../ui/cards";
import { t } from "../../languages";

export interface Book {
  id: number;
  team: number;
  rank: string;
  cards: string[];
  isBook: boolean;
  isClean: boolean;
  isDirty: boolean;
  wilds: number;
  unnatural: boolean;
  closed: boolean;
  status: string;
  points: number;
  bonus: number;
  topCard: string | null;
  turned: boolean;
  blackMarker: boolean;
}

// What the hand's cards of a rank could be laid as: for each number of naturals from 0 on, at least and at
// most so many wilds, or null; and the own book that they would go onto.
export interface Layable {
  rank: string;
  kinds: string[];
  wilds: ([number, number] | null)[];
  onto: number | null;
}

// What may be added to an own book: for each number of naturals of its rank from 0 on, how many wilds with them.
interface Addition {
  book: number;
  wilds: number[][];
}

export interface Player {
  id: string;
  seatIndex: number;
  team: number;
  score: number;
  handCount: number;
  hand?: string[];
  newlyDrawn?: string[];
  groups?: Layable[];
  additions?: Addition[]; // while one may meld
  footCount: number;
  foot?: string[]; // once the round is over
  hasPlayedDown: boolean;
  hasPickedUpFoot: boolean;
  hasChosenPile: boolean;
  missingToGoOut: string;
}

export interface Side {
  id: number;
  points: number;
  melds: Book[];
  worthKeeping: number[]; // clean melds that are not to get a wild without a question
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

// What laying cards would do.
interface PlayPreview {
  rating?: number; // the higher, the better as a suggestion; none: not to be suggested
  spoils?: number; // the clean meld worth keeping that would get a wild
  completes?: boolean; // it makes a book
}

// How well the hand can do without a card, and why if it is a three.
interface DiscardPreview {
  rating: number;
  three?: "red" | "black";
}

type Laying<Payload> = { payload: Payload; preview: PlayPreview };
interface HandAndFootActions {
  draw: { payload: Nothing };
  "unlock-discard": { payload: { cardIds: string[] } | { melds: string[][] } | { bookId: number; cardIds: string[] } };
  meld: Laying<{ melds: string[][] }>;
  "add-to-meld": Laying<{ bookId: number; cardIds: string[] }>;
  "close-book": { payload: { bookId: number } };
  discard: { payload: { cardId: string }; preview: DiscardPreview };
  undo: { payload: Nothing };
  "done-melding": { payload: Nothing };
  "choose-pile": { payload: { pile: number } };
  "lay-red-three": { payload: { cardId: string } };
  "ask-partner": { payload: Nothing };
  "answer-partner": { payload: { yes: boolean } };
}
type HandAndFootLegal = LegalOf<HandAndFootActions>;

type OfSeat = { seatIndex: number };
interface HandAndFootEvents extends Pick<WorldEvents, "log-recalled"> {
  "round-started": { round: number; minimum: number; deckSize: number; topCard: string | null; frozen: boolean };
  "hand-updated": { hand: string[]; newlyDrawn: string[] };
  "turn-started": OfSeat;
  "cards-drawn": OfSeat & { count: number; deckSize: number };
  "pile-taken": OfSeat & { topCard: string; count: number; pileSize: number };
  "discard-unlocked": { meldedCards: string[]; additionalCards: string[] };
  "discards-reshuffled": { deckSize: number };
  "cards-melded": OfSeat & { team: number; bookId: number; cards: string[]; firstMeld: boolean };
  "book-completed": OfSeat & { bookId: number; status: string };
  "book-closed": OfSeat & { bookId: number; status: string };
  "play-undone": OfSeat & { count: number };
  "melding-done": OfSeat;
  "foot-picked-up": OfSeat;
  "card-discarded": OfSeat & { card: string; pileSize: number; frozen: boolean };
  "pile-chosen": OfSeat & { pile: number };
  "red-three-laid": OfSeat & { card: string };
  "partner-asked": OfSeat;
  "partner-answered": OfSeat & { yes: boolean };
  "stalemate-warning": { text: string };
  "round-over": {
    round: number;
    reason: string;
    message: string;
    wentOut: number | null;
    scores: SideScore[];
    isGameOver: boolean;
  };
  "game-over": { totals: number[]; tie: boolean; winners: number[] };
}
export type HandAndFootEvent = EventOf<HandAndFootEvents>;

export interface HandAndFootView extends View<HandAndFootLegal> {
  phase: "setup" | "playing" | "roundEnd" | "gameEnd";
  winner: number | null;
  round: number;
  currentPlayerIndex: number;
  turnPhase: "draw" | "meld" | "discard";
  hasDrawnFromDeck: boolean;
  hasMelded: boolean;
  discardPileFrozen: boolean;
  minimum: number;
  enough: number; // points from which a first meld may go down
  wildRanks: string[];
  cardPoints: Record<string, number>; // by rank, and of cards that count otherwise than their rank
  partnerAsked: boolean;
  canUndo: boolean;
  deck: { size: number };
  discardPile: { size: number; top: string | null };
  pickup: number; // cards that an unlock would take
  players: Player[];
  teams: Side[];
  reason?: string;
  wentOut?: number | null;
  scores?: SideScore[];
  winners?: number[];
}

type Wilds = Pick<HandAndFootView, "wildRanks">;

export const isWild = (id: string, { wildRanks }: Wilds): boolean => wildRanks.includes(parseCard(id).rank);

export const withMinus = (points: number): string => String(points).replace("-", "−");

const courts: Record<string, string> = {
  A: t("aces"),
  K: t("kings"),
  Q: t("queens"),
  J: t("jacks"),
  JK: t("jokers"),
  wild: t("wild cards"),
  "6": t("sixes"),
};
const numbers: Record<string, string> = {
  "2": t("twos"),
  "3": t("threes"),
  "4": t("fours"),
  "5": t("fives"),
  "7": t("sevens"),
  "8": t("eights"),
  "9": t("nines"),
  "10": t("tens"),
};
export const rankName = (rank: string): string => courts[rank] ?? numbers[rank] ?? rank;

// What the table calls books without and with wilds (HT-10).
export const isNatural = (settings: Settings): boolean => settings.labels === "natural-unnatural";
export const bookKinds = (settings: Settings): [string, string] =>
  isNatural(settings) ? [t("Natural"), t("Unnatural")] : [t("Clean"), t("Dirty")];

// A card without the number of its copy.
const plain = (id: string): string => id.split(".")[0]!;

type Counted = Pick<HandAndFootView, "cardPoints">;

export const pointsOf = (cards: readonly string[], { cardPoints }: Counted): number =>
  cards.reduce((sum, id) => sum + (cardPoints[plain(id)] ?? cardPoints[parseCard(id).rank] ?? 0), 0);

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
export function rankOf(cards: readonly string[], wilds: Wilds): string | null {
  const ranks = new Set(cards.filter((id) => !isWild(id, wilds)).map((id) => parseCard(id).rank));
  return ranks.size === 1 ? [...ranks][0]! : null;
}

// The cards of the hand that a move names. Moves do not tell copies of a card apart.
export function heldCards(names: readonly string[], hand: readonly string[]): string[] {
  const left = [...hand];
  return names.flatMap((name) => {
    const at = left.findIndex((id) => plain(id) === plain(name));
    return at < 0 ? [] : left.splice(at, 1);
  });
}

export interface Parts {
  groups: string[][];
  rest: string[]; // what cannot be laid with the others
}

// What the viewer's own hand could lay.
export const layableIn = (view: HandAndFootView): Layable[] => view.players.find(({ groups }) => groups)?.groups ?? [];

// What a card of the hand is laid as: its rank or "wild"; undefined for one that lies on no book.
const kindOf = (id: string, view: HandAndFootView) =>
  layableIn(view).find(({ kinds }) => kinds.includes(plain(id)))?.rank;

// The own books that the engine lets a selection go on.
export function booksFor(selection: readonly string[], books: readonly Book[], view: HandAndFootView): Book[] {
  const additions = view.players.find((player) => player.additions)?.additions ?? [];
  const kinds = selection.map((id) => kindOf(id, view));
  const wilds = kinds.filter((kind) => kind === "wild").length;
  const naturals = kinds.length - wilds;
  return books.filter(
    ({ id, rank }) =>
      kinds.every((kind) => kind === rank || kind === "wild") &&
      additions.find(({ book }) => book === id)?.wilds[naturals]?.includes(wilds),
  );
}

// Splits cards into groups that can be laid. Wilds go first to groups that need them, from the one with most points
// on, and then to groups with room for more.
export function part(cards: readonly string[], view: HandAndFootView): Parts {
  const layable = layableIn(view);
  const of = (id: string) => layable.find((one) => one.kinds.includes(plain(id)));
  const wilds = cards.filter((id) => of(id)?.rank === "wild");
  const groups: { cards: string[]; room: number }[] = [];
  const rest = cards.filter((id) => !of(id));
  const found = layable.map((one) => ({
    one,
    naturals: one.rank === "wild" ? [] : cards.filter((id) => of(id) === one),
  }));
  found.sort((a, b) => pointsOf(b.naturals, view) - pointsOf(a.naturals, view));
  for (const { one, naturals } of found) {
    const [least, most] = one.wilds[naturals.length] ?? [Infinity, 0];
    if (naturals.length === 0) continue;
    if (least > wilds.length) rest.push(...naturals);
    else groups.push({ cards: [...naturals, ...wilds.splice(0, least)], room: most - least });
  }
  for (const group of groups) group.cards.push(...wilds.splice(0, group.room));
  const alone = layable.find(({ rank }) => rank === "wild")?.wilds[0];
  if (groups.length === 0 && rest.length === 0 && alone && wilds.length >= alone[0])
    groups.push({ cards: wilds.splice(0, alone[1]), room: 0 });
  return { groups: groups.map((group) => group.cards), rest: [...rest, ...wilds] };
}

// The cards a move names, whatever its verb.
export const cardsOf = (move: string): string[] =>
  move.split(/[ /]+/).filter((word) => /^(?:JK|(?:10|[2-9JQKA])[SHDC])(?:\.\d+)?$/.test(word));

// The clean meld worth keeping that a move would make dirty, if any (HF-C32, HF-C49).
export function spoiledBy(move: string, view: HandAndFootView, side: Side | undefined): Book | undefined {
  const spoils = (book: number | null | undefined, cards: readonly string[]) =>
    side?.worthKeeping.includes(book ?? 0) && cards.some((id) => isWild(id, view));
  const onto = (group: readonly string[]) => layableIn(view).find(({ rank }) => rank === rankOf(group, view))?.onto;
  const [, number] = /^(?:take )?add (\d+)/.exec(move) ?? [];
  const groups = /^(meld|take) /.test(move) ? move.split("/").map(cardsOf) : [];
  return side?.melds.find(({ id }) =>
    number
      ? id === Number(number) && spoils(id, cardsOf(move))
      : groups.some((group) => onto(group) === id && spoils(id, group)),
  );
}

// The melds and additions that the engine offers, the best first.
export function suggestionsIn(view: HandAndFootView): ({ move: string } & PlayPreview)[] {
  return view.legal
    .filter((one) => one.type === "meld" || one.type === "add-to-meld")
    .filter(({ preview }) => preview.rating !== undefined)
    .sort((a, b) => b.preview.rating! - a.preview.rating!)
    .map(({ move, preview }) => ({ move, ...preview }));
}

// "5 × 10 + 2 × 20": what a meld's cards count.
export function countTimesValue(cards: readonly string[], counted: Counted): string {
  const counts = new Map<number, number>();
  for (const id of cards) {
    const value = pointsOf([id], counted);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => `${count} × ${value}`).join(" + ");
}
