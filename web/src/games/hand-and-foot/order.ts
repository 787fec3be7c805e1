// The order in which a person holds their cards (HT-32).

// What is still held stays where it was; what is new comes to the right.
export function keepOrder(kept: readonly string[], hand: readonly string[]): string[] {
  const held = new Set(hand);
  const old = kept.filter((id) => held.has(id));
  const known = new Set(old);
  return [...old, ...hand.filter((id) => !known.has(id))];
}

// Some cards moved in front of another one; without it, to the end.
export function moveBefore(order: readonly string[], ids: readonly string[], before: string | undefined): string[] {
  const rest = order.filter((id) => !ids.includes(id));
  const at = before === undefined ? -1 : rest.indexOf(before);
  const moved = order.filter((id) => ids.includes(id));
  return at < 0 ? [...rest, ...moved] : [...rest.slice(0, at), ...moved, ...rest.slice(at)];
}

// One card a place to the left (-1) or to the right (1).
export function nudge(order: readonly string[], id: string, by: -1 | 1): string[] {
  const from = order.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= order.length) return [...order];
  const next = [...order];
  [next[from], next[to]] = [next[to]!, next[from]!];
  return next;
}

const KEY = "oyster-order-";

export function keptOrder(code: string): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY + code) ?? "[]") as string[];
  } catch {
    return [];
  }
}

export const rememberOrder = (code: string, order: readonly string[]): void =>
  sessionStorage.setItem(KEY + code, JSON.stringify(order));
