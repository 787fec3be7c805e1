// The scores of a game, hand by hand, for its plot. A view has only the last of them, so they are
// collected as they come, and kept for a reload.
import type { EuchreEvent, Team } from "./view";

type Pair = Record<Team, number>;

export interface History {
  scores: Pair[]; // the first one is where the game began
}

export const nothingYet: History = { scores: [] };

export function follow(history: History, { event, data }: EuchreEvent): History {
  if (event === "game-started") {
    const { a, b } = data.teams;
    return { scores: [{ a: a.score, b: b.score }] };
  }
  if (event !== "round-over") return history;
  const { scores, pointsAwarded: points } = data;
  const begun = history.scores.length > 0 ? history.scores : [{ a: scores.a - points.a, b: scores.b - points.b }];
  return { scores: [...begun, scores] };
}

const key = (roomCode: string) => `oyster-scores-${roomCode}`;

export function recall(roomCode: string): History {
  try {
    return { ...nothingYet, ...(JSON.parse(sessionStorage.getItem(key(roomCode)) ?? "{}") as Partial<History>) };
  } catch {
    return nothingYet;
  }
}

export const remember = (roomCode: string, history: History): void =>
  sessionStorage.setItem(key(roomCode), JSON.stringify(history));
