// The texts that stand in the sources: those of the page, which are wrapped in a function of src/languages, and those
// of the engine, which the page translates when it shows them. The build and the tests ask for them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parseSync } from "vite";
import type { Registry } from "../src/model";
import type { Row } from "../src/table/captions";
import { WasmWorld } from "../src/table/wasm";

const root = new URL("../..", import.meta.url).pathname;
const source = path.join(root, "web/src");

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

export interface Found {
  keys: Map<string, number>; // the texts, with the line of each
  plurals: Set<string>; // those of them that a number decides the form of
  loose: string[]; // what people would see and nobody can translate
  imports: string[];
  labelled: [label: string, shown: string][]; // by an aria-label, in whose English words the English text stands
}

// A literal, or several that are added.
function literal(node: Node | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type !== "BinaryExpression") return undefined;
  const [left, right] = [literal(node.left as Node), literal(node.right as Node)];
  return left === undefined || right === undefined ? undefined : left + right;
}

// What an expression in braces may show without a function of src/languages.
function unwrapped(node: Node | undefined): string[] {
  const text = literal(node);
  if (text !== undefined) return [text];
  if (node?.type === "JSXExpressionContainer") return unwrapped(node.expression as Node);
  if (node?.type === "ConditionalExpression")
    return [...unwrapped(node.consequent as Node), ...unwrapped(node.alternate as Node)];
  if (node?.operator === "&&") return unwrapped(node.right as Node);
  if (node?.type === "LogicalExpression" || node?.operator === "+")
    return [...unwrapped(node.left as Node), ...unwrapped(node.right as Node)];
  if (node?.type !== "TemplateLiteral") return [];
  const pieces = (node.quasis as Node[]).map((piece) => (piece.value as { cooked: string }).cooked);
  return [...pieces, ...(node.expressions as Node[]).flatMap(unwrapped)];
}

// Attributes that people read or hear: these, and those that a style sheet draws.
const seen = new Set("aria-label title placeholder alt label help caption detail".split(" "));
for (const name of readdirSync(source, { recursive: true, encoding: "utf8" }).filter((one) => one.endsWith(".css")))
  for (const [, drawn] of readFileSync(path.join(source, name), "utf8").matchAll(/\battr\(([\w-]+)/g)) seen.add(drawn!);
const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text.replace(/Oyster|Terrible|People/g, ""));

export function textsOf(name: string, text: string): Found {
  const found: Found = { keys: new Map(), plurals: new Set(), loose: [], imports: [], labelled: [] };
  const line = (node: Node) => text.slice(0, node.start).split("\n").length;
  const loose = (node: Node, what: string) => found.loose.push(`${name}:${line(node)} ${what.trim()}`);

  function call(node: Node): void {
    const callee = (node.callee as Node).name;
    const args = node.arguments as Node[];
    if (callee !== "t" && callee !== "tn" && callee !== "rich") return;
    const key = literal(args[callee === "tn" ? 2 : 0]);
    if (key === undefined) return void loose(node, `${callee} without a literal`);
    found.keys.set(key, line(node));
    if (callee === "tn") found.plurals.add(key);
  }

  // The texts of an attribute or a child in braces; a condition has two.
  function wordsOf(node: Node | undefined): string[] {
    if (node?.type === "JSXExpressionContainer") return wordsOf(node.expression as Node);
    if (node?.type === "ConditionalExpression")
      return [...wordsOf(node.consequent as Node), ...wordsOf(node.alternate as Node)];
    if (node?.type !== "CallExpression" || (node.callee as Node).name !== "t") return [];
    return [literal((node.arguments as Node[])[0]) ?? ""];
  }

  function element(node: Node): void {
    const attributes = (node.openingElement as Node).attributes as Node[];
    const label = attributes.find((one) => (one.name as Node | undefined)?.name === "aria-label");
    const shown = (node.children as Node[]).flatMap(wordsOf);
    for (const words of wordsOf(label?.value as Node | undefined))
      found.labelled.push(...shown.filter((one) => words.includes(one)).map((one): [string, string] => [words, one]));
  }

  function visit(node: Node, parent?: Node): void {
    if (node.type === "JSXElement") element(node);
    if (node.type === "ImportDeclaration" && (node.importKind ?? "value") === "value")
      found.imports.push((node.source as Node).value as string);
    if (node.type === "CallExpression") call(node);
    if (node.type === "JSXText" && hasWords(node.value as string) && !unspoken(parent))
      loose(node, node.value as string);
    if (node.type === "JSXExpressionContainer" && parent?.type === "JSXElement" && !unspoken(parent))
      for (const value of unwrapped(node).filter(hasWords)) loose(node, `{"${value}"}`);
    if (node.type === "JSXAttribute") {
      const attribute = String((node.name as Node).name);
      for (const value of unwrapped(node.value as Node).filter(hasWords))
        if (seen.has(attribute)) loose(node, `${attribute}="${value}"`);
    }
    if (node.type === "Property" && (node.key as Node).name === "error") {
      const key = literal(node.value as Node);
      if (key) found.keys.set(key, line(node));
    }
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (child && typeof (child as Node).type === "string") visit(child as Node, node);
  }
  visit(parseSync(name, text).program as unknown as Node);
  return found;
}

