import { Show } from "solid-js";
import { CardFace } from "../../ui/cards";
import { isWild, type Book } from "./view";

const rankWords = (rank: string) => (rank === "wild" ? "wild cards" : `${({ A: "ace", K: "king", Q: "queen", J: "jack" } as Record<string, string>)[rank] ?? rank}s`);

export const bookWords = (book: Book): string => `${book.status} of ${rankWords(book.rank)}, ${book.cards.length} cards, ${book.points + book.bonus} points${book.closed ? ", closed" : ""}`;

// A meld on the table; a book once it has seven cards.
export function BookPile(props: { book: Book; place: string; small?: boolean; children?: any }) {
  const wilds = () => props.book.cards.filter(isWild).length;
  return (
    <div class="book" classList={{ done: props.book.isBook, clean: props.book.isClean, dirty: props.book.isDirty, small: props.small }} data-place={props.place}>
      <span class="card" classList={{ turned: props.book.turned }} role="img" aria-label={bookWords(props.book)}>
        <span class="depth" style={{ "--depth": Math.min(props.book.cards.length, 9) }} aria-hidden="true" />
        <CardFace id={props.book.topCard ?? props.book.cards[0] ?? "JK"} />
        <span class="count" aria-hidden="true" data-count={props.book.cards.length} />
        <Show when={props.book.blackMarker}>
          <span class="marker" aria-hidden="true" />
        </Show>
      </span>
      <Show when={!props.small}>
        <span class="book-label" aria-hidden="true">
          <b>{props.book.isBook ? props.book.status.replace(" Book", "") : props.book.rank}</b>
          <span>{props.book.isBook ? (props.book.closed ? "closed" : `+${props.book.bonus}`) : `${props.book.cards.length - wilds()}${wilds() ? `+${wilds()}` : ""}`}</span>
        </span>
      </Show>
      {props.children}
    </div>
  );
}
