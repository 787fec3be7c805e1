import { describe, expect, it } from "vitest";
import { speak } from "../../languages";
import { climb, fill, filledWords, standings, toggle } from "./terrible";

const sentence = (text: string, capitals: boolean[], ...answers: string[]) =>
  fill({ prompt: { id: 1, text, blanks: capitals.length }, capitals }, answers)
    .map((piece) => piece.text || "___")
    .join("");

describe("a prompt", () => {
  it("keeps its blanks until they are filled, in order", () => {
    const text = "I came for ___ and stayed for ___.";
    expect(sentence(text, [false, false])).toBe(text);
    expect(sentence(text, [false, false], "soup")).toBe("I came for soup and stayed for ___.");
    expect(sentence(text, [false, false], "soup", "the bill")).toBe("I came for soup and stayed for the bill.");
  });
  it("gives an answer a capital letter where the engine says so", () => {
    expect(sentence("___? ___ ___.", [true, true, false], "soup", "more soup", "today")).toBe("Soup? More soup today.");
  });
  it("is said with the word for a blank of the language", () => {
    const prompt = { id: 1, text: "I came for ___ and stayed for ___.", blanks: 2 };
    const said = () => filledWords({ prompt, capitals: [false, false] }, ["soup"]);
    expect(said()).toBe("I came for soup and stayed for blank.");
    speak("de", { blank: "Lücke" });
    expect(said()).toBe("I came for soup and stayed for Lücke.");
    speak("en", {});
  });
  it("marks what stands in a blank", () => {
    expect(fill({ prompt: { id: 1, text: "My ___.", blanks: 1 }, capitals: [false] }, ["cat"])).toEqual([
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
  it("are in the order of the places that the engine gives", () => {
    const result = { winners: [1], scores: [1, 5, 1, 3], places: [3, 1, 3, 2] };
    expect(standings(result).map(({ seat, place }) => [seat, place])).toEqual([
      [1, 1],
      [3, 2],
      [0, 3],
      [2, 3],
    ]);
  });
});

it("points climb by one with each round won", () => {
  expect(climb({ roundWinners: [2, 2, 1, 2], roundPoints: 1 }, 2)).toEqual([0, 1, 2, 2, 3]);
  expect(climb({ roundWinners: [2, 2, 1, 2], roundPoints: 1 }, 0)).toEqual([0, 0, 0, 0, 0]);
});
