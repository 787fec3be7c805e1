import { expect, test } from "vitest";
import type { Step } from "../model";
import { soundOf } from "./sound";

const heard = (events: string[], myTurn = false, wasMyTurn = false, action = "order-up") =>
  soundOf({ events: events.map((event) => ({ event, data: { action } })) } as unknown as Step, myTurn, wasMyTurn);

test("HF-160, WD-147 a card, a call, a trick, the own turn and the end are heard, the most telling one", () => {
  expect(heard(["card-played"])).toBe("card");
  expect(heard(["trump-action"])).toBe("call");
  expect(heard(["trump-action"], false, false, "pass")).toBe(undefined);
  expect(heard(["card-played", "trick-won", "trick-started"])).toBe("trick");
  expect(heard(["card-played", "trick-won"], true, false)).toBe("turn");
  expect(heard(["card-played", "trick-won", "game-over"], true, false)).toBe("end");
  expect(heard(["disc-dropped"], true, true)).toBe("card");
  expect(heard(["cards-drawn"])).toBe("card");
  expect(heard(["preference-set"])).toBe(undefined);
});
