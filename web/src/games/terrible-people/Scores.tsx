// Everybody's points, who judges, and who is still awaited.
import { For, Index, Show } from "solid-js";
import type { Table } from "../../table/table";
import { BotLevel, SeatFace } from "../../ui/BotFace";
import type { TerribleView } from "./terrible";
import { t, tn } from "../../languages";

export const Gavel = () => (
  <svg class="gavel" viewBox="0 0 24 24" aria-hidden="true">
    <path
      d="m13.5 3.5 7 7-2 2-7-7zM8.5 8.5l7 7-2 2-7-7zM11 8l5 5 2-2-5-5zM9.5 13 11 14.5 5 20.5 3.5 19zM13 20h8v2h-8z"
      fill="currentColor"
    />
  </svg>
);

const Tick = () => (
  <svg class="tick" viewBox="0 0 16 16" aria-hidden="true">
    <path
      d="m3 8.500 3.500 3.500L13 4.500"
      fill="none"
      stroke="currentColor"
      stroke-width="2.200"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);

export function Scores(props: { table: Table; view: TerribleView; winner: number | null }) {
  const state = (seat: number): string => {
    const { phase, judge, submitted, roundPoints } = props.view;
    if (seat === judge) return t("judge");
    if (phase === "submitting") return submitted.includes(seat) ? t("done") : t("choosing");
    return seat === props.winner ? `+${tn(roundPoints, "{n} point", "{n} points")}` : "";
  };
  const points = (seat: number) => props.view.scores[seat] ?? 0;
  // The point of this round is given when its winner is named.
  const shown = (seat: number) =>
    points(seat) - (props.winner === null && seat === hidden() ? props.view.roundPoints : 0);
  const hidden = () => {
    const { phase, submissions, pickedSubmissionId } = props.view;
    return phase === "round_over" || phase === "game_over"
      ? (submissions.find((one) => one.id === pickedSubmissionId)?.seatIndex ?? null)
      : null;
  };
  return (
    <ol class="tp-scores" aria-label={t("Points, {targetScore} win", { targetScore: props.view.targetScore })}>
      <For each={props.view.players.map((player) => player.seatIndex)}>
        {(seat) => (
          <li
            classList={{ judge: seat === props.view.judge, wins: seat === props.winner }}
            data-place={`seat-${seat}`}
            data-seat={seat}
          >
            <span class="who">
              <SeatFace seat={props.table.world.seats[seat]} />
              <b>{props.table.name(seat)}</b>
              <BotLevel seat={props.table.world.seats[seat]} />
            </span>
            <span class="points">
              <span class="hidden-text">
                {t("{shown} of {targetScore} points", { shown: shown(seat), targetScore: props.view.targetScore })}
              </span>
              <span class="dots" aria-hidden="true">
                <Index each={Array.from({ length: props.view.targetScore })}>
                  {(_, i) => <i classList={{ full: i < shown(seat) }} />}
                </Index>
              </span>
              <span aria-hidden="true">{shown(seat)}</span>
            </span>
            <span class="state">
              <Show when={seat === props.view.judge}>
                <Gavel />
              </Show>
              <Show when={state(seat) === "done"}>
                <Tick />
              </Show>
              <span>{state(seat)}</span>
            </span>
          </li>
        )}
      </For>
    </ol>
  );
}
