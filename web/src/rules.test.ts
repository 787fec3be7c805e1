import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { isRefusal, type GameInfo, type Settings } from "./model";
import { changesOf, codeOf, found, groupsOf, moveOfCode, rulesText } from "./rules";
import { WasmWorld } from "./table/wasm";

let engine: WasmWorld;
let games: GameInfo[];
const seed = "00".repeat(32);

beforeAll(async () => {
  engine = await WasmWorld.instantiate(await readFile(new URL("../../build/table.wasm", import.meta.url)));
  games = engine.registry().games;
});

const game = (id: string) => games.find((one) => one.id === id)!;

// The settings of a new world after these actions.
function after(id: string, ...moves: string[]): Settings {
  engine.load([`1000 @ann create AAAAAA ${id} ${seed} ${seed} Ann`], "ann", 1000);
  for (const move of moves) {
    const answer = engine.act("ann", move, 1000);
    if (isRefusal(answer)) throw new Error(answer.error);
  }
  return engine.view("ann").settings;
}

describe("house rules", () => {
  it("stand under a heading each where a game has many", () => {
    for (const { options } of games) {
      const groups = groupsOf(options);
      expect(groups.flatMap((group) => group.options)).toEqual(options);
      if (options.length > 12) for (const group of groups) expect(group.label).not.toBe("");
      expect(new Set(groups.map((group) => group.label)).size).toBe(groups.length);
    }
  });

  it("are told in a few words in a list of open tables", () => {
    const text = (id: string, ...moves: string[]) => rulesText(game(id), codeOf(game(id), after(id, ...moves)));
    expect(text("whos-deal")).toBe("Usual rules");
    expect(text("whos-deal", "set targetScore=7")).toBe("Points to win: 7");
    expect(text("hand-and-foot")).toBe("Classic");
    expect(rulesText(game("hand-and-foot"), "")).toBe("Classic");
    expect(text("hand-and-foot", "set preset=partners handSize=13")).toBe("Partners. Cards in the hand: 13");
    expect(text("whos-deal", "set targetScore=7 stickTheDealer=no canadianLoner=yes defendAlone=yes")).toBe(
      "Points to win: 7, Stick the dealer: no, Canadian loner: yes and 1 more",
    );
  });

  it("are found by all words of a search", () => {
    const { options } = game("hand-and-foot");
    expect(found(options, "red three").length).toBeGreaterThan(1);
    expect(found(options, "")).toHaveLength(options.length);
    expect(found(options, "nothing of the sort")).toEqual([]);
  });

  it("are as usual in a new world of every game and preset", () => {
    for (const about of games) {
      expect(changesOf(about, after(about.id))).toEqual([]);
      for (const { id } of about.presets) expect(changesOf(about, after(about.id, `preset ${id}`))).toEqual([]);
    }
  });

  it("are compared with the rule book in force", () => {
    const about = game("hand-and-foot");
    const settings = after(about.id, "preset partners", "set rounds=2 minimums=60,100 undo=no");
    expect(changesOf(about, settings).map(({ option, usual, now }) => [option.key, usual, now])).toEqual([
      ["minimums", [50, 90, 120, 150], [60, 100]],
      ["rounds", 4, 2],
      ["undo", true, false],
    ]);
  });

  it("travel as one line, whatever was set before", () => {
    const cases = [
      ["hand-and-foot", "preset=partners minimums=60,100 rounds=2", ["set preset=closers draw=3"]],
      ["whos-deal", "targetScore=7 stickTheDealer=no", ["set farmersHand=yes targetScore=5"]],
      ["whos-deal", "", ["set farmersHand=yes"]],
    ] as const;
    for (const [id, code, before] of cases) {
      const about = game(id);
      const move = moveOfCode(about, after(id, ...before), ` ${code}  `);
      expect(codeOf(about, after(id, ...before, ...(move === "set" ? [] : [move])))).toBe(code);
    }
  });
});
