// The own cards. One of them is in the tab order; arrow keys go through the others.
import { createEffect, createSignal, For, Show } from "solid-js";
import { gate } from "../../table/gate";
import { CardBack } from "../../ui/cards";
import { Face } from "./Face";
import type { Game } from "./state";
import { Plate } from "./Seat";
import { cardTitle } from "./view";
import { t } from "../../languages";

// A card's place in the fan: degrees, and how far it hangs down in hundredths of its height.
function fan(i: number, count: number): { turn: string; drop: string } {
  const off = i - (count - 1) / 2;
  return { turn: `${off * 2.4}deg`, drop: `${off * off * 1.6}%` };
}

export function Hand(props: { game: Game }) {
  const { table, round, hand } = props.game;
  const [current, setCurrent] = createSignal<string>();
  let place = 0; // of the card that had the focus last
  let root!: HTMLDivElement;

  // The card that takes the place of one that is gone.
  createEffect(() => {
    const ids = hand();
    if (ids.length > 0 && !ids.includes(current() ?? "")) setCurrent(ids[Math.min(place, ids.length - 1)]);
  });

  function step(event: KeyboardEvent) {
    const ids = hand();
    const at = ids.indexOf(current() ?? "");
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: ids.length - 1 }[event.key];
    if (event.key === "Escape") props.game.takeBack();
    if (to === undefined || ids.length === 0) return;
    event.preventDefault();
    const id = ids[(to + ids.length) % ids.length]!;
    root.querySelector<HTMLElement>(`[data-card="${id}"]`)?.focus();
  }

  function state(id: string): string {
    const parts = [cardTitle(id, round()?.bowers)];
    if (pickedUp(id)) parts.push(t("picked up"));
    if (props.game.chosen() === id) parts.push(props.game.ahead() ? t("chosen for your next turn") : t("chosen"));
    if (props.game.dimmed(id))
      parts.push(props.game.picking() === "play" ? t("cannot be played") : t("cannot be discarded"));
    return parts.join(", ");
  }
  const pickedUp = (id: string) => round()?.trumpPhase === "dealer_discard" && round()?.dealerPickedUp?.id === id;

  return (
    <div class="wd-own-place" classList={{ active: table.myTurn() }}>
      <Show when={!props.game.out()} fallback={<SitsOut game={props.game} />}>
        <div
          class="wd-hand"
          role="toolbar"
          aria-label={t("Your hand")}
          ref={root}
          onKeyDown={step}
          style={{ "--n": hand().length }}
        >
          <For each={hand()}>
            {(id, i) => (
              <div
                class="wd-slot"
                data-flip={id}
                data-from={`seat-${props.game.view()?.dealerSeatIndex}`}
                style={{ "--turn": fan(i(), hand().length).turn, "--drop": fan(i(), hand().length).drop }}
              >
                <button
                  type="button"
                  class="card"
                  classList={{
                    dimmed: props.game.dimmed(id),
                    chosen: props.game.chosen() === id,
                    lit: props.game.picking() !== null && !props.game.dimmed(id),
                  }}
                  data-card={id}
                  aria-pressed={props.game.chosen() === id}
                  tabindex={current() === id ? 0 : -1}
                  onFocus={() => {
                    setCurrent(id);
                    place = i();
                  }}
                  {...gate(table, props.game.card(id))}
                >
                  <span class="hidden-text">{state(id)}</span>
                  <Face id={id} round={round()} />
                  <Show when={pickedUp(id)}>
                    <span class="wd-tag" aria-hidden="true">
                      {t("picked up")}
                    </span>
                  </Show>
                  <Show when={props.game.chosen() === id && props.game.ahead()}>
                    <span class="wd-tag" aria-hidden="true">
                      {t("next")}
                    </span>
                  </Show>
                </button>
              </div>
            )}
          </For>
        </div>
      </Show>
      <span class="wd-spot" data-place={`seat-${props.game.seat()}`} aria-hidden="true" />
      <Plate game={props.game} seat={props.game.seat()} />
    </div>
  );
}

function SitsOut(props: { game: Game }) {
  const defends = () => props.game.round()?.inactivePartnerSeatIndex !== props.game.seat();
  return (
    <div class="wd-sits-out">
      <For each={[0, 1, 2, 3, 4]}>
        {() => (
          <span class="card" aria-hidden="true">
            <CardBack />
          </span>
        )}
      </For>
      <p>{defends() ? t("Partner is defending alone") : t("Partner is going alone")}</p>
    </div>
  );
}
