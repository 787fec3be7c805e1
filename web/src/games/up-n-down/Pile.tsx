// One of the four piles: its cards, what the chosen card would do to it, and who marked it.
import { For, Show, type JSX } from "solid-js";
import {
  jumpSign,
  jumpWords,
  levelWords,
  markWords,
  pileWords,
  rises,
  share,
  type Jump,
  type Pile,
  type UpNDownView,
} from "./view";
import { Arrow, Mark, NumberFace } from "./signs";
import { listed, t } from "../../languages";

const SHOWN = 3; // cards of a pile that are in the page
const ROW = 4; // marks in a row (UD-38)

export interface PileProps {
  view: UpNDownView;
  pile: Pile;
  looked: number | null; // the card that is chosen or looked at
  jump: Jump | undefined;
  carried: boolean; // a card is held above it
  mark: { level: number; onCycle(): void } | undefined; // while others play
  name(seat: number): string;
  button: JSX.ButtonHTMLAttributes<HTMLButtonElement>;
}

export function PileView(props: PileProps) {
  const pile = () => props.pile;
  const label = () => {
    const jump = props.jump;
    const words = pileWords(pile());
    if (props.looked === null) return words;
    return jump
      ? t("{words}. Takes {looked}: {jump}", { words, looked: props.looked, jump: jumpWords(jump) })
      : t("{words}. Does not take {looked} now", { words, looked: props.looked });
  };
  return (
    <section
      class="pile"
      classList={{
        up: rises(pile()),
        down: !rises(pile()),
        lit: !!props.jump,
        best: !!props.jump?.best,
        dim: props.looked !== null && !props.jump,
        carried: props.carried,
      }}
      data-pile={pile().id}
      aria-label={t("Pile {id}", { id: pile().id })}
    >
      <Marks {...props} from={0} />
      <Arrow />
      <button type="button" class="target" aria-label={label()} {...props.button}>
        <span class="stack-of-cards">
          <span class="slip ground" aria-hidden="true" data-value={pile().start} />
          <For each={pile().cards.slice(-SHOWN)}>
            {(card) => (
              <span class="slip" data-flip={`card-${card}`} data-from={`seat-${props.view.currentPlayerIndex}`}>
                <NumberFace value={card} />
              </span>
            )}
          </For>
        </span>
      </button>
      <Show when={props.mark} fallback={<span class="heart" />}>
        {(mark) => (
          <button
            type="button"
            class="button plain icon heart"
            aria-label={t("Your mark on pile {pile}: {level}. Change it to {next}", {
              pile: pile().id,
              level: levelWords[mark().level],
              next: levelWords[(mark().level + 1) % levelWords.length],
            })}
            onClick={() => mark().onCycle()}
          >
            <Mark level={mark().level} />
          </button>
        )}
      </Show>
      <p class="jump" aria-hidden="true">
        <Show when={props.jump} fallback={<span class="way">{rises(pile()) ? t("rising") : t("falling")}</span>}>
          {(jump) => (
            <span class="amount" classList={{ backward: jump().backward }}>
              {jumpSign(pile(), jump())}
              <Show when={jump().backward}>
                <span class="word"> {t("backward!")}</span>
              </Show>
            </span>
          )}
        </Show>
        <kbd>{pile().id}</kbd>
      </p>
      <Gauge {...props} />
      <Show when={props.view.players.length > ROW}>
        <Marks {...props} from={ROW} />
      </Show>
    </section>
  );
}

// How far the pile has come, and how far the card would take it.
function Gauge(props: PileProps) {
  const span = (from: number, to: number) => {
    const [low, high] = [share(props.view, Math.min(from, to)), share(props.view, Math.max(from, to))];
    return { left: `${low * 100}%`, width: `${(high - low) * 100}%` };
  };
  return (
    <span class="gauge" aria-hidden="true">
      <i class="gone" style={span(props.pile.start, props.pile.top)} />
      <Show when={props.jump}>
        <i class="ahead" style={span(props.pile.top, props.looked ?? props.pile.top)} />
      </Show>
    </span>
  );
}

// A slot for each player, in the order of the seats; its number is that of the turn order.
function Marks(props: PileProps & { from: number }) {
  const players = () => props.view.players.slice(props.from, props.from + ROW);
  const level = (seat: number) => props.view.players[seat]?.preferences[props.pile.id - 1] ?? 0;
  const marked = () => players().filter(({ seatIndex }) => level(seatIndex) > 0);
  const words = () => listed(marked().map(({ seatIndex }) => markWords(props.name(seatIndex), level(seatIndex))));
  return (
    <Show when={!props.view.isSolitaire}>
      <span
        class="marks"
        role={marked().length > 0 ? "img" : undefined}
        aria-label={marked().length > 0 ? words() : undefined}
        aria-hidden={marked().length === 0}
      >
        <For each={players()}>
          {({ seatIndex }) => (
            <span
              class="slot"
              classList={{ marked: level(seatIndex) > 0 }}
              title={level(seatIndex) > 0 ? markWords(props.name(seatIndex), level(seatIndex)) : undefined}
            >
              <small>{seatIndex + 1}</small>
              <Show when={level(seatIndex) > 0}>
                <Mark level={level(seatIndex)} />
              </Show>
            </span>
          )}
        </For>
      </span>
    </Show>
  );
}
