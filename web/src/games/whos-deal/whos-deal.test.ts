import { describe as group, expect, test } from "vitest";
import type { Table } from "../../table/table";
import { cheers } from "./describe";
import { follow, nothingYet } from "./history";
import { cardTitle, sideOf, type Round } from "./view";

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
  const over = { event: "round-over", data: { scores: { a: 1, b: 2 }, pointsAwarded: { a: 1, b: 0 } } };
  test("begin where the game begins", () => {
    const begun = follow(nothingYet, { event: "game-started", data: { teams: { a: { score: 4 }, b: { score: 9 } } } });
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

group("a cheer", () => {
  const over = (outcome: Round["outcome"]) =>
    cheers({ event: "round-over", data: {} }, { world: { view: { round: { outcome } } } } as unknown as Table)?.text;
  test("is for all five tricks and for a euchre", () => {
    expect(over("march")).toBe("March!");
    expect(over("sweep")).toBe("A lone sweep!");
    expect(over("euchre")).toBe("Euchre!");
    expect(over("made")).toBeUndefined();
    expect(over(null)).toBeUndefined();
  });
});
