// What the table of Who's Deal? answers in words.
import { pointCount } from "../../amounts";
import { teamWords } from "../../table/captions";
import { askedFor, sentence, type Speech } from "../../table/speech";
import type { Table } from "../../table/table";
import { cardWords } from "../../ui/cards";
import { awaits, calledBy, deals, describe, trumpWords } from "./describe";
import { cardTitle, seatOf, viewOf, type EuchreEvent, type Team } from "./view";
import { listed, t } from "../../languages";

function hand(table: Table): string | undefined {
  const view = viewOf(table.world);
  const round = view?.round;
  if (!round || round.held.length === 0) return undefined;
  const cards = round.held.map((id) => cardTitle(id, round.bowers));
  const playable = view.legal.flatMap((one) => (one.type === "play-card" ? [cardWords(one.payload.cardId)] : []));
  const some = playable.length > 0 && playable.length < cards.length;
  const held = t("Your hand: {cards}", { cards: cards.join("; ") }); // "jack of hearts, right bower" is one card
  return some ? `${held}. ${t("You can play {cards}", { cards: listed(playable) })}` : held;
}

function trump(table: Table): string {
  const view = viewOf(table.world)!;
  const round = view.round!;
  if (!round.trumpSuit)
    return round.faceUpCard
      ? t("The {card} is turned up", { card: cardWords(round.faceUpCard.id) })
      : t("No trump yet");
  const caller = seatOf(view, round.callingPlayerId);
  const trumps = caller === null ? trumpWords(round.trumpSuit) : calledBy(table, round.trumpSuit, caller);
  return round.goingAlone ? t("{trumps}, alone", { trumps }) : trumps;
}

function trick(table: Table): string {
  const round = viewOf(table.world)!.round!;
  if (round.trumpPhase !== "playing") return "";
  if (round.currentTrick.length === 0) return ` ${t("The trick is empty.")}`;
  const played = round.currentTrick.map(({ seatIndex, card }, i) => {
    const values = { name: table.name(seatIndex), card: cardTitle(card.id, round.bowers) };
    if (i > 0) return t("{name} the {card}", values);
    return seatIndex === table.mySeat() ? t("You led the {card}", values) : t("{name} led the {card}", values);
  });
  const best = round.winningSeatIndex;
  const so = best === null ? "" : ` ${t("Best so far: {name}.", { name: table.name(best) })}`;
  return ` ${played.join("; ")}.${so}`;
}

function board(table: Table): string | undefined {
  const view = viewOf(table.world);
  return view?.round ? `${deals(table, view.dealerSeatIndex)}. ${trump(table)}.${trick(table)}` : undefined;
}

function score(table: Table): string | undefined {
  const view = viewOf(table.world);
  if (!view) return undefined;
  const both = (counts: Record<Team, number>) =>
    `${teamWords(table, "a")} ${counts.a}, ${teamWords(table, "b")} ${counts.b}`;
  const tricks = view.round ? ` ${t("Tricks of this hand: {tricks}.", { tricks: both(view.round.tricksWon) })}` : "";
  const points = both({ a: view.teams.a.score, b: view.teams.b.score });
  return t("{scores}; {points} win.", { scores: points, points: pointCount(view.targetScore) }) + tricks;
}

function prompt(table: Table): string | undefined {
  const phase = viewOf(table.world)?.round?.trumpPhase;
  const calls = phase === "round1" || phase === "round2" || phase === "defending";
  return calls ? `${sentence(askedFor(table))} ${board(table)}` : undefined;
}

// The plates say what was called; this is what the dealer and who throws a hand in do.
const atSeat = ({ event }: { event: string }) => event === "dealer-discarded" || event === "hand-thrown-in";

export const speech: Speech<EuchreEvent> = { describe, atSeat, awaits, prompt, hand, board, score };
