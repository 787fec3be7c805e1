import { createEffect, createSignal, For, Show } from "solid-js";
import type { Table } from "../../table/table";
import { CardFace, cardSigns, cardWords } from "../../ui/cards";
import { Dialog } from "../../ui/Dialog";
import { bookWords } from "./Book";
import { groupByRank, pointsOf, type HandAndFootView, type SideScore } from "./view";

const seen = (table: Table) => table.world.view as HandAndFootView;

export const sideName = (table: Table, side: number): string =>
  seen(table)
    .players.filter((player) => player.team === side)
    .map((player) => table.name(player.seatIndex))
    .join(" & ");

// HF-73: everything that made up a side's round.
function Breakdown(props: { table: Table; score: SideScore }) {
  const line = (label: string, points: number) => (
    <Show when={points !== 0}>
      <tr>
        <th scope="row">{label}</th>
        <td>{points}</td>
      </tr>
    </Show>
  );
  return (
    <table class="breakdown">
      <caption>{sideName(props.table, props.score.side)}</caption>
      <tbody>
        <For each={props.score.melds}>
          {(book) => (
            <tr>
              <th scope="row">
                {book.rank === "wild" ? "Wilds" : `${book.rank}s`} <span class="quiet">{book.status}, {book.cards.length} cards</span>
              </th>
              <td>
                {book.points}
                {book.bonus ? ` + ${book.bonus}` : ""}
              </td>
            </tr>
          )}
        </For>
        {line("Melds", props.score.meldPoints)}
        {line("Book bonuses", props.score.bookBonuses)}
        {line(`Hand, ${props.score.handCards} cards`, -Math.abs(props.score.handPenalty))}
        {line(`Foot, ${props.score.footCards} cards`, -Math.abs(props.score.footPenalty))}
        {line("Red threes", props.score.redThreeBonus)}
        {line("Going out", props.score.goingOutBonus)}
        <tr class="sum">
          <th scope="row">This round</th>
          <td>{props.score.roundScore}</td>
        </tr>
        <tr class="sum total">
          <th scope="row">Total</th>
          <td>{props.score.totalScore}</td>
        </tr>
      </tbody>
    </table>
  );
}

export function ScorePlot(props: { table: Table }) {
  const series = () =>
    seen(props.table).teams.map((side) => {
      let sum = 0;
      return [0, ...side.roundHistory.map(({ score }) => (sum += score))];
    });
  const points = () => series().flat();
  const low = () => Math.min(0, ...points());
  const high = () => Math.max(100, ...points());
  const length = () => Math.max(2, ...series().map((one) => one.length));
  const x = (i: number) => 8 + (i / (length() - 1)) * 284;
  const y = (value: number) => 92 - ((value - low()) / (high() - low())) * 84;
  return (
    <Show when={length() > 2}>
      <svg class="plot" viewBox="0 0 300 100" role="img" aria-label={`Totals by round: ${seen(props.table).teams.map((side) => `${sideName(props.table, side.id)} ${side.points}`).join(", ")}`}>
        <line x1="8" x2="292" y1={y(0)} y2={y(0)} class="zero" />
        <For each={series()}>{(one, side) => <polyline class={`side-${side()}`} points={one.map((value, i) => `${x(i)},${y(value)}`).join(" ")} />}</For>
      </svg>
    </Show>
  );
}

export function Scores(props: { table: Table }) {
  const view = () => seen(props.table);
  return (
    <div class="stack">
      <p>
        <Show when={view().wentOut != null} fallback={view().reason ?? "Nobody went out."}>
          {props.table.name(view().wentOut)} went out.
        </Show>
      </p>
      <div class="breakdowns">
        <For each={view().scores}>{(score) => <Breakdown table={props.table} score={score} />}</For>
      </div>
      <ScorePlot table={props.table} />
    </div>
  );
}

export function RoundSummary(props: { table: Table }) {
  const [put, setPut] = createSignal(0);
  const open = () => seen(props.table).phase === "roundEnd" && put() !== seen(props.table).round;
  const close = () => setPut(seen(props.table).round);
  return (
    <Dialog
      open={open()}
      title={`Round ${seen(props.table).round} is over`}
      onClose={close}
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
  );
}

