// What happens, in sentences, for the log and for the ear.
import { teamName } from "../../model";
import type { Table } from "../../table/table";
import { cardWords } from "../../ui/cards";
import type { Caption } from "../kind";
import type { Cheer } from "../../ui/Cheer";
import { plural, suitTitle, teamOf, viewOf, type EuchreEvent, type EuchreEventOf, type Suit, type Team } from "./view";

// "Bob passes", "You pass".
export function does(table: Table, seat: number, verb: string, third = `${verb}s`): string {
  return `${table.name(seat)} ${seat === table.mySeat() ? verb : third}`;
}

export function teamWords(table: Table, team: Team): string {
  const mine = table.mySeat();
  const view = viewOf(table.world);
  if (mine === null || !view || table.world.teamNames[team]) return teamName(table.world, team);
  return teamOf(view, mine) === team ? "Your team" : "Their team";
}

type Call = Extract<EuchreEventOf<"trump-action">, { suit: Suit }>;

// Who deals, by the code of the table: each hand begins with it, whether it is told now or recalled.
const dealers = new Map<string, number>();

function dealt(table: Table, dealer: number, turned: string): string {
  dealers.set(table.world.roomCode, dealer);
  return `${does(table, dealer, "deal")}. The ${cardWords(turned)} is turned up`;
}

function called(table: Table, { seatIndex: seat, action, suit, goAlone }: Call): string {
  const alone = goAlone ? ` and ${seat === table.mySeat() ? "go" : "goes"} alone` : "";
  if (action === "call") return `${does(table, seat, "call")} ${suit}${alone}`;
  const dealer = dealers.get(table.world.roomCode) ?? viewOf(table.world)?.dealerSeatIndex;
  return seat === dealer
    ? `${does(table, seat, "pick")} it up${alone}: ${suit} are trump`
    : `${does(table, seat, "order")} up ${suit}${alone}`;
}

function trumpAction(table: Table, data: EuchreEventOf<"trump-action">): string {
  const seat = data.seatIndex;
  switch (data.action) {
    case "pass":
      return does(table, seat, "pass", "passes");
    case "defend-alone":
      return `${does(table, seat, "defend")} alone`;
    default:
      return called(table, data);
  }
}

function roundOver(table: Table, over: EuchreEventOf<"round-over">): string {
  const { pointsAwarded: points, scores, callingTeam } = over;
  const team: Team = points.a > 0 ? "a" : "b";
  const euchre = team !== callingTeam ? "Euchre! " : "";
  return (
    `${euchre}${teamWords(table, team)} scores ${plural(points[team], "point")}. ` +
    `${teamName(table.world, "a")} ${scores.a}, ${teamName(table.world, "b")} ${scores.b}`
  );
}

export function describe({ event, data }: EuchreEvent, table: Table): string | undefined {
  switch (event) {
    case "game-started":
      return dealt(table, data.dealer, data.faceUpCard.id);
    case "new-round":
      return dealt(table, data.dealerSeatIndex, data.faceUpCard.id);
    case "trump-action":
      return trumpAction(table, data);
    case "dealer-discarded":
      return `${does(table, data.seatIndex, "discard")} a card`;
    case "trump-confirmed": {
      const caller = table.world.seats.find(({ playerId }) => playerId === data.callingPlayer)?.seatIndex;
      const by = caller === undefined ? "" : `, called by ${caller === table.mySeat() ? "you" : table.name(caller)}`;
      return `${suitTitle(data.trumpSuit)} are trump${by}`;
    }
    case "card-played":
      return `${does(table, data.seatIndex, "play")} the ${cardWords(data.card.id)}`;
    case "trick-won":
      return `${does(table, data.winningSeatIndex, "take")} the trick`;
    case "round-over":
      return roundOver(table, data);
    case "game-over":
      return `${teamWords(table, data.winningTeam)} wins the game`;
    case "hand-passed-out":
      return "Everybody passed: nobody scores";
    case "hand-thrown-in":
      return `${does(table, data.seatIndex, "throw")} in a hand of nines and tens`;
    default:
      return undefined;
  }
}

// What the bar above the table says (PL-54).
export function awaits(table: Table): string | undefined {
  const round = viewOf(table.world)?.round;
  const mine = table.myTurn();
  switch (round?.trumpPhase) {
    case undefined:
    case "dealing":
      return "Dealing…";
    case "round1":
    case "round2":
      return mine ? "Your call" : undefined;
    case "dealer_discard":
      return mine ? "Discard a card" : "Dealer is discarding…";
    case "defending":
      return mine ? "Defend alone?" : undefined;
    case "playing":
      if (!mine) return undefined;
      return round.currentTrick.length === 0 ? "Your lead" : "Your turn";
    case "round_over":
      return "The hand is over";
  }
}

// The plates say what was called; this is what the dealer and who throws a hand in do.
export const captions = (events: EuchreEvent[]): Caption[] =>
  events.flatMap(({ event, data }) =>
    event === "dealer-discarded"
      ? [{ seat: data.seatIndex, text: "picks it up, discards one" }]
      : event === "hand-thrown-in"
        ? [{ seat: data.seatIndex, text: "throws the hand in" }]
        : [],
  );

const joys = { made: undefined, march: "March!", sweep: "A lone sweep!", euchre: "Euchre!" };

// All five tricks, or too few of them.
export function cheers({ event }: EuchreEvent, table: Table): Cheer | undefined {
  const text = event === "round-over" ? joys[viewOf(table.world)?.round?.outcome ?? "made"] : undefined;
  return text ? { text } : undefined;
}
