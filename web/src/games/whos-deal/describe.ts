// What happens, in sentences, for the log and for the ear.
import { teamWords } from "../../table/captions";
import type { Table } from "../../table/table";
import type { Cheer } from "../../ui/Cheer";
import { suitTitle, viewOf, type EuchreEvent, type Suit } from "./view";
import { t } from "../../languages";

export const deals = (table: Table, seat: number): string =>
  seat === table.mySeat() ? t("You deal") : t("{name} deals", { name: table.name(seat) });

export const trumpWords = (suit: Suit): string => t("{suit} are trump", { suit: suitTitle(suit) });

// Who called it: the seat of somebody at the table.
export const calledBy = (table: Table, suit: Suit, caller: number): string =>
  caller === table.mySeat()
    ? t("{suit} are trump, called by you", { suit: suitTitle(suit) })
    : t("{suit} are trump, called by {name}", { suit: suitTitle(suit), name: table.name(caller) });

// What the rows of captions.def do not say.
export function describe({ event, data }: EuchreEvent, table: Table): string | undefined {
  switch (event) {
    case "trump-confirmed": {
      const caller = table.world.seats.find(({ playerId }) => playerId === data.callingPlayer)?.seatIndex;
      return caller === undefined ? trumpWords(data.trumpSuit) : calledBy(table, data.trumpSuit, caller);
    }
    case "game-over":
      return t("{team} wins the game", { team: teamWords(table, data.winningTeam) });
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

const joys = { made: undefined, march: t("March!"), sweep: t("A lone sweep!"), euchre: t("Euchre!") };

// All five tricks, or too few of them.
export function cheers({ event }: EuchreEvent, table: Table): Cheer | undefined {
  const text = event === "round-over" ? joys[viewOf(table.world)?.round?.outcome ?? "made"] : undefined;
  return text ? { text } : undefined;
}
