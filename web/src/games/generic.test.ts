import { expect, it, vi } from "vitest";
import type { Table } from "../table/table";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
const { default: ui } = await import("./generic");
const table = { name: (seat: number) => ["You", "Bob"][seat]! } as Table;

it("tells an event by its name and its values, those of lists as well", () => {
  const told = (event: string, data: object) => ui.describe!({ event, data: data as never }, table);
  expect(told("card-played", { seatIndex: 1, card: "8D", suit: "spades", version: 7 })).toBe(
    "Bob: card played 8♦ spades",
  );
  expect(told("cards-drawn", { seatIndex: 0, cards: ["9S", "KH"] })).toBe("You: cards drawn 9♠ K♥");
  expect(told("hand-updated", { hand: ["9S"] })).toBeUndefined();
});
