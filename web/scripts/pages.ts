// The rules and the guide as pages: markdown in, sections of HTML out, at build time. What is said to
// programmers stays out, cards are shown as cards, and house rules by the names they have in a lobby.
// A language may have pages of its own, src/languages/CODE/*.md. The ids of their headings come from the English
// ones, so that a link to a section leads there in every language.
import { readdir, readFile } from "node:fs/promises";
import { Marked, type Token, type Tokens } from "marked";
import type { Plugin } from "vite";
import type { GameInfo } from "../src/model";
import type { Page, Section } from "../src/pages";
import { languageCodes, readCatalogue } from "./languages";

const programmers = /^(Notation|What a view holds|What is shown|Events|Refusals)$/;
const suits: Record<string, [string, string]> = {
  S: ["♠", "spades"],
  H: ["♥", "hearts"],
  D: ["♦", "diamonds"],
  C: ["♣", "clubs"],
};
const ranks: Record<string, string> = { J: "jack", Q: "queen", K: "king", A: "ace" };

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

// How a page is worded: the labels of house rules by their keys and the words that may be their values, the language's
// word for an English one, and the English headings in their order.
export interface Wording {
  labels?: ReadonlyMap<string, string>;
  values?: ReadonlySet<string>;
  word?: (english: string) => string;
  headings?: readonly string[];
}

function smallCard(rank: string, suit: string, word: (english: string) => string): string {
  const [sign, name] = suits[suit]!;
  const [rankWord, suitWord] = [rank in ranks ? word(ranks[rank]!) : rank, word(name)];
  const label = word("{rank} of {suit}").replace("{rank}", rankWord).replace("{suit}", suitWord);
  return `<span class="mini suit-${suit.toLowerCase()}" role="img" aria-label="${label}">${rank}${sign}</span>`;
}

const CARD = /\b(10|[2-9JQKA])([SHDC])\b/g;

// In text, not in tags.
const showCards = (html: string, word: (english: string) => string): string =>
  html.replace(
    /(^|>)([^<]+)/g,
    (_, before: string, text: string) =>
      before + text.replace(CARD, (_card, rank: string, suit: string) => smallCard(rank, suit, word)),
  );

function writer(wording: Required<Wording>, nextId: () => string, section: () => string): Marked {
  const { labels, values, word } = wording;
  const valueWord = (value: string) => word(value.replaceAll("-", " "));
  return new Marked({
    renderer: {
      codespan({ text }) {
        const [key, value] = text.split("=");
        const label = labels.get(key!);
        if (label) return `<span class="option">${label}${value ? `: ${valueWord(value)}` : ""}</span>`;
        if (values.has(text)) return `<q>${valueWord(text)}</q>`;
        if (text === "___") return '<span class="option">____</span>';
        return /^(.|Tab|Home|End|Enter|Space|Escape)$/.test(text) ? `<kbd>${text}</kbd>` : `<q>${text}</q>`;
      },
      heading({ tokens, depth }) {
        return `<h${depth} id="${nextId()}">${this.parser.parseInline(tokens)}</h${depth}>`;
      },
      table(token) {
        // Where the corner is empty, the first column has the headers of the rows; another empty header belongs to the
        // one before it.
        const named = token.header[0]?.text === "";
        const head = token.header.flatMap(({ text, tokens }, column) => {
          if (text === "") return column === 0 ? ["<td></td>"] : [];
          const after = token.header.slice(column + 1).findIndex((one) => one.text !== "");
          const columns = after < 0 ? token.header.length - column : after + 1;
          return [`<th${columns > 1 ? ` colspan="${columns}"` : ""}>${this.parser.parseInline(tokens)}</th>`];
        });
        const row = (cells: Tokens.TableCell[]) => {
          const made = cells.map(({ text, tokens }, column) => {
            const tag = named && column === 0 && text !== "" ? "th" : "td";
            return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
          });
          return `<tr>${made.join("")}</tr>`;
        };
        return (
          `<div class="table" tabindex="0" role="group" aria-labelledby="${section()}"><table><thead>` +
          `<tr>${head.join("")}</tr></thead><tbody>${token.rows.map(row).join("")}</tbody></table></div>`
        );
      },
    },
  });
}

const isHeading = (token: Token, depth: number): token is Tokens.Heading =>
  token.type === "heading" && (token as Tokens.Heading).depth === depth;
