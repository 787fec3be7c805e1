// The own side's melds. A selection goes onto one by its button, cards also by dragging. Before playing down:
// the groups that are laid so far.
import { For, Show } from "solid-js";
import { CardFace, cardWords } from "../../ui/cards";
import { BookPile } from "./Book";
import { Partners } from "./Seats";
import type { Play } from "./state";
import { pointsOf, rankName, type Book } from "./view";

// HF-C47: they go down together; a tap takes one back.
function Aside(props: { play: Play }) {
  const { aside, takeBack, view, needed } = props.play;
  return (
    <section class="hf-aside" aria-label="Laid so far">
      <p>
        Laid so far: <b>{pointsOf(aside().flat(), view())}</b> of {needed()}
      </p>
      <For each={aside()}>
        {(group) => (
          <button
            type="button"
            class="group"
            aria-label={`Take back ${group.map(cardWords).join(", ")}, ${pointsOf(group, view())} points`}
            onClick={() => takeBack(group)}
          >
            <span class="card-row">
              <For each={group}>
                {(id) => (
                  <span class="card" data-flip={`card-${id}`}>
                    <CardFace id={id} />
                  </span>
                )}
              </For>
            </span>
            <span class="small" aria-hidden="true">
              {pointsOf(group, view())} ↩
            </span>
          </button>
        )}
      </For>
    </section>
  );
}

export function Mine(props: { play: Play }) {
  const { books, targets, drag, settings, selection, add, act, legal, me, mySide, aside, setAsked } = props.play;
  const closing = (book: Book) => legal("close-book").find(({ move }) => move === `close ${book.id}`)?.move;
  const over = (name: string) => drag.dragged()?.over === name;
  return (
    <section class="hf-mine" classList={{ over: over("meld") }} aria-label="Your melds" data-drop="meld" tabindex="0">
      <Partners play={props.play} />
      <Show when={aside().length > 0}>
        <Aside play={props.play} />
      </Show>
      <div class="melds">
        <For
          each={books()}
          fallback={
            <p class="quiet" hidden={aside().length > 0 && !drag.dragged()}>
              {me() ? (drag.dragged() ? "Drop here: a new meld" : "You have laid nothing yet.") : "You are watching."}
            </p>
          }
        >
          {(book) => (
            <div
              class="drop"
              classList={{ target: drag.dragged() !== null || targets().includes(book), over: over(`book-${book.id}`) }}
              data-drop={`book-${book.id}`}
            >
              <BookPile
                book={book}
                settings={settings()}
                place={`book-${mySide()!.id}-${book.id}`}
                onOpen={() => setAsked({ kind: "books", side: mySide()!.id, book: book.id })}
              >
                <Show when={targets().includes(book)}>
                  <button
                    type="button"
                    class="add"
                    aria-label={`Add the selection to the ${rankName(book.rank)}`}
                    data-text={`+${selection().length}`}
                    onClick={() => add(book)}
                  />
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
