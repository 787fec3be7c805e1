import { expect, it, vi } from "vitest";
import type { GameEvent, LogLine } from "../model";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
const { createMessages, eventWords, groupMoves, valueWords, words } = await import("./generic-words");

const happens = (event: string, data: object): GameEvent => ({ event, data: data as never });

it("tells an event by its name and its values, those of lists as well", () => {
  const told = (event: string, data: object) => eventWords(happens(event, data), (seat) => ["You", "Bob"][seat]!);
  expect(told("card-played", { seatIndex: 1, card: "8D", suit: "spades", version: 7 })).toBe(
    "Bob: card played 8♦ spades",
  );
  expect(told("cards-drawn", { seatIndex: 0, cards: ["9S", "KH"] })).toBe("You: cards drawn 9♠ K♥");
  expect(told("hand-updated", { hand: ["9S"] })).toBeUndefined();
});

it("shows keys and values as words, and leaves texts alone", () => {
  expect(["cardsLeft", "round_over", "TopCard"].map(words)).toEqual(["cards left", "round over", "top card"]);
  expect(["round_over", "notStarted", "hearts", "I like e-mail.", "KH", 7, true, null].map(valueWords)).toEqual([
    "round over",
    "not started",
    "hearts",
    "I like e-mail.",
    "KH",
    "7",
    "yes",
    "?",
  ]);
});

it("puts moves that differ only in their last argument into one group", () => {
  const play = (card: string, suit?: string) => ({
    type: "play",
    payload: suit ? { card, suit } : { card },
    move: suit ? `play ${card} ${suit[0]!.toUpperCase()}` : `play ${card}`,
    said: suit ? `play ${card} naming ${suit}` : `play ${card}`,
  });
  const order = (goAlone: boolean) => ({
    type: "order",
    payload: { goAlone },
    move: goAlone ? "order alone" : "order",
  });
  const legal = [
    play("KD"),
    play("8H", "spades"),
    play("8H", "clubs"),
    play("8C", "clubs"),
    play("5D"),
    order(false),
    order(true),
    { type: "play-again", move: "again" },
  ];
  expect(groupMoves(legal).map(({ label, moves }) => [label, ...moves.map(({ text }) => text)])).toEqual([
    ["play", "KD", "5D"],
    ["play 8H naming", "spades", "clubs"],
    ["", "play 8C naming clubs"],
    ["", "order", "order alone"],
    ["", "again"],
  ]);
});

it("tells events by the messages that a step adds to the log, and equal ones of the past", () => {
  const messages = createMessages();
  const line = (seatIndex: number | null, message: string, time: number): LogLine => ({
    seatIndex,
    player: null,
    message,
    time,
  });
  const draw = happens("card-drawn", { seatIndex: 1, version: 5 });
  const old = [line(1, "played 2S", 1), line(2, "drew a card", 2)];
  messages.begin("ROOM", old);

  const first = [draw, happens("view-updated", { seatIndex: 1 })];
  const log = [old[1]!, line(1, "drew a card", 3)]; // the oldest line is gone
  expect(first.map((event) => messages.of(event, first, "ROOM", log))).toEqual(["drew a card", undefined]);

  const second = [
    happens("trick-begun", { seatIndex: 2 }),
    happens("card-played", { seatIndex: 1, card: "KD" }),
    happens("round-won", { seatIndex: 1, points: 60 }),
    happens("round-over", {}),
  ];
  const added = [line(1, "played KD", 4), line(1, "won the round (+60)", 4), line(null, "dealt anew", 4)];
  expect(second.map((event) => messages.of(event, second, "ROOM", [...log, ...added]))).toEqual([
    undefined, // has no message, though that seat has an older line
    "played KD",
    "won the round (+60)",
    "dealt anew",
  ]);

  const past = [happens("card-drawn", { seatIndex: 1, version: 2 }), happens("card-drawn", { seatIndex: 3 })];
  expect(past.map((event) => messages.of(event, past, "ROOM", [...log, ...added]))).toEqual(["drew a card", undefined]);
});
