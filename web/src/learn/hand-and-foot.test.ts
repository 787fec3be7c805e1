import { expect, test } from "vitest";
import type { HandAndFootView } from "../games/hand-and-foot/view";
import lesson, { adviseMove } from "./hand-and-foot";
import { learn, seeds } from "./learner";

test.each(seeds.slice(0, 8))("a learner who does as advised meets every idea and goes out (%s)", async (seed) => {
  const { met, world } = await learn(lesson, seed, ({ view }) => {
    const seen = view as HandAndFootView;
    const advised = adviseMove(seen, seen.teams[0]!)!;
    expect(seen.legal.map(({ move }) => move)).toContain(advised);
    return advised;
  });
  expect((world.view as HandAndFootView).wentOut).toBe(0);
  expect(met).toEqual(expect.arrayContaining([...lesson.ideas]));
});

test("a lesson tells the numbers of its table", async () => {
  const texts: string[] = [];
  const entries = lesson.entries.map((entry) => entry.replace("rounds=1", "rounds=1 cleanBonus=700"));
  await learn({ ...lesson, entries }, seeds[0]!, ({ view }, idea) => {
    texts.push(idea.text);
    const seen = view as HandAndFootView;
    return adviseMove(seen, seen.teams[0]!)!;
  });
  expect(texts.join(" ")).toContain("brings 700 points");
});

test.each([0, -1])("a learner who always takes legal move %d comes to an end as well", async (which) => {
  await learn(lesson, seeds[0]!, ({ view }) => view!.legal.at(which)!.move);
});
