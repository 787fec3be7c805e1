// What the table of Who's Deal? answers in words.
import type { Speech } from "../../table/speech";
import type { Table } from "../../table/table";
import { cardWords } from "../../ui/cards";
import { awaits, describe, does, teamWords } from "./describe";
import { cardTitle, plural, seatOf, suitTitle, viewOf, type EuchreEvent, type Team } from "./view";

function hand(table: Table): string | undefined {
  const view = viewOf(table.world);
  const round = view?.round;
  if (!round || round.held.length === 0) return undefined;
  const cards = round.held.map((id) => cardTitle(id, round.bowers));
  const playable = view.legal.flatMap((one) => (one.type === "play-card" ? [cardWords(one.payload.cardId)] : []));
  const some = playable.length > 0 && playable.length < cards.length;
  return `Your hand: ${cards.join(", ")}${some ? `. You can play ${playable.join(", ")}` : ""}`;
}

function trump(table: Table): string {
  const view = viewOf(table.world)!;
  const round = view.round!;
  if (!round.trumpSuit) return round.faceUpCard ? `The ${cardWords(round.faceUpCard.id)} is turned up` : "No trump yet";
  const caller = seatOf(view, round.callingPlayerId);
  const by = caller === null ? "" : `, called by ${caller === table.mySeat() ? "you" : table.name(caller)}`;
  return `${suitTitle(round.trumpSuit)} are trump${by}${round.goingAlone ? ", alone" : ""}`;
}

function trick(table: Table): string {
  const round = viewOf(table.world)!.round!;
  if (round.trumpPhase !== "playing") return "";
  if (round.currentTrick.length === 0) return " The trick is empty.";
  const played = round.currentTrick.map(({ seatIndex, card }, i) =>
    i === 0
      ? `${table.name(seatIndex)} led the ${cardTitle(card.id, round.bowers)}`
      : `${table.name(seatIndex)} the ${cardTitle(card.id, round.bowers)}`,
  );
  const best = round.winningSeatIndex;
  return ` ${played.join("; ")}.${best === null ? "" : ` Best so far: ${table.name(best)}.`}`;
}

function board(table: Table): string | undefined {
  const view = viewOf(table.world);
  return view?.round ? `${does(table, view.dealerSeatIndex, "deal")}. ${trump(table)}.${trick(table)}` : undefined;
}

function score(table: Table): string | undefined {
  const view = viewOf(table.world);
  if (!view) return undefined;
  const both = (counts: Record<Team, number>) =>
    `${teamWords(table, "a")} ${counts.a}, ${teamWords(table, "b")} ${counts.b}`;
  const tricks = view.round ? ` Tricks of this hand: ${both(view.round.tricksWon)}.` : "";
  const points = both({ a: view.teams.a.score, b: view.teams.b.score });
  return `${points}; ${plural(view.targetScore, "point")} win.${tricks}`;
}

function prompt(table: Table): string | undefined {
  const phase = viewOf(table.world)?.round?.trumpPhase;
  if (phase === "round1" || phase === "round2") return `Your call. ${board(table)}`;
  return phase === "defending" ? `Defend alone? ${board(table)}` : undefined;
}

export const speech: Speech<EuchreEvent> = { describe, awaits, prompt, hand, board, score };
