// The Up-N-Down table: who plays when, four piles, the own hand, and what ends the turn.
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import { seatName } from "../../model";
import { gate, use, type Gate } from "../../table/gate";
import type { Table } from "../../table/table";
import { BotLevel, SeatFace } from "../../ui/BotFace";
import { Dialog } from "../../ui/Dialog";
import { isForTable } from "../../ui/keys";
import { say } from "../../ui/notes";
import type { GameUi } from "../kind";
import { Hand } from "./Hand";
import { PileView } from "./Pile";
import { Result } from "./Result";
import { Mark } from "./signs";
import { speech } from "./speech";
import {
  jumpsOf,
  jumpWords,
  legalMove,
  levels,
  orderName,
  orderSigns,
  share,
  type UpNDownEvent,
  type UpNDownView,
} from "./view";
import { listed, rich, t } from "../../languages";
import "./up-n-down.css";

const viewOf = (table: Table) => table.world.view as UpNDownView;

// A world may say that it is being played before its view is there.
const UpNDownTable = (props: { table: Table }) => (
  <Show when={props.table.world.view !== null}>
    <Felt table={props.table} />
  </Show>
);

function Felt(props: { table: Table }) {
  const table = props.table;
  const view = () => viewOf(table);
  const me = () => view().players.find(({ seatIndex }) => seatIndex === table.mySeat());
  const hand = () => me()?.hand ?? [];
  const [chosen, setChosen] = createSignal<number | null>(null);
  const [seen, setSeen] = createSignal<number | null>(null);
  const [above, setAbove] = createSignal<number | null>(null);
  const [marks, setMarks] = createSignal<Record<number, number>>({}); // on their way
  const [explained, setExplained] = createSignal(false);

  const looked = () => (table.myTurn() ? (chosen() ?? seen()) : null);
  const jumps = createMemo(() => jumpsOf(view(), looked()));
  const playable = createMemo(() => new Map(hand().map((card) => [card, jumpsOf(view(), card)])));

  createEffect(() => {
    if (chosen() !== null && !hand().includes(chosen()!)) setChosen(null);
    if (seen() !== null && !hand().includes(seen()!)) setSeen(null);
  });
  // When the turn begins, says what the card can do that was chosen while others played.
  createEffect(on(table.myTurn, (mine) => mine && chosen() !== null && tell(chosen()!), { defer: true }));

  function tell(card: number) {
    const places = jumpsOf(view(), card).map((jump) =>
      t("pile {pile}, {jump}", { pile: jump.pile, jump: jumpWords(jump) }),
    );
    say(
      table.myTurn()
        ? places.length > 0
          ? t("{card} chosen. Goes on {places}", { card, places: places.join("; ") })
          : t("{card} chosen. It fits nowhere now", { card })
        : t("{card} chosen for your turn", { card }),
    );
  }

  function choose(card: number | null) {
    if (card === chosen()) return;
    const before = chosen();
    setChosen(card);
    if (card !== null) tell(card);
    else say(t("{cards} put back", { cards: before }));
  }

  const play = async (card: number, pile: number): Promise<boolean> =>
    !table.busy() && (await table.act(`play ${card} ${pile}`)) === null;

  const markFor = (pile: number) => {
    if (table.myTurn() || !view().legal.some((one) => one.type === "set-preference" && one.payload.pileId === pile))
      return undefined;
    const level = marks()[pile] ?? me()!.preferences[pile - 1]!;
    return { level, onCycle: () => void mark(pile, (level + 1) % levels.length) };
  };
  async function mark(pile: number, level: number) {
    setMarks((old) => ({ ...old, [pile]: level }));
    if (await table.act(`prefer ${pile} ${levels[level]!.replace(" ", "-")}`)) forget(pile);
  }
  const forget = (pile: number) => setMarks(({ [pile]: _done, ...rest }) => rest);
  createEffect(() => {
    for (const [pile, level] of Object.entries(marks()))
      if (table.myTurn() || me()?.preferences[Number(pile) - 1] === level) forget(Number(pile));
  });

  const move = (words: string): Gate => ({
    may: () => legalMove(view(), words),
    move: () => words,
    act: () => void table.act(words),
  });
  const onto = (pile: number, card = chosen): Gate => ({
    may: () => legalMove(view(), `play ${card()} ${pile}`),
    move: () => `play ${card() ?? 0} ${pile}`,
    act: () => void play(card()!, pile),
    lacks: () =>
      card() === null
        ? table.myTurn() && t("Choose a card first, then the pile")
        : !table.myTurn() && t("{card} stays chosen until it is your turn", { card: card() }),
  });
  const dull = (card: number) => table.myTurn() && playable().get(card)?.length === 0;
  const choice = (card: number, act: () => void): Gate => ({ may: () => !dull(card), move: () => `play ${card}`, act });

  const onKey = (event: KeyboardEvent) => {
    if (!isForTable(event)) return;
    const key = event.key.toLowerCase();
    if (view().foundationPiles.some(({ id }) => String(id) === key))
      use(
        table,
        onto(Number(key), () => chosen() ?? seen()),
      );
    else if (key === "e") use(table, move("end"));
    else if (key === "u") use(table, move("undo"));
    else if (key === "escape" && chosen() !== null) choose(null);
    else if (key === "arrowleft" || key === "arrowright")
      root.querySelector<HTMLElement>(".hand [tabindex='0']")?.focus();
    else return;
    event.preventDefault();
  };
  let root!: HTMLDivElement;
  onMount(() => {
    addEventListener("keydown", onKey);
    table.stage(root, ({ events }) => ({
      stagger: events.some(({ event }) => event === "game-started") ? 70 : 0,
      leaveTo: () => null,
    }));
  });
  onCleanup(() => removeEventListener("keydown", onKey));

  const words = (card: number) => {
    const places = playable().get(card) ?? [];
    if (!table.myTurn()) return String(card);
    if (places.length === 0) return t("{card}, fits nowhere now", { card });
    const back = places.find(({ backward }) => backward);
    const piles = listed(places.map(({ pile }) => `${pile}`));
    const fits =
      places.length === 1
        ? t("{card}, fits pile {piles}", { card, piles })
        : t("{card}, fits piles {piles}", { card, piles });
    return back ? `${fits}, ${jumpWords(back)}` : fits;
  };

  return (
    <div class="updown" classList={{ many: view().players.length > 4 }}>
      <div ref={root} class="felt" onClick={(event) => (event.target as Element).closest("button") || table.hurry()}>
        <header class="around">
          <Players table={table} view={view()} />
          <DrawPile count={view().drawPileCount} />
        </header>
        <div class="piles">
          <For each={view().foundationPiles}>
            {(pile) => (
              <PileView
                view={view()}
                pile={pile}
                looked={looked()}
                jump={jumps().find((jump) => jump.pile === pile.id)}
                carried={above() === pile.id}
                mark={markFor(pile.id)}
                name={(seat) => orderName(table.world.seats[seat], table.mySeat())}
                button={gate(table, onto(pile.id))}
              />
            )}
          </For>
        </div>
        <div class="foot">
          <Progress
            view={view()}
            mine={table.myTurn()}
            watching={me() === undefined}
            onExplain={() => setExplained(true)}
          />
          <Show when={me()}>
            <Hand
              cards={hand()}
              chosen={chosen()}
              words={words}
              dull={dull}
              table={table}
              choice={choice}
              special={(card) =>
                playable()
                  .get(card)
                  ?.some(({ backward }) => backward) ?? false
              }
              share={(card) => share(view(), card)}
              onChoose={choose}
              onLook={setSeen}
              onCarry={setAbove}
              onDrop={async (card, pile) => pile !== null && play(card, pile)}
            />
            <div class="actions">
              <Show when={view().settings.allowUndo && table.myTurn() && view().cardsPlayedThisTurn > 0}>
                <button type="button" class="button undo" {...gate(table, move("undo"))}>
                  {t("Undo")}
                </button>
              </Show>
              <Show when={!view().isSolitaire || legalMove(view(), "end")}>
                <button
                  type="button"
                  class="button end"
                  classList={{ main: legalMove(view(), "end") }}
                  {...gate(table, move("end"))}
                >
                  {view().isSolitaire ? t("Give up") : t("End turn")}
                </button>
              </Show>
            </div>
          </Show>
        </div>
      </div>
      <Dialog open={explained()} title={t("What the hearts are for")} onClose={() => setExplained(false)}>
        <MarkHelp />
      </Dialog>
    </div>
  );
}

