// A place at the table: who sits there, how many cards they hold, and what they have just said.
import { For, Show } from "solid-js";
import { cardCount } from "../../amounts";
import { BotLevel, SeatFace } from "../../ui/BotFace";
import { CardBack, suitClass, suitSign, suitWord } from "../../ui/cards";
import type { Game } from "./state";
import { seatOf, sideOf, suitTitle, teamOf, type Round } from "./view";
import { t } from "../../languages";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const where = { bottom: t("here"), left: t("on the left"), top: t("opposite"), right: t("on the right") };

export function Seat(props: { game: Game; seat: number }) {
  const { table, view, round } = props.game;
  const side = () => sideOf(props.seat, props.game.seat());
  const out = () => round()?.sittingOutSeatIndexes.includes(props.seat) ?? false;
  const count = () => props.game.count(props.seat);
  const team = () => teamOf(view()!, props.seat);
  return (
    <div
      class={`wd-seat ${side()}`}
      classList={{ out: out() }}
      role="group"
      aria-label={
        `${table.name(props.seat)}, ${where[side()]}, ` +
        `${t("team {team}", { team: team().toUpperCase() })}, ${cardCount(count())}`
      }
    >
      <div class="wd-backs" aria-hidden="true">
        <For each={numbers(count())}>
          {(i) => (
            <span
              class="wd-small-back"
              data-flip={`back-${props.seat}-${i}`}
              data-from={`seat-${view()?.dealerSeatIndex}`}
            >
              <CardBack />
            </span>
          )}
        </For>
        <span class="wd-spot" data-place={`seat-${props.seat}`} />
      </div>
      <Plate game={props.game} seat={props.seat} />
    </div>
  );
}

// The name with its marks: team, whose turn, dealer, caller, and what was just said.
export function Plate(props: { game: Game; seat: number }) {
  const { table, view, round } = props.game;
  const team = () => teamOf(view()!, props.seat);
  const info = () => table.world.seats[props.seat];
  const active = () => table.world.status === "playing" && (view()?.turn.includes(props.seat) ?? false);
  const called = () =>
    view() !== null && round()?.trumpSuit != null && seatOf(view()!, round()!.callingPlayerId) === props.seat;
  return (
    <div class="wd-who" data-seat={props.seat}>
      <div class={`wd-plate team-${team()}`} classList={{ active: active() }}>
        <span class="wd-team" aria-hidden="true">
          {team().toUpperCase()}
        </span>
        <SeatFace seat={info()} />
        <span class="wd-name">
          {table.name(props.seat)} <BotLevel seat={info()} />
        </span>
        <Show when={active()}>
          <span class="wd-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span class="hidden-text">, {t("to act")}</span>
        </Show>
        <Show when={beside(props.game, props.seat)}>{(words) => <span class="wd-said">{words()}</span>}</Show>
      </div>
      <Show when={view()?.dealerSeatIndex === props.seat}>
        <span class="wd-chip" data-flip="dealer-chip" title={t("Dealer")}>
          <span aria-hidden="true">{t("D#dealer")}</span>
          <span class="hidden-text">{t("dealer")}</span>
        </span>
      </Show>
      <Show when={called()}>
        <span
          class={`wd-suit-chip ${suitClass(round()!.trumpSuit!)}`}
          title={t("called {suit}", { suit: suitWord(round()!.trumpSuit!) })}
        >
          <span aria-hidden="true">{suitSign(round()!.trumpSuit!)}</span>
          <span class="hidden-text">{t("called {suit}", { suit: suitWord(round()!.trumpSuit!) })}</span>
        </span>
      </Show>
      <Show when={info() && !info()!.bot && !info()!.away && !info()!.connected}>
        <span class="badge">{t("offline")}</span>
      </Show>
    </div>
  );
}

const nothingPlayed = (round: Round) => round.currentTrick.length === 0 && round.tricksPlayed === 0;

// The words beside a name.
function beside(game: Game, seat: number): string | undefined {
  const round = game.round();
  if (!round) return undefined;
  if (game.complete() && round.lastTrickWinnerSeatIndex === seat)
    return seat === game.table.mySeat() ? t("You take it") : t("Takes it");
  if (round.sittingOutSeatIndexes.includes(seat) && seat !== game.table.mySeat()) return t("Sits out");
  if (
    round.trumpSuit &&
    seat !== game.table.mySeat() &&
    seatOf(game.view()!, round.callingPlayerId) === seat &&
    nothingPlayed(round)
  )
    return round.goingAlone
      ? t("{suit}, alone!", { suit: suitTitle(round.trumpSuit) })
      : `${suitTitle(round.trumpSuit)}!`;
  const calling = round.trumpPhase === "round1" || round.trumpPhase === "round2" || round.trumpPhase === "defending";
  return calling && round.passedPlayers.includes(game.view()!.seats[seat]!) ? t("Pass") : undefined;
}
