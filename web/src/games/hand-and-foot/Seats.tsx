// The others: who they are, what they hold, what they have laid.
import { createEffect, createMemo, For, Show } from "solid-js";
import { BotLevel, SeatFace } from "../../ui/BotFace";
import { BookTile } from "./Book";
import { givenName, sideName } from "./sides";
import type { Play } from "./state";
import { isNatural, withMinus, type Player, type Side } from "./view";
import { t } from "../../languages";

const HandSign = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <rect x="4" y="6" width="9" height="13" rx="1.5" transform="rotate(-14 8 12)" />
    <rect x="11" y="5" width="9" height="13" rx="1.5" transform="rotate(12 15 12)" />
  </svg>
);

const FootSign = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <rect x="6" y="3" width="12" height="14" rx="1.5" />
    <path d="M5 20h14M7 22.5h10" />
  </svg>
);

const holds = (player: Player): string =>
  player.hasPickedUpFoot
    ? t("{count} in hand, playing the foot", { count: player.handCount })
    : t("{count} in hand, foot of {foot}", { count: player.handCount, foot: player.footCount });

function Holder(props: { play: Play; player: Player; named: boolean }) {
  return (
    <span
      class="holder"
      classList={{ active: props.play.view().turn.includes(props.player.seatIndex) }}
      data-place={`seat-${props.player.seatIndex}`}
      data-seat={props.player.seatIndex}
    >
      <Show when={props.named}>
        <SeatFace seat={props.play.table.world.seats[props.player.seatIndex]} />
        <b>{props.play.table.name(props.player.seatIndex)}</b>
        <BotLevel seat={props.play.table.world.seats[props.player.seatIndex]} />
      </Show>
      <span class="hidden-text">{holds(props.player)}</span>
      <span aria-hidden="true" classList={{ few: props.player.hasPickedUpFoot && props.player.handCount <= 3 }}>
        <HandSign />
        {props.player.handCount}
      </span>
      <span aria-hidden="true">
        <FootSign />
        {props.player.hasPickedUpFoot ? "✓" : props.player.footCount}
      </span>
    </span>
  );
}

function SidePanel(props: { play: Play; side: Side }) {
  const { table, view, settings, setAsked, me } = props.play;
  const players = () => view().players.filter((player) => player.team === props.side.id);
  const active = createMemo(() => players().some((player) => view().turn.includes(player.seatIndex)));
  let panel!: HTMLElement;
  // With many opponents on a small screen, scrolls to the one whose turn it is.
  createEffect(
    () =>
      active() &&
      panel.parentElement?.scrollTo({
        left: panel.offsetLeft + panel.offsetWidth / 2 - panel.parentElement.clientWidth / 2,
      }),
  );
  const counts = () => ({
    side: sideName(table, props.side.id),
    melds: props.side.melds.length,
    clean: props.side.cleanBooks,
    dirty: props.side.dirtyBooks,
  });
  const label = () =>
    props.side.melds.length === 0
      ? t("nothing laid by {side}", { side: sideName(table, props.side.id) })
      : isNatural(settings())
        ? t("Melds of {side}: {melds}, {clean} natural and {dirty} unnatural books", counts())
        : t("Melds of {side}: {melds}, {clean} clean and {dirty} dirty books", counts());
  return (
    <article
      ref={panel}
      class="hf-side"
      classList={{ active: active() }}
      data-seat={players().length === 1 ? players()[0]!.seatIndex : undefined}
      aria-label={sideName(table, props.side.id)}
    >
      <header>
        <Show when={players().length === 1}>
          <SeatFace seat={table.world.seats[players()[0]!.seatIndex]} />
        </Show>
        <b>
          {givenName(table, props.side.id) ??
            (players().length > 1 && me() ? t("Opponents") : sideName(table, props.side.id))}
        </b>
        <Show when={players().length === 1}>
          <BotLevel seat={table.world.seats[players()[0]!.seatIndex]} />
        </Show>
        <span class="grow" />
        <Show when={props.side.redThrees > 0}>
          <span class="small red-threes">
            <span class="hidden-text">{t("red threes: {redThrees}", { redThrees: props.side.redThrees })}</span>
            <span aria-hidden="true">3♥ ×{props.side.redThrees}</span>
          </span>
        </Show>
        <span class="points">
          <span class="hidden-text">{t("points")}: </span>
          {withMinus(props.side.points)}
        </span>
      </header>
      <p class="holders">
        <For each={players()}>
          {(player) => <Holder play={props.play} player={player} named={players().length > 1} />}
        </For>
      </p>
      <button
        type="button"
        class="hf-books"
        aria-label={label()}
        onClick={() => setAsked({ kind: "books", side: props.side.id })}
      >
        <For each={props.side.melds} fallback={<span class="small quiet">{t("nothing laid")}</span>}>
          {(book) => <BookTile book={book} settings={settings()} place={`book-${props.side.id}-${book.id}`} />}
        </For>
      </button>
    </article>
  );
}

export function Others(props: { play: Play }) {
  const { view, me } = props.play;
  const others = createMemo(() => view().teams.filter((side) => side.id !== me()?.team));
  return (
    <section class="hf-others" aria-label={me() ? t("Opponents") : t("Players")} tabindex="0">
      <For each={others()}>{(side) => <SidePanel play={props.play} side={side} />}</For>
    </section>
  );
}

// Who plays on our side.
export function Partners(props: { play: Play }) {
  const { view, me, table } = props.play;
  const partners = createMemo(() =>
    view().players.filter((player) => player.team === me()?.team && player.seatIndex !== table.mySeat()),
  );
  return (
    <Show when={partners().length > 0}>
      <p class="holders partners">
        <span class="quiet small">{t("With you")}</span>
        <For each={partners()}>{(player) => <Holder play={props.play} player={player} named />}</For>
      </p>
    </Show>
  );
}
