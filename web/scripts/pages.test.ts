import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readCatalogue } from "./languages";
import { findPages, readPage, toPage, translationOf } from "./pages";
import { registry } from "./texts";

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
  const page = toPage(text, { labels: new Map([["targetScore", "Points to win"]]) });

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

// Words that stand out: what is called like that on the page, and what begins a point of a list.
const STRESSED = /(?<!\*)\*{1,2}([^\s*](?:[^*]*[^\s*])?)\*{1,2}(?!\*)/g;

// What can be counted in each section of a page. A translation that left out a row, a rule or a number has less of it.
function outline(markdown: string) {
  const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, found]) => found!);
  const shown = markdown.split(/^## (?:Notation|What a view holds|What is shown|Events|Refusals)$/m)[0]!;
  return shown.split(/^(?=##+ )/m).map((part) => {
    const text = part
      .split(/\n\n+/)
      .filter((paragraph) => !paragraph.includes("golden/"))
      .join("\n\n");
    const words = text.replace(/`[^`]*`|\]\([^)]*\)/g, " ");
    const numbers = all(/(?<!\w)(\d+(?:[.,\u00a0\u202f]\d{3})*)/g, words).map((one) => one.replace(/\D/g, ""));
    return {
      depth: /^#+/.exec(text)![0].length,
      items: all(/^\s*([*-]|\d+\.) /gm, text).length,
      rows: all(/^(\|.*)$/gm, text).map((row) => row.replace(/\\\|/g, "").split("|").length),
      cards: all(/\b((?:10|[2-9JQKA])[SHDC])\b/g, words).sort(),
      codes: all(/`([^`]*)`/g, text)
        .filter((code) => !/ /.test(code))
        .sort(),
      links: all(/\]\(([^)]*)\)/g, text).sort(),
      numbers: numbers.sort(),
      stressed: all(STRESSED, words).length,
    };
  });
}

const { games } = await registry();
const translated = (
  await Promise.all(
    [...(await findPages(games))].flatMap(([name, source]) =>
      ["de", "es", "fr"].map(async (code) => ({
        name,
        code,
        english: await readPage(source),
        text: await readPage(translationOf(name, code)).catch(() => ""),
      })),
    ),
  )
).filter(({ text }) => text !== "");

describe("pages in other languages", () => {
  it("are there for the guide and five games", () => {
    expect(translated.length).toBe(3 * 6);
  });
  it.each(translated)("$name in $code says what the English page says", ({ english, text }) => {
    expect(outline(text)).toEqual(outline(english));
  });
  it.each(translated.filter(({ name }) => name === "guide"))(
    "$name in $code calls what stands on the page by its words there",
    async ({ code, english, text }) => {
      const catalogue = await readCatalogue(code);
      const words = (page: string) => [...page.matchAll(STRESSED)].map(([, found]) => found!.replace(/…$/, ""));
      const called = new Set(words(text).map((one) => one.toLowerCase()));
      const labels = words(english).flatMap((one) => catalogue[one] ?? []);
      expect(labels.length).toBeGreaterThan(20);
      expect(labels.filter((label) => !called.has(String(label).toLowerCase()))).toEqual([]);
    },
  );
  it.each(translated)("$name in $code has the same parts, to be led to", ({ english, text }) => {
    const headings = [...english.matchAll(/^##+ (.*)$/gm)].map(([, heading]) => heading!);
    const ids = (page: ReturnType<typeof toPage>) => [
      ...page.sections.map(({ id }) => id),
      ...[...JSON.stringify(page).matchAll(/<h\d id=\\"([^"]*)\\"/g)].map(([, id]) => id),
    ];
    expect(ids(toPage(text, { headings }))).toEqual(ids(toPage(english)));
  });
  it("call a rule, its value and a card by the words of the language", () => {
    const words: Record<string, string> = {
      no: "nein",
      hearts: "Herz",
      jack: "Bube",
      "{rank} of {suit}": "{suit}-{rank}",
    };
    const page = toPage("# Spiel\n\n## Karten\n\nJH und `undo=no`", {
      labels: new Map([["undo", "Rücknahme"]]),
      word: (english) => words[english] ?? english,
      headings: ["Cards"],
    });
    expect(page.sections[0]!.id).toBe("cards");
    expect(page.sections[0]!.title).toBe("Karten");
    expect(page.sections[0]!.html).toContain('aria-label="Herz-Bube"');
    expect(page.sections[0]!.html).toContain("Rücknahme: nein");
  });
});
