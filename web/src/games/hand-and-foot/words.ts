// What people read of events, and what the table waits for.
import type { Settings } from "../../model";
import { withSigns, type Table } from "../../table/table";
import { cardSigns, cardWords } from "../../ui/cards";
import { rankName, type Book, type HandAndFootEvent, type HandAndFootView } from "./view";
import { joined, said, t, tn } from "../../languages";

export const pointCount = (n: number): string => tn(n, "{n} point", "{n} points");
export const cardCount = (n: number): string => tn(n, "{n} card", "{n} cards");

function wentOut(table: Table, seat: number, atOnce: boolean): string {
  const name = table.name(seat);
  if (seat === table.mySeat()) return atOnce ? t("You went out immediately after picking up foot!") : t("You went out");
  return atOnce ? t("{name} went out immediately after picking up foot!", { name }) : t("{name} went out", { name });
}

export function describe({ event, data }: HandAndFootEvent, table: Table): string | undefined {
  const seat = "seatIndex" in data ? data.seatIndex : null;
  const name = seat === null ? "" : table.name(seat);
  const mine = seat !== null && seat === table.mySeat();
  switch (event) {
    case "round-started":
      return t("Round {round} begins. A first meld needs {minimum} points", {
        round: data.round,
        minimum: data.minimum,
      });
    case "cards-drawn":
      return mine
        ? t("You draw {cards}", { cards: cardCount(data.count) })
        : t("{name} draws {cards}", { name, cards: cardCount(data.count) });
    case "pile-taken": {
      const values = { name, card: cardWords(data.topCard), cards: cardCount(data.count) };
      return mine
        ? t("You take the pile with {card}: {cards}", values)
        : t("{name} takes the pile with {card}: {cards}", values);
    }
    case "discard-unlocked":
      return data.additionalCards.length === 0
        ? undefined
        : t("You take {cards} into your hand", { cards: data.additionalCards.map(cardSigns).join(" ") });
    case "discards-reshuffled":
      return t("The discard pile is shuffled into the deck");
    case "cards-melded": {
      const cards = data.cards.map(cardSigns).join(" ");
      return mine ? t("You lay {cards}", { cards }) : t("{name} lays {cards}", { name, cards });
    }
    case "book-completed": {
      const book = said(data.status);
      return mine ? t("You complete a book: {book}", { book }) : t("{name} completes a book: {book}", { name, book });
    }
    case "book-closed": {
      const book = said(data.status);
      return mine ? t("You close a book: {book}", { book }) : t("{name} closes a book: {book}", { name, book });
    }
    case "play-undone":
      return mine ? t("You undo a play") : t("{name} undoes a play", { name });
    case "foot-picked-up":
      return mine ? t("You picked up foot") : t("{name} picked up foot", { name });
    case "card-discarded": {
      const card = cardWords(data.card);
      if (data.frozen)
        return mine
          ? t("You discard {card}; the pile is frozen", { card })
          : t("{name} discards {card}; the pile is frozen", { name, card });
      return mine ? t("You discard {card}", { card }) : t("{name} discards {card}", { name, card });
    }
    case "pile-chosen":
      return mine
        ? t("You choose pile {pile}", { pile: data.pile })
        : t("{name} chooses pile {pile}", { name, pile: data.pile });
    case "red-three-laid":
      return mine ? t("You lay a red three") : t("{name} lays a red three", { name });
    case "partner-asked":
      return mine ? t("You ask to go out") : t("{name} asks to go out", { name });
    case "partner-answered":
      if (mine) return data.yes ? t("You say yes") : t("You say no");
      return data.yes ? t("{name} says yes", { name }) : t("{name} says no", { name });
    case "log-recalled": // of the saved game that is played on
      return name ? `${name} ${withSigns(said(data.message))}` : said(data.message);
    case "stalemate-warning":
      return said(data.text);
    case "round-over":
      if (data.wentOut === null) return said(data.message);
      return wentOut(table, data.wentOut, data.message !== "went out");
    case "game-over":
      return t("The game is over. {names} won", {
        names: joined(data.winners.map((one) => table.name(one))),
      });
    default:
      return undefined;
  }
}

// What the engine says is missing, with a semicolon between one and the next.
export const missing = (text: string): string[] => (text === "" ? [] : text.split("; ").map(said));
export const missingWords = (text: string): string => missing(text).join("; ");

export function awaits(table: Table): string | undefined {
  const view = table.world.view as HandAndFootView | null;
  return view?.phase === "roundEnd" ? t("The round is over") : undefined;
}

// Where books are closed by hand, says whether this one is.
export const closedWords = (book: Book, settings: Settings): string =>
  book.isBook && settings.closing === "explicit" ? (book.closed ? t("closed") : t("open#book")) : "";

export const wildWords = (book: Book): string =>
  book.wilds === 0 || book.rank === "wild" ? "" : tn(book.wilds, "{n} wild", "{n} wilds");

export const bookWords = (book: Book, settings: Settings): string =>
  [
    book.isBook
      ? t("{book} of {rank}", { book: said(book.status), rank: rankName(book.rank) })
      : t("meld of {rank}", { rank: rankName(book.rank) }),
    cardCount(book.cards.length),
    wildWords(book),
    pointCount(book.points + book.bonus),
    closedWords(book, settings),
  ]
    .filter(Boolean)
    .join(", ");
