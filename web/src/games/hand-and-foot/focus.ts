// Focus is never lost: when what had it vanishes with an update, a neighbour gets it.
import { createEffect, on, onCleanup, onMount } from "solid-js";

export function keepFocus(
  container: () => HTMLElement,
  changes: () => unknown,
  neighbour: () => HTMLElement | null | undefined,
): void {
  let inside = false;
  const events = new AbortController();
  onMount(() => {
    addEventListener("focusin", ({ target }) => (inside = container().contains(target as Node)), {
      signal: events.signal,
    });
    addEventListener("pointerdown", () => (inside = container().contains(document.activeElement)), {
      signal: events.signal,
    });
  });
  onCleanup(() => events.abort());
  createEffect(
    on(changes, () =>
      queueMicrotask(() => {
        if (inside && (document.activeElement === document.body || document.activeElement === null))
          neighbour()?.focus();
      }),
    ),
  );
}
