// Every language has every text, and the texts fit: docs/TRANSLATING.md.
import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { languageCodes, readCatalogue } from "../../scripts/languages";
import { countingPrompts, engineTexts, read, sourceFiles, template, textsOf } from "../../scripts/texts";
import type { HandAndFootView } from "../games/hand-and-foot/view";
import { WasmWorld } from "../table/wasm";
import { joined, languageName, listed, number, preferred, said, speak, t, tn, type Entry } from ".";

afterEach(() => speak("en", {}));

const files = await Promise.all((await sourceFiles()).map(read));
const plurals = new Set(files.flatMap((file) => [...file.plurals]));
const wanted = new Set([...files.flatMap(({ keys }) => [...keys.keys()]), ...(await engineTexts())]);
const formsOf = (entry: Entry): string[] => (typeof entry === "string" ? [entry] : Object.values(entry));
const places = (text: string): string => [...new Set(text.match(/\{\w+\}/g))].sort().join(" ");

test("whatever people see goes through a function of languages", () => {
  expect(files.flatMap(({ loose }) => loose)).toEqual([]);
  const loose = '<p title="Hello you" data-state="frozen">Hi there {t(text)} <kbd>Tab</kbd></p>';
  expect(textsOf("a.tsx", loose).loose).toEqual([
    'a.tsx:1 title="Hello you"',
    'a.tsx:1 data-state="frozen"',
    "a.tsx:1 Hi there",
    "a.tsx:1 t without a literal",
  ]);
  const braces = '<p title={many ? "All win" : t("One wins")}>{names} {many || won ? "win" : `wins ` + "it"}</p>';
  expect(textsOf("b.tsx", braces).loose).toEqual([
    'b.tsx:1 title="All win"',
    'b.tsx:1 {"win"}',
    'b.tsx:1 {"wins "}',
    'b.tsx:1 {"it"}',
  ]);
});

test.each(await languageCodes())("%s has every text and no other", async (code) => {
  const keys = Object.keys(await readCatalogue(code));
  expect({
    missing: [...wanted].filter((key) => !keys.includes(key)),
    unknown: keys.filter((key) => !wanted.has(key)),
  }).toEqual({ missing: [], unknown: [] });
});

// Who says what they see, to a program that listens, must be understood.
test.each(await languageCodes())(
  "%s: where a label has what is shown in it in English, it has so too",
  async (code) => {
    const labelled = files.flatMap((file) => file.labelled);
    expect(labelled.length).toBeGreaterThan(5);
    speak(code, await readCatalogue(code));
    const has = ([label, shown]: [string, string]) => t(label).toLowerCase().includes(t(shown).toLowerCase());
    expect(labelled.filter((pair) => !has(pair))).toEqual([]);
  },
);

// The prompts of moves come from the engine itself.
test("where a table asks in its own words, they are those of the terminal", async () => {
  const pieces = await countingPrompts();
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.filter((piece) => ![...wanted].some((text) => text.includes(piece)))).toEqual([]);
});

test.each(await languageCodes())("%s: places, plurals and lengths fit", async (code) => {
  const wrong: string[] = [];
  for (const [key, entry] of Object.entries(await readCatalogue(code))) {
    const many = typeof entry === "string" ? entry : (entry.other ?? "");
    if (places(many) !== places(key)) wrong.push(`places: ${key}`);
    if (plurals.has(key) !== (typeof entry === "object")) wrong.push(`plural: ${key}`);
    if (typeof entry === "object" && (!entry.one || !entry.other)) wrong.push(`forms: ${key}`);
    for (const form of formsOf(entry)) {
      if (form.trim() === "" || form !== form.trim()) wrong.push(`space: ${key}`);
      // A label may be half as long again, and a word a few letters longer; a long text finds its own room.
      if (key.length < 60 && form.length > key.length * 1.5 + 16) wrong.push(`long: ${key} → ${form}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("a text, its values and its plurals", () => {
  expect(t("Waiting for {name}…", { name: "Ann {x}" })).toBe("Waiting for Ann {x}…");
  expect(t("Back#plays")).toBe("Back");
  expect(tn(1, "{n} card", "{n} cards")).toBe("1 card");
  speak("de", { "{n} cards": { one: "{n} Karte", other: "{n} Karten" }, "Back#plays": "Zurück" });
  expect(tn(1, "{n} card", "{n} cards")).toBe("1 Karte");
  expect(tn(12000, "{n} card", "{n} cards")).toBe("12.000 Karten");
  expect(t("Back#plays")).toBe("Zurück");
  expect(t("Not translated yet")).toBe("Not translated yet");
});

test("numbers and lists are those of the language", () => {
  expect([number(8500), number(12000), listed(["a", "b", "c"]), joined(["a", "b"])]).toEqual([
    "8500",
    "12,000",
    "a, b, c",
    "a and b",
  ]);
  speak("de", {});
  expect([listed(["a", "b", "c"]), joined(["a", "b"])]).toEqual(["a, b und c", "a und b"]);
});

test("what the engine says is found by its template", () => {
  expect(template("Column %d is %s, 100 %%")).toBe("Column {0} is {1}, 100 %");
  speak("de", {
    "Column {0} is full": "Spalte {0} ist voll",
    "melded {0}": "legte {0} aus",
    hearts: "Herz",
    "{0} were led": "{0} wurde ausgespielt",
  });
  expect(said("Column 3 is full")).toBe("Spalte 3 ist voll");
  expect(said("hearts were led")).toBe("Herz wurde ausgespielt");
  expect(said("Column 3 is full today")).toBe("Column 3 is full today");
});

test("the language is the one that was chosen, else the first known one of the browser", () => {
  expect(preferred(["pt-BR", "de-AT", "en"])).toBe("de");
  expect(preferred(["de"], "en")).toBe("en");
  expect(preferred(["pt"])).toBe("en");
  expect(["de", "es", "fr"].map(languageName)).toEqual(["Deutsch", "Español", "Français"]);
});

// Whoever plays takes the first move there is.
test("what Hand & Foot says in a round is known to every language", async () => {
  const NOW = 1_700_000_000_000;
  const seed = "1f".repeat(32);
  const world = await WasmWorld.instantiate(await readFile(new URL("../../../build/table.wasm", import.meta.url)));
  const entries = [`create ABCDEF hand-and-foot ${seed} ${seed} Ann`, "bot 1 easy", "start rounds=1 targetScore=0"];
  expect(
    world.load(
      entries.map((entry) => `${NOW} @me ${entry}`),
      "me",
      NOW,
    ),
  ).toBeNull();
  const heard = new Set<string>();
  for (let i = 0, now = NOW; i < 400; i++, now += 9000) {
    const { view, status } = world.view("me");
    const { log, players, teams } = view as HandAndFootView;
    for (const { message } of log) heard.add(message);
    for (const { melds } of teams) for (const book of melds) heard.add(book.status);
    for (const { missingToGoOut } of players) for (const one of (missingToGoOut ?? "").split("; ")) heard.add(one);
    if (status !== "playing") break;
    if (view!.turn.includes(0)) world.act("me", view!.legal[0]!.move, now);
    else world.tick("me", now);
  }
  heard.delete("");
  expect(heard.size).toBeGreaterThan(20);
  for (const code of await languageCodes()) {
    speak(code, await readCatalogue(code));
    expect([...heard].filter((text) => said(text) === text)).toEqual([]);
  }
});
