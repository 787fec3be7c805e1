import { describe as group, expect, test } from "vitest";
import { cheers } from "./describe";
import { follow, nothingYet } from "./history";
import { cardTitle, outcomeOf, sideOf, sitsOut, sortHand, suitIn, type Round } from "./view";

group("the hand", () => {
  test("lies in suits of alternating colour", () => {
    expect(sortHand(["9S", "KH", "AC", "10H", "JS"], null)).toEqual(["JS", "9S", "KH", "10H", "AC"]);
  });
  test("begins with trump and its bowers", () => {
    expect(sortHand(["AH", "9C", "JD", "JH", "AD"], "hearts")).toEqual(["JH", "JD", "AH", "9C", "AD"]);
  });
  test("has nothing to sort when it is empty", () => {
    expect(sortHand([], "clubs")).toEqual([]);
  });
  test("knows the left bower as a trump", () => {
    expect(suitIn("JC", "spades")).toBe("spades");
    expect(suitIn("JC", "hearts")).toBe("clubs");
    expect(cardTitle("JC", "spades")).toBe("jack of clubs, left bower");
    expect(cardTitle("JS", "spades")).toBe("jack of spades, right bower");
  });
});

group("the seats", () => {
  test("WD-89 go around clockwise from the own place", () => {
    expect([0, 1, 2, 3].map((seat) => sideOf(seat, 2))).toEqual(["top", "right", "bottom", "left"]);
  });
  test("are left by partners of lone players", () => {
    const round = { inactivePartnerSeatIndex: 2, aloneDefenderSeatIndex: 1 } as Round;
    expect([0, 1, 2, 3].filter((seat) => sitsOut(round, seat))).toEqual([2, 3]);
  });
});

test("a hand's outcome has a name", () => {
  expect(outcomeOf(5, 0)).toBe("march");
  expect(outcomeOf(3, 2)).toBe("made");
  expect(outcomeOf(2, 3)).toBe("euchre");
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
      points: { a: 1, b: 0 },
    });
  });
});

group("a cheer", () => {
  const over = (callingTeam: string, a: number, b: number) =>
    cheers({ event: "round-over", data: { callingTeam, tricksWon: { a, b } } })?.text;
  test("is for a march and for a euchre", () => {
    expect(over("a", 5, 0)).toBe("March!");
    expect(over("b", 3, 2)).toBe("Euchre!");
    expect(over("a", 3, 2)).toBeUndefined();
  });
});
