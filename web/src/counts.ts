// Prepares what the server counts for the page of statistics.
import { said } from "./languages";

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
  partners?: string[]; // on the same side; games of this device have their names
  opponents?: string[];
  others?: { playerId: string | null; name: string; partner: boolean; bot: string | null }[]; // games of the server
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

// The same sums of single games, the newest first, as the server makes them.
export function summed(last: Finished[]): Statistics {
  const games = new Map<string, GameRecord>();
  for (const { gameId, score, won, figures } of last) {
    const record = games.get(gameId) ?? { gameId, played: 0, won: 0, points: 0, best: score, figures: {} };
    record.played++;
    record.won += won ? 1 : 0;
    record.points += score;
    record.best = Math.max(record.best, score);
    for (const [name, count] of Object.entries(figures)) record.figures[name] = (record.figures[name] ?? 0) + count;
    games.set(gameId, record);
  }
  return { games: [...games.values()], last };
}

// Games of one kind won in a row: at present, and the most.
export function streaks(all: Statistics, gameId: string): { now: number; longest: number } {
  const last = all.last.filter((one) => one.gameId === gameId);
  const lost = last.findIndex(({ won }) => !won);
  let run = 0;
  let longest = 0;
  for (const { won } of last) longest = Math.max(longest, (run = won ? run + 1 : 0));
  return { now: lost < 0 ? last.length : lost, longest };
}

export interface Companion {
  name: string;
  played: number;
  won: number; // by the person whose statistics these are
}

// By what tells people with the same name apart; bots, and games of this device, have nothing but names.
const namesOf = (game: Finished, role: "partners" | "opponents"): Map<string, string> =>
  new Map(
    game[role]?.map((name) => [name, name]) ??
      game.others
        ?.filter(({ partner }) => partner === (role === "partners"))
        .map(({ playerId, name }) => [playerId ? `id ${playerId}` : name, name]),
  );

// Whom one played with or against, the most frequent first, by the name that they had last.
export function companions(last: readonly Finished[], role: "partners" | "opponents"): Companion[] {
  const found = new Map<string, Companion>();
  for (const game of last)
    for (const [key, name] of namesOf(game, role)) {
      const one = found.get(key) ?? { name, played: 0, won: 0 };
      found.set(key, { ...one, played: one.played + 1, won: one.won + (game.won ? 1 : 0) });
    }
  return [...found.values()].sort((a, b) => b.played - a.played || a.name.localeCompare(b.name));
}

export interface Figure {
  label: string;
  total: number;
  each: number; // in a game, on average
  course: number[]; // in the last games
}

export const average = (total: number, games: number): number =>
  games === 0 ? 0 : Math.round((10 * total) / games) / 10;

// In the order in which the game lists them; their names get a capital letter, in the person's language.
export const figuresOf = (
  { figures, played }: GameRecord,
  names: readonly string[],
  last: readonly Finished[],
): Figure[] =>
  names.map((name) => {
    const total = figures[name] ?? 0;
    const words = said(name);
    return {
      label: words.charAt(0).toUpperCase() + words.slice(1),
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
