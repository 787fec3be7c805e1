// How a person did on this server: games, wins, the figures that each game keeps, and the last games
// as plots.
import games from "virtual:games";
import { createResource, createSignal, For, Match, onMount, Show, Switch, type JSX } from "solid-js";
import * as api from "../api";
import {
  average,
  barsOf,
  companions,
  figuresOf,
  lastOf,
  percent,
  plotOf,
  shown,
  streaks,
  summed,
  type Figure,
  type Finished,
  type GameRecord,
  type Statistics,
} from "../counts";
import { isRefusal, type Refusal } from "../model";
import { resumeSession } from "../session";
import { download } from "../table/files";
import * as results from "../table/results";
import { Brand } from "../ui/controls";
import { refuse } from "../ui/notes";
import { listed, number, rich, said, t, tn } from "../languages";
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
  async function clear() {
    const answer = await api.deleteStatistics();
    if (isRefusal(answer)) refuse(answer);
    else await refetch();
  }
  onMount(() => (document.title = `${t("Statistics")} – Oyster`));
  return (
    <div class="page">
      <header class="bar">
        <Brand />
      </header>
      <main class="wrap stack statistics">
        <h1>{t("How you did")}</h1>
        <p class="quiet">
          {t(
            "Your finished games at this server's tables; what a team did counts for both partners. " +
              "Games on this device are kept on it alone, and are counted below.",
          )}
        </p>
        <Switch
          fallback={
            <p class="quiet" role="status">
              {t("Counting…")}
            </p>
          }
        >
          <Match when={problem() && problem()!.status !== 401}>
            <div role="alert">
              <Empty title={said(problem()!.error)} text={t("Your games are kept there, none is lost.")}>
                <button type="button" class="button main" onClick={() => refetch()}>
                  {t("Try again")}
                </button>
              </Empty>
            </div>
          </Match>
          <Match when={problem() || own()?.games.length === 0}>
            <Empty
              title={t("Nothing to count yet")}
              text={t("Play a game with friends to the end, and it shows up here.")}
            >
              <a class="button main" href="/">
                {t("To the tables")}
              </a>
            </Empty>
          </Match>
          <Match when={own()}>
            {(all) => (
              <>
                <Counts all={all()} />
                <Keeping content={all()} question={t("Delete all that this server counted for you")} onDelete={clear} />
              </>
            )}
          </Match>
        </Switch>
        <OnDevice />
      </main>
    </div>
  );
}

const Counts = (props: { all: Statistics; place?: string }) => (
  <>
    <Totals all={props.all} />
    <Show when={played(props.all) > props.all.last.length}>
      <p class="small quiet">
        {t("Whom you played with and against, and games won in a row, are those of the last {count} games.", {
          count: props.all.last.length,
        })}
      </p>
    </Show>
    <Companions title={t("With")} games={props.all.last} role="partners" />
    <Companions title={t("Against")} games={props.all.last} role="opponents" />
    <div class="records">
      <For each={shown(props.all)}>{(record) => <RecordOf record={record} all={props.all} place={props.place} />}</For>
    </div>
  </>
);

// Two buttons: one saves the statistics as a file, the other deletes them after it has asked.
function Keeping(props: { content: object; question: string; onDelete: () => Promise<void> }) {
  const [asked, setAsked] = createSignal(false);
  const save = () => download("oyster-statistics.json", JSON.stringify(props.content, null, 2));
  return (
    <div class="row">
      <button type="button" class="button" onClick={save}>
        {t("Save as a file")}
      </button>
      <Show
        when={asked()}
        fallback={
          <button type="button" class="button" onClick={() => setAsked(true)}>
            {t("Delete")}
          </button>
        }
      >
        <button type="button" class="button main" onClick={() => void props.onDelete().then(() => setAsked(false))}>
          {props.question}
        </button>
        <button type="button" class="button" onClick={() => setAsked(false)}>
          {t("Keep them")}
        </button>
      </Show>
    </div>
  );
}

function OnDevice() {
  const [found, { refetch }] = createResource(() => results.all().catch(() => []));
  const all = () => summed(found() ?? []);
  async function clear() {
    await results.clear();
    await refetch();
  }
  return (
    <Show when={all().last.length > 0}>
      <section class="stack on-device" aria-labelledby="on-device">
        <h2 id="on-device">{t("On this device")}</h2>
        <Counts all={all()} place="device" />
        <Keeping
          content={{ finished: found() }}
          question={tn(
            all().last.length,
            "Delete the only result of this device",
            "Delete all {n} results of this device",
          )}
          onDelete={clear}
        />
      </section>
    </Show>
  );
}

const COMPANIONS_SHOWN = 6;

const Companions = (props: { title: string; games: Finished[]; role: "partners" | "opponents" }) => (
  <Show when={companions(props.games, props.role).length > 0}>
    <p>
      <span class="quiet">{props.title}</span>{" "}
      {listed(
        companions(props.games, props.role)
          .slice(0, COMPANIONS_SHOWN)
          .map(({ name, played, won }) => t("{name} {won} of {played} won", { name, won, played })),
      )}
    </p>
  </Show>
);