// Keys of a keyboard, code, and what is drawn in a picture; the name of a game on the back of its cards.
const unspoken = (parent: Node | undefined): boolean =>
  /^(kbd|code|text)$/.test(String(((parent?.openingElement as Node | undefined)?.name as Node | undefined)?.name));

export async function sourceFiles(): Promise<string[]> {
  const names = await readdir(source, { recursive: true });
  return names.filter((name) => /\.tsx?$/.test(name) && !/\.(test|d)\.ts$/.test(name)).sort();
}

export const read = async (name: string): Promise<Found> =>
  textsOf(name, await readFile(path.join(source, name), "utf8"));

// What every module says that is loaded before the first screen is drawn.
let first: Promise<Set<string>> | undefined;
export const firstTexts = (): Promise<Set<string>> => (first ??= readFirst());

async function readFirst(): Promise<Set<string>> {
  const all = new Set(await sourceFiles());
  const keys = new Set((await registry()).games.map(({ description }) => description));
  const seen = new Set(["main.tsx"]);
  for (const name of seen) {
    const { keys: own, imports } = await read(name);
    for (const key of own.keys()) keys.add(key);
    for (const target of imports.filter((one) => one.startsWith("."))) {
      const base = path.join(path.dirname(name), target);
      const next = [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`].find((one) => all.has(one));
      if (next) seen.add(next);
    }
  }
  return keys;
}

export const registry = async (): Promise<Registry> =>
  (await WasmWorld.instantiate(await readFile(path.join(root, "build/table.wasm")))).registry();

// ---- What the engine says ----

const strings = (code: string): string[] =>
  [...code.matchAll(/(?:"(?:[^"\\]|\\.)*"\s*)+/g)].map(([found]) => literals(found).join(""));

const literals = (code: string): string[] =>
  [...code.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => JSON.parse(`"${part}"`) as string);

// A format of C as a template: its numbers and words are numbered places.
export function template(format: string): string {
  let place = 0;
  return format.replace(/%[ds]/g, () => `{${place++}}`).replaceAll("%%", "%");
}

// A game that has no table of its own on the page speaks English there, until somebody makes it one.
const hasTable = (folder: string): boolean => existsSync(path.join(source, "games", folder.replaceAll("_", "-")));

// What somebody who plays can be refused with. Damaged files and logs, and programs that talk to the server, are
// refused in English.
const folders = ["engine", "games", "world", "server/api", "server/rooms"];
const unseen = /_test|test_support|position_|record|json|export|places|hosting|host|pusher|log\.c/;

const forPrograms = new RegExp(
  [
    "\\b(The deal (ends|does)|of the deal|left in the deck|position|entry|log|JSON|body|roomCode|gameId|seeds)\\b",
    "\\b(follows|channel|folder|path|bytes|UTF-8|erase|control characters|another site|code and a game)\\b",
    "^Expected|^Cannot read|^Say .*true|endpoint|subscription|is no file|such (page|move)|of that value|books in this",
    "one word|action should",
  ].join("|"),
);

// Every string in a call of refuse but its code, and what options refuse bad values with. A sentence begins with a
// capital; what does not is a word that a format is filled with.
export async function refusals(): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of folders)
    for (const name of await readdir(path.join(root, folder), { recursive: true })) {
      if (!name.endsWith(".c") || unseen.test(name)) continue;
      if (folder === "games" && name.includes("/") && !hasTable(path.dirname(name))) continue;
      const code = (await readFile(path.join(root, folder, name), "utf8")).replace(/\/\*[\s\S]*?\*\//g, "");
      const calls = [
        ...code.matchAll(/\brefuse(?:_word)?\(([^;]*);/g),
        ...code.matchAll(/\.refusal =([^;{}]*?),\s*[.}]/g),
      ];
      for (const [, call] of calls)
        for (const text of strings(call!).map(template))
          if (/^([A-Z]|\{0\}).* /.test(text) && !forPrograms.test(text)) found.add(text);
    }
  return [...found];
}

// What the functions say that ask in a terminal where the prompt of a move does not say it all, piece by piece.
export async function countingPrompts(): Promise<string[]> {
  const folder = path.join(root, "games");
  const all = await readdir(folder, { recursive: true });
  const names = all.filter((name) => name.endsWith(".c") && hasTable(path.dirname(name)));
  const code = (await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")))).join("\n");
  const functions = [...code.matchAll(/\.prompt = FOR_TERMINAL\((\w+)\)/g)].map(([, name]) => name);
  const bodies = functions.map((name) => new RegExp(`^(?:static )?void ${name}\\(.*?^}`, "ms").exec(code)![0]);
  return bodies.flatMap(strings);
}

// What people read of the events of each game, which stands in a file beside its rules: engine/caption.h. The registry
// and registry.def have the games in the same order.
export async function captions(): Promise<Record<string, Row[]>> {
  const def = await readFile(path.join(root, "games/registry.def"), "utf8");
  const folders = [...def.matchAll(/^GAME\((\w+)\)/gm)].map(([, folder]) => path.join(root, "games", folder!));
  const { games } = await registry();
  const rows = await Promise.all(folders.map((folder) => rowsOf(path.join(folder, "captions.def"))));
  return Object.fromEntries(games.map(({ id }, i) => [id, rows[i]!]));
}

async function rowsOf(file: string): Promise<Row[]> {
  if (!existsSync(file)) return [];
  const rows = (await readFile(file, "utf8")).matchAll(/^(CAPTION|TOLD|REMEMBER)\((.*?)\)$/gms);
  return [...rows].map(([, macro, inner]): Row => {
    const [event = "", ...rest] = literals(inner!);
    if (macro === "REMEMBER") return { event, name: rest[0]!, path: rest[1]! };
    if (macro === "TOLD") rest.splice(0, 1, "", rest[0]!, rest[1]!);
    const [by = "", when = "", you = "", others = "", values = ""] = rest;
    return { event, by, when, you, others, values };
  });
}

// What Hand & Foot says, which is put together from pieces: its log, the state of a book, what is missing to go out.
const handAndFoot = [
  "draw",
  "Round {0} begins",
  "drew {0} card",
  "drew {0} cards",
  "took {0} from the pile",
  "took {0} cards from the pile",
  "The discard pile was shuffled into the deck",
  "melded {0}",
  "added {0} to book {1} ({2})",
  "completed a {0} of {1}",
  "completed an {0} of {1}",
  "completed a {0}",
  "closed a {0} of {1}",
  "closed an {0} of {1}",
  "closed a {0}",
  "opened the closed book again",
  "took back {0} card",
  "took back {0} cards",
  "picked up foot",
  "discarded {0}",
  "discarded {0}; the pile is frozen",
  "laid {0}",
  "⚠️ WARNING: Only 3s in discard with low deck. Round will end if continues.",
  "Emergency round end: {0}",
  "went out",
  "went out immediately after picking up foot!",
  "The game is over: a tie on points",
  "The game is over",
  "agreed",
  "said no",
  "finished melding",
  "chose pile {0}",
  "asked to go out",
  "Clean Book",
  "Dirty Book",
  "Natural Book",
  "Unnatural Book",
  "Wild Book",
  "Incomplete Meld",
  "Insufficient cards in deck",
  "3s stalemate detected",
  "there were not enough cards",
  "Need {0} Book: {1}+ cards with NO wilds",
  "Need {0} {1} Books (have {2}): {3}+ cards with NO wilds",
  "Need {0} Book: {1}+ cards WITH wilds",
  "Need {0} {1} Books (have {2}): {3}+ cards WITH wilds",
  "Must pick up and empty foot first",
];

const spoken = (word: string): string => word.replaceAll("-", " ");

// The house rules, presets, levels and so on.
async function registered(): Promise<string[]> {
  const { games: all, world } = await registry();
  const folders = await readFile(path.join(root, "games/registry.def"), "utf8"); // in the same order
  const tables = [...folders.matchAll(/^GAME\((\w+)\)/gm)].map(([, folder]) => hasTable(folder!));
  const games = all.filter((_, i) => tables[i]);
  const options = [...games.flatMap((game) => game.options), ...world.options];
  return [
    ...games.flatMap(({ description, presets, prompts, figures }) => [
      description,
      ...prompts.map(({ text }) => text),
      ...presets.flatMap(({ label, help }) => [label, help]),
      ...figures,
    ]),
    ...options.flatMap(({ group, label, help, values = [] }) => [
      ...(group ? [group] : []),
      label,
      help,
      ...values.filter((value) => typeof value === "string").map(spoken),
    ]),
    ...[...Object.keys(world.speeds), ...world.levels, ...world.emotes].map(spoken),
    "yes",
    "no",
    "card", // of "This prompt needs 1 card"
  ];
}

const told = async (): Promise<string[]> =>
  Object.values(await captions())
    .flat()
    .flatMap((row) => ("you" in row ? [row.you, row.others] : []))
    .filter((text) => text !== "");

export const engineTexts = async (): Promise<Set<string>> =>
  new Set([...(await registered()), ...handAndFoot, ...(await told()), ...(await refusals())]);
