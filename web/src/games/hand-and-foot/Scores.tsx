// What a round was worth (HF-73), how the rounds add up, and who won.
import { createMemo, createSignal, For, Show } from "solid-js";
import type { Table } from "../../table/table";
import { Dialog } from "../../ui/Dialog";
import { sideName, viewOf } from "./state";
import { countTimesValue, rankName, type SideScore } from "./view";

const signed = (points: number): string => (points < 0 ? `−${-points}` : points > 0 ? `+${points}` : "0");

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
const title = (text: string) => text[0]!.toUpperCase() + text.slice(1);

// Everything that made up a side's round.
function Breakdown(props: { table: Table; score: SideScore }) {
  const settings = () => props.table.world.settings;
  const Line = (line: { label: string; detail?: string; points: number; class?: string }) => (
    <tr class={line.class}>
      <th scope="row">
        {line.label} <Show when={line.detail}>{(detail) => <span class="quiet">{detail()}</span>}</Show>
      </th>
      <td>{line.points}</td>
    </tr>
  );
  const cost = (points: number) => -Math.abs(points);
  return (
    <table class="breakdown">
      <caption>{sideName(props.table, props.score.side)}</caption>
      <tbody>
        <For each={props.score.melds} fallback={<Line label="No melds" points={0} />}>
          {(book) => (
            <tr>
              <th scope="row">
                {title(rankName(book.rank))} <span class="quiet">{book.isBook ? book.status : "Meld"}</span>
                <br />
                <span class="quiet small">
                  {countTimesValue(book.cards, settings())} = {book.points}
                </span>
              </th>
              <td>
                {book.points}
                <Show when={book.bonus > 0}>
                  <br />
                  <span class="bonus">+{book.bonus}</span>
                </Show>
              </td>
            </tr>
          )}
        </For>
        <Line class="sum" label="Total of melds" detail={`${props.score.meldPoints} + ${props.score.bookBonuses}`} points={props.score.meldPoints + props.score.bookBonuses} />
        <Line label="Hand" detail={plural(props.score.handCards, "card")} points={cost(props.score.handPenalty)} />
        <Line label="Foot" detail={plural(props.score.footCards, "card")} points={cost(props.score.footPenalty)} />
        <Show when={props.score.redThreeBonus !== 0}>
          <Line label="Red threes" points={props.score.redThreeBonus} />
        </Show>
        <Line label="Bonus" detail="for going out" points={props.score.goingOutBonus} />
        <Line class="sum" label="Round score" points={props.score.roundScore} />
        <Line class="sum total" label="Total score" points={props.score.totalScore} />
      </tbody>
    </table>
  );
}

// The sides, the own one first, then by points.
function standing(table: Table) {
  const view = viewOf(table);
  const mine = view.players.find((player) => player.seatIndex === table.mySeat())?.team;
  return { sides: [...view.teams].sort((a, b) => b.points - a.points), mine };
}

function History(props: { table: Table }) {
  const rounds = () => viewOf(props.table).teams[0]?.roundHistory.map(({ round }) => round) ?? [];
  const teams = () => viewOf(props.table).teams;
  return (
    <Show when={rounds().length > 0}>
      <div class="scroll" tabindex="0" role="region" aria-label="Round by round">
        <table class="history">
          <thead>
            <tr>
              <th scope="col">Round</th>
              <For each={teams()}>
                {(side, i) => (
                  <th scope="col">
                    <i class={`key side-${i()}`} aria-hidden="true" /> {sideName(props.table, side.id)}
                  </th>
                )}
              </For>
            </tr>
          </thead>
          <tbody>
            <For each={rounds()}>
              {(round, i) => (
                <tr>
                  <th scope="row">{round}</th>
                  <For each={teams()}>
                    {(side) => (
                      <td>
                        {signed(side.roundHistory[i()]?.score ?? 0)}
                        {side.roundHistory[i()]?.wentOut ? " out" : ""}
                      </td>
                    )}
                  </For>
                </tr>
              )}
            </For>
            <tr class="sum">
              <th scope="row">Total</th>
              <For each={teams()}>{(side) => <td>{side.points}</td>}</For>
            </tr>
          </tbody>
        </table>
      </div>
    </Show>
  );
}

const [LEFT, RIGHT, TOP, BOTTOM] = [34, 292, 8, 104];

