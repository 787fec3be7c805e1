import { describe, expect, test } from "vitest";
import { viewOf, type EuchreView } from "../games/whos-deal/view";
import { learn, seeds, sitDown } from "./learner";
import lesson, { adviseCard } from "./whos-deal";

describe("the first game of Who's Deal?", () => {
  test("begins with the learner's call", async () => {
    const view = viewOf((await sitDown(lesson, seeds[0]!)).view("me"))!;
    expect(view.turn).toEqual([0]);
    expect(view.legal.map(({ move }) => move)).toContain("order");
  });

  test.each(seeds)("shows every idea to a learner who does as advised (%s)", async (seed) => {
    const { met } = await learn(lesson, seed, ({ view }, { light }) => {
      const { legal } = view!;
      return (
        legal.find(({ move }) => light?.includes(`"${move.split(" ")[1]}"`) || light?.includes(`"${move}"`)) ??
        legal.at(-1)!
      ).move;
    });
    expect(met).toEqual(expect.arrayContaining([...lesson.ideas]));
  });

  test.each([0, -1])("comes to an end for a learner who always takes legal move %d", async (which) => {
    await learn(lesson, seeds[0]!, ({ view }) => view!.legal.at(which)!.move);
  });
});

describe("the advised card", () => {
  // A hand as the engine tells of it: cards with their strength, a star for those that would take the trick.
  const view = (winningSeatIndex: number | null, ...cards: [string, number][]) =>
    ({
      teams: { a: { playerIds: ["p0", "p2"] }, b: { playerIds: ["p1", "p3"] } },
      seats: ["p0", "p1", "p2", "p3"],
      round: { winningSeatIndex },
      legal: cards.map(([name, strength]) => ({
        type: "play-card",
        payload: { cardId: name.replace("*", "") },
        preview: { strength, suit: "hearts", takes: name.endsWith("*") },
      })),
    }) as unknown as EuchreView;
  test("takes a trick as cheaply as possible", () => {
    expect(adviseCard(view(1, ["JH*", 24], ["KH*", 21], ["9C", 1]), 0)).toEqual({ id: "KH", why: "takes" });
  });
  test("leaves a trick to the partner", () => {
    expect(adviseCard(view(2, ["AS*", 6], ["10S", 2]), 0)).toEqual({ id: "10S", why: "partner" });
  });
  test("is the lowest where nothing can win", () => {
    expect(adviseCard(view(3, ["AS", 6], ["10S", 2]), 0)).toEqual({ id: "10S", why: "lost" });
  });
  test("leads the highest", () => {
    expect(adviseCard(view(null, ["AS", 6], ["JD", 23], ["KH", 21]), 0)).toEqual({ id: "JD", why: "highest" });
  });
});
