// The deck for eyes that cannot tell red from green: its letters can be read on paper, and its signs stay apart.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Colour = [number, number, number];
const css = readFileSync(new URL("./cards.css", import.meta.url), "utf8");

function found(pattern: RegExp): Colour {
  const hex = pattern.exec(css)![1]!;
  return [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Colour;
}
const letters = {
  spades: found(/\.suit-s,\s*\.suit-c \{\s*color: #(\w{6})/),
  hearts: found(/"safe-colour"\] \.suit-h \{\s*color: #(\w{6})/),
  diamonds: found(/"safe-colour"\] \.suit-d \{\s*color: #(\w{6})/),
  clubs: found(/"safe-colour"\] \.suit-c \{\s*color: #(\w{6})/),
};
const signs = { ...letters, diamonds: found(/"safe-colour"\] \.face\.suit-d [^{]*\{\s*fill: #(\w{6})/) };
const paper = found(/linear-gradient\(170deg, #fff, var\(--card\) 55%, #(\w{6})\)/); // where it is darkest

const luminance = ([r, g, b]: Colour): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (a: Colour, b: Colour): number => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

test("letters of all suits have AA contrast on paper", () => {
  for (const [suit, colour] of Object.entries(letters))
    expect(contrast(colour, paper), suit).toBeGreaterThanOrEqual(4.5);
});

// Machado, Oliveira and Fernandes (2009), for eyes without red or without green cones.
const kinds: Record<string, Colour[]> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};
const seen = (rows: Colour[], [r, g, b]: Colour) =>
  rows.map(([x, y, z]) => Math.min(1, Math.max(0, x * r + y * g + z * b))) as Colour;

// Differences in L*a*b*; one is the smallest that is seen.
function lab([r, g, b]: Colour): Colour {
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

for (const [kind, rows] of Object.entries(kinds))
  test(`signs of all suits look different with ${kind}`, () => {
    const all = Object.entries(signs).map(([suit, colour]) => ({ suit, at: lab(seen(rows, colour)) }));
    for (const a of all)
      for (const b of all)
        if (a.suit < b.suit)
          expect(Math.hypot(...a.at.map((part, i) => part - b.at[i]!)), `${a.suit}, ${b.suit}`).toBeGreaterThan(30);
  });
