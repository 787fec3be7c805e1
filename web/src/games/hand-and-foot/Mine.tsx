// The own side's melds. A selection goes onto one by its button, cards also by dragging. Before playing down:
// the groups that are laid so far.
import { For, Show } from "solid-js";
import { CardFace, cardWords } from "../../ui/cards";
import { BookPile } from "./Book";
import { Partners } from "./Seats";
import type { Play } from "./state";
import { pointsOf, rankName, type Book } from "./view";
import { listed, rich, t } from "../../languages";

// HF-C47: they go down together; a tap takes one back.
function Aside(props: { play: Play }) {
  const { aside, takeBack, view, needed } = props.play;
  return (
    <section class="hf-aside" aria-label={t("Laid so far")}>
      <p>
        {rich("Laid so far: {sum} of {needed}", { sum: <b>{pointsOf(aside().flat(), view())}</b>, needed: needed() })}
      </p>
      <For each={aside()}>
        {(group) => (
          <button
            type="button"
            class="group"
            aria-label={t("Take back {list}, {points} points", {
              list: listed(group.map(cardWords)),
              points: pointsOf(group, view()),
            })}
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
    <section
      class="hf-mine"
      classList={{ over: over("meld") }}
      aria-label={t("Your melds")}
      data-drop="meld"
      tabindex="0"
    >
      <Partners play={props.play} />
      <Show when={aside().length > 0}>
        <Aside play={props.play} />
      </Show>
      <div class="melds">
        <For
          each={books()}
          fallback={
            <p class="quiet" hidden={!me() || (aside().length > 0 && !drag.dragged())}>
              {drag.dragged() ? t("Drop here: a new meld") : t("You have laid nothing yet.")}
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
                    aria-label={t("Add the selection to the {rank}", { rank: rankName(book.rank) })}
                    data-text={`+${selection().length}`}
                    onClick={() => add(book)}
                  />
                </Show>
                <Show when={closing(book) && !targets().includes(book)}>
                  <button type="button" class="close" onClick={() => act(closing(book)!)}>
                    {t("Close {rank}", { rank: book.rank })}
                    <span class="hidden-text">: {t("the {rank}", { rank: rankName(book.rank) })}</span>
                  </button>
                </Show>
              </BookPile>
            </div>
          )}
        </For>
        <Show when={(mySide()?.redThrees ?? 0) > 0}>
          <span class="badge">{t("Red threes: {redThrees}", { redThrees: mySide()!.redThrees })}</span>
        </Show>
      </div>
    </section>
  );
}
