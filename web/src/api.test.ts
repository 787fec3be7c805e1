import { afterEach, expect, test, vi } from "vitest";
import { getSession } from "./api";

afterEach(() => vi.restoreAllMocks());

test("a server that hangs is one that does not answer", async () => {
  const patience = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  vi.spyOn(globalThis, "fetch").mockImplementation(
    (_, options) =>
      new Promise((_resolve, reject) =>
        options?.signal?.addEventListener("abort", () => reject(options.signal!.reason as Error)),
      ),
  );
  const asked = getSession();
  patience.abort();
  expect(await asked).toMatchObject({ status: 0, code: "UNREACHABLE" });
});
