// Where the cards of a hand lie. Ranks are apart, cards of a rank overlap, and there are as many rows as needed for
// every card to show its index.
import { parseCard } from "../../ui/cards";

export interface Place {
  x: number;
  y: number;
}

export interface Layout {
  places: Place[];
  rows: number[]; // cards in each row
  height: number;
}

// In widths of a card.
const SAME_RANK = 0.62;
const NEXT_RANK = 1.06;
const LEAST = 0.4;
const FINGER = 32; // pixels of a card that a finger finds, as long as two rows are enough; of a small card less
// In heights of a card.
const ROW = 0.6;
const ROWS_MAX = 4;
const RATIO = 0.7;

// How far each card stands from the one before it.
const stepsOf = (hand: readonly string[]): number[] =>
  hand.map((id, i) => (i === 0 ? 0 : parseCard(id).rank === parseCard(hand[i - 1]!).rank ? SAME_RANK : NEXT_RANK));

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

// Splits the hand into rows of about equal width, within a rank only where there is no other way.
function split(steps: readonly number[], count: number): number[][] {
  const rows: number[][] = [];
  let rest = [...steps];
  for (let left = count; left > 1; left--) {
    const wanted = sum(rest) / left;
    let cut = 1;
    let best = Infinity;
    for (let i = 1; i < rest.length; i++) {
      const miss = Math.abs(sum(rest.slice(0, i)) - wanted) + (rest[i] === SAME_RANK ? 1 : 0);
      if (miss < best) [cut, best] = [i, miss];
    }
    rows.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...rows, rest].map((row) => row.map((step, i) => (i === 0 ? 0 : step)));
}

const squeeze = (row: readonly number[], room: number): number => Math.min(1, (room - 1) / Math.max(sum(row), 0.01));

// Fits a row into its room. The gaps between ranks shrink first, so that every card keeps a strip for a finger.
function placed(row: readonly number[], room: number, finger: number): number[] {
  const scale = squeeze(row, room);
  if (SAME_RANK * scale >= finger) return row.map((step) => step * scale);
  const apart = row.filter((step) => step === NEXT_RANK).length;
  const together = row.length - 1 - apart;
  const wide = Math.min(NEXT_RANK, (room - 1 - together * finger) / Math.max(apart, 1));
  const even = (room - 1) / Math.max(row.length - 1, 1);
  return row.map((step) => (step === 0 ? 0 : wide < finger ? even : step === NEXT_RANK ? wide : finger));
}

const tightest = (row: readonly number[], room: number): number =>
  squeeze(row, room) * Math.min(NEXT_RANK, ...row.slice(1));
const fits = (rows: readonly number[][], room: number, least: number): boolean =>
  rows.every((row) => tightest(row, room) >= least);

export function layoutHand(hand: readonly string[], width: number, card: number): Layout {
  const room = Math.max(width / card, 1);
  const steps = stepsOf(hand);
  let rows = [steps];
  while (
    rows.length < Math.min(ROWS_MAX, hand.length) &&
    !fits(rows, room, rows.length < 3 ? Math.max(LEAST, Math.min(FINGER / card, SAME_RANK)) : LEAST)
  )
    rows = split(steps, rows.length + 1);
  const height = card / RATIO;
  const places = rows.flatMap((row, y) => {
    const gaps = placed(row, room, FINGER / card);
    let x = (room - 1 - sum(gaps)) / 2;
    return gaps.map((step) => ({ x: (x += step) * card, y: y * ROW * height }));
  });
  return {
    places,
    rows: rows.map((row) => row.length),
    height: hand.length === 0 ? 0 : ((rows.length - 1) * ROW + 1) * height,
  };
}
