// What happens at the table of Terrible People, and what it answers, in words.
import { askedFor, type Speech } from "../../table/speech";
import type { Table } from "../../table/table";
import type { TerribleEvent, TerribleView } from "./terrible";
import { listed, t, telling, tn } from "../../languages";

const viewOf = (table: Table) => table.world.view as TerribleView | null;
const sayable = (text: string): string => text.replaceAll("___", t("blank"));

function awaits(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const mine = view.judge === table.mySeat();
  const others = view.turn.filter((seat) => seat !== table.mySeat()).map((seat) => table.name(seat));
  if (view.phase === "submitting" && !mine && table.myTurn())
    return view.prompt?.blanks === 2 ? t("Choose two answers") : undefined;
  if (view.phase === "submitting" && others.length > 0)
    return others.length === 1
      ? t("Waiting for {name}", { name: others[0] })
      : tn(others.length, "Waiting for {n} answer", "Waiting for {n} answers");
  if (view.phase === "judging") return mine ? undefined : t("{name} is judging", { name: table.name(view.judge) });
  return view.phase === "round_over" ? t("Round {round} is over", { round: view.round }) : undefined;
}

const judges = (table: Table, seat: number): string =>
  seat === table.mySeat() ? t("You judge") : t("{name} judges", { name: table.name(seat) });

const begun = (table: Table, round: number, prompt: string, judge: number): string =>
  t("Round {round}: {prompt} {judges}.", { round, prompt: sayable(prompt), judges: judges(table, judge) });

function describe({ event, data }: TerribleEvent, table: Table): string | undefined {
  switch (event) {
    case "round-started":
      return begun(table, data.round, data.prompt.text, data.judge);
    case "submissions-revealed":
      return data.submissions.map((one) => telling(one.id, one.text)).join(" ");
    case "game-over":
      return data.winner === table.mySeat()
        ? t("You win the game.")
        : t("{name} wins the game.", { name: table.name(data.winner) });
    default:
      return undefined;
  }
}

const answers = (view: TerribleView): string =>
  view.submissions.map((one) => telling(one.id ?? t("Yours"), one.text)).join(" ");

function hand(table: Table): string | undefined {
  const held = viewOf(table)?.players.find(({ seatIndex }) => seatIndex === table.mySeat())?.hand;
  return held?.length
    ? t("Your hand: {cards}", {
        cards: held.map(({ id, text }, i) => t("{number}, card {id}: {text}", { number: i + 1, id, text })).join(". "),
      })
    : undefined;
}

function board(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view?.prompt) return undefined;
  const shown = view.phase === "submitting" ? "" : ` ${answers(view)}`;
  return begun(table, view.round, view.prompt.text, view.judge) + shown;
}

function score(table: Table): string | undefined {
  const view = viewOf(table);
  if (!view) return undefined;
  const points = view.scores.map((one, seat) => `${table.name(seat)} ${one}`);
  return t("{scores}; {target} points win", { scores: listed(points), target: view.targetScore });
}

// The sentence that is to be filled in is part of the question.
function prompt(table: Table): string | undefined {
  const view = viewOf(table);
  return view?.prompt ? `${awaits(table) ?? askedFor(table)}. ${sayable(view.prompt.text)}` : undefined;
}

// What the judge does; who has answered is marked at the seat already.
const atSeat = ({ by }: { by: string }) => by === "judge";

export const speech: Speech<TerribleEvent> = { describe, atSeat, awaits, prompt, hand, board, score };
