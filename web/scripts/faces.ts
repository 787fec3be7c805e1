// The classic card faces: Adrian Kennard's public domain drawings out of @letele/playing-cards, whose
// React components are run here with a createElement that writes markup. Paper and shadow are the
// page's; a file holds what is printed on the card. `four/` has diamonds in blue and clubs in green.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { optimize, type Config } from "svgo";

type Props = Record<string, string | number | null | undefined>;
type Component = (props: Props) => string;

const RANK_BOX = "-500 -500 1000 1000";
const SUIT_BOX = "-600 -600 1200 1200";
const dropped = new Set(["className", "height", "width", "preserveAspectRatio", "xmlnsXlink", "aria-labelledby"]);
const kept = new Set(["viewBox", "preserveAspectRatio", "patternUnits"]);
const inks: Record<string, string> = { red: "#c8102e", "#000": "#16161a", "#44F": "#27408f", "#FC4": "#f2b632" };
const fourColours: Record<string, string> = { D: "#0b5ed7", C: "#12753a" };

function attribute(tag: string, name: string, value: Props[string]): string {
  if (value === null || value === undefined || (tag === "svg" && dropped.has(name))) return "";
  const plain =
    name === "xlinkHref"
      ? "href"
      : kept.has(name)
        ? name
        : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return ` ${plain}="${inks[value] ?? value}"`;
}

// The white sheet with its outline is the only rectangle of that size.
const isSheet = (tag: string, props: Props | null) => tag === "rect" && props?.width === 239;

// Corners are printed larger than they were drawn, to be read from a hand.
const corners: Record<string, Props> = {
  "32": { width: 44, height: 44, x: -119, y: -163 },
  "26.769": { width: 32, height: 32, x: -113, y: -117 },
};

function createElement(tag: string, given: Props | null, ...children: (string | null)[]): string {
  if (isSheet(tag, given)) return "";
  const corner = tag === "use" ? corners[String(given?.width)] : undefined;
  const attributes = Object.entries({ ...given, ...corner }).map(([name, value]) => attribute(tag, name, value));
  return `<${tag}${attributes.join("")}>${children.join("")}</${tag}>`;
}

// Ranks and pips in another ink; a court's clothes keep theirs.
function recolour(svg: string, ink: string): string {
  return svg.replace(/<symbol[^>]*viewBox="([^"]*)"[^>]*>.*?<\/symbol>/g, (symbol, box: string) => {
    if (box === RANK_BOX) return symbol.replace(/stroke="#[^"]*"/g, `stroke="${ink}"`);
    return box === SUIT_BOX ? symbol.replace(/ fill="[^"]*"/g, "").replace(/<path/g, `<path fill="${ink}"`) : symbol;
  });
}

// Paths are drawn in boxes of a thousand units and more: whole numbers will do for them.
const shrink: Config = {
  multipass: true,
  plugins: [
    {
      name: "preset-default",
      params: {
        overrides: {
          convertPathData: { floatPrecision: 0 },
          cleanupNumericValues: { floatPrecision: 1 },
          convertTransform: { floatPrecision: 3 },
        },
      },
    },
  ],
};
// An ace has one large pip. The ace of spades carries its maker's address in the package: it is drawn
// as the ace of clubs with spades in place of them.
const enlarge = (ace: string): string =>
  ace.replace(
    /(width|height)="70" (height|width)="70" x="[-\d.]+" y="[-\d.]+"/,
    'width="130" height="130" x="-65" y="-65"',
  );
const suitPath = (svg: string): string =>
  new RegExp(`viewBox="${SUIT_BOX}"[^>]*><path[^>]* d="([^"]*)"`).exec(svg)![1]!;

function draw(deck: Record<string, Component>, name: string): string {
  if (name === "SA") return draw(deck, "CA").replace(suitPath(deck.CA!({})), suitPath(deck.S2!({})));
  const svg = deck[name]!({});
  return name.endsWith("A") ? enlarge(svg) : svg;
}

const pack = (svg: string): string => optimize(svg, shrink).data;

// From `QH.svg` and `four/QD.svg` to what is in them.
export async function faces(): Promise<Map<string, string>> {
  const source = await readFile(
    createRequire(import.meta.url).resolve("@letele/playing-cards/dist/index.esm.js"),
    "utf8",
  );
  const body = source
    .replace(/^import .*$/gm, "")
    .replace(/^export \{(.*)\};?$/m, (_, names: string) => `return {${names.replace(/(\w+) as (\w+)/g, "$2: $1")}};`);
  const components = new Function("React", "_extends", body)({ createElement }, Object.assign) as Record<
    string,
    Component
  >;
  const deck = Object.fromEntries(
    Object.entries(components).map(([name, component]) => [name.toUpperCase(), component]),
  );
  const files = new Map<string, string>();
  for (const name of Object.keys(deck)) {
    const suit = name[0]!;
    if (!"SHDC".includes(suit)) continue;
    const card = name.slice(1) + suit;
    const svg = draw(deck, name);
    files.set(`${card}.svg`, pack(svg));
    const ink = fourColours[suit];
    if (ink) files.set(`four/${card}.svg`, pack(recolour(svg, ink)));
  }
  return files;
}
