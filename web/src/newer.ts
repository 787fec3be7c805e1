// A server that was upgraded serves another page than this one. Whoever is in the middle of something finishes it:
// the new page is loaded with the next step to another screen, or while nobody looks. A part of the old page that is
// asked for and gone is no reason to wait.
import { note, say } from "./ui/notes";
import { t } from "./languages";

const LOOK_MS = 10 * 60 * 1000;
const LOOP_MS = 10 * 1000;
const RELOADED = "oyster-reloaded";

// The files of a page, which have a hash of their content in their names.
const parts = (html: string): string[] => html.match(/\/assets\/[\w.-]+/g) ?? [];

const atTable = () => /^\/(w|t|learn)\//.test(location.pathname);
let ours = new Set<string>();
let newer = false;
let looked = Date.now();

export const isNewer = (): boolean => newer;

export async function lookForNewer(): Promise<void> {
  if (newer || !import.meta.env.PROD) return;
  looked = Date.now();
  const html = await fetch("/", { cache: "no-store" }).then(
    (answer) => (answer.ok ? answer.text() : ""),
    () => "", // no network: nothing is newer
  );
  if (newer || parts(html).every((part) => ours.has(part))) return;
  newer = true;
  const text = t("A newer Oyster is here. It is loaded when you leave this screen.");
  note(text, "news");
  say(text);
  leaveUnseen();
}

function leaveUnseen(): void {
  if (newer && document.hidden && !atTable()) location.reload();
}

// False if that was tried a moment ago.
function loadAnew(): boolean {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < LOOP_MS) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return true;
}

// A part of the page, or of the engine, could not be loaded.
export async function missPart(): Promise<void> {
  await lookForNewer();
  if (!newer || !loadAnew()) note(t("This could not be loaded. Please try again."));
}

export function watchForNewer(): void {
  ours = new Set(parts(document.documentElement.outerHTML));
  addEventListener("vite:preloadError", () => void missPart());
  addEventListener("online", () => void lookForNewer());
  document.addEventListener("visibilitychange", () => {
    leaveUnseen();
    if (!document.hidden && Date.now() - looked > LOOK_MS) void lookForNewer();
  });
}