function Players(props: { table: Table; view: UpNDownView }) {
  return (
    <Show
      when={!props.view.isSolitaire}
      fallback={<p class="quiet alone">{t("Alone: no turns, play as long as a card fits.")}</p>}
    >
      <ol class="turn-order" aria-label={t("Turn order")}>
        <For each={props.view.players}>
          {(player) => (
            <li
              classList={{
                current: props.view.currentPlayerIndex === player.seatIndex && props.view.gamePhase === "playing",
              }}
              aria-current={props.view.currentPlayerIndex === player.seatIndex}
              data-place={`seat-${player.seatIndex}`}
              data-seat={player.seatIndex}
            >
              <span class="who">
                <SeatFace seat={props.table.world.seats[player.seatIndex]} />
                <span class="player-name">{seatName(props.table.world.seats[player.seatIndex])}</span>
                <BotLevel seat={props.table.world.seats[player.seatIndex]} />
              </span>
              <span class="order-signs">
                {orderSigns(props.table.world.seats[player.seatIndex], props.table.mySeat())}
              </span>
              <span class="hand-count">
                {player.handCount}
                <span class="hidden-text"> {t("cards")}</span>
              </span>
            </li>
          )}
        </For>
      </ol>
    </Show>
  );
}

const DrawPile = (props: { count: number }) => (
  <p class="draw">
    <span class="deck" classList={{ empty: props.count === 0 }} data-place="draw" aria-hidden="true" />
    <span>
      <b>{props.count}</b> <span class="words">{t("to draw")}</span>
    </span>
  </p>
);

