// What happens, in sentences, for the log and for the ear.
import { teamName } from "../../model";
import type { Table } from "../../table/table";
import { cardWords, suitWord } from "../../ui/cards";
import type { Caption } from "../kind";
import type { Cheer } from "../../ui/Cheer";
import {
  pointCount,
  suitTitle,
  teamOf,
  viewOf,
  type EuchreEvent,
  type EuchreEventOf,
  type Suit,
  type Team,
} from "./view";
import { t } from "../../languages";

export const deals = (table: Table, seat: number): string =>
  seat === table.mySeat() ? t("You deal") : t("{name} deals", { name: table.name(seat) });

export function teamWords(table: Table, team: Team): string {
  const mine = table.mySeat();
  const view = viewOf(table.world);
  if (mine === null || !view || table.world.teamNames[team]) return teamName(table.world, team);
  return teamOf(view, mine) === team ? t("Your team") : t("Their team");
}

type Call = Extract<EuchreEventOf<"trump-action">, { suit: Suit }>;

// Who deals, by the code of the table: each hand begins with it, whether it is told now or recalled.
const dealers = new Map<string, number>();

function dealt(table: Table, dealer: number, turned: string): string {
  dealers.set(table.world.roomCode, dealer);
  return `${deals(table, dealer)}. ${t("The {card} is turned up", { card: cardWords(turned) })}`;
}

function called(table: Table, { seatIndex: seat, action, suit, goAlone }: Call): string {
  const mine = seat === table.mySeat();
  const values = { name: table.name(seat), suit: suitWord(suit) };
  if (action === "call" && goAlone)
    return mine ? t("You call {suit} and go alone", values) : t("{name} calls {suit} and goes alone", values);
  if (action === "call") return mine ? t("You call {suit}", values) : t("{name} calls {suit}", values);
  const dealer = dealers.get(table.world.roomCode) ?? viewOf(table.world)?.dealerSeatIndex;
  if (seat === dealer && goAlone)
    return mine
      ? t("You pick it up and go alone: {suit} are trump", values)
      : t("{name} picks it up and goes alone: {suit} are trump", values);
  if (seat === dealer)
    return mine ? t("You pick it up: {suit} are trump", values) : t("{name} picks it up: {suit} are trump", values);
  if (goAlone)
    return mine ? t("You order up {suit} and go alone", values) : t("{name} orders up {suit} and goes alone", values);
  return mine ? t("You order up {suit}", values) : t("{name} orders up {suit}", values);
}

function trumpAction(table: Table, data: EuchreEventOf<"trump-action">): string {
  const mine = data.seatIndex === table.mySeat();
  const name = table.name(data.seatIndex);
  switch (data.action) {
    case "pass":
      return mine ? t("You pass") : t("{name} passes", { name });
    case "defend-alone":
      return mine ? t("You defend alone") : t("{name} defends alone", { name });
    default:
      return called(table, data);
  }
}

function roundOver(table: Table, over: EuchreEventOf<"round-over">): string {
  const { pointsAwarded: points, scores, callingTeam } = over;
  const team: Team = points.a > 0 ? "a" : "b";
  const euchre = team !== callingTeam ? `${t("Euchre!")} ` : "";
  const scored = t("{team} scores {points}.", { team: teamWords(table, team), points: pointCount(points[team]) });
  return `${euchre}${scored} ${teamName(table.world, "a")} ${scores.a}, ${teamName(table.world, "b")} ${scores.b}`;
}

export const trumpWords = (suit: Suit): string => t("{suit} are trump", { suit: suitTitle(suit) });

// Who called it: the seat of somebody at the table.
export const calledBy = (table: Table, suit: Suit, caller: number): string =>
  caller === table.mySeat()
    ? t("{suit} are trump, called by you", { suit: suitTitle(suit) })
    : t("{suit} are trump, called by {name}", { suit: suitTitle(suit), name: table.name(caller) });

export function describe({ event, data }: EuchreEvent, table: Table): string | undefined {
  const seat = "seatIndex" in data ? data.seatIndex : "winningSeatIndex" in data ? data.winningSeatIndex : -1;
  const mine = seat === table.mySeat();
  const name = table.name(seat);
  switch (event) {
    case "game-started":
      return dealt(table, data.dealer, data.faceUpCard.id);
    case "new-round":
      return dealt(table, data.dealerSeatIndex, data.faceUpCard.id);
    case "trump-action":
      return trumpAction(table, data);
    case "dealer-discarded":
      return mine ? t("You discard a card") : t("{name} discards a card", { name });
    case "trump-confirmed": {
      const caller = table.world.seats.find(({ playerId }) => playerId === data.callingPlayer)?.seatIndex;
      return caller === undefined ? trumpWords(data.trumpSuit) : calledBy(table, data.trumpSuit, caller);
    }
    case "card-played": {
      const card = cardWords(data.card.id);
      return mine ? t("You play the {card}", { card }) : t("{name} plays the {card}", { name, card });
    }
    case "trick-won":
      return mine ? t("You take the trick") : t("{name} takes the trick", { name });
    case "round-over":
      return roundOver(table, data);
    case "game-over":
      return t("{team} wins the game", { team: teamWords(table, data.winningTeam) });
    case "hand-passed-out":
      return t("Everybody passed: nobody scores");
    case "hand-thrown-in":
      return mine
        ? t("You throw in a hand of nines and tens")
        : t("{name} throws in a hand of nines and tens", { name });
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
      return t("Dealing…");
    case "dealer_discard":
      return mine ? undefined : t("Dealer is discarding…");
    case "playing":
      return mine && round.currentTrick.length === 0 ? t("Your lead: play a card") : undefined;
    case "round_over":
      return t("The hand is over");
    default:
      return undefined;
  }
}

// The plates say what was called; this is what the dealer and who throws a hand in do.
export const captions = (events: EuchreEvent[]): Caption[] =>
  events.flatMap(({ event, data }) =>
    event === "dealer-discarded"
      ? [{ seat: data.seatIndex, text: t("picks it up, discards one") }]
      : event === "hand-thrown-in"
        ? [{ seat: data.seatIndex, text: t("throws the hand in") }]
        : [],
  );

const joys = { made: undefined, march: t("March!"), sweep: t("A lone sweep!"), euchre: t("Euchre!") };

// All five tricks, or too few of them.
export function cheers({ event }: EuchreEvent, table: Table): Cheer | undefined {
  const text = event === "round-over" ? joys[viewOf(table.world)?.round?.outcome ?? "made"] : undefined;
  return text ? { text } : undefined;
}
