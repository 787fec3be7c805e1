import { expect, test, vi } from "vitest";
import { use, type Gate } from "./gate";
import type { Table } from "./table";

// A control that seems shut, at a table whose engine refuses the move or not; returns how often it was used.
async function press(refused: boolean, more: Partial<Gate> = {}): Promise<number> {
  const act = vi.fn();
  const table = { explain: async () => refused } as unknown as Table;
  use(table, { may: () => false, move: () => "add 1 KD 2C", act, ...more });
  await Promise.resolve();
  await Promise.resolve();
  return act.mock.calls.length;
}

test("what the engine refuses is not done", async () => expect(await press(true)).toBe(0));

test("what seems impossible is done if the engine allows it", async () => expect(await press(false)).toBe(1));

test("nothing is done if another move is meant by the time of the answer", async () => {
  const moves = ["add 1 KD 2C", "add 1 KD"];
  expect(await press(false, { move: () => moves.shift()! })).toBe(0);
});