const namesRecord = (token: Token): boolean => token.type === "paragraph" && token.raw.includes("golden/");

// The headings below the title, in their order.
const headingsOf = (markdown: string): string[] => [...markdown.matchAll(/^##+ (.*)$/gm)].map(([, text]) => text!);

export function toPage(markdown: string, given: Wording = {}): Page {
  const wording: Required<Wording> = {
    labels: new Map(),
    values: new Set(),
    word: (english) => english,
    headings: headingsOf(markdown),
    ...given,
  };
  const ids = wording.headings.map(slug);
  const nextId = () => ids.shift() ?? "";
  const marked = writer(wording, nextId, () => section?.id ?? "");
  const page: Page = { title: "", lead: "", sections: [] };
  let tokens: Token[] = [];
  let section: Section | undefined;
  const finish = () => {
    const html = showCards(marked.parser(tokens), wording.word);
    if (section) page.sections.push({ ...section, html });
    else page.lead = html;
    tokens = [];
  };
  for (const token of marked.lexer(markdown)) {
    if (isHeading(token, 2)) {
      finish();
      if (programmers.test(token.text)) return page;
      section = { id: nextId(), title: token.text, html: "" };
    } else if (isHeading(token, 1)) page.title = token.text;
    else if (!namesRecord(token)) tokens.push(token);
  }
  finish();
  return page;
}

const root = new URL("../../", import.meta.url);

export const readPage = (path: string): Promise<string> => readFile(new URL(path, root), "utf8");
export const translationOf = (name: string, code: string): string => `web/src/languages/${code}/${name}.md`;

// Where each page stands in English, by its name: the guide, and the rules of every game by its id.
export async function findPages(games: readonly GameInfo[]): Promise<Map<string, string>> {
  const found = new Map([["guide", "docs/GUIDE.md"]]);
  for (const folder of await readdir(new URL("games/", root), { withFileTypes: true })) {
    const path = `games/${folder.name}/RULES.md`;
    const text = folder.isDirectory() ? await readPage(path).catch(() => "") : "";
    const game = games.find((one) => text.startsWith(`# ${one.name}\n`));
    if (game) found.set(game.id, path);
  }
  return found;
}

// The languages that have the page, English first.
async function codesOf(name: string): Promise<string[]> {
  const codes = ["en"];
  for (const code of await languageCodes())
    if (await readPage(translationOf(name, code)).catch(() => undefined)) codes.push(code);
  return codes;
}

async function wordingOf(code: string, game: GameInfo | undefined, english: string): Promise<Wording> {
  const catalogue = code === "en" ? {} : await readCatalogue(code);
  const word = (text: string) => {
    const entry = catalogue[text];
    return typeof entry === "string" ? entry : text;
  };
  const labels = new Map((game?.options ?? []).map((option) => [option.key, word(option.label)]));
  const values = new Set((game?.options ?? []).flatMap((option) => (option.values ?? []).map(String)));
  return { labels, values, word, headings: headingsOf(english) };
}

// `virtual:pages` says how to load each page in each language that has it.
export function pages(games: () => Promise<GameInfo[]>): Plugin {
  return {
    name: "oyster-pages",
    resolveId: (id) => (id === "virtual:pages" || id.startsWith("virtual:page/") ? `\0${id}` : undefined),
    async load(id) {
      if (id === "\0virtual:pages") {
        const all = [...(await findPages(await games())).keys()].map(async (name) => {
          const loads = (await codesOf(name)).map((code) => `${code}: () => import("virtual:page/${code}/${name}")`);
          return `"${name}": { ${loads.join(", ")} }`;
        });
        return `export default { ${(await Promise.all(all)).join(", ")} }`;
      }
      const [, code, name] = /^\0virtual:page\/(\w+)\/(.+)$/.exec(id) ?? [];
      const known = await games();
      const source = name && (await findPages(known)).get(name);
      if (!code || !source) return undefined;
      const english = await readPage(source);
      const path = code === "en" ? source : translationOf(name, code);
      this.addWatchFile(new URL(path, root).pathname);
      const game = known.find((one) => one.id === name);
      return `export default ${JSON.stringify(toPage(await readPage(path), await wordingOf(code, game, english)))}`;
    },
  };
}
