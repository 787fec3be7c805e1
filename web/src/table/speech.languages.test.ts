// The same hands as in speech.test.ts in other languages, every move typed with the cards as `/help` says them. What is
// heard in German stands in web/golden/spoken-GAME.de.txt, word for word.
import { beforeEach, describe, expect, test, vi } from "vitest";
import { readCatalogue } from "../../scripts/languages";

vi.mock("./flip", () => ({
  flip: (_root: unknown, update: () => void) => update(),
  finish() {},
  motionIsReduced: () => true,
  paced: (ms: number) => ms,
}));
vi.stubGlobal("document", { hidden: false });
vi.stubGlobal("localStorage", { getItem: () => null });

const games = ["whos-deal", "4-kate", "up-n-down", "terrible-people", "hand-and-foot"];

describe.each(["de", "es", "fr"])("%s", (language) => {
  beforeEach(async () => {
    vi.resetModules();
    (await import("../languages")).speak(language, await readCatalogue(language));
  });

  test.each(games)("a whole hand of %s is heard, and typed in this language", async (game) => {
    const { hands, playHand } = await import("./hands");
    const heard = await playHand(hands.find((hand) => hand.game === game)!);
    expect(heard.filter((line) => line.startsWith("refused"))).toEqual([]);
    const told = heard.filter((line) => !line.startsWith("> ")).join("\n");
    expect(told).not.toMatch(/[♠♥♦♣]|\b(undefined|null|plays|takes)\b|___/);
    if (language === "de")
      await expect(`${heard.join("\n")}\n`).toMatchFileSnapshot(`../../golden/spoken-${game}.de.txt`);
  });
});
