// What people read of events, and what the table waits for.
import type { Settings } from "../../model";
import { withSigns, type Table } from "../../table/table";
import { cardCount, pointCount } from "../../amounts";
import { rankName, type Book, type HandAndFootEvent, type HandAndFootView } from "./view";
import { joined, said, t, tn } from "../../languages";

// What the rows of captions.def do not say: what the engine says itself, and the result.
export function describe({ event, data }: HandAndFootEvent, table: Table): string | undefined {
  switch (event) {
    case "log-recalled": // of the saved game that is played on
      return data.seatIndex === null
        ? said(data.message)
        : `${table.name(data.seatIndex)} ${withSigns(said(data.message))}`;
    case "stalemate-warning":
      return said(data.text);
    case "round-over":
      return said(data.message);
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