export function ScorePlot(props: { table: Table }) {
  const target = () => Number(props.table.world.settings["targetScore"] ?? 0);
  const series = createMemo(() =>
    viewOf(props.table).teams.map((side) => {
      let sum = side.points - side.roundHistory.reduce((all, { score }) => all + score, 0);
      return [sum, ...side.roundHistory.map(({ score }) => (sum += score))];
    }),
  );
  const low = () => Math.min(0, ...series().flat());
  const high = () => Math.max(100, ...series().flat());
  const length = () => Math.max(2, ...series().map((one) => one.length));
  const x = (i: number) => LEFT + (i / (length() - 1)) * (RIGHT - LEFT);
  const y = (value: number) => BOTTOM - ((value - low()) / (high() - low())) * (BOTTOM - TOP);
  const marks = () => [...new Set([low(), 0, high()])];
  return (
    <Show when={length() > 2}>
      <svg class="plot" viewBox="0 0 300 118" role="img" aria-label={`Totals by round: ${viewOf(props.table).teams.map((side) => `${sideName(props.table, side.id)} ${side.points}`).join(", ")}`}>
        <For each={marks()}>
          {(value) => (
            <>
              <line x1={LEFT} x2={RIGHT} y1={y(value)} y2={y(value)} class="zero" />
              <text x={LEFT - 4} y={y(value) + 3} text-anchor="end">
                {value}
              </text>
            </>
          )}
        </For>
        <Show when={target() > 0 && target() <= high()}>
          <line x1={LEFT} x2={RIGHT} y1={y(target())} y2={y(target())} class="target" />
        </Show>
        <For each={series()[0]?.slice(1)}>
          {(_, i) => (
            <text x={x(i() + 1)} y={115} text-anchor="middle">
              {i() + 1}
            </text>
          )}
        </For>
        <For each={series()}>
          {(one, side) => (
            <g class={`side-${side()}`}>
              <polyline points={one.map((value, i) => `${x(i)},${y(value)}`).join(" ")} />
              <circle cx={x(one.length - 1)} cy={y(one.at(-1)!)} r="2.6" />
            </g>
          )}
        </For>
      </svg>
    </Show>
  );
}

export function Scores(props: { table: Table }) {
  const view = () => viewOf(props.table);
  const mine = () => standing(props.table).mine;
  const ordered = () => [...(view().scores ?? [])].sort((a, b) => Number(b.side === mine()) - Number(a.side === mine()) || b.roundScore - a.roundScore);
  return (
    <div class="stack">
      <p class="went-out">
        <Show when={view().wentOut != null} fallback={`Nobody went out${view().reason && view().reason !== "wentOut" ? `: ${view().reason}` : ""}.`}>
          <b>{props.table.name(view().wentOut)}</b> went out.
        </Show>
      </p>
      <div class="breakdowns">
        <For each={ordered()}>{(score) => <Breakdown table={props.table} score={score} />}</For>
      </div>
      <History table={props.table} />
      <ScorePlot table={props.table} />
    </div>
  );
}

const Crown = () => (
  <svg class="crown" viewBox="0 0 100 70" aria-hidden="true">
    <path d="M8 58 4 18l24 18L50 4l22 32 24-18-4 40z" />
    <path d="M8 62h84v6H8z" />
  </svg>
);

export function Result(props: { table: Table }) {
  const winners = () => viewOf(props.table).winners ?? [];
  const won = () => props.table.mySeat() !== null && winners().includes(props.table.mySeat()!);
  const names = () => winners().map((seat) => props.table.name(seat));
  const sides = () => standing(props.table).sides;
  const wins = (side: number) => viewOf(props.table).players.some((player) => player.team === side && winners().includes(player.seatIndex));
  return (
    <div class="stack">
      <section class="hf-winner" classList={{ won: won() }}>
        <Crown />
        <h3>
          {names().join(" and ")} {names().length > 1 || won() ? "win" : "wins"}
          {won() ? "!" : ""}
        </h3>
        <ol class="places">
          <For each={sides()}>
            {(side, i) => (
              <li classList={{ first: wins(side.id) }}>
                <span>{i() + 1}</span>
                <b class="grow">{sideName(props.table, side.id)}</b>
                <span class="points">{side.points}</span>
              </li>
            )}
          </For>
        </ol>
      </section>
      <h3>The last round</h3>
      <Scores table={props.table} />
    </div>
  );
}

export function RoundSummary(props: { table: Table }) {
  const [put, setPut] = createSignal(0);
  const round = () => viewOf(props.table).round;
  const open = () => viewOf(props.table).phase === "roundEnd" && put() !== round();
  return (
    <>
      <Dialog
        open={open()}
        title={`Round ${round()} is over`}
        onClose={() => setPut(round())}
        class="summary"
        footer={
          <Show when={props.table.mySeat() !== null}>
            <button type="button" class="button main" onClick={() => props.table.act("next", true)}>
              Next round
            </button>
          </Show>
        }
      >
        <Scores table={props.table} />
      </Dialog>
      <Show when={viewOf(props.table).phase === "roundEnd" && !open()}>
        <button type="button" class="button main again" onClick={() => setPut(0)}>
          Scores
        </button>
      </Show>
    </>
  );
}
