import { beforeEach, expect, test, vi } from "vitest";
import type { Step, World } from "../model";
import { aView, aWorld } from "./fixtures";
import type { LinkListener } from "./link";

// A server that answers with the world as it is, and a socket that says what it is told to.
const server = vi.hoisted(() => ({
  world: null as unknown as World,
  asked: 0,
  waiting: [] as (() => void)[],
  hold: false,
  acted: [] as string[],
  refusals: [] as object[],
  hear: [] as ((event: string, data: object) => void)[],
  bound: new Map<string, (value?: unknown) => void>(),
}));
vi.mock("../api", () => ({
  async getWorld() {
    if (++server.asked > 50) throw new Error("asks without end");
    const answer = structuredClone(server.world);
    if (server.hold) await new Promise<void>((resolve) => server.waiting.push(resolve));
    return answer;
  },
  async act(_code: string, _move: string, id: string) {
    server.acted.push(id);
    return server.refusals.shift() ?? { ok: true };
  },
  getConfig: async () => ({ pusher: { key: "key", wsPath: "/app" } }),
}));
vi.mock("pusher-js", () => ({
  default: class {
    connection = {
      state: "connected",
      bind: (name: string, call: (value?: unknown) => void) => server.bound.set(name, call),
    };
    bind() {}
    subscribe(name: string) {
      return {
        bind_global: (call: (event: string, data: object) => void) => server.hear.push(call),
        bind: (event: string, call: (value?: unknown) => void) =>
          server.bound.set(`${name.split("-")[0]} ${event}`, call),
      };
    }
    disconnect() {}
  },
}));
vi.stubGlobal("location", { protocol: "http:", hostname: "table", port: "80" });
vi.stubGlobal("addEventListener", () => {});
vi.stubGlobal("removeEventListener", () => {});

const { NetworkLink } = await import("./network");

const view = (version: number) => aView({ turn: [version % 2] });
const say = (event: string, version: number, more: object = {}) =>
  server.hear[0]!(event, { roomCode: "ABCDEF", version, ...more });
const settle = () => new Promise((resolve) => setTimeout(resolve));

let steps: Step[], worlds: World[], online: boolean[];
async function open() {
  // Of this link alone: timers of an earlier test's may still be running.
  const heard = { steps: [] as Step[], worlds: [] as World[], online: [] as boolean[] };
  ({ steps, worlds, online } = heard);
  const listener: LinkListener = {
    step: (step) => heard.steps.push(step),
    world: (world) => heard.worlds.push(world),
    online: (now) => heard.online.push(now),
    gone() {},
  };
  const link = new NetworkLink("ABCDEF");
  expect(await link.open(listener)).toEqual(server.world);
  return link;
}

beforeEach(() => {
  Object.assign(server, { world: aWorld(5), asked: 0, waiting: [], hold: false, acted: [], refusals: [], hear: [] });
  server.bound.clear();
});

test("the view closes the step of its version", async () => {
  await open();
  say("card-played", 6, { card: "AH" });
  expect(steps).toEqual([]);
  say("view-updated", 6, { view: view(6) });
  expect(steps.map(({ version, events }) => [version, events.map(({ event }) => event)])).toEqual([
    [6, ["card-played"]],
  ]);
  expect(steps[0]!.world.view!.turn).toEqual([0]);
});

test("what is old is not heard again", async () => {
  await open();
  say("view-updated", 4, { view: view(4) });
  expect(steps).toEqual([]);
});

test("PL-39 a gap is closed by asking for the whole world", async () => {
  await open();
  server.world = aWorld(8);
  say("view-updated", 8, { view: view(8) });
  await settle();
  expect(worlds.map(({ version }) => version)).toEqual([8]);
  say("view-updated", 9, { view: view(9) });
  expect(steps.map(({ version }) => version)).toEqual([9]);
});

test("what comes while the world is asked for is not lost", async () => {
  await open();
  server.hold = true;
  server.world = aWorld(7);
  say("view-updated", 7, { view: view(7) });
  server.world = aWorld(8);
  say("view-updated", 8, { view: view(8) });
  server.hold = false;
  server.waiting[0]!();
  await settle();
  expect(worlds.at(-1)!.version).toBe(8);
});

test("what happened before the channel was open is asked for", async () => {
  await open();
  server.world = aWorld(6);
  server.bound.get("private pusher:subscription_succeeded")!();
  await settle();
  expect(worlds.map(({ version }) => version)).toEqual([6]);
});

