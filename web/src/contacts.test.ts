import { expect, test } from "vitest";
import { absent, withCompany, type Contact } from "./contacts";
import type { Seat, World } from "./model";

const seat = (playerId: string, name: string, bot = false) =>
  ({ playerId, name, character: bot ? { name: "Crabbot", face: "crab" } : null }) as Seat;
const world = (you: number | null) =>
  ({
    seats: [seat("ann", "Ann"), seat("bob", "Bob"), seat("bot-2", "Bot", true)],
    spectators: [],
    you: { playerId: "ann", seatIndex: you },
  }) as unknown as World;
const old: Contact[] = [
  { id: "cy", name: "Cy", met: 1 },
  { id: "bob", name: "Bobby", met: 1 },
];

test("people one sits with are kept, the latest first, by their present name; bots are not", () => {
  expect(withCompany(old, world(0), 9)).toEqual([
    { id: "bob", name: "Bob", met: 9 },
    { id: "cy", name: "Cy", met: 1 },
  ]);
  expect(withCompany(old, world(null), 9)).toEqual(old);
});

test("who is here already is not invited", () => expect(absent(old, world(0)).map(({ id }) => id)).toEqual(["cy"]));
