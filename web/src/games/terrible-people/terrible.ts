// What the table of Terrible People shows, worked out of a view.
import type { EventOf, LegalOf, View } from "../../model";
import { t } from "../../languages";

export interface Text {
  id: number;
  text: string;
}

export interface Submission {
  id?: number; // none while it is only ours
  cards: Text[];
  text: string;
  seatIndex?: number; // once the judge has picked
}

interface TerribleActions {
  submit: { payload: { cardIds: number[] } };
  judge: { payload: { submissionId: number } };
}

interface TerribleEvents {
  "round-started": { round: number; judge: number; prompt: NonNullable<TerribleView["prompt"]> };
  "hand-updated": { hand: Text[] };
  "answer-submitted": { seatIndex: number };
  "submissions-revealed": { submissions: Submission[] };
  "round-over": {
    submissionId: number;
    seatIndex: number;
    submissions: Submission[];
    scores: number[];
    isGameOver: boolean;
  };
  "game-over": { winner: number; scores: number[] };
}
export type TerribleEvent = EventOf<TerribleEvents>;

export interface TerribleView extends View<LegalOf<TerribleActions>> {
  phase: "dealing" | "submitting" | "judging" | "round_over" | "game_over";
  round: number;
  targetScore: number;
  judge: number;
  prompt: (Text & { blanks: number }) | null;
  capitals: boolean[]; // the blanks whose answer starts a sentence
  scores: number[];
  submitted: number[];
  submissions: Submission[];
  ownSubmissionId: number | null;
  pickedSubmissionId: number | null;
  players: { id: string; seatIndex: number; score: number; handCount: number; hand?: Text[] }[];
  roundPoints: number; // what a round brings its winner
  roundWinners: number[]; // seats, of the rounds so far
}

export type Filled = Pick<TerribleView, "prompt" | "capitals">;

export interface Piece {
  text: string; // empty: a blank nothing stands in yet
  blank: boolean;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

// A prompt in pieces, with the answers in its blanks as far as there are any.
export function fill({ prompt, capitals }: Filled, answers: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  (prompt?.text ?? "").split("___").forEach((text, i) => {
    if (i > 0) {
      const answer = answers[i - 1] ?? "";
      pieces.push({ blank: true, text: capitals[i - 1] ? capital(answer) : answer });
    }
    if (text !== "") pieces.push({ blank: false, text });
  });
  return pieces;
}

// The same for the ear.
export const filledWords = (view: Filled, answers: readonly string[]): string =>
  fill(view, answers)
    .map((piece) => piece.text || t("blank"))
    .join("");

// A tap on a card: into the next blank, out of its own, or in place of the last one when all are full.
export function toggle(chosen: readonly number[], card: number, blanks: number): number[] {
  if (chosen.includes(card)) return chosen.filter((one) => one !== card);
  return [...chosen.slice(0, blanks - 1), card];
}

// The seats in the order of their places.
export function standings({ scores, places }: NonNullable<View["result"]>) {
  return scores
    .map((score, seat) => ({ seat, score, place: places[seat]! }))
    .sort((a, b) => a.place - b.place || a.seat - b.seat);
}

export type Rounds = Pick<TerribleView, "roundWinners" | "roundPoints">;

// A seat's points at the start and after each round.
export function climb({ roundWinners, roundPoints }: Rounds, seat: number): number[] {
  let points = 0;
  return [0, ...roundWinners.map((winner) => (points += winner === seat ? roundPoints : 0))];
}

export const blankName = (index: number, blanks: number): string =>
  blanks === 1 ? t("the blank") : [t("the first blank"), t("the second blank"), t("the third blank")][index]!;
