// The scores of a game, hand by hand, for its plot, and the tricks of this hand. A view has only the last
// of each, so they are collected as they come, and kept for a reload.
import type { GameEvent } from "../../model";
import type { Round, Team } from "./view";

type Pair = Record<Team, number>;

interface Laid {
  seat: number;
  id: string;
}

export interface TakenTrick {
  cards: Laid[];
  winner: number;
}

export interface History {
  scores: Pair[]; // the first one is where the game began
  points: Pair | null; // of the last hand
  tricks: TakenTrick[]; // of this hand
  laid: Laid[]; // in the trick that is played
}

export const nothingYet: History = { scores: [], points: null, tricks: [], laid: [] };

function followTricks(history: History, { event, data }: GameEvent): History {
  switch (event) {
    case "game-started":
    case "new-round":
      return { ...history, tricks: [], laid: [] };
    case "card-played":
      return { ...history, laid: [...history.laid, { seat: data["seatIndex"], id: data["card"].id }] };
    case "trick-won":
      return { ...history, tricks: [...history.tricks, { cards: history.laid, winner: data["winningSeatIndex"] }], laid: [] };
    default:
      return history;
  }
}

// What was missed while this page was not open is left out.
export function catchUp(history: History, round: Round | null): History {
  const laid = (round?.currentTrick ?? []).map(({ seatIndex, card }) => ({ seat: seatIndex, id: card.id }));
  if (history.tricks.length === (round?.tricksPlayed ?? 0)) return { ...history, laid };
  const last = round?.lastTrick?.map(({ seatIndex, card }) => ({ seat: seatIndex, id: card.id })) ?? [];
  return { ...history, tricks: last.length > 0 ? [{ cards: last, winner: round!.lastTrickWinnerSeatIndex! }] : [], laid };
}

export function follow(before: History, event: GameEvent): History {
  const { data } = event;
  const history = followTricks(before, event);
  if (event.event === "game-started") {
    const { a, b } = data["teams"] as Record<Team, { score: number }>;
    return { ...history, scores: [{ a: a.score, b: b.score }], points: null };
  }
  if (event.event === "hand-passed-out") return { ...history, points: null };
  if (event.event !== "round-over") return history;
  const scores = data["scores"] as Pair;
  const points = data["pointsAwarded"] as Pair;
  const begun = history.scores.length > 0 ? history.scores : [{ a: scores.a - points.a, b: scores.b - points.b }];
  return { ...history, scores: [...begun, scores], points };
}

const key = (roomCode: string) => `oyster-scores-${roomCode}`;

export function recall(roomCode: string): History {
  try {
    return { ...nothingYet, ...(JSON.parse(sessionStorage.getItem(key(roomCode)) ?? "{}") as Partial<History>) };
  } catch {
    return nothingYet;
  }
}

export const remember = (roomCode: string, history: History): void => sessionStorage.setItem(key(roomCode), JSON.stringify(history));
