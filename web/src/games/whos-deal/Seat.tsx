// A place at the table: who sits there, how many cards they hold, and what they have just said.
import { For, Show } from "solid-js";
import { SeatFace } from "../../ui/BotFace";
import { CardBack, suitClass, suitSign } from "../../ui/cards";
import type { Game } from "./state";
import { plural, seatOf, sideOf, suitTitle, teamOf, type Round } from "./view";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const where = { bottom: "here", left: "on the left", top: "opposite", right: "on the right" };

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
        `${table.name(props.seat)}, ${where[side()]}, team ${team().toUpperCase()}, ` + `${plural(count(), "card")}`
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
        <span class="wd-name">{table.name(props.seat)}</span>
        <Show when={active()}>
          <span class="wd-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span class="hidden-text">, to act</span>
        </Show>
        <Show when={said(props.game, props.seat)}>{(words) => <span class="wd-said">{words()}</span>}</Show>
      </div>
      <Show when={view()?.dealerSeatIndex === props.seat}>
        <span class="wd-chip" data-flip="dealer-chip" title="Dealer">
          <span aria-hidden="true">D</span>
          <span class="hidden-text">dealer</span>
        </span>
      </Show>
      <Show when={called()}>
        <span class={`wd-suit-chip ${suitClass(round()!.trumpSuit!)}`} title={`called ${round()!.trumpSuit}`}>
          <span aria-hidden="true">{suitSign(round()!.trumpSuit!)}</span>
          <span class="hidden-text">called {round()!.trumpSuit}</span>
        </span>
      </Show>
      <Show when={info() && !info()!.bot && !info()!.away && !info()!.connected}>
        <span class="badge">offline</span>
      </Show>
    </div>
  );
}

const nothingPlayed = (round: Round) => round.currentTrick.length === 0 && round.tricksPlayed === 0;

// The words beside a name.
function said(game: Game, seat: number): string | undefined {
  const round = game.round();
  if (!round) return undefined;
  if (game.complete() && round.lastTrickWinnerSeatIndex === seat)
    return seat === game.table.mySeat() ? "You take it" : "Takes it";
  if (round.sittingOutSeatIndexes.includes(seat) && seat !== game.table.mySeat()) return "Sits out";
  if (
    round.trumpSuit &&
    seat !== game.table.mySeat() &&
    seatOf(game.view()!, round.callingPlayerId) === seat &&
    nothingPlayed(round)
  )
    return suitTitle(round.trumpSuit) + (round.goingAlone ? ", alone!" : "!");
  const calling = round.trumpPhase === "round1" || round.trumpPhase === "round2" || round.trumpPhase === "defending";
  return calling && round.passedPlayers.includes(game.view()!.seats[seat]!) ? "Pass" : undefined;
}
