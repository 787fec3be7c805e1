// What the page of statistics shows of what the server counts.
export interface GameRecord {
  gameId: string;
  played: number;
  won: number;
  points: number;
  best: number;
  figures: Record<string, number>;
}

export interface Finished {
  gameId: string;
  endedAt: number;
  score: number;
  won: boolean;
}

export interface Statistics {
  games: GameRecord[];
  last: Finished[]; // the newest first
}

const PLOTTED = 24;

export const percent = (part: number, whole: number): string => (whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`);

// The game played most comes first.
export const shown = (all: Statistics): GameRecord[] => [...all.games].sort((a, b) => b.played - a.played || a.gameId.localeCompare(b.gameId));

export interface Figure {
  label: string;
  total: number;
  each: number; // in a game, on average
}

const oneDecimal = (value: number): number => Math.round(10 * value) / 10;
export const average = (total: number, games: number): number => (games === 0 ? 0 : oneDecimal(total / games));

// In the order of the game that counts them; its names read well once they begin like a sentence.
export const figuresOf = ({ figures, played }: GameRecord, names: readonly string[]): Figure[] =>
  names.map((name) => {
    const total = figures[name] ?? 0;
    return { label: name.charAt(0).toUpperCase() + name.slice(1), total, each: average(total, played) };
  });

export interface Point extends Finished {
  x: number;
  y: number;
}

// Within 300 by 90, the oldest game at the left.
export function plotOf(last: Finished[]): { points: Point[]; line: string; low: number; high: number } {
  const games = last.slice(0, PLOTTED).reverse();
  const scores = games.map(({ score }) => score);
  const low = Math.min(...scores);
  const high = Math.max(...scores);
  const points = games.map((game, at) => ({
    ...game,
    x: 8 + (284 * at) / Math.max(games.length - 1, 1),
    y: high === low ? 45 : 80 - (70 * (game.score - low)) / (high - low),
  }));
  const line = points.map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return { points, line, low, high };
}
