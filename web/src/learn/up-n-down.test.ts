import { expect, test } from "vitest";
import type { UpNDownView } from "../games/up-n-down/view";
import { learn, seeds } from "./learner";
import lesson from "./up-n-down";

// What the lit selector points at, as a move.
function advisedMove(light: string | undefined): string | undefined {
  if (light === ".end") return "end";
  const card = /data-card="(\d+)"/.exec(light ?? "")?.[1];
  const pile = /data-pile="(\d)"/.exec(light ?? "")?.[1];
  return card && pile ? `play ${card} ${pile}` : undefined;
}

test.each(seeds)("a learner who does as advised meets every idea and wins (%s)", async (seed) => {
  const { met, world } = await learn(lesson, seed, ({ view }, idea) => {
    const advised = advisedMove(idea.light);
    expect(view!.legal.map(({ move }) => move)).toContain(advised);
    return advised!;
  });
  expect((world.view as UpNDownView).gamePhase).toBe("won");
  expect(met).toEqual(expect.arrayContaining([...lesson.ideas]));
});

test.each([0, -1])("a learner who always takes legal move %d comes to an end as well", async (which) => {
  await learn(lesson, seeds[0]!, ({ view }) => view!.legal.at(which)!.move);
});
