// What a round was worth (HF-73), how the rounds add up, and who won.
import { createEffect, createMemo, createSignal, For, on, onCleanup, Show, type JSX } from "solid-js";
import { cardCount } from "../../amounts";
import { unwrap } from "solid-js/store";
import { motionIsReduced } from "../../table/flip";
import type { Table } from "../../table/table";
import { Dialog } from "../../ui/Dialog";
import { SeatFace } from "../../ui/BotFace";
import { placed, playersOf, sideName } from "./sides";
import { viewOf } from "./state";
import { countTimesValue, rankName, withMinus, type HandAndFootView, type Side, type SideScore } from "./view";
import { joined, listed, rich, said, t } from "../../languages";

// The scores open after this delay, so that going out can be seen.
const SEEN_FIRST_MS = 1700;

const signed = (points: number): string => (points > 0 ? `+${points}` : withMinus(points));

const title = (text: string) => text[0]!.toUpperCase() + text.slice(1);

// Everything that made up a side's round.
function Breakdown(props: { table: Table; score: SideScore }) {
  const Line = (line: { label: string; detail?: string; points: number; class?: string }) => (
    <tr class={line.class}>
      <th scope="row">
        {line.label} <Show when={line.detail}>{(detail) => <span class="quiet">{detail()}</span>}</Show>
      </th>
      <td>{withMinus(line.points)}</td>
    </tr>
  );
  const cost = (points: number) => -Math.abs(points);
  return (
    <table class="breakdown">
      <caption>{sideName(props.table, props.score.side)}</caption>
      <tbody>
        <For each={props.score.melds} fallback={<Line label={t("No melds")} points={0} />}>
          {(book) => (
            <tr>
              <th scope="row">
                {title(rankName(book.rank))} <span class="quiet">{book.isBook ? said(book.status) : t("Meld")}</span>
                <br />
                <span class="quiet small">
                  {countTimesValue(book.cards, viewOf(props.table))} = {book.points}
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
        <Line class="sum" label={t("Total of melds")} points={props.score.meldPoints + props.score.bookBonuses} />
        <Line label={t("Hand")} detail={cardCount(props.score.handCards)} points={cost(props.score.handPenalty)} />
        <Line label={t("Foot")} detail={cardCount(props.score.footCards)} points={cost(props.score.footPenalty)} />
        <Show when={props.score.redThreeBonus !== 0}>
          <Line label={t("Red threes")} points={props.score.redThreeBonus} />
        </Show>
        <Line label={t("Bonus")} detail={t("for going out")} points={props.score.goingOutBonus} />
        <Line class="sum" label={t("Round score")} points={props.score.roundScore} />
        <Line class="sum total" label={t("Total score")} points={props.score.totalScore} />
      </tbody>
    </table>
  );
}

// A round that is over, as it was at its end: the next one may have begun while it is being read.
export interface Finished {
  round: number;
  wentOut: number | null;
  reason: string;
  scores: SideScore[];
  teams: Side[];
}

function finishedIn(view: HandAndFootView): Finished | null {
  if (!view.scores) return null;
  const { round, wentOut = null, reason = "", scores, teams } = view;
  return structuredClone(unwrap({ round, wentOut, reason, scores, teams }));
}

function History(props: { table: Table; teams: Side[] }) {
  const rounds = () => props.teams[0]?.roundHistory.map(({ round }) => round) ?? [];
  const teams = () => props.teams;
  return (
    <Show when={rounds().length > 0}>
      <div class="scroll" tabindex="0" role="region" aria-label={t("Round by round")}>
        <table class="history">
          <thead>
            <tr>
              <th scope="col">{t("Round")}</th>
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
                        {side.roundHistory[i()]?.wentOut ? ` ${t("out")}` : ""}
                      </td>
                    )}
                  </For>
                </tr>
              )}
            </For>
            <tr class="sum">
              <th scope="row">{t("Total")}</th>
              <For each={teams()}>{(side) => <td>{withMinus(side.points)}</td>}</For>
            </tr>
          </tbody>
        </table>
      </div>
    </Show>
  );
}