// Several groups, built one by one and laid at once.
export function AdvancedMeld(props: { table: Table; open: boolean; hand: string[]; needed: number; onClose: () => void }) {
  const [groups, setGroups] = createSignal<string[][]>([[]]);
  const [at, setAt] = createSignal(0);
  const [problem, setProblem] = createSignal("");
  const used = () => new Set(groups().flat());
  const filled = () => groups().filter((group) => group.length > 0);
  const points = () => pointsOf(groups().flat(), props.table.world.settings);
  const move = () => `meld ${filled().map((group) => group.join(" ")).join(" / ")}`;
  let wait: ReturnType<typeof setTimeout> | undefined;

  createEffect(() => {
    if (!props.open) return void (setGroups([[]]), setAt(0));
    const wanted = move();
    clearTimeout(wait);
    if (filled().length === 0) return void setProblem("");
    wait = setTimeout(async () => setProblem((await props.table.check(wanted))?.error ?? ""), 250);
  });

  function toggle(id: string) {
    setGroups((all) => {
      const holder = all.findIndex((group) => group.includes(id));
      if (holder >= 0) return all.map((group, i) => (i === holder ? group.filter((one) => one !== id) : group));
      return all.map((group, i) => (i === at() ? [...group, id] : group));
    });
  }

  return (
    <Dialog
      open={props.open}
      title="Several melds at once"
      class="advanced"
      onClose={() => props.onClose()}
      footer={
        <>
          <p class="grow" role="status">
            <b>{points()} points</b>
            <Show when={props.needed > 0}> of {props.needed} needed</Show>
            <Show when={problem()}>
              <br />
              <span class="problem">{problem()}</span>
            </Show>
          </p>
          <button type="button" class="button main" disabled={filled().length === 0 || problem() !== ""} onClick={async () => !(await props.table.act(move())) && props.onClose()}>
            Lay all
          </button>
        </>
      }
    >
      <div class="stack">
        <div class="row" role="radiogroup" aria-label="Group">
          <For each={groups()}>
            {(group, i) => (
              <button type="button" role="radio" class="button" aria-checked={at() === i()} onClick={() => setAt(i())}>
                {group.length === 0 ? `Group ${i() + 1}` : group.map(cardSigns).join(" ")}
              </button>
            )}
          </For>
          <button
            type="button"
            class="button plain"
            onClick={() => {
              setGroups((all) => [...all, []]);
              setAt(groups().length - 1);
            }}
          >
            + another group
          </button>
        </div>
        <div class="picker">
          <For each={groupByRank(props.hand)}>
            {(rank) => (
              <div class="row">
                <For each={rank.cards}>
                  {(id) => (
                    <button type="button" class="card" classList={{ chosen: groups()[at()]?.includes(id), elsewhere: used().has(id) && !groups()[at()]?.includes(id) }} aria-pressed={used().has(id)} aria-label={cardWords(id)} onClick={() => toggle(id)}>
                      <CardFace id={id} />
                    </button>
                  )}
                </For>
              </div>
            )}
          </For>
        </div>
      </div>
    </Dialog>
  );
}

// HF-68: what is missing, one by one.
export function CannotGoOut(props: { text: string; onClose: () => void }) {
  return (
    <Dialog open={props.text !== ""} title="You cannot go out yet" onClose={() => props.onClose()}>
      <ul class="stack">
        <For each={props.text.split("; ")}>{(one) => <li>{one}</li>}</For>
      </ul>
    </Dialog>
  );
}

export function BooksOf(props: { table: Table; side: number | null; onClose: () => void }) {
  const books = () => seen(props.table).teams.find((side) => side.id === props.side)?.melds ?? [];
  return (
    <Dialog open={props.side !== null} title={props.side === null ? "" : `Melds of ${sideName(props.table, props.side)}`} onClose={() => props.onClose()}>
      <Show when={books().length > 0} fallback={<p class="quiet">Nothing laid yet.</p>}>
        <ul class="stack">
          <For each={books()}>
            {(book) => (
              <li>
                {bookWords(book)}
                <br />
                <span class="quiet">{book.cards.map(cardSigns).join(" ")}</span>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </Dialog>
  );
}
