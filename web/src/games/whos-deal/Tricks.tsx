// The tricks of this hand so far, the last one on top, for whoever wants to look again.
import { createSignal, For, Show } from "solid-js";
import { CardFace, cardWords } from "../../ui/cards";
import { Dialog } from "../../ui/Dialog";
import type { Game } from "./state";
import { teamOf, trickCount, type TakenTrick } from "./view";
import { t } from "../../languages";

export function Tricks(props: { game: Game }) {
  const [open, setOpen] = createSignal(false);
  const tricks = () => props.game.round()?.tricks ?? [];
  return (
    <>
      <Show when={tricks().length > 0}>
        <button
          type="button"
          class="button wd-look-back"
          data-control="tricks"
          aria-label={t("Look at the last trick: {tricks} taken", { tricks: trickCount(tricks().length) })}
          onClick={() => setOpen(true)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <rect x="3" y="6" width="10" height="14" rx="1.5" transform="rotate(-12 8 13)" />
            <rect x="11" y="5" width="10" height="14" rx="1.5" transform="rotate(10 16 12)" />
          </svg>
          <span>{t("Last trick")}</span>
        </button>
      </Show>
      <Dialog open={open()} title={t("Tricks of this hand")} onClose={() => setOpen(false)}>
        <ol class="wd-taken" reversed>
          <For each={[...tricks()].reverse()}>
            {(trick, i) => <Trick game={props.game} trick={trick} number={tricks().length - i()} />}
          </For>
        </ol>
      </Dialog>
    </>
  );
}

const Trick = (props: { game: Game; trick: TakenTrick; number: number }) => (
  <li class={`team-${teamOf(props.game.view()!, props.trick.winnerSeatIndex)}`}>
    <h3>
      {props.number}.{" "}
      {props.trick.winnerSeatIndex === props.game.table.mySeat()
        ? t("You took it")
        : t("{name} took it", { name: props.game.table.name(props.trick.winnerSeatIndex) })}
    </h3>
    <TrickCards game={props.game} trick={props.trick} />
  </li>
);

export const TrickCards = (props: { game: Game; trick: TakenTrick }) => (
  <ul class="wd-trick-cards">
    <For each={props.trick.cards}>
      {({ seatIndex, id }) => (
        <li classList={{ won: seatIndex === props.trick.winnerSeatIndex }}>
          <span class="card" role="img" aria-label={cardWords(id)}>
            <CardFace id={id} />
          </span>
          <span class="small">{props.game.table.name(seatIndex)}</span>
        </li>
      )}
    </For>
  </ul>
);
