// Hand & Foot: opponents and their books on top, deck and pile, the own books, the own hand.
import { createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import type { Legal } from "../../model";
import type { Table } from "../../table/table";
import { CardBack, CardFace, cardSigns, cardWords } from "../../ui/cards";
import { Dialog } from "../../ui/Dialog";
import { say } from "../../ui/notes";
import type { GameUi } from "../kind";
import { BookPile } from "./Book";
import { AdvancedMeld, BooksOf, CannotGoOut, RoundSummary, Scores, sideName } from "./Dialogs";
import { Hand } from "./Hand";
import { bestMeld, booksFor, cardsOf, pointsOf, spoils, type Book, type HandAndFootView } from "./view";
import { awaits, describe } from "./words";
import "./hand-and-foot.css";

// Moves that have no button of their own, in words.
const extraWords: Record<string, (legal: Legal) => string> = {
  "done-melding": () => "Done melding",
  "close-book": ({ move }) => `Close book ${move.split(" ")[1]}`,
  "lay-red-three": ({ move }) => `Lay ${cardSigns(move.split(" ")[1]!)}`,
  "choose-pile": ({ move }) => `Pile ${move.split(" ")[1]}`,
  "ask-partner": () => "Ask my partner: may I go out?",
  "answer-partner": ({ move }) => (move.endsWith("yes") ? "Yes, go out" : "No, stay"),
};

function HandAndFootTable(props: { table: Table }) {
  const table = props.table;
  const view = () => table.world.view as HandAndFootView;
  const settings = () => table.world.settings;
  const me = () => view().players.find((player) => player.seatIndex === table.mySeat());
  const mySide = () => view().teams.find((side) => side.id === me()?.team);
  const others = createMemo(() => view().teams.filter((side) => side.id !== me()?.team));
  const hand = () => me()?.hand ?? [];
  const [picked, setPicked] = createSignal<string[]>([]);
  const selection = createMemo(() => picked().filter((id) => hand().includes(id)));
  const selected = createMemo(() => new Set(selection()));
  const [suggestion, setSuggestion] = createSignal<string | null>(null);
  const [dragged, setDragged] = createSignal<string | null>(null);
  const [advanced, setAdvanced] = createSignal(false);
  const [takes, setTakes] = createSignal(false);
  const [cannot, setCannot] = createSignal("");
  const [spoiling, setSpoiling] = createSignal<{ book: Book; cards: string[] } | null>(null);
  const [looking, setLooking] = createSignal<number | null>(null);

  const legal = (type: string) => view().legal.filter((one) => one.type === type);
  const may = (type: string) => legal(type).length > 0;
  const extras = createMemo(() => view().legal.filter(({ type }) => type in extraWords));
  const targets = createMemo(() => booksFor(selection(), mySide()?.melds ?? []));
  const needed = () => (me()?.hasPlayedDown ? 0 : view().minimum);

  function toggle(ids: string[], on?: boolean) {
    const add = on ?? !selected().has(ids[0]!);
    setSuggestion(null);
    setPicked((old) => [...old.filter((id) => !ids.includes(id)), ...(add ? ids : [])]);
    say(`${ids.map(cardWords).join(", ")} ${add ? "selected" : "put back"}. ${selection().length} selected, ${pointsOf(selection(), settings())} points`);
  }

  async function act(move: string) {
    if (table.busy()) return;
    const refusal = await table.act(move, true);
    if (!refusal) return void (setPicked([]), setSuggestion(null));
    if (refusal.code === "CANNOT_GO_OUT") setCannot(refusal.error);
    else table.refuse(refusal);
  }

  const discard = (id: string | undefined) => id !== undefined && act(`discard ${id}`);
  const meld = () => act(suggestion() ?? `meld ${selection().join(" ")}`);
  const add = (book: Book, cards = selection()) => (spoils(book, cards) ? setSpoiling({ book, cards }) : void act(`add ${book.id} ${cards.join(" ")}`));
  const take = () => (legal("unlock-discard").length === 1 ? void act(legal("unlock-discard")[0]!.move) : setTakes(true));

  function suggest() {
    const best = bestMeld(view(), settings());
    if (!best) return say("The engine finds nothing to lay");
    setPicked(cardsOf(best));
    setSuggestion(best);
    say(`Suggested: ${cardsOf(best).map(cardWords).join(", ")}, ${pointsOf(cardsOf(best), settings())} points`);
  }

  function onKey(event: KeyboardEvent) {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const onCard = event.target instanceof HTMLElement && event.target.dataset["card"] !== undefined;
    const key = event.key.toLowerCase();
    if (key === " " && may("draw")) void act("draw");
    else if (key === "enter" && selection().length > 0 && !(event.target instanceof HTMLButtonElement && !onCard)) {
      if (view().turnPhase === "discard" || (selection().length === 1 && !suggestion())) void discard(selection()[0]);
      else void meld();
    } else if (/^[1-9]$/.test(key) && hand()[Number(key) - 1]) toggle([hand()[Number(key) - 1]!]);
    else if (key === "escape") setPicked([]);
    else if (key === "m") suggest();
    else if (key === "a" && table.myTurn()) setAdvanced(true);
    else if (key === "d" && selection().length === 1) void discard(selection()[0]);
    else if (key === "t" && may("unlock-discard")) take();
    else if (key === "u" && may("undo")) void act("undo");
    else return;
    event.preventDefault();
  }
  onMount(() => window.addEventListener("keydown", onKey));
  onCleanup(() => window.removeEventListener("keydown", onKey));

  const drop = (book: Book) => {
    const id = dragged();
    setDragged(null);
    if (id) add(book, selected().has(id) ? selection() : [id]);
  };

  return (
    <div class="hf" ref={(element) => table.stage(element, (step) => ({ stagger: step.events.some(({ event }) => event === "round-started") ? 35 : 0, leaveTo: (key) => (key.startsWith("card-") ? "pile" : undefined) }))}>
      <section class="hf-others" aria-label="Opponents">
        <For each={others()}>
          {(side) => (
            <article class={`hf-side side-${side.id}`} classList={{ active: view().players.some((player) => player.team === side.id && view().turn.includes(player.seatIndex)) }}>
              <header>
                <b>{sideName(table, side.id)}</b>
                <span class="points">{side.points}</span>
              </header>
              <p class="small quiet">
                <For each={view().players.filter((player) => player.team === side.id)}>
                  {(player) => (
                    <span data-place={`seat-${player.seatIndex}`}>
                      {player.handCount} in hand, {player.hasPickedUpFoot ? "in the foot" : `foot of ${player.footCount}`}{" "}
                    </span>
                  )}
                </For>
              </p>
              <button type="button" class="hf-books" aria-label={side.melds.length === 0 ? `nothing laid by ${sideName(table, side.id)}` : `Melds of ${sideName(table, side.id)}: ${side.melds.length}, ${side.cleanBooks} clean and ${side.dirtyBooks} dirty books`} onClick={() => setLooking(side.id)}>
                <For each={side.melds} fallback={<span class="small quiet">nothing laid</span>}>
                  {(book) => <BookPile book={book} place={`book-${side.id}-${book.id}`} small />}
                </For>
              </button>
            </article>
          )}
        </For>
      </section>

      <section class="hf-middle" aria-label="Deck and pile">
        <button type="button" class="stock" disabled={!may("draw")} data-place="deck" onClick={() => act("draw")} aria-label={`Deck, ${view().deck.size} cards. Draw`}>
          <span class="card">
            <CardBack />
          </span>
          <span class="label" aria-hidden="true">
            {view().deck.size}
          </span>
        </button>
        <button
          type="button"
          class="stock"
          data-place="pile"
          classList={{ frozen: view().discardPileFrozen, target: dragged() !== null }}
          disabled={!may("unlock-discard") && dragged() === null}
          onClick={take}
          onDragOver={(event) => event.preventDefault()}
          onDrop={() => {
            const id = dragged();
            setDragged(null);
            void discard(id ?? undefined);
          }}
          aria-label={`Discard pile, ${view().discardPile.size} cards, top ${view().discardPile.top ? cardWords(view().discardPile.top!) : "nothing"}${view().discardPileFrozen ? ", frozen" : ""}. Take it`}
        >
          <span class="card">
            <Show when={view().discardPile.top} fallback={<span class="no-card" />}>
              {(top) => <CardFace id={top()} />}
            </Show>
          </span>
          <span class="label">{view().discardPileFrozen ? "frozen" : view().discardPile.size}</span>
        </button>
        <dl class="hf-info">
          <div>
            <dt>Round</dt>
            <dd>{view().round}</dd>
          </div>
          <div>
            <dt>Your points</dt>
            <dd>{mySide()?.points ?? "–"}</dd>
          </div>
          <Show when={me()}>
            <div>
              <dt>Foot</dt>
              <dd>{me()!.hasPickedUpFoot ? "in hand" : me()!.footCount}</dd>
            </div>
          </Show>
          <div class="wide">
            <dt>{needed() > 0 ? "To play down" : "To go out"}</dt>
            <dd>
              <Show when={needed() > 0} fallback={me()?.missingToGoOut || "Nothing but cards is in the way"}>
                {pointsOf(selection(), settings())} of {needed()} points
              </Show>
            </dd>
          </div>
        </dl>
      </section>

      <section class="hf-mine" aria-label="Your melds">
        <For each={mySide()?.melds} fallback={<p class="quiet">{me() ? "You have laid nothing yet." : "You are watching."}</p>}>
          {(book) => (
            <div class="drop" classList={{ target: dragged() !== null || targets().includes(book) }} onDragOver={(event) => event.preventDefault()} onDrop={() => drop(book)}>
              <BookPile book={book} place={`book-${mySide()!.id}-${book.id}`}>
                <Show when={targets().includes(book)}>
                  <button type="button" class="add" aria-label={`Add the selection to the ${book.rank}s`} onClick={() => add(book)}>
                    + {selection().length}
                  </button>
                </Show>
              </BookPile>
            </div>
          )}
        </For>
      </section>

      <Show when={me()}>
        <section class="hf-own" aria-label="You">
          <div class="hf-actions" role="group" aria-label="What you can do">
            <Show when={may("draw")}>
              <button type="button" class="button main" onClick={() => act("draw")}>
                Draw from Deck
              </button>
            </Show>
            <Show when={may("unlock-discard")}>
              <button type="button" class="button" onClick={take}>
                Unlock Discard
              </button>
            </Show>
            <For each={extras()}>
              {(one) => (
                <button type="button" class="button" onClick={() => act(one.move)}>
                  {extraWords[one.type]!(one)}
                </button>
              )}
            </For>
            <Show when={table.myTurn() && view().turnPhase !== "draw"}>
              <button type="button" class="button" disabled={selection().length < 3} onClick={meld}>
                Create Meld{selection().length >= 3 ? ` (${pointsOf(selection(), settings())})` : ""}
              </button>
              <button type="button" class="button" disabled={!may("meld") && !may("add-to-meld")} onClick={suggest}>
                Suggest
              </button>
              <button type="button" class="button" onClick={() => setAdvanced(true)}>
                Advanced Melding
              </button>
              <Show when={may("undo")}>
                <button type="button" class="button" onClick={() => act("undo")}>
                  Undo
                </button>
              </Show>
              <button type="button" class="button main" disabled={selection().length !== 1} onClick={() => discard(selection()[0])}>
                Discard{selection().length === 1 ? ` ${cardSigns(selection()[0]!)}` : ""}
              </button>
            </Show>
          </div>
          <Hand hand={hand()} fresh={me()!.newlyDrawn ?? []} selected={selected} toggle={toggle} discard={(id) => void discard(id)} onDrag={setDragged} />
        </section>
      </Show>

      <RoundSummary table={table} />
      <AdvancedMeld table={table} open={advanced()} hand={hand()} needed={needed()} onClose={() => setAdvanced(false)} />
      <CannotGoOut text={cannot()} onClose={() => setCannot("")} />
      <BooksOf table={table} side={looking()} onClose={() => setLooking(null)} />
      <Dialog open={takes()} title="Take the pile with" onClose={() => setTakes(false)}>
        <div class="menu">
          <For each={legal("unlock-discard")}>
            {(one) => (
              <button
                type="button"
                class="button"
                onClick={() => {
                  setTakes(false);
                  void act(one.move);
                }}
              >
                {cardsOf(one.move).map(cardSigns).join(" ") || one.move}
              </button>
            )}
          </For>
        </div>
      </Dialog>
      <Dialog
        open={spoiling() !== null}
        title="A wild card in a clean book?"
        onClose={() => setSpoiling(null)}
        footer={
          <>
            <button type="button" class="button" onClick={() => setSpoiling(null)}>
              Keep it clean
            </button>
            <button
              type="button"
              class="button main"
              onClick={() => {
                const { book, cards } = spoiling()!;
                setSpoiling(null);
                void act(`add ${book.id} ${cards.join(" ")}`);
              }}
            >
              Add it
            </button>
          </>
        }
      >
        <p>The book becomes a dirty one and its bonus falls.</p>
      </Dialog>
    </div>
  );
}

const ui: GameUi = {
  Table: HandAndFootTable,
  describe,
  awaits,
  Result: Scores,
  keys: [
    ["Space", "draw from the deck"],
    ["T", "take the discard pile"],
    ["1 – 9", "select one of the first nine cards"],
    ["Enter", "lay the selection, or discard a single card"],
    ["D", "discard the selected card"],
    ["M", "select the best meld the engine finds"],
    ["A", "build several melds"],
    ["U", "undo, where the rules have it"],
  ],
};
export default ui;
