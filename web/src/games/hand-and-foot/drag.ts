// Cards that follow a finger or the mouse. What they may be dropped on carries `data-drop`.
import { createSignal } from "solid-js";

const START = 9; // pixels before a press becomes a drag
const LONG_PRESS = 550;

export interface Dragged {
  ids: string[];
  x: number;
  y: number;
  over: string | null;
}

export interface DragHooks {
  // The cards that move with this one.
  cards(id: string): string[];
  // `before` is the card of the hand that they were dropped on.
  drop(target: string, ids: string[], before: string | undefined): void;
  longPress(id: string): void;
}

const found = (x: number, y: number, what: "drop" | "card"): string | undefined =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>(`[data-${what}]`)?.dataset[what];

export function createDrag(hooks: DragHooks) {
  const [dragged, setDragged] = createSignal<Dragged | null>(null);
  let suppress = false; // set after a drag: the click that follows is ignored

  function start(event: PointerEvent, id: string) {
    if (event.button !== 0) return;
    const { clientX, clientY, pointerId } = event;
    suppress = false;
    const press = event.pointerType === "mouse" ? undefined : setTimeout(longPress, LONG_PRESS);
    const events = new AbortController();
    const { signal } = events;

    function longPress() {
      end();
      suppress = true;
      hooks.longPress(id);
    }
    function end() {
      clearTimeout(press);
      events.abort();
      setDragged(null);
    }
    function move({ clientX: x, clientY: y, pointerId: which }: PointerEvent) {
      if (which !== pointerId) return;
      if (!dragged() && Math.hypot(x - clientX, y - clientY) < START) return;
      clearTimeout(press);
      suppress = true;
      setDragged((old) => ({ ids: old?.ids ?? hooks.cards(id), x, y, over: found(x, y, "drop") ?? null }));
    }
    function up({ clientX: x, clientY: y, pointerId: which }: PointerEvent) {
      if (which !== pointerId) return;
      const carried = dragged();
      const target = found(x, y, "drop");
      const before = found(x, y, "card");
      end();
      if (carried && target !== undefined) hooks.drop(target, carried.ids, before);
    }
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", up, { signal });
    addEventListener("pointercancel", end, { signal });
    addEventListener("keydown", (key: KeyboardEvent) => key.key === "Escape" && end(), { signal });
  }

  // Was this click only the end of a drag or of a long press?
  function isClick(): boolean {
    const real = !suppress;
    suppress = false;
    return real;
  }
  return { dragged, start, isClick };
}