const [LEFT, RIGHT, TOP, BOTTOM] = [34, 292, 8, 104];

function ScorePlot(props: { table: Table; teams: Side[] }) {
  const target = () => Number(props.table.world.settings.targetScore ?? 0);
  const series = createMemo(() =>
    props.teams.map((side) => {
      let sum = side.points - side.roundHistory.reduce((all, { score }) => all + score, 0);
      return [sum, ...side.roundHistory.map(({ score }) => (sum += score))];
    }),
  );
  const low = () => Math.min(0, ...series().flat());
  const high = () => Math.max(100, ...series().flat());
  const length = () => Math.max(2, ...series().map((one) => one.length));
  const x = (i: number) => LEFT + (i / (length() - 1)) * (RIGHT - LEFT);
  const y = (value: number) => BOTTOM - ((value - low()) / (high() - low())) * (BOTTOM - TOP);
  // Marks that would overlap the zero are left out.
  const marks = () => [0, ...[low(), high()].filter((value) => Math.abs(y(value) - y(0)) > 9)];
  return (
    <Show when={length() > 2}>
      <svg
        class="hf-plot"
        viewBox="0 0 300 118"
        role="img"
        aria-label={t("Totals by round: {list}", {
          list: listed(props.teams.map((side) => `${sideName(props.table, side.id)} ${side.points}`)),
        })}
      >
        <For each={marks()}>
          {(value) => (
            <>
              <line x1={LEFT} x2={RIGHT} y1={y(value)} y2={y(value)} class="zero" />
              <text x={LEFT - 4} y={y(value) + 3} text-anchor="end">
                {withMinus(value)}
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

// The bots of a side.
const Faces = (props: { table: Table; side: number }) => (
  <For each={playersOf(props.table, props.side)}>
    {({ seatIndex }) => <SeatFace seat={props.table.world.seats[seatIndex]} />}
  </For>
);

// Who leads, before all the details.
function Standing(props: { table: Table; finished: Finished }) {
  const places = () => placed(props.finished.scores, ({ totalScore }) => totalScore);
  return (
    <ol class="hf-places" aria-label={t("Standing")}>
      <For each={places()}>
        {({ side: score, place }) => (
          <li classList={{ first: place === 1 }}>
            <span>{place}</span>
            <b class="grow">
              <Faces table={props.table} side={score.side} /> {sideName(props.table, score.side)}
            </b>
            <span class="quiet">{signed(score.roundScore)}</span>
            <span class="points">{withMinus(score.totalScore)}</span>
          </li>
        )}
      </For>
    </ol>
  );
}

export function Scores(props: { table: Table; finished: Finished; children?: JSX.Element }) {
  const mine = () => viewOf(props.table).players.find((player) => player.seatIndex === props.table.mySeat())?.team;
  // The own side first, then by points.
  const ordered = () =>
    [...props.finished.scores].sort(
      (a, b) => Number(b.side === mine()) - Number(a.side === mine()) || b.roundScore - a.roundScore,
    );
  return (
    <div class="stack">
      <p class="went-out">
        <Show
          when={props.finished.wentOut !== null}
          fallback={t("Nobody went out: {reason}.", {
            reason: said(props.finished.reason),
          })}
        >
          <SeatFace seat={props.table.world.seats[props.finished.wentOut ?? -1]} />{" "}
          {props.finished.wentOut === props.table.mySeat()
            ? rich("{name} went out.#you", { name: <b>{props.table.name(props.finished.wentOut)}</b> })
            : rich("{name} went out.", { name: <b>{props.table.name(props.finished.wentOut)}</b> })}
        </Show>
      </p>
      {props.children}
      <div class="breakdowns">
        <For each={ordered()}>{(score) => <Breakdown table={props.table} score={score} />}</For>
      </div>
    </div>
  );
}

// Round by round, in numbers and as a line.
const Course = (props: { table: Table; teams: Side[] }) => (
  <div class="stack">
    <History table={props.table} teams={props.teams} />
    <ScorePlot table={props.table} teams={props.teams} />
  </div>
);

const Crown = () => (
  <svg class="crown" viewBox="0 0 100 70" aria-hidden="true">
    <path d="M8 58 4 18l24 18L50 4l22 32 24-18-4 40z" />
    <path d="M8 62h84v6H8z" />
  </svg>
);

function winnerWords(table: Table, winners: readonly number[]): string {
  const others = winners.filter((seat) => seat !== table.mySeat());
  const names = joined(others.map((seat) => table.name(seat)));
  if (others.length < winners.length) return names === "" ? t("You win!") : t("You and {names} win!", { names });
  return others.length > 1 ? t("{names} win", { names }) : t("{team} wins", { team: names });
}

export function Result(props: { table: Table }) {
  const winners = () => viewOf(props.table).winners ?? [];
  const won = () => props.table.mySeat() !== null && winners().includes(props.table.mySeat()!);
  const sides = () => placed(viewOf(props.table).teams, ({ points }) => points);
  const wins = (side: number) =>
    viewOf(props.table).players.some((player) => player.team === side && winners().includes(player.seatIndex));
  return (
    <div class="stack">
      <section class="hf-winner" classList={{ won: won() }}>
        <Crown />
        <h3>{winnerWords(props.table, winners())}</h3>
        <Show when={sides()[1]?.place === 1}>
          <p>
            {props.table.world.settings.tie === "first-seat"
              ? t("A tie on points: the first seat wins.")
              : t("A tie on points.")}
          </p>
        </Show>
        <ol class="hf-places">
          <For each={sides()}>
            {({ side, place }) => (
              <li classList={{ first: wins(side.id) }}>
                <span>{place}</span>
                <b class="grow">
                  <Faces table={props.table} side={side.id} /> {sideName(props.table, side.id)}
                </b>
                <span class="points">{withMinus(side.points)}</span>
              </li>
            )}
          </For>
        </ol>
      </section>
      <Course table={props.table} teams={viewOf(props.table).teams} />
      <h3>{t("The last round")}</h3>
      <Show when={finishedIn(viewOf(props.table))}>{(last) => <Scores table={props.table} finished={last()} />}</Show>
    </div>
  );
}

// Opens when a round is over and stays open until it is closed, even if the next round has begun. Closing it means
// going on.
export function RoundSummary(props: { table: Table }) {
  const { table } = props;
  const waiting = () => viewOf(table).phase === "roundEnd";
  const [finished, setFinished] = createSignal<Finished | null>(waiting() ? finishedIn(viewOf(table)) : null);
  const [open, setOpen] = createSignal(finished() !== null && table.looks());
  createEffect(
    on(
      waiting,
      (over) => {
        if (!over) return;
        setFinished(finishedIn(viewOf(table)));
        const timer = setTimeout(() => setOpen(true), motionIsReduced() ? 0 : SEEN_FIRST_MS);
        onCleanup(() => clearTimeout(timer));
      },
      { defer: true },
    ),
  );
  function goOn() {
    setOpen(false);
    if (waiting() && table.mySeat() !== null && table.looks()) void table.goOn();
  }
  return (
    <Show when={finished()}>
      {(round) => (
        <>
          <Dialog
            open={open()}
            title={t("Round {round} is over", { round: round().round })}
            onClose={goOn}
            class="summary"
            footer={
              <Show when={table.mySeat() !== null}>
                <button type="button" class="button main" onClick={goOn}>
                  {t("Go on")}
                </button>
              </Show>
            }
          >
            <div class="stack">
              <Scores table={table} finished={round()}>
                <Standing table={table} finished={round()} />
              </Scores>
              <Course table={table} teams={round().teams} />
            </div>
          </Dialog>
          <Show when={waiting() && !open()}>
            <button type="button" class="button main again" onClick={() => setOpen(true)}>
              {t("Scores")}
            </button>
          </Show>
        </>
      )}
    </Show>
  );
}
