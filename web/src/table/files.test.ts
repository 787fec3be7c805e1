import { expect, test } from "vitest";
import { isJson, renamed } from "./files";

test("a log gets another code and stays what it was", () => {
  const log = "17 @me create ABCDEF hand-and-foot 00 11 Ann\r\n18 @me start\n19 0 draw\n";
  const newer = log.replace("hand-and-foot", "hand-and-foot@1.1"); // which names its rules
  expect(renamed(newer, "XYZXYZ")?.[0]).toBe("17 @me create XYZXYZ hand-and-foot@1.1 00 11 Ann");
  expect(renamed(log, "XYZXYZ")).toEqual(["17 @me create XYZXYZ hand-and-foot 00 11 Ann", "18 @me start", "19 0 draw"]);
});

test("what is no log is told so", () => {
  expect(renamed("", "XYZXYZ")).toBeNull();
  expect(renamed("oyster 1\ngame hand-and-foot", "XYZXYZ")).toBeNull();
  expect(isJson(' {"version": "1.0"}')).toBe(true);
  expect(isJson("17 @me create")).toBe(false);
});
