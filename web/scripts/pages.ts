// The rules and the guide as pages: markdown in, sections of HTML out, at build time. What is said to
// programmers stays out, cards are shown as cards, and house rules by the names they have in a lobby.
import { readdir, readFile } from "node:fs/promises";
import { Marked, type Token, type Tokens } from "marked";
import type { Plugin } from "vite";
import type { GameInfo } from "../src/model";
import type { Page, Section } from "../src/pages";

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
const plain = (html: string): string => html.replace(/<[^>]*>/g, "");

function smallCard(rank: string, suit: string): string {
  const [sign, name] = suits[suit]!;
  return (
    `<span class="mini suit-${suit.toLowerCase()}" role="img" aria-label="${ranks[rank] ?? rank} of ` +
    `${name}">${rank}${sign}</span>`
  );
}

// In text, not in tags.
const showCards = (html: string): string =>
  html.replace(
    /(^|>)([^<]+)/g,
    (_, before: string, text: string) =>
      before +
      text.replace(/\b(10|[2-9JQKA])([SHDC])\b/g, (_card, rank: string, suit: string) => smallCard(rank, suit)),
  );

function writer(labels: ReadonlyMap<string, string>): Marked {
  return new Marked({
    renderer: {
      codespan({ text }) {
        const [key, value] = text.split("=");
        const label = labels.get(key!);
        if (label) return `<span class="option">${label}${value ? `: ${value.replaceAll("-", " ")}` : ""}</span>`;
        if (text === "___") return '<span class="option">____</span>';
        return /^(.|Tab|Home|End|Enter|Space|Escape)$/.test(text) ? `<kbd>${text}</kbd>` : `<q>${text}</q>`;
      },
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${slug(plain(text))}">${text}</h${depth}>`;
      },
      table(token) {
        const cell = (one: Tokens.TableCell, wanted: string) => {
          const tag = one.text === "" ? "td" : wanted;
          return `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`;
        };
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((one) => cell(one, tag)).join("")}</tr>`;
        return (
          `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>` +
          `${row(token.header, "th")}</thead><tbody>` +
          `${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>`
        );
      },
    },
  });
}

const isHeading = (token: Token, depth: number): token is Tokens.Heading =>
  token.type === "heading" && (token as Tokens.Heading).depth === depth;
const namesRecord = (token: Token): boolean => token.type === "paragraph" && token.raw.includes("golden/");

export function toPage(markdown: string, labels: ReadonlyMap<string, string> = new Map()): Page {
  const marked = writer(labels);
  const page: Page = { title: "", lead: "", sections: [] };
  let tokens: Token[] = [];
  let section: Section | undefined;
  const finish = () => {
    const html = showCards(marked.parser(tokens));
    if (section) page.sections.push({ ...section, html });
    else page.lead = html;
    tokens = [];
  };
  for (const token of marked.lexer(markdown)) {
    if (isHeading(token, 2)) {
      finish();
      section = { id: slug(token.text), title: token.text, html: "" };
      if (programmers.test(token.text)) return page;
    } else if (isHeading(token, 1)) page.title = token.text;
    else if (!namesRecord(token)) tokens.push(token);
  }
  finish();
  return page;
}

// `virtual:pages` says how to load each page: the guide, and the rules of every game by its id.
export function pages(games: () => Promise<GameInfo[]>): Plugin {
  const root = new URL("../../", import.meta.url);
  const files = new Map<string, { path: URL; labels: Map<string, string> }>();

  async function find() {
    files.set("guide", { path: new URL("docs/GUIDE.md", root), labels: new Map() });
    const known = await games();
    for (const folder of await readdir(new URL("games/", root), { withFileTypes: true })) {
      const path = new URL(`games/${folder.name}/RULES.md`, root);
      const text = folder.isDirectory() ? await readFile(path, "utf8").catch(() => "") : "";
      const game = known.find((one) => text.startsWith(`# ${one.name}\n`));
      if (game) files.set(game.id, { path, labels: new Map(game.options.map((option) => [option.key, option.label])) });
    }
  }

  return {
    name: "oyster-pages",
    resolveId: (id) => (id === "virtual:pages" || id.startsWith("virtual:page/") ? `\0${id}` : undefined),
    async load(id) {
      if (id === "\0virtual:pages") {
        await find();
        return (
          "export default {" +
          `${[...files.keys()].map((name) => `"${name}": () => import("virtual:page/${name}")`).join(",")}}`
        );
      }
      const found = files.get(id.replace("\0virtual:page/", ""));
      if (!found) return undefined;
      this.addWatchFile(found.path.pathname);
      return `export default ${JSON.stringify(toPage(await readFile(found.path, "utf8"), found.labels))}`;
    },
  };
}
