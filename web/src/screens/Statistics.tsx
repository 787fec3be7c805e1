// How a person did on this server: games, wins, the figures that each game keeps, and the last games
// as a plot.
import games from "virtual:games";
import { createResource, For, Match, onMount, Show, Switch } from "solid-js";
import * as api from "../api";
import { isRefusal, type Refusal } from "../model";
import { resumeSession } from "../session";
import { Brand } from "../ui/controls";
import { average, figuresOf, percent, plotOf, shown, type Statistics } from "../counts";
import "./Statistics.css";

async function load(): Promise<Statistics | Refusal> {
  const known = await resumeSession();
  return isRefusal(known) ? known : api.getStatistics();
}

export default function StatisticsScreen() {
  const [found, { refetch }] = createResource(load);
  const own = () => {
    const value = found();
    return value && !isRefusal(value) ? value : undefined;
  };
  const problem = () => {
    const value = found();
    return value && isRefusal(value) ? value : undefined;
  };
  onMount(() => (document.title = "Statistics – Oyster"));
  return (
    <div class="page">
      <header class="bar">
        <Brand />
      </header>
      <main class="wrap stack">
        <h1>How you did</h1>
        <p class="quiet">Your finished games at this server's tables; what your team did counts for you and your partner. Games against bots on this device stay on it and are not counted.</p>
        <Switch fallback={<p class="quiet" role="status">Counting…</p>}>
          <Match when={problem() && problem()!.status !== 401}>
            <div class="panel stack" role="alert">
              <p>{problem()!.error}</p>
              <p>
                <button type="button" class="button" onClick={() => refetch()}>
                  Try again
                </button>
              </p>
            </div>
          </Match>
          <Match when={problem() || own()?.games.length === 0}>
            <Nothing />
          </Match>
          <Match when={own()}>
            {(all) => (
              <>
                <Totals all={all()} />
                <div class="records">
                  <For each={shown(all())}>{(record) => <GameRecord all={all()} record={record} />}</For>
                </div>
              </>
            )}
          </Match>
        </Switch>
      </main>
    </div>
  );
}

const Nothing = () => (
  <div class="panel stack nothing">
    <svg viewBox="0 0 120 60" aria-hidden="true">
      <path d="M4 56h112M14 56V40M34 56V30M54 56V36M74 56V18M94 56V8" />
    </svg>
    <h2>Nothing to count yet</h2>
    <p class="quiet">Play a game with friends to the end, and it shows up here.</p>
    <p>
      <a class="button main" href="/">
        To the tables
      </a>
    </p>
  </div>
);

function Totals(props: { all: Statistics }) {
  const sum = (key: "played" | "won") => props.all.games.reduce((total, one) => total + one[key], 0);
  return (
    <dl class="totals panel">
      <Figure label="Games" value={sum("played")} />
      <Figure label="Won" value={sum("won")} />
      <Figure label="Share won" value={percent(sum("won"), sum("played"))} />
    </dl>
  );
}

const Figure = (props: { label: string; value: string | number; each?: number | undefined }) => (
  <div>
    <dt>{props.label}</dt>
    <dd>{typeof props.value === "number" ? props.value.toLocaleString("en") : props.value}</dd>
    <Show when={props.each !== undefined}>
      <dd class="each">{props.each!.toLocaleString("en")} a game</dd>
    </Show>
  </div>
);

function GameRecord(props: { all: Statistics; record: Statistics["games"][number] }) {
  const { record } = props;
  const game = games.find(({ id }) => id === record.gameId);
  const name = game?.name ?? record.gameId;
  const figures = figuresOf(record, game?.figures ?? Object.keys(record.figures));
  return (
    <section class="record" data-game={record.gameId} aria-labelledby={`record-${record.gameId}`}>
      <header class="row spread">
        <h2 id={`record-${record.gameId}`}>{name}</h2>
        <p>
          <b>{record.won}</b> of <b>{record.played}</b> won
        </p>
      </header>
      <div class="share" aria-hidden="true">
        <span style={{ transform: `scaleX(${record.won / record.played})` }} />
      </div>
      <dl class="figures">
        <Show when={record.best > 1}>
          <Figure label="Best score" value={record.best} />
          <Figure label="On average" value={average(record.points, record.played)} />
        </Show>
        <For each={figures}>{({ label, total, each }) => <Figure label={label} value={total} each={record.played > 1 ? each : undefined} />}</For>
      </dl>
      <Plot all={props.all} gameId={record.gameId} name={name} />
    </section>
  );
}

// The scores of the last games, from left to right; a filled dot is a win.
function Plot(props: { all: Statistics; gameId: string; name: string }) {
  const plot = plotOf(props.all.last.filter((one) => one.gameId === props.gameId));
  return (
    <Show when={plot.points.length > 1} fallback={<p class="small quiet">A plot grows here from the second game on.</p>}>
      <figure class="plot">
        <svg viewBox="0 0 300 90" role="img" aria-label={`Scores of the last ${plot.points.length} games of ${props.name}: ${plot.points.map(({ score, won }) => `${score}${won ? " won" : ""}`).join(", ")}`}>
          <path class="grid" d="M0 10H300M0 45H300M0 80H300" />
          <path class="line" d={plot.line} />
          <For each={plot.points}>{(point) => <circle cx={point.x} cy={point.y} r="4" classList={{ won: point.won }} />}</For>
        </svg>
        <figcaption class="small quiet row spread">
          <span>Last {plot.points.length} games, ● won</span>
          <Show when={plot.high > 1}>
            <span>
              {plot.low.toLocaleString("en")} to {plot.high.toLocaleString("en")} points
            </span>
          </Show>
        </figcaption>
      </figure>
    </Show>
  );
}
