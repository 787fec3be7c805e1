// Melds on the table: the own ones as piles of cards, those of others as small tiles.
import { For, Show, type JSX } from "solid-js";
import type { Settings } from "../../model";
import { CardFace, parseCard, suitClass } from "../../ui/cards";
import type { Book } from "./view";
import { bookWords, closedWords, wildWords } from "./words";
import { said, t } from "../../languages";

// Where books are closed by hand, the top card shows whether a book is natural (HT-46, HT-47).
const lies = (book: Book, settings: Settings) => ({
  turned: book.turned && settings.closing === "explicit",
  marked: book.blackMarker && settings.closing === "explicit",
});

// What a book is, in a word that fits on a card.
const bands: Record<string, string> = {
  "Clean Book": t("Clean Book#on a card"),
  "Dirty Book": t("Dirty Book#on a card"),
  "Natural Book": t("Natural Book#on a card"),
  "Unnatural Book": t("Unnatural Book#on a card"),
  "Wild Book": t("Wild Book#on a card"),
};
const look = (book: Book) => ({ done: book.isBook, clean: book.isClean, dirty: book.isDirty });
const top = (book: Book): string => book.topCard ?? book.cards[0] ?? "JK";

// The cards of a meld on its way to a book: naturals are dots, wilds are diamonds.
function Pips(props: { book: Book; size: number }) {
  const naturals = () => props.book.cards.length - props.book.wilds;
  return (
    <span class="pips">
      <For
        each={Array.from({ length: props.size }, (_, i) =>
          i < naturals() ? "natural" : i < props.book.cards.length ? "wild-pip" : "",
        )}
      >
        {(pip) => <i class={pip} />}
      </For>
    </span>
  );
}

// How many wilds are in a meld, as diamonds like its pips.
const WildCount = (props: { book: Book }) => (
  <Show when={wildWords(props.book)}>
    <i class="wild-count" aria-hidden="true" data-text={`◆${props.book.wilds}`} />
  </Show>
);

// An own meld; a book once it is complete. A tap shows all of its cards.
export function BookPile(props: {
  book: Book;
  settings: Settings;
  place: string;
  onOpen: () => void;
  children?: JSX.Element;
}) {
  return (
    <div
      class="book"
      classList={{ ...look(props.book), lying: lies(props.book, props.settings).turned }}
      data-place={props.place}
    >
      <button
        type="button"
        class="card"
        aria-label={bookWords(props.book, props.settings)}
        aria-haspopup="dialog"
        onClick={() => props.onOpen()}
      >
        <span class="depth" style={{ "--depth": Math.min(props.book.cards.length, 9) }} aria-hidden="true" />
        <CardFace id={top(props.book)} />
        <Show when={lies(props.book, props.settings).marked}>
          <span class="marker" aria-hidden="true" />
        </Show>
      </button>
      <span class="count" aria-hidden="true">
        {props.book.cards.length}
      </span>
      <span class="band" aria-hidden="true">
        <Show
          when={props.book.isBook}
          fallback={<Pips book={props.book} size={Number(props.settings.bookSize ?? 7)} />}
        >
          <b>{bands[props.book.status] ?? said(props.book.status)}</b>
          <small>
            {closedWords(props.book, props.settings) || `+${props.book.bonus}`} <WildCount book={props.book} />
          </small>
        </Show>
      </span>
      {props.children}
    </div>
  );
}

// A meld as a small tile: rank, number of cards, and kind of book.
export function BookTile(props: { book: Book; settings: Settings; place: string }) {
  return (
    <span
      class="tile"
      classList={{
        ...look(props.book),
        turned: lies(props.book, props.settings).turned,
        open: props.book.isBook && props.settings.closing === "explicit" && !props.book.closed,
      }}
      data-place={props.place}
    >
      <b
        class={suitClass(parseCard(top(props.book)).suit)}
        data-text={props.book.rank === "wild" ? "★" : props.book.rank}
      />
      <span data-text={props.book.cards.length}>
        <WildCount book={props.book} />
      </span>
    </span>
  );
}
