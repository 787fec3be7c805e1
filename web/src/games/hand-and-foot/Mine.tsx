// The own side's melds. A selection goes onto one by its button, cards also by dragging.
import { For, Show } from "solid-js";
import { BookPile } from "./Book";
import { Partners } from "./Seats";
import type { Play } from "./state";
import { rankName, type Book } from "./view";

export function Mine(props: { play: Play }) {
  const { books, targets, drag, settings, selection, add, act, legal, me, mySide } = props.play;
  const closing = (book: Book) => legal("close-book").find(({ move }) => move === `close ${book.id}`)?.move;
  const over = (name: string) => drag.dragged()?.over === name;
  return (
    <section class="hf-mine" classList={{ over: over("meld") }} aria-label="Your melds" data-drop="meld" tabindex="0">
      <Partners play={props.play} />
      <div class="melds">
        <For each={books()} fallback={<p class="quiet">{me() ? (drag.dragged() ? "Drop here: a new meld" : "You have laid nothing yet.") : "You are watching."}</p>}>
          {(book) => (
            <div class="drop" classList={{ target: drag.dragged() !== null || targets().includes(book), over: over(`book-${book.id}`) }} data-drop={`book-${book.id}`}>
              <BookPile book={book} settings={settings()} place={`book-${mySide()!.id}-${book.id}`}>
                <Show when={targets().includes(book)}>
                  <button type="button" class="add" aria-label={`Add the selection to the ${rankName(book.rank)}`} data-text={`+${selection().length}`} onClick={() => add(book)} />
                </Show>
                <Show when={closing(book) && !targets().includes(book)}>
                  <button type="button" class="close" onClick={() => act(closing(book)!)}>
                    Close {book.rank}
                    <span class="hidden-text">: the {rankName(book.rank)}</span>
                  </button>
                </Show>
              </BookPile>
            </div>
          )}
        </For>
        <Show when={(mySide()?.redThrees ?? 0) > 0}>
          <span class="badge">Red threes: {mySide()!.redThrees}</span>
        </Show>
      </div>
    </section>
  );
}
