// How the sides are called.
import type { Table } from "../../table/table";
import type { HandAndFootView } from "./view";

export const playersOf = (table: Table, side: number) =>
  (table.world.view as HandAndFootView).players.filter((player) => player.team === side);

// What the owner called a team.
export const givenName = (table: Table, side: number): string | undefined =>
  table.world.teamNames[table.world.seats[playersOf(table, side)[0]?.seatIndex ?? -1]?.team ?? ""];

// A team by the name it was given, or after its players.
export function sideName(table: Table, side: number): string {
  return (
    givenName(table, side) ??
    playersOf(table, side)
      .map((player) => table.name(player.seatIndex))
      .join(" & ")
  );
}