test("a lost connection is told", async () => {
  await open();
  server.bound.get("state_change")!({ current: "unavailable" });
  server.bound.get("state_change")!({ current: "connected" });
  expect(online).toEqual([false, true]);
});

test("what was told before a gap does not belong to what comes after it", async () => {
  await open();
  say("card-played", 6, { card: "AH" });
  server.world = aWorld(8);
  say("view-updated", 8, { view: view(8) });
  await settle();
  say("view-updated", 9, { view: view(9) });
  expect(steps.map(({ version, events }) => [version, events])).toEqual([[9, []]]);
});

test("an answer that is older than what was heard of is not the last", async () => {
  await open();
  server.hold = true;
  server.world = aWorld(7);
  say("view-updated", 8, { view: view(8) });
  server.world = aWorld(8);
  server.hold = false;
  server.waiting[0]!();
  await settle();
  expect(worlds.at(-1)!.version).toBe(8);
});

test("what is asked for while an answer is on its way is asked for again", async () => {
  await open();
  server.hold = true;
  server.bound.get("private pusher:subscription_succeeded")!();
  server.world = aWorld(6);
  server.bound.get("presence pusher:subscription_succeeded")!();
  server.hold = false;
  server.waiting[0]!();
  await settle();
  expect(worlds.map(({ version }) => version)).toEqual([6]);
});

test("a channel that opens may bring what another one missed of the same version", async () => {
  await open();
  server.world = { ...aWorld(5), ownerId: "bob" };
  vi.useFakeTimers();
  server.bound.get("private pusher:subscription_succeeded")!();
  await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  expect(steps.map(({ world }) => world.ownerId)).toEqual(["bob"]);
});

test("who sits does not look with the eyes of those who watch", async () => {
  await open();
  say("public-view", 6, { view: view(7) });
  expect(steps).toEqual([]);
  say("view-updated", 6, { view: view(6) });
  expect(steps[0]!.world.view!.turn).toEqual([0]);
});

test("a world that went back is believed after a while", async () => {
  await open();
  vi.useFakeTimers();
  say("view-updated", 6, { view: view(6) });
  server.world = aWorld(3);
  say("view-updated", 3, { view: view(3) });
  await vi.advanceTimersByTimeAsync(1000);
  expect([server.asked, worlds]).toEqual([1, []]); // it may just be late
  await vi.advanceTimersByTimeAsync(2000);
  expect(worlds.map(({ version }) => version)).toEqual([3]);
  await vi.advanceTimersByTimeAsync(10000);
  expect(server.asked).toBe(2);
  say("view-updated", 4, { view: view(4) });
  expect(steps.map(({ version }) => version)).toEqual([6, 4]);
  vi.useRealTimers();
});

test("so is one that went back while nobody listened", async () => {
  await open();
  vi.useFakeTimers();
  server.world = aWorld(3);
  server.bound.get("private pusher:subscription_succeeded")!();
  await vi.advanceTimersByTimeAsync(1000);
  expect([server.asked, worlds]).toEqual([2, []]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(worlds.map(({ version }) => version)).toEqual([3]);
  vi.useRealTimers();
});

test("old news of a world that is as new as it was changes nothing, however often", async () => {
  await open();
  vi.useFakeTimers();
  for (const asked of [2, 3]) {
    say("view-updated", 4, { view: view(4) });
    await vi.advanceTimersByTimeAsync(3000);
    expect([server.asked, worlds]).toEqual([asked, []]);
  }
  vi.useRealTimers();
});

const busy = { error: "Not now", code: "UNAVAILABLE", status: 503 };
test("a move goes out again under the same id until there is an answer", async () => {
  const link = await open();
  vi.useFakeTimers();
  server.refusals = [busy, { ...busy, code: "", status: 0 }];
  const done = link.act("drop 4");
  await vi.advanceTimersByTimeAsync(10000);
  expect(await done).toBe(null);
  expect(server.acted.length).toBe(3);
  expect(new Set(server.acted).size).toBe(1);
  vi.useRealTimers();
});

test("a move that is refused is not sent again, the next one has an id of its own", async () => {
  const link = await open();
  const no = { error: "Not your turn", code: "NOT_YOUR_TURN", status: 409 };
  server.refusals = [no];
  expect(await link.act("drop 4")).toEqual(no);
  expect(await link.act("drop 4")).toBe(null);
  expect(new Set(server.acted).size).toBe(2);
});
