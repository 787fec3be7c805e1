// Moves what moved: an element with `data-flip` that stands elsewhere after an update glides there
// from where it was; one that is new comes from its `data-from` place; one that is gone leaves for the
// place the table names. Places are elements with `data-place`. Only transform and opacity change.
const DURATION = 320;
const EASING = "cubic-bezier(.2,.75,.25,1)";

export interface FlipOptions {
  // Where a vanished element goes: a place, undefined to fade, or null to be gone at once.
  leaveTo?: (key: string) => string | undefined | null;
  // Milliseconds between one new element and the next: a deal.
  stagger?: number;
  duration?: number;
  // Milliseconds that the step is to be looked at before the next one is shown.
  hold?: number;
}

interface Seen {
  element: HTMLElement;
  box: DOMRect;
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const motionIsReduced = (): boolean => calm.matches || document.documentElement.dataset.motion === "less";

// Durations scaled by the pace that the person chose on this device.
const paces: Record<string, number> = { calm: 1.7, quick: 0.5 };
export const paced = (ms: number): number => ms * (paces[document.documentElement.dataset.pace ?? ""] ?? 1);

function look(root: ParentNode): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-flip]"))
    seen.set(element.dataset.flip!, { element, box: element.getBoundingClientRect() });
  return seen;
}

const place = (root: ParentNode, name: string | undefined): DOMRect | undefined =>
  name ? root.querySelector(`[data-place="${CSS.escape(name)}"]`)?.getBoundingClientRect() : undefined;

function between(from: DOMRect, to: DOMRect): string {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const scale = to.width > 0 && from.width > 0 ? from.width / to.width : 1;
  return `translate(${x}px, ${y}px) scale(${Math.min(Math.max(scale, 0.2), 3)})`;
}

let layer: HTMLElement | undefined;
let running: Animation[] = [];

// Finishes all running animations.
export function finish(): void {
  for (const animation of running) animation.finish();
  running = [];
}

function ghost(seen: Seen, to: DOMRect | undefined, duration: number): void {
  const { element, box } = seen;
  layer ??= document.body.appendChild(
    Object.assign(document.createElement("div"), { className: "flip-layer", ariaHidden: "true" }),
  );
  const copy = element.cloneNode(true) as HTMLElement;
  for (const part of [copy, ...copy.querySelectorAll<HTMLElement>("[id],[data-flip],[data-place]")]) {
    part.removeAttribute("id");
    part.removeAttribute("data-flip");
    part.removeAttribute("data-place");
  }
  copy.inert = true;
  Object.assign(copy.style, {
    position: "fixed",
    left: `${box.left}px`,
    top: `${box.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
    margin: "0",
    transform: "none",
  });
  layer.append(copy);
  const end = to
    ? {
        transform:
          `translate(${to.left + to.width / 2 - box.left - box.width / 2}px, ` +
          `${to.top + to.height / 2 - box.top - box.height / 2}px) scale(.5)`,
        opacity: 0.2,
      }
    : { opacity: 0 };
  const animation = copy.animate([{ transform: "none", opacity: 1 }, end], { duration, easing: EASING });
  running.push(animation);
  const drop = () => copy.remove();
  animation.finished.then(drop, drop);
}

export function flip(root: HTMLElement | undefined, update: () => void, options: FlipOptions = {}): void {
  if (!root || motionIsReduced() || document.hidden) {
    update();
    return;
  }
  finish();
  const before = look(root);
  update();
  const after = look(root);
  const duration = paced(options.duration ?? DURATION);
  let fresh = 0;
  for (const [key, { element, box }] of after) {
    const old = before.get(key);
    const from = old ? old.box : place(root, element.dataset.from);
    if (!from || (old && from.left === box.left && from.top === box.top && from.width === box.width)) continue;
    const delay = old ? 0 : fresh++ * paced(options.stagger ?? 0);
    running.push(
      element.animate(
        [
          { transform: between(from, box), opacity: old ? 1 : 0.3 },
          { transform: "none", opacity: 1 },
        ],
        {
          duration,
          delay,
          easing: EASING,
          fill: "backwards",
        },
      ),
    );
  }
  for (const [key, seen] of before) {
    if (after.has(key) || seen.box.width === 0) continue;
    const to = options.leaveTo?.(key);
    if (to !== null) ghost(seen, place(root, to), duration);
  }
}
