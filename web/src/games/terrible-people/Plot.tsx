// Everybody's points, round by round.
import { For } from "solid-js";
import type { Table } from "../../table/table";
import { climb, type TerribleView } from "./terrible";
import { listed, t, tn } from "../../languages";

const WIDTH = 320;
const HEIGHT = 130;
const LEFT = 22;
const RIGHT = WIDTH - 12;
const BOTTOM = HEIGHT - 20;
const TOP = 12;
const APART = 2.5; // so that equal points do not hide each other

export function Plot(props: { table: Table; view: TerribleView }) {
  const winners = () => props.view.roundWinners;
  const target = () => props.view.targetScore;
  const seats = () => props.view.players.map(({ seatIndex }) => seatIndex);
  const x = (round: number) => LEFT + 6 + (round * (RIGHT - LEFT - 12)) / Math.max(winners().length, 1);
  const y = (points: number) => BOTTOM - 6 - (points * (BOTTOM - TOP - 12)) / target();
  const line = (seat: number) =>
    climb(props.view, seat)
      .map(
        (points, round) =>
          `${round === 0 ? "M" : "L"}${x(round).toFixed(1)} ${(y(points) + (1.5 - seat) * APART).toFixed(1)}`,
      )
      .join("");
  const last = (seat: number) => y(props.view.scores[seat] ?? 0) + (1.5 - seat) * APART;
  const words = () =>
    t("Points after each round. {list}.", {
      list: seats()
        .map((seat) => `${props.table.name(seat)}: ${listed(climb(props.view, seat).slice(1).map(String))}`)
        .join(". "),
    });
  return (
    <figure class="tp-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words()}>
        <For each={[0, target()]}>
          {(points) => (
            <>
              <line x1={LEFT} x2={RIGHT} y1={y(points)} y2={y(points)} />
              <text x={LEFT - 5} y={y(points) + 4} text-anchor="end">
                {points}
              </text>
            </>
          )}
        </For>
        <text x={RIGHT} y={HEIGHT - 4} text-anchor="end">
          {tn(winners().length, "{n} round", "{n} rounds")}
        </text>
        <For each={seats()}>
          {(seat) => (
            <>
              <path class={`seat-${seat}`} d={line(seat)} />
              <circle class={`seat-${seat}`} cx={x(winners().length)} cy={last(seat)} r="4" />
            </>
          )}
        </For>
      </svg>
      <figcaption class="row" aria-hidden="true">
        <For each={seats()}>
          {(seat) => (
            <span class="row">
              <svg viewBox="0 0 24 8">
                <path class={`seat-${seat}`} d="M1 4H23" />
              </svg>
              {props.table.name(seat)}
            </span>
          )}
        </For>
      </figcaption>
    </figure>
  );
}
