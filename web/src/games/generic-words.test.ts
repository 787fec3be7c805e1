import { expect, it, vi } from "vitest";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
const { eventWords } = await import("./generic-words");

it("tells an event by its name and its values, those of lists as well", () => {
  const told = (event: string, data: object) =>
    eventWords({ event, data: data as never }, (seat) => ["You", "Bob"][seat]!);
  expect(told("card-played", { seatIndex: 1, card: "8D", suit: "spades", version: 7 })).toBe(
    "Bob: card played 8♦ spades",
  );
  expect(told("cards-drawn", { seatIndex: 0, cards: ["9S", "KH"] })).toBe("You: cards drawn 9♠ K♥");
  expect(told("hand-updated", { hand: ["9S"] })).toBeUndefined();
});
