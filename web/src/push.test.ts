import { beforeEach, expect, test, vi } from "vitest";
import { keepContacts } from "./contacts";
import { inUtc, wishes } from "./push";
import { choose } from "./settings";

vi.mock("virtual:games", () => ({ default: [] }));

beforeEach(() => choose({ pushTurnMs: 60_000, pushFriends: true, quiet: false }));

test("times of the device's clock are told in UTC", () => {
  expect(inUtc("22:30", 0)).toBe(22 * 60 + 30);
  expect(inUtc("22:30", 300)).toBe(3 * 60 + 30); // New York in winter
  expect(inUtc("00:15", -120)).toBe(22 * 60 + 15); // Berlin in summer
  expect(inUtc("00:00", -345)).toBe(18 * 60 + 15); // Kathmandu
});

test("the server is told of friends only if they may call", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  keepContacts([{ id: "bob", name: "Bob", met: 1 }]);
  expect(wishes()).toEqual({ turnMs: 60_000, friends: ["bob"], quiet: { from: 0, to: 0 } });
  choose({ pushFriends: false, quiet: true, quietFrom: "01:00", quietTo: "02:00" });
  expect(wishes()).toEqual({ turnMs: 60_000, friends: [], quiet: { from: inUtc("01:00"), to: inUtc("02:00") } });
});
