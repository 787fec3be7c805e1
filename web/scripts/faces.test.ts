import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { faces } from "./faces";

describe("the classic faces", async () => {
  const files = await faces();
  const ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

  it("are a deck, with diamonds and clubs in two more colours", () => {
    const deck = ["S", "H", "D", "C"].flatMap((suit) => ranks.map((rank) => `${rank}${suit}.svg`));
    const coloured = ["D", "C"].flatMap((suit) => ranks.map((rank) => `four/${rank}${suit}.svg`));
    expect([...files.keys()].sort()).toEqual([...deck, ...coloured].sort());
  });
  it("stay within 150 kB, packed", () => {
    const size = [...files.values()].reduce((sum, svg) => sum + gzipSync(svg).length, 0);
    expect(size).toBeLessThan(150_000);
  });
  it("carry no text and no script", () => {
    for (const svg of files.values()) expect(svg).not.toMatch(/<(text|script|image|style)/);
  });
  it("recolour pips and ranks", () => {
    expect(files.get("7D.svg")).toContain("#c8102e");
    expect(files.get("four/7D.svg")).not.toContain("#c8102e");
    expect(files.get("four/7D.svg")).toContain("#0b5ed7");
    expect(files.get("four/KC.svg")).toContain("#12753a");
  });
});