const Empty = (props: { title: string; text: string; children: JSX.Element }) => (
  <div class="panel stack nothing">
    <svg viewBox="0 0 120 60" aria-hidden="true">
      <path d="M4 56h112M14 56V40M34 56V30M54 56V36M74 56V18M94 56V8" />
    </svg>
    <h2>{props.title}</h2>
    <p class="quiet">{props.text}</p>
    <p>{props.children}</p>
  </div>
);

const words = (value: string | number) => (typeof value === "number" ? number(value) : value);

const Total = (props: { label: string; value: string | number }) => (
  <div>
    <dt>{props.label}</dt>
    <dd>{words(props.value)}</dd>
  </div>
);

const played = ({ games }: Statistics) => games.reduce((total, one) => total + one.played, 0);

function Totals(props: { all: Statistics }) {
  const won = () => props.all.games.reduce((total, one) => total + one.won, 0);
  return (
    <dl class="totals panel">
      <Total label={t("Games")} value={played(props.all)} />
      <Total label={t("Won")} value={won()} />
      <Total label={t("Share won")} value={percent(won(), played(props.all))} />
    </dl>
  );
}

function RecordOf(props: { record: GameRecord; all: Statistics; place?: string }) {
  const { record } = props;
  const last = lastOf(props.all, record.gameId);
  const row = streaks(props.all, record.gameId);
  const id = `record-${props.place ?? "server"}-${record.gameId}`;
  const game = games.find(({ id }) => id === record.gameId);
  const name = game?.name ?? record.gameId;
  const scored = record.best > 1;
  return (
    <section class="record" data-game={record.gameId} aria-labelledby={id}>
      <header class="row spread">
        <h2 id={id}>{name}</h2>
        <p>{rich("{won} of {played} won", { won: <b>{record.won}</b>, played: <b>{record.played}</b> })}</p>
      </header>
      <div class="share" aria-hidden="true">
        <span style={{ transform: `scaleX(${record.won / record.played})` }} />
      </div>
      <Plot last={last} name={name} />
      <dl class="figures">
        <Total label={t("In a row now")} value={row.now} />
        <Total label={t("Most in a row")} value={row.longest} />
        <Show when={scored}>
          <Total label={t("Best score")} value={record.best} />
          <Total label={t("Average score")} value={average(record.points, record.played)} />
        </Show>
        <For each={figuresOf(record, game?.figures ?? Object.keys(record.figures), last)}>
          {(figure) => <Counted figure={figure} />}
        </For>
      </dl>
    </section>
  );
}

// A total, the average per game, and the last games as bars.
const Counted = (props: { figure: Figure }) => (
  <div classList={{ none: props.figure.total === 0 }}>
    <dt>{props.figure.label}</dt>
    <dd>{words(props.figure.total)}</dd>
    <Show when={props.figure.total > 0 && props.figure.course.length > 1}>
      <dd class="each">{t("{count} a game", { count: words(props.figure.each) })}</dd>
      <dd class="bars">
        <svg
          viewBox="0 0 100 20"
          preserveAspectRatio="none"
          role="img"
          aria-label={t("In the last games: {list}", { list: listed(props.figure.course.map(String)) })}
        >
          <path d={barsOf(props.figure.course)} />
        </svg>
      </dd>
    </Show>
  </div>
);

// The scores of the last games, from left to right; a filled dot is a win.
function Plot(props: { last: Finished[]; name: string }) {
  const plot = plotOf(props.last);
  const bare = plot.high === 1 && plot.low === 0;
  const marks = () =>
    plot.high === plot.low
      ? [{ y: 45, text: words(plot.high) }]
      : [
          { y: 10, text: bare ? t("won") : words(plot.high) },
          { y: 80, text: bare ? t("not") : words(plot.low) },
        ];
  return (
    <Show
      when={plot.points.length > 1}
      fallback={<p class="small quiet">{t("A plot grows here from the second game on.")}</p>}
    >
      <figure class="plot">
        <svg
          viewBox="0 0 300 90"
          role="img"
          aria-label={t("Scores of the last {count} games of {name}: {scores}", {
            count: plot.points.length,
            name: props.name,
            scores: listed(plot.points.map(({ score, won }) => (won ? t("{score} won", { score }) : `${score}`))),
          })}
        >
          <path class="grid" d="M34 10H300M34 45H300M34 80H300" />
          <For each={marks()}>
            {({ y, text }) => (
              <text x="29" y={y + 3.5} text-anchor="end">
                {text}
              </text>
            )}
          </For>
          <path class="line" d={plot.line} />
          <For each={plot.points}>
            {(point) => <circle cx={point.x} cy={point.y} r="4" classList={{ won: point.won }} />}
          </For>
        </svg>
        <figcaption class="small quiet">
          {t("The last {count} games: ● won, ○ not", { count: plot.points.length })}
        </figcaption>
      </figure>
    </Show>
  );
}
