// Prepares what the server counts for the page of statistics.
type Numbers = Record<string, number>;

export interface GameRecord {
  gameId: string;
  played: number;
  won: number;
  points: number;
  best: number;
  figures: Numbers;
}

export interface Finished {
  gameId: string;
  endedAt: number;
  score: number;
  won: boolean;
  figures: Numbers;
}

export interface Statistics {
  games: GameRecord[];
  last: Finished[]; // the newest first
}

const PLOTTED = 24;

export const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`;

// The game played most comes first.
export const shown = (all: Statistics): GameRecord[] =>
  [...all.games].sort((a, b) => b.played - a.played || a.gameId.localeCompare(b.gameId));

// Those that are plotted, the oldest first.
export const lastOf = (all: Statistics, gameId: string): Finished[] =>
  all.last
    .filter((one) => one.gameId === gameId)
    .slice(0, PLOTTED)
    .reverse();

export interface Figure {
  label: string;
  total: number;
  each: number; // in a game, on average
  course: number[]; // in the last games
}

export const average = (total: number, games: number): number =>
  games === 0 ? 0 : Math.round((10 * total) / games) / 10;

// In the order in which the game lists them; their names get a capital letter.
export const figuresOf = (
  { figures, played }: GameRecord,
  names: readonly string[],
  last: readonly Finished[],
): Figure[] =>
  names.map((name) => {
    const total = figures[name] ?? 0;
    return {
      label: name.charAt(0).toUpperCase() + name.slice(1),
      total,
      each: average(total, played),
      course: last.map((one) => one.figures[name] ?? 0),
    };
  });

export interface Point extends Finished {
  x: number;
  y: number;
}

export interface Plot {
  points: Point[];
  line: string;
  low: number;
  high: number;
}

// A plot of 300 by 90 with room for a scale at the left. Where scores are only 0 and 1, the scale shows lost and won.
export function plotOf(games: readonly Finished[]): Plot {
  const scores = games.map(({ score }) => score);
  const bare = scores.every((score) => score === 0 || score === 1);
  const low = bare ? 0 : Math.min(...scores);
  const high = bare ? 1 : Math.max(...scores);
  const points = games.map((game, at) => ({
    ...game,
    x: 40 + (252 * at) / Math.max(games.length - 1, 1),
    y: high === low ? 45 : 80 - (70 * (game.score - low)) / (high - low),
  }));
  const line = points.map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return { points, line, low, high };
}

// A series of numbers as bars of equal width within 100 by 20; zero is a low bar, so that it can be seen.
export function barsOf(course: readonly number[]): string {
  const high = Math.max(...course, 1);
  const width = 100 / course.length;
  return course
    .map(
      (value, at) =>
        `M${(width * at).toFixed(1)} 20V${(19 - (18 * value) / high).toFixed(1)}h${(width * 0.75).toFixed(1)}V20Z`,
    )
    .join("");
}
