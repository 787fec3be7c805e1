import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { toPage } from "./pages";

describe("a page of rules", () => {
  const text = [
    "# A game",
    "",
    "For two.",
    "",
    "## Cards",
    "",
    "The JH beats 10S. A `targetScore=7` is long.",
    "",
    "See `golden/a.oyster`.",
    "",
    "### Small",
    "",
    "| a | |",
    "|-|-|",
    "| 9C | |",
    "",
    "## Notation",
    "",
    "`play AH`",
    "",
    "## Playing",
    "",
    "late",
  ].join("\n");
  const page = toPage(text, new Map([["targetScore", "Points to win"]]));

  it("has a title, a lead and its sections", () => {
    expect(page.title).toBe("A game");
    expect(page.lead).toContain("For two.");
    expect(page.sections.map(({ id, title }) => [id, title])).toEqual([["cards", "Cards"]]);
  });
  it("shows cards as cards, with their names", () => {
    expect(page.sections[0]!.html).toContain(
      '<span class="mini suit-h" role="img" aria-label="jack of hearts">J♥</span>',
    );
    expect(page.sections[0]!.html).toContain('aria-label="10 of spades"');
    expect(page.sections[0]!.html).toContain('aria-label="9 of clubs"');
  });
  it("calls a house rule by its label", () => {
    expect(page.sections[0]!.html).toContain("Points to win: 7");
  });
  it("leaves out what is for programmers", () => {
    const all = JSON.stringify(page);
    expect(all).not.toContain("golden");
    expect(all).not.toContain("play AH");
    expect(all).not.toContain("late");
  });
});

describe("the rules in the repository", () => {
  const folders = ["four_kate", "hand_and_foot", "terrible_people", "up_n_down", "whos_deal"];
  it.each(folders)("%s end before the notation and name no code", async (folder) => {
    const page = toPage(await readFile(new URL(`../../games/${folder}/RULES.md`, import.meta.url), "utf8"));
    expect(page.sections.length).toBeGreaterThan(3);
    expect(page.sections.map((section) => section.title).join()).not.toMatch(/Notation|Events|Refusals|view|shown/);
    expect(JSON.stringify(page)).not.toContain("golden/");
    expect(JSON.stringify(page)).not.toMatch(/seats? (\d|\()/i); // people sit at places, not at numbers
  });
});
