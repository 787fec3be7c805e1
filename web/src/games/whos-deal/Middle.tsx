// The middle of the table: the turned card while trump is called, then the trick.
import { For, Match, Show, Switch } from "solid-js";
import { CardBack, CardFace, cardWords, suitClass, suitSign } from "../../ui/cards";
import { Face } from "./Face";
import type { Game } from "./state";
import { sideOf, suitTitle } from "./view";
import { t } from "../../languages";

const tilt = { bottom: -2, left: 4, top: 3, right: -5 };

export function Middle(props: { game: Game }) {
  const phase = () => props.game.round()?.trumpPhase;
  return (
    <div class="wd-middle">
      <Switch fallback={<Trick game={props.game} />}>
        <Match when={phase() === undefined || phase() === "dealing"}>
          <Kitty caption={t("Dealing…")} />
        </Match>
        <Match when={phase() === "round1"}>
          <Turned game={props.game} />
        </Match>
        <Match when={phase() === "round2"}>
          <Kitty
            suit={props.game.round()!.faceUpCard?.suit}
            caption={t("{suit} turned down", { suit: suitTitle(props.game.round()!.faceUpCard?.suit ?? "spades") })}
          />
        </Match>
        <Match when={phase() === "dealer_discard" || phase() === "defending"}>
          <Kitty caption="" />
        </Match>
      </Switch>
    </div>
  );
}

function Turned(props: { game: Game }) {
  const id = () => props.game.round()!.faceUpCard?.id;
  return (
    <figure class="wd-kitty wd-turned-up">
      <div class="wd-pile">
        <span class="card wd-under" data-place="kitty" aria-hidden="true">
          <CardBack />
        </span>
        <Show when={id()} keyed>
          {(card) => (
            <span
              class="card"
              role="img"
              aria-label={t("{card}, turned up", { card: cardWords(card) })}
              data-flip={card}
              data-from={`seat-${props.game.view()!.dealerSeatIndex}`}
            >
              <CardFace id={card} />
            </span>
          )}
        </Show>
      </div>
      <figcaption>{t("Turned up")}</figcaption>
    </figure>
  );
}

function Kitty(props: { caption: string; suit?: string | undefined }) {
  return (
    <figure class="wd-kitty">
      <div class="wd-pile">
        <span class="card wd-under" aria-hidden="true">
          <CardBack />
        </span>
        <span class="card" data-place="kitty" aria-hidden="true">
          <CardBack />
        </span>
      </div>
      <figcaption>
        <Show when={props.suit}>
          {(suit) => (
            <span class={`wd-suit-chip ${suitClass(suit())}`} aria-hidden="true">
              {suitSign(suit())}
            </span>
          )}
        </Show>
        {props.caption}
      </figcaption>
    </figure>
  );
}

function Trick(props: { game: Game }) {
  const { table, round, complete, trick } = props.game;
  const played = () => trick().map(({ card }) => card.id);
  const by = (id: string) => trick().find(({ card }) => card.id === id)?.seatIndex ?? 0;
  const won = (id: string) => complete() && by(id) === round()!.lastTrickWinnerSeatIndex;
  return (
    <ol class="wd-trick" aria-label={t("Trick")} classList={{ complete: complete() }}>
      <For each={played()}>
        {(id) => {
          const side = sideOf(by(id), props.game.seat());
          const name = table.name(by(id));
          return (
            <li class={`wd-laid ${side}`} classList={{ won: won(id) }} data-flip={id} data-from={`seat-${by(id)}`}>
              <span class="card" style={{ rotate: `${tilt[side]}deg` }}>
                <Face id={id} round={round()} />
              </span>
              <span class="hidden-text">
                {name}: {cardWords(id)}
                {won(id) ? `, ${t("takes the trick")}` : ""}
              </span>
            </li>
          );
        }}
      </For>
    </ol>
  );
}
