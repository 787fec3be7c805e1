// The page and the terminal say the same of what happens: recorded games of every game, told by both.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { languageCodes, readCatalogue } from "../../scripts/languages";
import { captions } from "../../scripts/texts";
import { speak } from "../languages";
import type { GameEvent, World } from "../model";
import { cardSigns } from "../ui/cards";
import { captionOf, sentenceOf, tellings } from "./captions";
import type { Table } from "./table";

vi.mock("./flip", () => ({}));
const { hands } = await import("./hands");
const { describe: describeEvent, sentence } = await import("./speech");
const { withSigns } = await import("./table");

const root = path.join(import.meta.dirname, "../../..");
const run = promisify(execFile);

afterEach(() => speak("en", {}));

function tableOf(gameId: string, names: string[], mine: number | null = null, bot: string | null = null): Table {
  const seats = names.map((name, seatIndex) => ({ seatIndex, name, bot, team: "ab"[seatIndex % 2] }));
  const world = { roomCode: gameId, gameId, seats, teamNames: {}, view: null } as unknown as World;
  const name = (seat: number | null | undefined) => (seat === mine ? "You" : (names[seat ?? -1] ?? ""));
  return { world, name, mySeat: () => mine } as Table;
}

// What was printed after each move. Wrong moves, which some records end with, are told on standard error.
async function replay(record: string, how: string): Promise<string[][]> {
  const done = run(path.join(root, "build/oyster"), ["replay", how, "-"], { maxBuffer: 1 << 26 });
  done.child.stdin?.end(record);
  const { stdout } = await done.catch((failed: { stdout: string }) => failed);
  const moves: string[][] = [];
  for (const line of stdout.split("\n"))
    if (/^ *\d+ {2}/.test(line)) moves.push([]);
    else if (line.startsWith("      ")) moves.at(-1)?.push(line.trim());
  return moves;
}

