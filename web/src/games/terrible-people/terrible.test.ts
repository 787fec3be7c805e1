import { describe, expect, it } from "vitest";
import { climb, fill, standings, toggle } from "./terrible";

const sentence = (prompt: string, ...answers: string[]) =>
  fill(prompt, answers)
    .map((piece) => piece.text || "___")
    .join("");

describe("a prompt", () => {
  it("keeps its blanks until they are filled, in order", () => {
    expect(sentence("I came for ___ and stayed for ___.")).toBe("I came for ___ and stayed for ___.");
    expect(sentence("I came for ___ and stayed for ___.", "soup")).toBe("I came for soup and stayed for ___.");
    expect(sentence("I came for ___ and stayed for ___.", "soup", "the bill")).toBe(
      "I came for soup and stayed for the bill.",
    );
  });
  it("gives an answer that starts a sentence a capital letter", () => {
    expect(sentence("___ kept me awake.", "soup")).toBe("Soup kept me awake.");
    expect(sentence('Stop! "___" is no plan.', "soup")).toBe('Stop! "Soup" is no plan.');
    expect(sentence("Day two: ___.", "soup")).toBe("Day two: soup.");
    expect(sentence("___? ___!", "soup", "more soup")).toBe("Soup? More soup!");
    expect(sentence("___ ___.", "soup", "today")).toBe("Soup today.");
  });
  it("marks what stands in a blank", () => {
    expect(fill("My ___.", ["cat"])).toEqual([
      { blank: false, text: "My " },
      { blank: true, text: "cat" },
      { blank: false, text: "." },
    ]);
  });
});

describe("choosing", () => {
  it("fills blanks in order and takes a card back", () => {
    expect(toggle([], 4, 2)).toEqual([4]);
    expect(toggle([4], 9, 2)).toEqual([4, 9]);
    expect(toggle([4, 9], 4, 2)).toEqual([9]);
  });
  it("replaces the last card when all blanks are full", () => {
    expect(toggle([4], 9, 1)).toEqual([9]);
    expect(toggle([4, 9], 7, 2)).toEqual([4, 7]);
  });
});

describe("standings", () => {
  it("give equal points the same place", () => {
    expect(standings([1, 5, 1, 3]).map(({ seat, place }) => [seat, place])).toEqual([
      [1, 1],
      [3, 2],
      [0, 3],
      [2, 3],
    ]);
  });
});

it("points climb by one with each round won", () => {
  expect(climb([2, 2, 1, 2], 2)).toEqual([0, 1, 2, 2, 3]);
  expect(climb([2, 2, 1, 2], 0)).toEqual([0, 0, 0, 0, 0]);
});
