// How a hand ended, with its last trick, while the next deal waits; and how the game went, as a plot.
import { createSignal, For, Show, type JSX } from "solid-js";
import { pointCount } from "../../amounts";
import { teamName } from "../../model";
import type { Table } from "../../table/table";
import { suitClass, suitSign, suitWord } from "../../ui/cards";
import { SeatFace } from "../../ui/BotFace";
import { teamWords } from "../../table/captions";
import { recall, type History } from "./history";
import type { Game } from "./state";
import { TrickCards } from "./Tricks";
import { seatOf, teamOf, trickCount, viewOf, type Team } from "./view";
import { joined, listed, rich, t, tn } from "../../languages";

export function Summary(props: { game: Game }) {
  const { table, view, round } = props.game;
  const left = () => Math.min(Math.max(view()!.phaseEndsAt! - Date.now(), 0), 10_000);
  const callers = () => round()!.callingTeam!;
  const tricks = (team: Team) => round()!.tricksWon[team];
  const points = (team: Team) => round()!.pointsAwarded?.[team] ?? 0;
  const called = (seat: number, suit: JSX.Element) => {
    const values = { name: table.name(seat), suit };
    if (seat === table.mySeat())
      return round()!.goingAlone ? rich("You called {suit} alone", values) : rich("You called {suit}", values);
    return round()!.goingAlone ? rich("{name} called {suit} alone", values) : rich("{name} called {suit}", values);
  };
  const titles = () => ({
    march: t("A march!"),
    sweep: t("A lone sweep!"),
    euchre: t("Euchred!"),
    made: t("{team} made it", { team: teamWords(table, callers()) }),
  });
  return (
    <section class="wd-summary panel" aria-label={t("The hand is over")}>
      <Show when={round()?.trumpSuit} fallback={<h2>{t("Everybody passed")}</h2>}>
        {(suit) => (
          <>
            <h2>{titles()[round()!.outcome ?? "made"]}</h2>
            <p>
              {called(
                seatOf(view()!, round()!.callingPlayerId) ?? 0,
                <span class={`wd-suit-chip ${suitClass(suit())}`} role="img" aria-label={suitWord(suit())}>
                  {suitSign(suit())}
                </span>,
              )}
            </p>
            <dl class="wd-tally">
              <For each={["a", "b"] as const}>
                {(team) => (
                  <div class={`team-${team}`} classList={{ "wd-scorer": points(team) > 0 }}>
                    <dt>{teamWords(table, team)}</dt>
                    <dd>{trickCount(tricks(team))}</dd>
                    <dd class="wd-gain">{points(team) ? `+${pointCount(points(team))}` : "–"}</dd>
                  </div>
                )}
              </For>
            </dl>
            <Show when={round()!.tricks.at(-1)}>
              {(trick) => (
                <section class="wd-last-trick" aria-label={t("The last trick")}>
                  <TrickCards game={props.game} trick={trick()} />
                </section>
              )}
            </Show>
          </>
        )}
      </Show>
      <Show when={!props.game.watching()}>
        <button type="button" class="button main" data-control="next" onClick={() => table.goOn()}>
          {t("Go on")}
        </button>
      </Show>
      <Show when={view()?.phaseEndsAt}>
        <span class="wd-countdown" aria-hidden="true" style={{ "animation-duration": `${left()}ms` }} />
      </Show>
    </section>
  );
}

export function Result(props: { table: Table }) {
  const view = () => viewOf(props.table.world)!;
  const winner = () => view().winningTeam ?? "a";
  const mine = () => props.table.mySeat();
  const won = () => mine() !== null && teamOf(view(), mine()!) === winner();
  const names = (team: Team) => joined(view().teams[team].playerIds.map((id) => props.table.name(seatOf(view(), id))));
  const [history, setHistory] = createSignal(recall(props.table.world.roomCode));
  // The hand that ends the game is noted down right after this is shown.
  queueMicrotask(() => setHistory(recall(props.table.world.roomCode)));
  return (
    <div class="wd-result stack">
      <h3>
        {mine() === null
          ? t("{team} wins", { team: teamName(props.table.world, winner()) })
          : won()
            ? t("You win!")
            : t("You lose")}
      </h3>
      <dl class="wd-tally">
        <For each={["a", "b"] as const}>
          {(team) => (
            <div class={`team-${team}`} classList={{ "wd-scorer": team === winner() }}>
              <dt>
                <For each={view().teams[team].playerIds}>
                  {(id) => <SeatFace seat={props.table.world.seats[seatOf(view(), id) ?? -1]} />}
                </For>{" "}
                {names(team)}
              </dt>
              <Show when={props.table.world.teamNames[team]}>{(given) => <dd class="small">{given()}</dd>}</Show>
              <dd class="wd-gain">{view().teams[team].score}</dd>
            </div>
          )}
        </For>
      </dl>
      <Show when={history().scores.length > 1}>
        <Plot
          history={history()}
          target={view().targetScore}
          name={(team) => props.table.world.teamNames[team] ?? names(team)}
        />
      </Show>
    </div>
  );
}

const WIDTH = 320;
const HEIGHT = 130;

// Both scores over the hands: team A solid with dots, team B dashed with squares.
export function Plot(props: { history: History; target: number; name: (team: Team) => string }) {
  const top = () => Math.max(props.target, ...props.history.scores.flatMap(({ a, b }) => [a, b]));
  const x = (i: number) => 26 + (i * (WIDTH - 40)) / Math.max(props.history.scores.length - 1, 1);
  const y = (score: number) => HEIGHT - 20 - (score * (HEIGHT - 34)) / top();
  const path = (team: Team) =>
    props.history.scores.map((score, i) => `${i ? "L" : "M"}${x(i)} ${y(score[team])}`).join("");
  const words = () =>
    `${t("Score after each hand.")} ${props.name("a")}: ${listed(props.history.scores.map(({ a }) => `${a}`))}. ` +
    `${props.name("b")}: ${listed(props.history.scores.map(({ b }) => `${b}`))}.`;
  return (
    <figure class="wd-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words()}>
        <For each={[0, props.target]}>
          {(score) => (
            <>
              <line x1="26" x2={WIDTH - 14} y1={y(score)} y2={y(score)} />
              <text x="20" y={y(score) + 4} text-anchor="end">
                {score}
              </text>
            </>
          )}
        </For>
        <text x={WIDTH - 14} y={HEIGHT - 4} text-anchor="end">
          {tn(props.history.scores.length - 1, "{n} hand", "{n} hands")}
        </text>
        <path class="team-b" d={path("b")} stroke-dasharray="6 4" />
        <path class="team-a" d={path("a")} />
        <For each={props.history.scores}>
          {(score, i) => (
            <>
              <rect class="team-b" x={x(i()) - 3.5} y={y(score.b) - 3.5} width="7" height="7" />
              <circle class="team-a" cx={x(i())} cy={y(score.a)} r="3.5" />
            </>
          )}
        </For>
      </svg>
      <figcaption class="row" aria-hidden="true">
        <span class="team-a">● {props.name("a")}</span>
        <span class="team-b">■ {props.name("b")}</span>
      </figcaption>
    </figure>
  );
}
