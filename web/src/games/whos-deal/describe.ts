// What happens, in sentences, for the log and for the ear.
import { teamName, type GameEvent } from "../../model";
import type { Table } from "../../table/table";
import { cardWords } from "../../ui/cards";
import type { Cheer } from "../../ui/Cheer";
import { plural, suitTitle, teamOf, viewOf, type Suit, type Team } from "./view";

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

function called(table: Table, data: Record<string, any>): string {
  const seat = data.seatIndex as number;
  const suit = data.suit as Suit;
  const alone = data.goAlone ? " and goes alone" : "";
  const mine = seat === table.mySeat();
  const told = mine ? alone.replace("goes", "go") : alone;
  return data.action === "call"
    ? `${does(table, seat, "call")} ${suit}${told}`
    : `${does(table, seat, "order")} up ${suit}${told}`;
}

function trumpAction(table: Table, data: Record<string, any>): string {
  const seat = data.seatIndex as number;
  switch (data.action) {
    case "pass":
      return does(table, seat, "pass", "passes");
    case "defend-alone":
      return `${does(table, seat, "defend")} alone`;
    default:
      return called(table, data);
  }
}

function roundOver(table: Table, data: Record<string, any>): string {
  const points = data.pointsAwarded as Record<Team, number>;
  const scores = data.scores as Record<Team, number>;
  const team: Team = points.a > 0 ? "a" : "b";
  const euchre = team !== data.callingTeam ? "Euchre! " : "";
  return (
    `${euchre}${teamWords(table, team)} scores ${plural(points[team], "point")}. ` +
    `${teamName(table.world, "a")} ${scores.a}, ${teamName(table.world, "b")} ${scores.b}`
  );
}

export function describe({ event, data }: GameEvent, table: Table): string | undefined {
  const seat = data.seatIndex as number;
  switch (event) {
    case "game-started":
      return `${does(table, data.dealer, "deal")}. The ${cardWords(data.faceUpCard.id)} is turned up`;
    case "new-round":
      return `${does(table, data.dealerSeatIndex, "deal")}. The ${cardWords(data.faceUpCard.id)} is turned up`;
    case "trump-action":
      return trumpAction(table, data);
    case "dealer-discarded":
      return `${does(table, seat, "pick")} it up and ${seat === table.mySeat() ? "discard" : "discards"}`;
    case "trump-confirmed": {
      const caller = table.world.seats.find(({ playerId }) => playerId === data.callingPlayer)?.seatIndex;
      const by = caller === undefined ? "" : `, called by ${caller === table.mySeat() ? "you" : table.name(caller)}`;
      return `${suitTitle(data.trumpSuit)} are trump${by}`;
    }
    case "card-played":
      return `${does(table, seat, "play")} the ${cardWords(data.card.id)}`;
    case "trick-won":
      return `${does(table, data.winningSeatIndex, "take")} the trick`;
    case "round-over":
      return roundOver(table, data);
    case "game-over":
      return `${teamWords(table, data.winningTeam)} wins the game`;
    case "hand-passed-out":
      return "Everybody passed: nobody scores";
    case "hand-thrown-in":
      return `${does(table, seat, "throw")} in a hand of nines and tens`;
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

const joys = { made: undefined, march: "March!", sweep: "A lone sweep!", euchre: "Euchre!" };

// All five tricks, or too few of them.
export function cheers({ event }: GameEvent, table: Table): Cheer | undefined {
  const text = event === "round-over" ? joys[viewOf(table.world)?.round?.outcome ?? "made"] : undefined;
  return text ? { text } : undefined;
}
