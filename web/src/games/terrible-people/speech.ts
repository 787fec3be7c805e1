// What happens at the table of Terrible People, and what it answers, in words.
import type { Speech } from "../../table/speech";
import type { Table } from "../../table/table";
import type { TerribleEvent, TerribleView } from "./terrible";

const viewOf = (table: Table) => table.world.view as TerribleView | null;
const sayable = (text: string): string => text.replaceAll("___", "blank");

function awaits(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const mine = view.judge === table.mySeat();
  const others = view.turn.filter((seat) => seat !== table.mySeat()).map((seat) => table.name(seat));
  if (view.phase === "submitting" && !mine && table.myTurn())
    return view.prompt?.blanks === 2 ? "Choose two answers" : "Choose an answer";
  if (view.phase === "submitting" && others.length > 0)
    return `Waiting for ${others.length === 1 ? others[0] : `${others.length} answers`}`;
  if (view.phase === "judging") return mine ? "Pick the best answer" : `${table.name(view.judge)} is judging`;
  return view.phase === "round_over" ? `Round ${view.round} is over` : undefined;
}

const verb = (table: Table, seat: number, you: string, other: string) =>
  `${table.name(seat)} ${seat === table.mySeat() ? you : other}`;

function describe({ event, data }: TerribleEvent, table: Table): string | undefined {
  switch (event) {
    case "round-started":
      return (
        `Round ${data.round}: ${data.prompt.text.replaceAll("___", "blank")} ` +
        `${verb(table, data.judge, "judge", "judges")}.`
      );
    case "answer-submitted":
      return `${verb(table, data.seatIndex, "have", "has")} answered.`;
    case "submissions-revealed":
      return data.submissions.map((one) => `${one.id}: ${one.text}`).join(" ");
    case "round-over": {
      const won = data.submissions.find((one) => one.id === data.submissionId);
      return `${verb(table, data.seatIndex, "get", "gets")} the point: ${won?.text ?? ""}`;
    }
    case "game-over":
      return `${verb(table, data.winner, "win", "wins")} the game.`;
    default:
      return undefined;
  }
}

const answers = (view: TerribleView): string =>
  view.submissions.map((one) => `${one.id ?? "Yours"}: ${one.text}`).join(" ");

function hand(table: Table): string | undefined {
  const held = viewOf(table)?.players.find(({ seatIndex }) => seatIndex === table.mySeat())?.hand;
  return held?.length
    ? `Your hand: ${held.map(({ id, text }, i) => `${i + 1}, card ${id}: ${text}`).join(". ")}`
    : undefined;
}

function board(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view?.prompt) return undefined;
  const shown = view.phase === "submitting" ? "" : ` ${answers(view)}`;
  return `Round ${view.round}: ${sayable(view.prompt.text)} ${verb(table, view.judge, "judge", "judges")}.${shown}`;
}

function score(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const points = view.scores.map((one, seat) => `${table.name(seat)} ${one}`);
  return `${points.join(", ")}; ${view.targetScore} points win`;
}

// The sentence that is to be filled in is part of the question.
function prompt(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view?.prompt || !awaits(table)) return undefined;
  return `${awaits(table)}. ${sayable(view.prompt.text)}`;
}

export const speech: Speech<TerribleEvent> = { describe, awaits, prompt, hand, board, score };
