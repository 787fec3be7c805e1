// The own cards: one is chosen by tap or key, or carried to a pile.
import { createEffect, createSignal, For, on, onCleanup, onMount } from "solid-js";
import { gate, use, type Gate } from "../../table/gate";
import type { Table } from "../../table/table";
import { NumberFace } from "./signs";
import { t } from "../../languages";

const ROW = 7; // cards side by side on a narrow screen
const DRAG_START = 8; // pixels before a press becomes a drag

export interface HandProps {
  table: Table;
  cards: number[];
  chosen: number | null;
  words(card: number): string;
  dull(card: number): boolean;
  choice(card: number, act: () => void): Gate;
  special(card: number): boolean;
  share(card: number): number;
  onChoose(card: number | null): void;
  onLook(card: number | null): void;
  onCarry(pile: number | null): void;
  // False: the card goes back to the hand.
  onDrop(card: number, pile: number | null): Promise<boolean>;
}

interface Drag {
  card: number;
  x: number;
  y: number;
}

const pileAt = (x: number, y: number): number | null => {
  const found = document.elementsFromPoint(x, y).find((element) => element.closest("[data-pile]"));
  return found ? Number(found.closest<HTMLElement>("[data-pile]")!.dataset.pile) : null;
};

export function Hand(props: HandProps) {
  let row!: HTMLDivElement;
  const [at, setAt] = createSignal(0); // the card that Tab comes to
  const [drag, setDrag] = createSignal<Drag | null>(null);
  let pressed: Drag | null = null;
  let carried = false; // swallows the click that ends a drag

  const reach = () => Math.max(0, Math.min(at(), props.cards.length - 1));
  const focus = (index: number) => {
    setAt(index);
    (row.querySelectorAll<HTMLElement>("button")[reach()] ?? row).focus();
  };

  // When a focused card is played, its neighbour gets the focus. If nothing has the focus, the focused card was
  // removed, unless a press elsewhere took the focus away.
  let inside = false;
  const onPress = (event: Event) => (inside &&= row.contains(event.target as Node));
  onMount(() => addEventListener("pointerdown", onPress));
  onCleanup(() => removeEventListener("pointerdown", onPress));
  createEffect(
    on(
      () => props.cards.join(),
      () => {
        const held = drag();
        if (held && !props.cards.includes(held.card)) setDrag(null);
        if (inside && !row.contains(document.activeElement)) focus(reach());
      },
    ),
  );

  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: at() - 1,
      ArrowRight: at() + 1,
      Home: 0,
      End: props.cards.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    focus((next + props.cards.length) % props.cards.length);
  };

  const press = (card: number) => {
    const back = props.chosen === card;
    props.onChoose(back ? null : card);
    props.onLook(back ? null : card);
  };
  const onMove = (event: PointerEvent, card: number) => {
    if (pressed?.card !== card) return;
    const x = event.clientX - pressed.x;
    const y = event.clientY - pressed.y;
    if (!drag()) {
      if (Math.hypot(x, y) < DRAG_START) return;
      carried = true;
      props.onChoose(card);
    }
    setDrag({ card, x, y });
    props.onCarry(pileAt(event.clientX, event.clientY));
  };
  const onUp = async (event: PointerEvent, card: number) => {
    const held = drag();
    pressed = null;
    if (held?.card !== card) return;
    props.onCarry(null);
    const pile = event.type === "pointerup" ? pileAt(event.clientX, event.clientY) : null;
    if (!(await props.onDrop(card, pile))) setDrag(null);
  };

  return (
    <div
      ref={row}
      class="hand"
      classList={{ carrying: drag() !== null }}
      role="toolbar"
      aria-label={t("Your hand")}
      tabindex={-1}
      style={{
        "--count": Math.max(props.cards.length, 1),
        "--columns": props.cards.length > ROW ? Math.ceil(props.cards.length / 2) : Math.max(props.cards.length, 1),
      }}
      onKeyDown={onKey}
      onFocusIn={() => (inside = true)}
      onFocusOut={({ relatedTarget }) => relatedTarget && (inside = row.contains(relatedTarget as Node))}
    >
      <For each={props.cards}>
        {(card, index) => (
          <button
            type="button"
            class="slip"
            classList={{
              chosen: props.chosen === card,
              dull: props.dull(card),
              special: props.special(card),
              dragged: drag()?.card === card,
            }}
            style={{ translate: drag()?.card === card ? `${drag()!.x}px ${drag()!.y}px` : undefined }}
            data-flip={`card-${card}`}
            data-from="draw"
            data-card={card}
            aria-pressed={props.chosen === card}
            aria-label={props.words(card)}
            tabindex={index() === reach() ? 0 : -1}
            onFocus={() => {
              setAt(index());
              props.onLook(card);
            }}
            onBlur={() => props.onLook(null)}
            onPointerEnter={(event) => event.pointerType === "mouse" && props.onLook(card)}
            onPointerLeave={() => props.onLook(null)}
            onPointerDown={(event) => {
              carried = false;
              if (!event.isPrimary || event.button !== 0) return;
              pressed = { card, x: event.clientX, y: event.clientY };
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={(event) => onMove(event, card)}
            onPointerUp={(event) => void onUp(event, card)}
            onPointerCancel={(event) => void onUp(event, card)}
            {...gate(
              props.table,
              props.choice(card, () => press(card)),
            )}
            onClick={() =>
              carried ||
              use(
                props.table,
                props.choice(card, () => press(card)),
              )
            }
          >
            <NumberFace value={card} share={props.share(card)} />
          </button>
        )}
      </For>
    </div>
  );
}
