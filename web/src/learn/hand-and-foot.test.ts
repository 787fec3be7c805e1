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

test.each([0, -1])("a learner who always takes legal move %d comes to an end as well", async (which) => {
  await learn(lesson, seeds[0]!, ({ view }) => view!.legal.at(which)!.move);
});
