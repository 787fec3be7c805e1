import { describe, expect, test } from "vitest";
import { viewOf, type Round } from "../games/whos-deal/view";
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
  const round = (played: [number, string][]) =>
    ({
      trumpSuit: "hearts",
      currentTrick: played.map(([seatIndex, id]) => ({ seatIndex, playerId: "", card: { id } })),
    }) as unknown as Round;
  test("takes a trick as cheaply as possible", () => {
    expect(
      adviseCard(
        ["JH", "KH", "9C"],
        round([
          [1, "KS"],
          [3, "9S"],
        ]),
        0,
      ).id,
    ).toBe("KH");
  });
  test("leaves a trick to the partner", () => {
    expect(
      adviseCard(
        ["AS", "10S"],
        round([
          [1, "9S"],
          [2, "KS"],
          [3, "QS"],
        ]),
        0,
      ).id,
    ).toBe("10S");
  });
  test("leads the highest", () => {
    expect(adviseCard(["AS", "JD", "KH"], round([]), 0).id).toBe("JD");
  });
});