// Cards of this turn, and how many are still owed.
function Progress(props: { view: UpNDownView; mine: boolean; watching: boolean; onExplain(): void }) {
  const played = () => props.view.cardsPlayedThisTurn;
  const owed = () => Math.max(0, props.view.minimumThisTurn - played());
  const places = () =>
    Array.from({ length: Math.max(props.view.minimumThisTurn, Math.min(played(), 8)) }, (_, index) => index < played());
  return (
    <div class="progress">
      <Show when={props.view.gamePhase === "playing"}>
        <Show
          when={!props.view.isSolitaire}
          fallback={<p>{t("{count} played", { count: props.view.statistics.cardsPlayed })}</p>}
        >
          <p>
            <span class="owed" aria-hidden="true">
              <For each={places()}>{(full) => <i classList={{ full }} />}</For>
            </span>
            {owed() === 0
              ? t("{count} played", { count: played() })
              : t("{count} of {needed} played", { count: played(), needed: props.view.minimumThisTurn })}
            <span class="hidden-text">
              , {owed() === 0 ? t("enough") : t("{count} still needed", { count: owed() })}
            </span>
          </p>
        </Show>
        <Show when={!props.mine && !props.view.isSolitaire && !props.watching}>
          <button
            type="button"
            class="button plain icon explain"
            aria-label={t("What are the hearts for?")}
            title={t("What are the hearts for?")}
            onClick={() => props.onExplain()}
          >
            <Mark level={0} />?
          </button>
        </Show>
      </Show>
    </div>
  );
}

// UD-40.
const MarkHelp = () => (
  <div class="stack mark-help">
    <p>
      {t(
        "While others play you can mark the piles. Tap a pile's heart to go from one mark to the " +
          "next; everybody sees it beside your number.",
      )}
    </p>
    <ul>
      <li>
        <Mark level={1} /> {rich("{like}: I can serve this pile.", { like: <b>{t("Like")}</b> })}
      </li>
      <li>
        <Mark level={2} /> {rich("{like}: I have a good card for it.", { like: <b>{t("Really like")}</b> })}
      </li>
      <li>
        <Mark level={3} /> {rich("{like}: please leave it to me.", { like: <b>{t("Love")}</b> })}
      </li>
    </ul>
    <p>
      {t(
        "Mark the piles you can serve well. Read the marks of the others before you play, and " +
          "keep away from a pile somebody needs: two players who want the same pile are in each " +
          "other's way.",
      )}
    </p>
    <p>{t("Your marks go when your own turn begins.")}</p>
  </div>
);

const ui: GameUi<UpNDownEvent> = {
  Table: UpNDownTable,
  Result,
  ...speech,
  rounds: false,
  cheers: ({ event, data }) =>
    event === "card-played" && data.special
      ? { text: t("{distance} back!", { distance: data.movement }), signs: `−${data.movement}` }
      : undefined,
  keys: [
    ["1, 2 …", t("play the chosen card, or the one in focus, on that pile")],
    ["E", t("end your turn")],
    ["U", t("take the last card back, where the table allows it")],
  ],
};
export default ui;
