// The same hands as in speech.test.ts, heard in German: web/golden/spoken-GAME.de.txt. Moves are typed as the record
// writes them.
import { expect, test, vi } from "vitest";
import texts from "../languages/de.json";

vi.mock("./flip", () => ({
  flip: (_root: unknown, update: () => void) => update(),
  finish() {},
  motionIsReduced: () => true,
  paced: (ms: number) => ms,
}));
vi.stubGlobal("document", { hidden: false });
vi.stubGlobal("localStorage", { getItem: () => null });
(await import("../languages")).speak("de", texts);
const { hands, playHand } = await import("./hands");

for (const hand of hands)
  test(`a whole hand of ${hand.game} is heard in German`, async () => {
    const heard = await playHand(hand, (move) => move);
    expect(heard.filter((line) => line.startsWith("refused"))).toEqual([]);
    expect(heard.filter((line) => !line.startsWith("> ")).join("\n")).not.toMatch(
      /[♠♥♦♣]|\b(undefined|null|plays|takes)\b|___/,
    );
    await expect(`${heard.join("\n")}\n`).toMatchFileSnapshot(`../../golden/spoken-${hand.game}.de.txt`);
  });
