// What people read of events, and what the table waits for.
import type { Settings } from "../../model";
import { withSigns, type Table } from "../../table/table";
import { cardSigns, cardWords } from "../../ui/cards";
import { rankName, type Book, type HandAndFootEvent, type HandAndFootView } from "./view";

export const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

// "Ann draws", "You draw"
const verb = (who: string, does: string): string =>
  `${who} ${who === "You" ? does : does.endsWith("ss") || does.endsWith("sh") ? `${does}es` : `${does}s`}`;

export function describe({ event, data }: HandAndFootEvent, table: Table): string | undefined {
  const who = "seatIndex" in data && data.seatIndex !== null ? table.name(data.seatIndex) : "";
  switch (event) {
    case "round-started":
      return `Round ${data.round} begins. A first meld needs ${data.minimum} points`;
    case "cards-drawn":
      return `${verb(who, "draw")} ${plural(data.count, "card")}`;
    case "pile-taken":
      return `${verb(who, "take")} the pile with ${cardWords(data.topCard)}: ${plural(data.count, "card")}`;
    case "discard-unlocked":
      return data.additionalCards.length === 0
        ? undefined
        : `You take ${data.additionalCards.map(cardSigns).join(" ")} into your hand`;
    case "discards-reshuffled":
      return "The discard pile is shuffled into the deck";
    case "cards-melded":
      return `${verb(who, "lay")} ${data.cards.map(cardSigns).join(" ")}`;
    case "book-completed":
    case "book-closed":
      return `${verb(who, event === "book-closed" ? "close" : "complete")} a book: ${data.status}`;
    case "play-undone":
      return `${verb(who, "undo")} a play`;
    case "foot-picked-up":
      return `${who} picked up foot`;
    case "card-discarded":
      return `${verb(who, "discard")} ${cardWords(data.card)}${data.frozen ? "; the pile is frozen" : ""}`;
    case "pile-chosen":
      return `${verb(who, "choose")} pile ${data.pile}`;
    case "red-three-laid":
      return `${verb(who, "lay")} a red three`;
    case "partner-asked":
      return `${verb(who, "ask")} to go out`;
    case "partner-answered":
      return `${verb(who, "say")} ${data.yes ? "yes" : "no"}`;
    case "log-recalled": // of the saved game that is played on
      return who ? `${who} ${withSigns(data.message)}` : data.message;
    case "stalemate-warning":
      return data.text;
    case "round-over":
      return data.wentOut === null ? data.message : `${table.name(data.wentOut)} ${data.message}`;
    case "game-over":
      return (
        "The game is over. " +
        `${new Intl.ListFormat("en").format(data.winners.map((seat) => table.name(seat)))} ` +
        "won"
      );
    default:
      return undefined;
  }
}

export function awaits(table: Table): string | undefined {
  const view = table.world.view as HandAndFootView | null;
  if (!view || view.phase === "roundEnd") return view ? "The round is over" : undefined;
  if (!table.myTurn()) return undefined;
  if (view.legal.some(({ type }) => type === "answer-partner")) return "Your partner asks: may I go out?";
  if (view.legal.some(({ type }) => type === "choose-pile")) return "Choose a pile as your hand";
  return { draw: "Your turn: draw", meld: "Your turn: meld", discard: "Your turn: discard" }[view.turnPhase];
}

// Where books are closed by hand, says whether this one is.
export const closedWords = (book: Book, settings: Settings): string =>
  book.isBook && settings.closing === "explicit" ? (book.closed ? "closed" : "open") : "";

export const wildWords = (book: Book): string =>
  book.wilds === 0 || book.rank === "wild" ? "" : book.wilds === 1 ? "1 wild" : `${book.wilds} wilds`;

export const bookWords = (book: Book, settings: Settings): string =>
  [
    `${book.isBook ? book.status : "meld"} of ${rankName(book.rank)}`,
    `${book.cards.length} cards`,
    wildWords(book),
    `${book.points + book.bonus} points`,
    closedWords(book, settings),
  ]
    .filter(Boolean)
    .join(", ");
