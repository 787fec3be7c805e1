import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { History, Refusal, Step, World } from "../model";
import { aWorld } from "./fixtures";
import type { Link, LinkListener } from "./link";
import type { Table } from "./table";

vi.mock("./flip", () => ({
  flip: (_root: unknown, update: () => void) => update(),
  finish() {},
  motionIsReduced: () => false,
  paced: (ms: number) => ms,
}));
vi.stubGlobal("document", { hidden: false });
const { createTable, withSigns } = await import("./table");

const step = (version: number): Step => ({
  version,
  events: [{ event: "moved", data: { seatIndex: 0, version } }],
  world: aWorld(version),
});

class FakeLink implements Link {
  readonly kind = "device";
  listener!: LinkListener;
  refusal: Refusal | null = null;
  constructor(private readonly first: World | Refusal = aWorld(1)) {}
  async open(listener: LinkListener) {
    this.listener = listener;
    return this.first;
  }
  act = async () => this.refusal;
  check = async () => this.refusal;
  past: History | Refusal = { version: 0, entries: [] };
  history = async () => this.past;
  async leave() {}
  close() {}
}

async function sit(link = new FakeLink()) {
  const said: string[] = [];
  const refused: string[] = [];
  const table = createTable(link, {
    refused: ({ error }) => refused.push(error),
    say: (text) => said.push(text),
    describe: ({ event, data }, at) => ({ moved: `move ${data.version}`, named: at.name(0) })[event],
  });
  await vi.advanceTimersByTimeAsync(0);
  return { link, table, said, refused };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("steps are shown in order, one after the other", async () => {
  const { link, table, said } = await sit();
  await vi.advanceTimersByTimeAsync(1000);
  for (const version of [2, 3, 4]) link.listener.step(step(version));
  expect(table.world.version).toBe(2);
  await vi.advanceTimersByTimeAsync(300);
  expect(table.world.version).toBe(3);
  await vi.advanceTimersByTimeAsync(300);
  expect(table.world.version).toBe(4);
  expect(said).toEqual(["move 2", "move 3", "move 4"]);
});

test("a step that is to be looked at holds the next one back", async () => {
  const { link, table } = await sit();
  table.stage({} as HTMLElement, () => ({ hold: 2000 }));
  for (const version of [2, 3]) link.listener.step(step(version));
  await vi.advanceTimersByTimeAsync(1900);
  expect(table.world.version).toBe(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(table.world.version).toBe(3);
});

test("too many waiting steps are caught up with", async () => {
  const { link, table } = await sit();
  for (let version = 2; version <= 12; version++) link.listener.step(step(version));
  expect(table.world.version).toBeGreaterThan(2);
  await vi.advanceTimersByTimeAsync(8 * 300);
  expect(table.world.version).toBe(12);
});

test("hurry shows all at once", async () => {
  const { link, table, said } = await sit();
  for (const version of [2, 3, 4]) link.listener.step(step(version));
  table.hurry();
  expect(table.world.version).toBe(4);
  expect(said).toHaveLength(3);
});

test("what one does oneself is shown without delay", async () => {
  const { link, table } = await sit();
  link.listener.step(step(2));
  await table.act("drop 1");
  link.listener.step(step(3));
  expect(table.world.version).toBe(3);
});

test("the whole world anew overtakes what is on its way", async () => {
  const { link, table } = await sit();
  for (const version of [2, 3]) link.listener.step(step(version));
  link.listener.world(aWorld(9));
  await vi.advanceTimersByTimeAsync(1000);
  expect(table.world.version).toBe(9);
});

const texts = (table: Table) => table.lines().map(({ text }) => text);
const moved = (version: number) => ({ version, events: step(version).events });
const seated = (name: string) => [{ ...aWorld(1).seats[0]!, playerId: "cy", name }];
const said = { version: 3, events: [{ event: "chat", data: { playerId: "ann", name: "Ann", text: "hello" } }] };

test("the log is made from the record: the same lines as were heard", async () => {
  const { link, table, said: spoken } = await sit();
  for (const version of [2, 4]) link.listener.step(step(version));
  link.listener.step({ version: 5, events: said.events, world: aWorld(5) });
  await vi.advanceTimersByTimeAsync(1000);
  const heard = texts(table);
  expect(heard).toEqual(["move 2", "move 4", "Ann: hello"]);
  const { link: late, table: again, said: spokenAgain } = await sit(new FakeLink(aWorld(5)));
  late.past = { version: 5, entries: [moved(2), moved(4), { version: 5, events: said.events }] };
  again.recall();
  await vi.advanceTimersByTimeAsync(0);
  expect(texts(again)).toEqual(heard);
  expect([spoken.length, spokenAgain.length]).toEqual([2, 0]); // the past is not read out
});

test("a table that is not kept has the log that was heard", async () => {
  const { link, table } = await sit();
  link.listener.step(step(2));
  table.recall();
  await vi.advanceTimersByTimeAsync(0);
  expect(texts(table)).toEqual(["move 2"]);
});

test("nothing stands in the log twice, and nothing before it is seen", async () => {
  const { link, table } = await sit();
  link.past = { version: 4, entries: [moved(1), moved(2), moved(3), moved(4)] };
  for (const version of [2, 3, 4]) link.listener.step(step(version));
  table.recall();
  await vi.advanceTimersByTimeAsync(0);
  expect(texts(table)).toEqual(["move 1", "move 2"]); // 3 and 4 are not shown yet
  await vi.advanceTimersByTimeAsync(1000);
  expect(texts(table)).toEqual(["move 1", "move 2", "move 3", "move 4"]);
});

test("what was missed is recalled, and what the store lost is gone", async () => {
  const { link, table } = await sit();
  link.past = { version: 1, entries: [moved(1)] };
  table.recall();
  await vi.advanceTimersByTimeAsync(0);
  link.past = { version: 9, entries: [moved(1), moved(8), moved(9)] };
  link.listener.world(aWorld(9));
  await vi.advanceTimersByTimeAsync(0);
  expect(texts(table)).toEqual(["move 1", "move 8", "move 9"]);
  link.past = { version: 8, entries: [moved(1), moved(8)] };
  link.listener.world(aWorld(8));
  link.listener.step(step(9));
  await vi.advanceTimersByTimeAsync(1000);
  expect(texts(table)).toEqual(["move 1", "move 8", "move 9"]);
});

test("a history that could not be had just then is asked for again", async () => {
  const { link, table } = await sit();
  link.past = { error: "Too many requests", code: "RATE_LIMITED", status: 429 };
  link.listener.world(aWorld(9));
  table.recall();
  await vi.advanceTimersByTimeAsync(0);
  link.listener.step(step(10));
  link.past = { version: 10, entries: [moved(8), moved(9), moved(10)] };
  await vi.advanceTimersByTimeAsync(2000);
  expect(texts(table)).toEqual(["move 8", "move 9", "move 10"]);
  link.past = { error: "Too many requests", code: "RATE_LIMITED", status: 429 };
  link.listener.world(aWorld(12));
  await vi.advanceTimersByTimeAsync(0);
  table.close();
  expect(vi.getTimerCount()).toBe(0);
});

test("what no record has keeps its place in the log", async () => {
  const { link, table } = await sit();
  link.listener.step(step(2));
  table.remark(0, "Ann is online again");
  link.listener.step(step(3));
  await vi.advanceTimersByTimeAsync(1000);
  link.past = { version: 3, entries: [moved(1), moved(2), moved(3)] };
  table.recall();
  await vi.advanceTimersByTimeAsync(0);
  expect(texts(table)).toEqual(["move 1", "move 2", "Ann is online again", "move 3"]);
});

test("the log names who sat there then", async () => {
  const { link, table } = await sit();
  link.past = {
    version: 1,
    entries: [{ version: 1, seats: seated("Cy"), events: [{ event: "named", data: { seatIndex: 0 } }] }],
  };
  table.recall();
  await vi.advanceTimersByTimeAsync(0);
  expect(texts(table)).toEqual(["Cy"]);
  expect(table.name(0)).toBe("You");
});

test("refusals are told unless they are to be kept back", async () => {
  const { link, table, refused } = await sit();
  link.refusal = { error: "Not your turn", code: "NOT_YOUR_TURN", status: 403 };
  expect((await table.act("drop 1", true))?.code).toBe("NOT_YOUR_TURN");
  expect(refused).toEqual([]);
  await table.act("drop 1");
  expect(refused).toEqual(["Not your turn"]);
  expect(table.busy()).toBe(false);
});

test("a world that cannot be opened is a problem", async () => {
  const { table } = await sit(new FakeLink({ error: "Gone", code: "ROOM_NOT_FOUND", status: 404 }));
  expect(table.ready()).toBe(false);
  expect(table.problem()?.status).toBe(404);
});

test("a letter alone is a suit", () => {
  expect(withSigns("play 8C H")).toBe("play 8♣ ♥");
  expect(withSigns("took 10D from the pile, JK")).toBe("took 10♦ from the pile, Joker");
});
