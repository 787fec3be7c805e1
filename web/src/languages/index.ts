// The page's texts in a person's language. The English text is the key; every other language is one file beside this
// one, and a text that it does not have stays English. docs/TRANSLATING.md says how to write one.
//
// The language is settled while this module is loaded, before any module that uses it, so that tables of texts may
// stand outside of functions. To speak another one, the page is loaded anew.
import { languages } from "virtual:languages";
import type { JSX } from "solid-js";

// A text with a number in it has a form for each category of plural that the language has.
export type Entry = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Record<string, Entry>;
export type Values = Record<string, string | number | null | undefined>;

const KEY = "oyster-language";
export const codes: readonly string[] = ["en", ...Object.keys(languages).sort()];

// What a person chose on this device; empty: what the browser prefers.
export const chosenLanguage = (): string => {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
};

export function chooseLanguage(code: string): void {
  if (code === "") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, code);
  location.reload();
}

export function preferred(wanted: readonly string[], chosen = ""): string {
  const known = [chosen, ...wanted].map((tag) => tag.toLowerCase().split("-")[0]!);
  return known.find((code) => codes.includes(code)) ?? "en";
}

// The name of a language in that language, as those look for it who speak it.
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name[0]!.toLocaleUpperCase(code) + name.slice(1);
}

export let language = "en";
let catalogue: Catalogue = {};
let patterns: [RegExp, string[], string][] | undefined;
let plurals: Intl.PluralRules;
let numbers: Intl.NumberFormat;
let lists: Intl.ListFormat;

// Speaks a language with these texts from now on.
export function speak(code: string, texts: Catalogue): void {
  language = code;
  catalogue = texts;
  patterns = undefined;
  plurals = new Intl.PluralRules(code);
  numbers = new Intl.NumberFormat(code, { useGrouping: "min2" });
  lists = new Intl.ListFormat(code, { type: "unit", style: "short" });
}
speak("en", {});

// What the first screen does not say comes with the other screens.
let more: Promise<void> | undefined;
export const loadMore = (): Promise<void> => (more ??= readMore());

async function readMore(): Promise<void> {
  try {
    const texts = (await languages[language]?.more())?.default;
    if (texts) speak(language, { ...catalogue, ...texts });
  } catch {
    more = undefined; // what is missing stays English, and is asked for again
  }
}

// The English text without the remark that tells it from an equal one with another meaning: "Back#cards".
const plain = (text: string): string => text.replace(/#[a-z ]+$/, "");

const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name];
    return typeof value === "number" ? numbers.format(value) : name in values ? (value ?? "") : all;
  });

const found = (text: string): string => {
  const entry = catalogue[text];
  return typeof entry === "string" ? entry : plain(text);
};

// A text with its values: t("Waiting for {name}…", { name }).
export const t = (text: string, values: Values = {}): string => fill(found(text), values);

// A sentence of a game's captions with its values, or without the part in brackets.
export const told = (text: string, values: Values, brief = false): string =>
  fill(found(text).replace(/\[(.*?)\]/g, brief ? "" : "$1"), values);

// A text that a number decides the form of; {n} is the number. The key is the text for many.
export function tn(n: number, one: string, many: string, values: Values = {}): string {
  const entry = catalogue[many];
  const form = typeof entry === "object" ? (entry[plurals.select(n)] ?? entry.other) : undefined;
  return fill(form ?? plain(n === 1 ? one : many), { n, ...values });
}

// A text with elements in it.
export const rich = (text: string, values: Record<string, JSX.Element>): JSX.Element[] =>
  found(text)
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 === 1 ? values[part] : part));

// What somebody says, or what is told of something: "Ann: hello".
export const telling = (who: Values[string], text: string): string => t("{who}: {text}", { who, text });

// "Ann, Bob, and Cy", as the language has it.
export const joined = (parts: readonly string[]): string => new Intl.ListFormat(language).format(parts);

// The same as short as it can be: "Ann, Bob, Cy".
export const listed = (parts: readonly string[]): string => lists.format(parts);

export const number = (value: number): string => numbers.format(value);

// What the engine says, whose texts are templates with numbered places: "Pile {0} is full".
export function said(text: string): string {
  if (language === "en" || text === "") return text;
  const entry = catalogue[text];
  if (typeof entry === "string") return entry;
  for (const [pattern, names, translation] of (patterns ??= compile())) {
    const match = pattern.exec(text);
    if (match) return fill(translation, Object.fromEntries(names.map((name, i) => [name, said(match[i + 1]!)])));
  }
  return text;
}

function compile(): [RegExp, string[], string][] {
  return Object.entries(catalogue)
    .filter((pair): pair is [string, string] => typeof pair[1] === "string" && /\{0\}/.test(pair[0]))
    .sort(([a], [b]) => b.length - a.length)
    .map(([key, translation]) => {
      const names = [...key.matchAll(/\{(\d)\}/g)].map((match) => match[1]!);
      const source = key.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return [new RegExp(`^${source.join("(.+?)")}$`), names, translation];
    });
}

// Neither workers nor tests have a page; what they say is English.
if (typeof document !== "undefined" && typeof navigator !== "undefined") {
  const code = preferred(navigator.languages, chosenLanguage());
  try {
    const texts = (await languages[code]?.first())?.default;
    if (texts) speak(code, texts);
  } catch {
    // Without a network, and never loaded before: English.
  }
  document.documentElement.lang = language;
}
