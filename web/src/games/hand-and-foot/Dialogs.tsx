// Questions and closer looks: several melds at once, the pile, what is missing to go out.
import { createEffect, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { pointCount } from "../../amounts";
import { gate } from "../../table/gate";
import { CardFace, cardSigns, cardWords } from "../../ui/cards";
import { Dialog } from "../../ui/Dialog";
import { sideName } from "./sides";
import type { Asked, Play } from "./state";
import { cardsOf, groupByRank, heldCards, isNatural, isWild, pointsOf, rankName } from "./view";
import { bookWords, missing } from "./words";
import { listed, said, t } from "../../languages";

const CHECK_AFTER_MS = 200;

const Cards = (props: { play: Play; ids: readonly string[] }) => (
  <span class="card-row">
    <For each={props.ids}>
      {(id) => (
        <span class="card" classList={{ wild: isWild(id, props.play.view()) }}>
          <CardFace id={id} />
        </span>
      )}
    </For>
  </span>
);

// Several groups, built one by one and laid together. While they are built, it says what is wrong with them.
function AdvancedMeld(props: { play: Play; onClose: () => void }) {
  const { table, held, view, needed, selection, aside, parts, legal, may } = props.play;
  // With the pile to be taken, its top card joins the first group.
  const taking = view().turnPhase === "draw";
  const chosen = parts().rest.length === 0 ? parts().groups : [[...selection()]];
  const [groups, setGroups] = createSignal<string[][]>(
    [...aside(), ...chosen].length > 0 ? [...aside(), ...chosen] : [[]],
  );
  const [at, setAt] = createSignal(0);
  const [problem, setProblem] = createSignal("");
  const used = () => new Set(groups().flat());
  const filled = () => groups().filter((group) => group.length > 0);
  const shown = (group: readonly string[], i: number) =>
    taking && i === 0 ? [view().discardPile.top!, ...group] : group;
  const points = () => pointsOf(groups().flatMap(shown), view());
  const move = () =>
    `${taking ? "take" : "meld"} ${filled()
      .map((group) => group.join(" "))
      .join(" / ")}`;
  const offers = () => (taking ? [] : legal("meld").map(({ move: offer }) => heldGroups(offer)));
  const heldGroups = (offer: string) => {
    const left = heldCards(cardsOf(offer), held());
    return offer
      .slice(5)
      .split(" / ")
      .map((group) => left.splice(0, cardsOf(group).length));
  };

  createEffect(() => {
    const wanted = move();
    if (filled().length === 0) return void setProblem("");
    const wait = setTimeout(async () => {
      const refusal = await table.check(wanted);
      if (wanted === move()) setProblem(said(refusal?.error ?? ""));
    }, CHECK_AFTER_MS);
    onCleanup(() => clearTimeout(wait));
  });

  function toggle(ids: readonly string[]) {
    const off = ids.every((id) => groups()[at()]?.includes(id));
    setGroups((all) =>
      all.map((group, i) => [...group.filter((id) => !ids.includes(id)), ...(i === at() && !off ? ids : [])]),
    );
  }
  function another() {
    setGroups((all) => [...all, []]);
    setAt(groups().length - 1);
  }
  function lay() {
    props.onClose();
    props.play.act(move());
  }
  const best = () => {
    const [richest] = offers().sort((a, b) => pointsOf(b.flat(), view()) - pointsOf(a.flat(), view()));
    if (richest) setGroups(richest);
    setAt(0);
  };

  return (
    <div class="stack advanced">
      <Show when={taking}>
        <p>{t("The top card {card} joins the first group.", { card: cardSigns(view().discardPile.top!) })}</p>
      </Show>
      <div class="groups" role="radiogroup" aria-label={t("Group")}>
        <For each={groups()}>
          {(group, i) => (
            <button
              type="button"
              role="radio"
              class="group"
              aria-checked={at() === i()}
              aria-label={t("Group {number}: {cards}, {points}", {
                number: i() + 1,
                cards: listed(shown(group, i()).map(cardWords)) || t("empty"),
                points: pointCount(pointsOf(shown(group, i()), view())),
              })}
              onClick={() => setAt(i())}
            >
              <span class="small">
                {t("Group {number}", { number: i() + 1 })} <b>{pointsOf(shown(group, i()), view())}</b>
              </span>
              <Cards play={props.play} ids={shown(group, i())} />
            </button>
          )}
        </For>
        <button type="button" class="button lesser" onClick={another}>
          {t("Another group")}
        </button>
        <Show when={may("meld") && offers().length > 0}>
          <button type="button" class="button lesser" onClick={best}>
            {t("Best I have")}
          </button>
        </Show>
      </div>
      <div class="picker" role="group" aria-label={t("Your cards")}>
        <For each={groupByRank(held())}>
          {(rank) => (
            <div class="pick-rank">
              <button type="button" class="rank-all" onClick={() => toggle(rank.cards)}>
                {rank.rank === "JK" ? "★" : rank.rank} <small>{t("all")}</small>
                <span class="hidden-text">
                  {t("{rank} into group {number}", { rank: rankName(rank.rank), number: at() + 1 })}
                </span>
              </button>
              <For each={rank.cards}>
                {(id) => (
                  <button
                    type="button"
                    class="card"
                    classList={{
                      chosen: groups()[at()]?.includes(id),
                      elsewhere: used().has(id) && !groups()[at()]?.includes(id),
                      wild: isWild(id, view()),
                    }}
                    aria-pressed={groups()[at()]?.includes(id)}
                    aria-label={cardWords(id)}
                    onClick={() => toggle([id])}
                  >
                    <CardFace id={id} />
                  </button>
                )}
              </For>
            </div>
          )}
        </For>
      </div>
      <div class="laying">
        <p class="grow" role="status">
          <b>
            {needed() === 0
              ? pointCount(points())
              : view().enough > needed()
                ? t("{points} of more than {needed} points", { points: points(), needed: needed() })
                : t("{points} of {needed} points", { points: points(), needed: needed() })}
          </b>
          <Show when={problem()}>
            <br />
            <span class="problem">{problem()}</span>
          </Show>
        </p>
        <button
          type="button"
          class="button main"
          {...gate(table, { may: () => filled().length > 0 && problem() === "", move, act: lay })}
        >
          {taking ? t("Take the pile") : t("Lay all")}
        </button>
      </div>
    </div>
  );
}

// Asks with which cards the pile is to be taken, and onto which meld they go.
function TakePile(props: { play: Play; onClose: () => void }) {
  const { legal, books, view, selection, settings, setAsked, table } = props.play;
  const own = `take ${selection().join(" ")}`;
  const [ownFits, setOwnFits] = createSignal(false);
  if (selection().length > 0) void table.check(own).then((refusal) => setOwnFits(refusal === null));
  const choose = (move: string) => {
    props.onClose();
    props.play.act(move);
  };
  const onto = (move: string) =>
    books().find((book) => move.startsWith("take add ") && book.id === Number(move.split(" ")[2]));
  return (
    <div class="menu takes">
      <p class="row">
        <Cards play={props.play} ids={[view().discardPile.top!]} /> {t("and the cards below it, with:")}
      </p>
      <Show when={ownFits()}>
        <button type="button" class="button" onClick={() => choose(own)}>
          {t("my selection")} <Cards play={props.play} ids={selection()} />
        </button>
      </Show>
      <For each={legal("unlock-discard")}>
        {(one) => (
          <button
            type="button"
            class="button"
            aria-label={[
              onto(one.move) && t("onto the {rank}", { rank: rankName(onto(one.move)!.rank) }),
              listed(cardsOf(one.move).map(cardWords)),
            ]
              .filter(Boolean)
              .join(": ")}
            onClick={() => choose(one.move)}
          >
            <Show when={onto(one.move)}>
              {(book) => <span>{t("onto the {rank}", { rank: rankName(book().rank) })}</span>}
            </Show>
            <Cards play={props.play} ids={cardsOf(one.move)} />
          </button>
        )}
      </For>
      <Show when={settings().pickupPlay === "anywhere"}>
        <button type="button" class="button lesser" onClick={() => setAsked({ kind: "advanced" })}>
          {t("Advanced Melding")}
        </button>
      </Show>
    </div>
  );
}

// HF-68: what is missing, one by one.
function Missing(props: { play: Play; text: string; onClose: () => void }) {
  const undo = () => {
    props.onClose();
    props.play.act("undo");
  };
  return (
    <div class="stack">
      <ul class="missing">
        <For each={missing(props.text)}>{(one) => <li>{one}</li>}</For>
      </ul>
      <Show
        when={props.play.may("undo")}
        fallback={
          <button type="button" class="button main" onClick={() => props.onClose()}>
            {t("Go on playing")}
          </button>
        }
      >
        <button type="button" class="button main" onClick={undo}>
          {t("Undo my last play")}
        </button>
      </Show>
    </div>
  );
}

function Spoil(props: { play: Play; asked: Extract<Asked, { kind: "spoil" }> }) {
  const { settings, keep, send } = props.play;
  const book = () => props.asked.book;
  const change = () => {
    const values = {
      rank: rankName(book().rank),
      clean: String(settings().cleanBonus),
      dirty: String(settings().dirtyBonus),
    };
    if (!isNatural(settings()))
      return book().isBook
        ? t("The {rank} would be a dirty book then, and its bonus falls from {clean} to {dirty}.", values)
        : t("The {rank} would be a dirty meld then, and the bonus of its book falls from {clean} to {dirty}.", values);
    return book().isBook
      ? t("The {rank} would be an unnatural book then, and its bonus falls from {clean} to {dirty}.", values)
      : t(
          "The {rank} would be an unnatural meld then, and the bonus of its book falls from {clean} to {dirty}.",
          values,
        );
  };
  return (
    <div class="stack">
      <p>{change()}</p>
      <div class="row spread">
        <button type="button" class="button main" autofocus onClick={keep}>
          {isNatural(settings()) ? t("Keep it natural") : t("Keep it clean")}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            const { move } = props.asked;
            keep();
            void send(move);
          }}
        >
          {t("Add it")}
        </button>
      </div>
    </div>
  );
}

