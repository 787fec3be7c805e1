// Keeps the focus: when an update removes the focused element, a neighbour gets the focus.
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
