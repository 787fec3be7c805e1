import { describe as group, expect, test } from "vitest";
import { sentenceOf, tellings } from "../../table/captions";
import type { Table } from "../../table/table";
import { cheers } from "./describe";
import { follow, nothingYet } from "./history";
import { cardTitle, sideOf, type EuchreEvent, type Round } from "./view";

test("bowers are called by name", () => {
  const bowers = { right: "JS", left: "JC" };
  expect(cardTitle("JC", bowers)).toBe("jack of clubs, left bower");
  expect(cardTitle("JS", bowers)).toBe("jack of spades, right bower");
  expect(cardTitle("JS", null)).toBe("jack of spades");
});

group("the seats", () => {
  test("WD-89 go around clockwise from the own place", () => {
    expect([0, 1, 2, 3].map((seat) => sideOf(seat, 2))).toEqual(["top", "right", "bottom", "left"]);
  });
});

group("the scores of a game", () => {
  const over = {
    event: "round-over",
    data: { scores: { a: 1, b: 2 }, pointsAwarded: { a: 1, b: 0 } },
  } as EuchreEvent;
  test("begin where the game begins", () => {
    const begun = follow(nothingYet, {
      event: "game-started",
      data: { teams: { a: { score: 4 }, b: { score: 9 } } },
    } as EuchreEvent);
    expect(follow(begun, over).scores).toEqual([
      { a: 4, b: 9 },
      { a: 1, b: 2 },
    ]);
  });
  test("begin with what is known when somebody comes later", () => {
    expect(follow(nothingYet, over)).toMatchObject({
      scores: [
        { a: 0, b: 2 },
        { a: 1, b: 2 },
      ],
    });
  });
});

group("the log", () => {
  const at = (roomCode: string, view: object | null = null) =>
    ({
      world: { gameId: "whos-deal", roomCode, teamNames: {}, seats: [], view },
      mySeat: () => 0,
      name: (seat: number) => (seat === 0 ? "You" : `Seat ${seat}`),
    }) as unknown as Table;
  const told = (table: Table, event: string, data: Record<string, unknown>) =>
    sentenceOf(tellings({ event, data }, table, [])![0]!, table);
  const order = { seatIndex: 0, action: "order-up", suit: "hearts", goAlone: false };
  test("says that a dealer picks the card up, and that others order it up", () => {
    const table = at("DEALER");
    expect(told(table, "game-started", { dealer: 0, faceUpCard: { id: "9H" } })).toBe(
      "You deal. The 9 of hearts is turned up",
    );
    expect(told(table, "trump-action", order)).toBe("You pick it up: hearts are trump");
    expect(told(table, "dealer-discarded", { seatIndex: 0 })).toBe("You discard a card");
    told(table, "new-round", { dealerSeatIndex: 1, faceUpCard: { id: "9H" } });
    expect(told(table, "trump-action", { ...order, goAlone: true })).toBe("You order up hearts and go alone");
    expect(told(table, "trump-action", { ...order, seatIndex: 1, goAlone: true })).toBe(
      "Seat 1 picks it up and goes alone: hearts are trump",
    );
    expect(told(at("OTHERS"), "trump-action", order)).toBe("You order up hearts");
    expect(told(at("LATER", { dealerSeatIndex: 0 }), "trump-action", order)).toBe("You pick it up: hearts are trump");
  });
});

group("a cheer", () => {
  const over = (outcome: Round["outcome"]) =>
    cheers({ event: "round-over" } as EuchreEvent, { world: { view: { round: { outcome } } } } as unknown as Table)
      ?.text;
  test("is for all five tricks and for a euchre", () => {
    expect(over("march")).toBe("March!");
    expect(over("sweep")).toBe("A lone sweep!");
    expect(over("euchre")).toBe("Euchre!");
    expect(over("made")).toBeUndefined();
    expect(over(null)).toBeUndefined();
  });
});
