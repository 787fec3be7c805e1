// How the sides are called, and in which order they stand.
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

// The sides from most points to fewest, each with its place; equal points share one, as in the engine's results.
export function placed<Of>(sides: readonly Of[], points: (side: Of) => number): { side: Of; place: number }[] {
  const ahead = (side: Of) => sides.filter((other) => points(other) > points(side)).length;
  return sides.map((side) => ({ side, place: 1 + ahead(side) })).sort((a, b) => a.place - b.place);
}
