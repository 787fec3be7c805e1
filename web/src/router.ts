// The address bar as a signal.
import { createSignal } from "solid-js";
import { isNewer } from "./newer";

const [path, setPath] = createSignal(location.pathname);
export { path };

window.addEventListener("popstate", () => (isNewer() ? location.reload() : setPath(location.pathname)));

export function go(to: string, replace = false): void {
  if (isNewer()) {
    location[replace ? "replace" : "assign"](to);
    return;
  }
  history[replace ? "replaceState" : "pushState"](null, "", to);
  setPath(location.pathname);
  scrollTo(0, 0);
}

// Links within the page change the address without loading the page again.
export function followLinks(): void {
  window.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    if (
      !link ||
      link.origin !== location.origin ||
      link.target ||
      link.hasAttribute("download") ||
      event.defaultPrevented
    )
      return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.hash);
  });
}