const eventOf = (line: string): GameEvent[] => {
  const [, event, data] = /^\* ([\w-]+) (\{.*)$/.exec(line) ?? [];
  return event && data ? [{ event, data: JSON.parse(data) as Record<string, unknown> }] : [];
};

// The folders of the games, in the order of their names.
const folders: Record<string, string> = {
  "4-kate": "four_kate",
  "hand-and-foot": "hand_and_foot",
  "terrible-people": "terrible_people",
  "up-n-down": "up_n_down",
  "whos-deal": "whos_deal",
};
const rows = await captions();

// What only the taker is told.
const unheard: Record<string, string[]> = { "hand-and-foot": ["discard-unlocked"] };

// For captions that no recorded game has: a team is euchred, dealers pick up, and some go alone; a mark is taken back.
const SEED = "f19ee3b965429844e496af300ed6cb0ddf11e75412e4252c931663e75593c729";
const euchre = (moves: string) => {
  const lines = ["oyster 1", "game whos-deal", "seats Ann Bob Cy Dee", `- deal ${SEED}`, ...moves.split(", ")];
  return `${lines.join("\n")}\n`;
};
// Hand & Foot in the middle of a round: hands and piles as they are named, feet of eleven cards for all that are not
// yet taken, and what is left in the deck, or in the last hand.
function midst(names: string, options: string, named: string, footed: number, left: string, moves: string): string {
  const players = names.split(" ").length;
  const deck = ["JK", "JK", "JK", "JK"];
  for (const rank of ["4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "3", "2"])
    for (const suit of "SHDC") deck.push(rank + suit);
  const cards = Array.from({ length: players + 1 }, () => deck).flat();
  for (const word of named.split(" ")) if (cards.includes(word)) cards.splice(cards.indexOf(word), 1);
  const feet = Array.from(
    { length: players - footed },
    (_, i) => `foot ${footed + i} ${cards.splice(0, 11).join(" ")}`,
  );
  const position = `position round 1 phase playing current 0 ${named} ${feet.join(" ")} ${left} ${cards.join(" ")}`;
  const lines = ["oyster 1", "game hand-and-foot", `options ${options}`, `seats ${names}`, position];
  return `${[...lines, ...moves.split(", ")].join("\n")}\n`;
}
const books = "book 0 KS KH KD KC KS KH KD book 0 QH QS QD QC QH QS 2D";
const asking = (answer: string) =>
  midst(
    "Ann Bob Cy Dee",
    "teams=two askPartner=yes",
    `turn meld ${books} hand 0 9S 9H hand 1 4S hand 2 4H hand 3 4D pile 8S`,
    1,
    "stock",
    `0 ask, 2 answer ${answer}`,
  );
const more: Record<string, string[]> = {
  "hand-and-foot": [
    midst("Ann Bob", "layRedThrees=yes", "turn meld hand 0 3H 9S hand 1 4S pile 8S", 0, "stock", "0 lay 3H, 0 done"),
    midst(
      "Ann Bob",
      "preset=classic",
      "turn draw stock AH pile 8S 9S 10S JS hand 0 4S 4H",
      0,
      "hand 1",
      "0 draw, - shuffle 10S 8S 9S",
    ),
    asking("yes"),
    asking("no"),
  ],
  "whos-deal": [
    euchre(
      "1 pass, 2 order, 0 discard AS, 1 play 9C, 2 play JS, 3 play 10C, 0 play AC, 2 play JH, 3 play 9H, 0 play 10H, " +
        "1 play KH, 1 play QH, 2 play JC, 3 play QD, 0 play 9D, 2 play AD, 3 play KD, 0 play 10D, 1 play 9S, " +
        `1 play QC, 2 play 10S, 3 play QS, 0 play JD, - deal ${SEED}, 2 pass, 3 pass, 0 pass, 1 order`,
    ),
    euchre("1 pass, 2 pass, 3 pass, 0 order alone"),
    euchre("1 pass, 2 pass, 3 pass, 0 pass, 1 call D alone"),
  ],
  "up-n-down": [`oyster 1\ngame up-n-down\nseats Ann Bob\n- deal ${SEED}\n1 prefer 2 love\n1 prefer 2 none\n`],
};

test("every game has captions", () => {
  expect(Object.keys(rows).sort()).toEqual(Object.keys(folders));
  for (const game of Object.keys(folders)) expect(rows[game]!.length).toBeGreaterThan(1);
});

test.each(Object.keys(folders))("%s: the page tells recorded games in the words of the terminal", async (game) => {
  const folder = path.join(root, "games", folders[game]!, "golden");
  const files = (await readdir(folder)).filter((name) => name.endsWith(".oyster"));
  const records = await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")));
  const used = new Set<unknown>();
  let compared = 0;
  for (const record of [...records, ...(more[game] ?? [])]) {
    const [told, said] = await Promise.all([replay(record, "--events"), replay(record, "--words")]);
    const seats = /^seats (.*)$/m.exec(record)![1]!;
    const names = seats.split(" ").map((name) => name.replace(/\*.*/, ""));
    const table = tableOf(game, names);
    told.forEach((lines, move) => {
      const events = lines.flatMap(eventOf);
      const messages = lines.filter((line) => !line.startsWith("*"));
      const page = events
        .flatMap((event) => tellings(event, table, events) ?? [])
        .flatMap((telling) => {
          used.add(telling.row);
          return sentenceOf(telling, table, cardSigns) || [];
        })
        .map(sentence);
      // What has no caption is told by its message there.
      const terminal = said[move]!.filter((line) => !messages.includes(line)).map(withSigns);
      expect({ record, move, said: page }).toEqual({ record, move, said: terminal });
      compared += page.length;
    });
  }
  expect(compared).toBeGreaterThan(20);
  const words = new Set([...used].map((row) => JSON.stringify(row)));
  const unused = rows[game]!.filter((row) => "you" in row && !words.has(JSON.stringify(row)));
  expect([...new Set(unused.map(({ event }) => event))]).toEqual(unheard[game] ?? []);
});

// The name is taken off there.
test("what is shown at a seat begins with the name in every language", async () => {
  const shown = hands.flatMap(({ game, speech }) =>
    rows[game]!.flatMap((row) => ("others" in row && speech.atSeat?.(row) && row.others ? [row.others] : [])),
  );
  expect(shown.length).toBeGreaterThan(15);
  for (const code of ["en", ...(await languageCodes())]) {
    const catalogue = code === "en" ? {} : await readCatalogue(code);
    expect(shown.filter((text) => !String(catalogue[text] ?? text).startsWith("{name} "))).toEqual([]);
  }
});

test("a pile is taken with the cards that its top card was laid with; a caption has signs and no name", async () => {
  const table = tableOf("hand-and-foot", ["Ann", "Bob", "Cy"]);
  const taken = { event: "pile-taken", data: { seatIndex: 2, topCard: "7D", count: 6, pileSize: 0 } };
  const other = { event: "cards-melded", data: { seatIndex: 2, team: 0, bookId: 1, cards: ["KS", "KH", "JK"] } };
  const laid = { event: "cards-melded", data: { seatIndex: 2, team: 0, bookId: 2, cards: ["7S", "7H", "7D", "7D.2"] } };
  const captions = (...events: GameEvent[]) =>
    events.flatMap((event) => tellings(event, table, events) ?? []).map(captionOf);
  expect(captions(taken, other, laid)).toEqual(["takes 6 with 7♠ 7♥ 7♦", "lays K♠ K♥ Joker", ""]);
  const alone = { event: "cards-melded", data: { seatIndex: 2, team: 0, bookId: 2, cards: ["7D"] } };
  expect(captions(taken, alone, other)).toEqual(["takes 6 cards from the pile", "", "lays K♠ K♥ Joker"]);
  expect(captions({ event: "round-started", data: { round: 1, minimum: 50 } })).toEqual([
    "Round 1 begins. A first meld needs 50 points",
  ]);
  speak("de", await readCatalogue("de"));
  expect(captions(taken, laid)).toEqual(["nimmt 6 mit 7♠ 7♥ 7♦", ""]);
});

test("one's own doing is told to oneself, and marks of bots to nobody", () => {
  const told = (event: string, data: Record<string, unknown>, bot: string | null = null) => {
    const { speech } = hands.find(({ game }) => game === "up-n-down")!;
    const one = { event, data };
    return describeEvent(speech, one, tableOf("up-n-down", ["Ann", "Bob"], 0, bot), [one]);
  };
  const played = { card: 57, pileId: 1, movement: 10, special: true };
  expect(told("card-played", { seatIndex: 1, ...played })).toBe("Bob plays 57 on pile 1, 10 backward!");
  expect(told("card-played", { seatIndex: 0, ...played })).toBe("You play 57 on pile 1, 10 backward!");
  const jump = { seatIndex: 1, ...played, movement: 3, special: false };
  expect(told("card-played", jump)).toBe("Bob plays 57 on pile 1, a jump of 3");
  const short = tellings({ event: "card-played", data: jump }, tableOf("up-n-down", ["Ann", "Bob"]), []);
  expect(short!.map(captionOf)).toEqual(["plays 57 on pile 1"]);
  expect(told("preference-set", { seatIndex: 1, pileId: 3, level: 3 })).toBe("Bob loves pile 3");
  expect(told("preference-set", { seatIndex: 1, pileId: 3, level: 3 }, "hard")).toBeUndefined();
  expect(told("preference-set", { seatIndex: 0, pileId: 3, level: 3 })).toBe("");
  expect(told("game-over", { won: false, cardsLeft: 1 })).toBe("Lost: 1 card found no place");
  expect(told("hand-updated", {})).toBeUndefined();
});