// All melds of a side; the one that was tapped is in sight.
function BooksOf(props: { play: Play; side: number; book: number | undefined }) {
  const { view, settings } = props.play;
  const books = () => view().teams.find((side) => side.id === props.side)?.melds ?? [];
  return (
    <ul class="books-of">
      <For each={books()} fallback={<li class="quiet">{t("Nothing laid yet.")}</li>}>
        {(book) => (
          <li
            ref={(item) => book.id === props.book && onMount(() => item.scrollIntoView({ block: "nearest" }))}
            classList={{ asked: book.id === props.book }}
          >
            <span>{bookWords(book, settings())}</span>
            <Cards play={props.play} ids={book.cards} />
          </li>
        )}
      </For>
    </ul>
  );
}

export function Dialogs(props: { play: Play }) {
  const { asked, setAsked, keep, table, settings, mySide } = props.play;
  const close = () => setAsked(null);
  const of = <K extends Asked["kind"]>(kind: K) =>
    asked()?.kind === kind ? (asked() as Extract<Asked, { kind: K }>) : undefined;
  return (
    <>
      <Dialog open={!!of("advanced")} title={t("Several melds at once")} onClose={close} class="hf-dialog broad">
        <AdvancedMeld play={props.play} onClose={close} />
      </Dialog>
      <Dialog open={!!of("take")} title={t("Take the pile")} onClose={close} class="hf-dialog">
        <TakePile play={props.play} onClose={close} />
      </Dialog>
      <Dialog open={!!of("cannot")} title={t("You cannot go out yet")} onClose={close} class="hf-dialog">
        <Missing play={props.play} text={of("cannot")?.text ?? ""} onClose={close} />
      </Dialog>
      <Dialog
        open={!!of("spoil")}
        title={
          isNatural(settings())
            ? of("spoil")?.book.isBook
              ? t("A wild card in a natural book?")
              : t("A wild card in a natural meld?")
            : of("spoil")?.book.isBook
              ? t("A wild card in a clean book?")
              : t("A wild card in a clean meld?")
        }
        onClose={keep}
        class="hf-dialog"
      >
        <Show when={of("spoil")}>{(question) => <Spoil play={props.play} asked={question()} />}</Show>
      </Dialog>
      <Dialog
        open={!!of("books")}
        title={
          of("books")?.side === mySide()?.id
            ? t("Your melds")
            : of("books")
              ? t("Melds of {side}", { side: sideName(table, of("books")!.side) })
              : ""
        }
        onClose={close}
        class="hf-dialog broad"
      >
        <BooksOf play={props.play} side={of("books")?.side ?? -1} book={of("books")?.book} />
      </Dialog>
    </>
  );
}
