// House rules as a person changes them: under headings, compared with the rule book they came from, and
// as the one line that the engine writes and reads.
import { settingText, type GameInfo, type Option, type Preset, type Setting, type Settings } from "./model";
import { said, t, telling } from "./languages";

export type About = Pick<GameInfo, "options" | "presets">;

export interface Group {
  label: string; // empty: the game has too few rules for headings
  options: Option[];
}

export function groupsOf(options: Option[]): Group[] {
  const groups: Group[] = [];
  for (const option of options) {
    const label = option.group ?? "";
    if (groups.at(-1)?.label !== label) groups.push({ label, options: [] });
    groups.at(-1)!.options.push(option);
  }
  return groups;
}

export const found = (options: Option[], wanted: string): Option[] => {
  const words = wanted.toLowerCase().split(/\s+/);
  const text = (option: Option) =>
    [option.label, option.help, option.group ?? ""].map(said).concat(option.key).join(" ").toLowerCase();
  return options.filter((option) => words.every((word) => text(option).includes(word)));
};

export interface Change {
  option: Option;
  usual: Setting;
  now: Setting;
}

export const presetOf = (about: About, settings: Settings): Preset | undefined =>
  about.presets.find((one) => one.id === settings.preset);

export const settingOf = (option: Option, settings: Settings): Setting => settings[option.key] ?? option.default;

// What differs from the rule book.
export function changesOf(about: About, settings: Settings): Change[] {
  const book = presetOf(about, settings)?.settings ?? {};
  return about.options
    .map((option) => ({ option, usual: settingOf(option, book), now: settingOf(option, settings) }))
    .filter(({ usual, now }) => settingText(usual) !== settingText(now));
}

const word = (option: Option, value: Setting) => `${option.key}=${settingText(value)}`;

// `preset=partners targetScore=7`; empty for a game without rule books that is played as usual.
export function codeOf(about: About, settings: Settings): string {
  const preset = presetOf(about, settings);
  return [
    ...(preset ? [`preset=${preset.id}`] : []),
    ...changesOf(about, settings).map(({ option, now }) => word(option, now)),
  ].join(" ");
}

// The action that sets the rules to those of the line; a rule that the line does not mention gets its default.
export function moveOfCode(about: About, settings: Settings, code: string): string {
  const line = code.trim().replace(/\s+/g, " ");
  const named = new Set(line.split(" ").map((part) => part.split("=")[0]));
  const unnamed = named.has("preset") ? [] : changesOf(about, settings).filter(({ option }) => !named.has(option.key));
  const start = unnamed.map(({ option, usual }) => word(option, usual));
  return ["set", ...start, ...(line ? [line] : [])].join(" ");
}

const RULES_LISTED = 3;

// A line of rules in a few words: "Partners. Points to win: 7", or that they are as usual.
export function rulesText(about: About, code: string): string {
  const given = code
    .split(" ")
    .filter((part) => part !== "")
    .map((part) => part.split("=") as [string, string]);
  const chosen = given.find(([key]) => key === "preset")?.[1];
  const preset = about.presets.find(({ id }) => id === chosen) ?? about.presets[0];
  const changed = given.flatMap(([key, value]) => {
    const option = about.options.find((one) => one.key === key);
    return option ? [telling(said(option.label), said(value.replace(/-/g, " ")))] : [];
  });
  const more = changed.length - RULES_LISTED;
  const rules = changed.slice(0, RULES_LISTED).join(", ");
  const listed = more > 0 ? t("{rules} and {more} more", { rules, more }) : rules;
  return [preset ? said(preset.label) : listed ? "" : t("Usual rules"), listed]
    .filter((text) => text !== "")
    .join(". ");
}
