// Between table and hand: what there is to decide, or which suit is trump and who called it.
import { For, Match, Show, Switch } from "solid-js";
import { gate } from "../../table/gate";
import { waitingText } from "../../table/speech";
import { cardSigns, cardWords, suitClass, suitSign } from "../../ui/cards";
import { Switch as Toggle } from "../../ui/controls";
import type { Game } from "./state";
import { seatOf, suitLetter, suits, suitTitle } from "./view";
import { t } from "../../languages";

export function Foot(props: { game: Game; alone: boolean; onAlone: (alone: boolean) => void }) {
  const { table, round } = props.game;
  const phase = () => round()?.trumpPhase;
  return (
    <div class="wd-foot">
      <Switch fallback={<Trump game={props.game} />}>
        <Match when={(phase() === "round1" || phase() === "round2") && !table.myTurn()}>
          <p class="wd-waits">{waitingText(table)}</p>
        </Match>
        <Match when={phase() === "round1"}>
          <OrderUp {...props} />
        </Match>
        <Match when={phase() === "round2"}>
          <NameSuit {...props} />
        </Match>
        <Match when={phase() === "defending" && table.myTurn()}>
          <Defend game={props.game} />
        </Match>
      </Switch>
    </div>
  );
}

type Calling = { game: Game; alone: boolean; onAlone: (alone: boolean) => void };

// The call as a move, alone if that is chosen or the only way that the rules allow.
export const callMove = (game: Game, call: string, alone: boolean): string =>
  alone || !game.can(call) ? `${call} alone` : call;

function Alone(props: Calling & { forced: boolean }) {
  return (
    <div class="wd-alone" data-control="alone">
      <Toggle
        checked={props.alone || props.forced}
        shut={props.forced}
        onShut={() => void props.game.table.explain("order")}
        onChange={(checked) => props.onAlone(checked)}
      >
        {t("Go Alone")}
      </Toggle>
    </div>
  );
}

const Pass = (props: { game: Game }) => (
  <Show when={props.game.can("pass")}>
    <button type="button" class="button big" data-control="pass" onClick={() => props.game.act("pass")}>
      {t("Pass")}
    </button>
  </Show>
);

function OrderUp(props: Calling) {
  return (
    <div
      class="wd-call"
      role="group"
      aria-label={t("Call trump: {card} is turned up", {
        card: cardWords(props.game.round()!.faceUpCard!.id),
      })}
    >
      <Alone {...props} forced={!props.game.can("order")} />
      <Show when={props.game.can("redeal")}>
        <button type="button" class="button big" data-control="redeal" onClick={() => props.game.act("redeal")}>
          {t("Throw in")}
        </button>
      </Show>
      <Pass game={props.game} />
      <button
        type="button"
        class="button main big grow"
        data-control="order"
        onClick={() => props.game.act(callMove(props.game, "order", props.alone))}
      >
        {props.game.view()?.dealerSeatIndex === props.game.table.mySeat() ? t("Pick it up") : t("Order it up")}
      </button>
    </div>
  );
}

function NameSuit(props: Calling) {
  const move = (suit: string) => callMove(props.game, `call ${suit}`, props.alone);
  return (
    <div class="wd-call" role="group" aria-label={t("Name a trump suit")}>
      <div class="wd-suits">
        <For each={suits}>
          {(suit) => (
            <button
              type="button"
              class={`wd-suit-button ${suitClass(suit)}`}
              data-control={`call-${suitLetter(suit)}`}
              aria-label={
                suit === props.game.round()!.faceUpCard?.suit
                  ? t("{suit}, turned down", { suit: suitTitle(suit) })
                  : suitTitle(suit)
              }
              {...gate(
                props.game.table,
                props.game.move(() => move(suitLetter(suit))),
              )}
            >
              {suitSign(suit)}
            </button>
          )}
        </For>
      </div>
      <Alone {...props} forced={false} />
      <Show when={props.game.can("pass")} fallback={<p class="wd-stuck">{t("You must call")}</p>}>
        <Pass game={props.game} />
      </Show>
    </div>
  );
}

function Defend(props: { game: Game }) {
  return (
    <div class="wd-call" role="group" aria-label={t("Defend alone?")}>
      <Pass game={props.game} />
      <Show when={props.game.can("defend alone")}>
        <button
          type="button"
          class="button main big grow"
          data-control="defend"
          onClick={() => props.game.act("defend alone")}
        >
          {t("Defend alone")}
        </button>
      </Show>
    </div>
  );
}

function Trump(props: { game: Game }) {
  const { table, view, round } = props.game;
  const caller = () => (view() ? seatOf(view()!, round()?.callingPlayerId ?? null) : null);
  const asked = () => (props.game.ahead() || props.game.picking() === null ? null : props.game.chosen());
  return (
    <Show when={round()?.trumpSuit}>
      {(suit) => (
        <div class="wd-trump-row">
          <div class="wd-trump" role="group" aria-label={t("Trump")}>
            <span class={`wd-suit-chip large ${suitClass(suit())}`} aria-hidden="true">
              {suitSign(suit())}
            </span>
            <span class="wd-trump-words">
              <b>{suitTitle(suit())}</b>
              <span>
                {round()!.goingAlone
                  ? caller() === table.mySeat()
                    ? t("you called, alone")
                    : t("{name} called, alone", { name: table.name(caller()) })
                  : caller() === table.mySeat()
                    ? t("you called")
                    : t("{name} called", { name: table.name(caller()) })}
              </span>
            </span>
          </div>
          <Show when={props.game.picking() === "discard" || asked()}>
            <button
              type="button"
              class="button main big"
              data-control="confirm"
              {...gate(table, {
                may: () => asked() !== null,
                move: () => "discard",
                act: () => props.game.confirm(),
                lacks: () => t("Choose a card to discard"),
              })}
            >
              {props.game.picking() === "discard" ? t("Discard") : t("Play")} {asked() ? cardSigns(asked()!) : ""}
            </button>
          </Show>
          <Show when={round()!.trumpPhase === "dealer_discard" && !props.game.picking()}>
            <p class="wd-waits">{t("Dealer is discarding…")}</p>
          </Show>
        </div>
      )}
    </Show>
  );
}
