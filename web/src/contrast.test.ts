// Every theme, game and cloth is read from the style sheet, and what is written on what is computed (WCAG 2.2, AA).
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const sheet = readFileSync(new URL("./app.css", import.meta.url), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
type Palette = Record<string, string>;

// The custom properties of the rules whose list of selectors has this one.
const declared = (selector: string): Palette => {
  const found: Palette = {};
  for (const [, selectors, body] of sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g))
    if (selectors!.split(/,(?![^(]*\))/).some((one) => one.trim() === selector))
      for (const [, name, value] of body!.matchAll(/--([\w-]+):\s*([^;]+);/g)) found[name!] = value!.trim();
  return found;
};

type Colour = [number, number, number];
function colour(text: string): Colour {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text)?.[1];
  if (!hex) return text.split(" ").map(Number) as Colour;
  const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : hex.match(/../g)!;
  return digits.map((pair) => Number.parseInt(pair, 16)) as Colour;
}
const light = (parts: Colour): number => {
  const [red, green, blue] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};
const ratio = (one: Colour, other: Colour): number => {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
};
const mixed = (under: Colour, over: Colour, share: number): Colour =>
  under.map((part, i) => part + (over[i]! - part) * share) as Colour;

const games = ["whos-deal", "hand-and-foot", "up-n-down", "4-kate", "terrible-people"];
const inGame = (game: string) => `[data-game="${game}"]`;
const onTable = (game: string) => `${inGame(game)} :is(.stage, .result)`;
const dark = declared(":root");
const day = { ...dark, ...declared('[data-theme="light"]') };
const stark = { ...dark, ...declared('[data-theme="contrast"]') };
const tables = games.map((game): [string, Palette] => [
  `the table of ${game}`,
  { ...day, ...declared('[data-theme="light"] :is(.stage, .result)'), ...declared(onTable(game)) },
]);
const palettes: [string, Palette][] = [
  ["dark", dark],
  ["light", day],
  ["contrast", stark],
  ...games.map((game): [string, Palette] => [`dark, ${game}`, { ...dark, ...declared(inGame(game)) }]),
  ...games.map((game): [string, Palette] => [
    `light, ${game}`,
    { ...day, ...declared(inGame(game)), ...declared(`[data-theme="light"] ${inGame(game)}`) },
  ]),
  ...tables,
];
const cloths = [...sheet.matchAll(/\[data-cloth="(\w+)"\] \{/g)].map(([, name]) => name!);
const grounds = ["ground", "ground-2", "surface", "surface-2"];
const words = (palette: Palette): [string, Colour][] => [
  ["accent", colour(palette["accent-text"] ?? palette.accent!)],
  ...["good", "bad", "team-a", "team-b"].map((name): [string, Colour] => [name, colour(palette[name]!)]),
];
const DEEPEST = 0.35; // of all wells

describe.each(palettes)("%s", (_name, palette) => {
  const of = (name: string) => colour(palette[name]!);
  it("texts can be read on every ground, and in what lies deeper", () => {
    for (const ink of ["ink", "ink-2"])
      for (const ground of grounds) {
        expect(ratio(of(ink), of(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        const deep = mixed(of(ground), of("well"), DEEPEST * Number(palette["well-share"]));
        expect(ratio(of(ink), deep), `${ink} in a well on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    expect(ratio(of("accent-ink"), of("accent"))).toBeGreaterThanOrEqual(4.5);
  });
  it("coloured words can be read on every ground, and in what lies deeper", () => {
    for (const [name, word] of words(palette))
      for (const ground of grounds) {
        expect(ratio(word, of(ground)), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        const deep = mixed(of(ground), of("well"), DEEPEST * Number(palette["well-share"]));
        expect(ratio(word, deep), `${name} in a well on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
  });
});

it("a light theme leaves tables as they are", () => {
  for (const game of games) expect(declared(onTable(game)), game).toEqual(declared(inGame(game)));
});

describe.each(cloths)("the cloth %s", (name) => {
  const cloth = declared(`[data-cloth="${name}"]`);
  it.each(tables)("can be read at %s", (_table, palette) => {
    for (const ink of ["ink", "ink-2"])
      for (const felt of ["felt-2", "felt-3"])
        expect(ratio(colour(palette[ink]!), colour(cloth[felt]!)), `${ink} on ${felt}`).toBeGreaterThanOrEqual(4.5);
    expect(ratio(colour(palette.ink!), colour(cloth["felt-1"]!))).toBeGreaterThanOrEqual(4.5);
    for (const [name, word] of words(palette))
      for (const felt of ["felt-2", "felt-3"])
        expect(ratio(word, colour(cloth[felt]!)), `${name} on ${felt}`).toBeGreaterThanOrEqual(4.5);
  });
});

it("there are cloths to choose from", () => expect(cloths).toEqual(["moss", "lagoon", "wine", "slate"]));

it("suits can be read on cards, in every deck", () => {
  const cards = readFileSync(new URL("./ui/cards.css", import.meta.url), "utf8");
  const inks = [...cards.matchAll(/\.suit-\w[^{}]*\{[^{}]*?\bcolor: (#\w+|var\(--red\));/g)].map(([, ink]) => ink!);
  expect(inks.length).toBeGreaterThanOrEqual(8);
  for (const ink of inks)
    expect(ratio(colour(ink.startsWith("#") ? ink : dark.red!), colour(dark.card!)), ink).toBeGreaterThanOrEqual(4.5);
});
