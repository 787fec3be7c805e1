// An independent verifier: computes shuffles from docs/SHUFFLE.md alone, with node's own ChaCha20,
// and compares them with the published vectors and with deals that `oyster replay` makes.
//
//   node tests/verify_shuffle.mjs path/to/oyster
import { createCipheriv } from "node:crypto";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export function shuffle(seedHex, cards) {
  const cipher = createCipheriv("chacha20", Buffer.from(seedHex, "hex"), Buffer.alloc(16));
  const word = () => cipher.update(Buffer.alloc(2)).readUInt16LE();
  const below = (bound) => {
    for (;;) {
      const product = word() * bound;
      if (product % 65536 >= 65536 % bound) return Math.floor(product / 65536);
    }
  };
  const deck = [...cards];
  for (let i = 0; i + 1 < deck.length; i++) {
    const other = i + below(deck.length - i);
    [deck[i], deck[other]] = [deck[other], deck[i]];
  }
  return deck;
}

function dealSeed(gameSeed, number) {
  const key = Buffer.alloc(32);
  if (/^[0-9a-f]{64}$/.test(gameSeed)) key.write(gameSeed, "hex");
  else key.writeBigUInt64LE(BigInt(gameSeed));
  const counterAndNonce = Buffer.alloc(16);
  counterAndNonce.writeBigUInt64LE(BigInt(number) + 1n, 4);
  return createCipheriv("chacha20", key, counterAndNonce).update(Buffer.alloc(32)).toString("hex");
}

const range = (from, count) => Array.from({ length: count }, (_, i) => from + i);
const same = (what, found, expected) => {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    console.error(`not ok - ${what}\n  found    ${found}\n  expected ${expected}`);
    process.exit(1);
  }
  console.log(`ok - ${what}`);
};

const page = readFileSync(new URL("../docs/SHUFFLE.md", import.meta.url), "utf8");
const vectors = [...page.matchAll(/^\| `([0-9a-f]{64})` \| (\d+) \| ([\d ]+) \|$/gm)];
if (vectors.length < 2) throw new Error("docs/SHUFFLE.md has no vectors");
for (const [, seed, count, order] of vectors)
  same(`published shuffle of ${count}`, shuffle(seed, range(0, Number(count))), order.trim().split(" ").map(Number));

const seeds = [...page.matchAll(/^\| `([0-9a-f]+)` \| (\d+) \| `([0-9a-f]{64})` \|$/gm)];
if (seeds.length < 2) throw new Error("docs/SHUFFLE.md has no seeds of deals");
for (const [, game, number, seed] of seeds) same(`published seed of deal ${number}`, [dealSeed(game, number)], [seed]);

const oyster = process.argv[2];
for (const seed of ["00".repeat(32), "c0ffee".padEnd(64, "7")]) {
  const record = `oyster 1\ngame up-n-down\nseats Ann Bob Cy\n- deal ${seed}\n`;
  const out = execFileSync(oyster, ["replay", "-", "--json"], { input: record, encoding: "utf8" });
  const { state } = JSON.parse(out.split("\n")[0]);
  const deck = shuffle(seed, range(2, 98));
  const sorted = (cards) => cards.sort((a, b) => a - b);
  for (const seat of [0, 1, 2])
    same(`hand of seat ${seat}`, state.players[seat].hand, sorted(deck.slice(7 * seat, 7 * seat + 7)));
  same("draw pile", state.drawPile, deck.slice(21));
}

// The deck of a saved game that has none, from its seed: in round 2 it is deal number 1, without the cards that
// lie elsewhere, the earliest of equal ones.
const save = readFileSync(new URL("fuzz/corpus/saves/by_hand", import.meta.url), "utf8");
const elsewhere = "KH 3C AS 10D JK QH 9C JS JH 2C 4H".split(" ");
const suits = [..."SHDC"].flatMap((suit) =>
  [2, 3, 4, 5, 6, 7, 8, 9, 10, "J", "Q", "K", "A"].map((rank) => `${rank}${suit}`),
);
const decks = range(0, 3).flatMap(() => [...suits, "JK", "JK", "JK", "JK"]);
const left = shuffle(dealSeed("12345", 1), range(0, decks.length)).map((place) => decks[place]);
for (const card of elsewhere) left.splice(left.indexOf(card), 1);
const record = execFileSync(oyster, ["export", "--oyster", "-"], { input: save, encoding: "utf8" });
same("deck of a saved game", record.match(/ stock (.*)/)[1].split(" "), left);
