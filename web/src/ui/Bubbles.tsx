// What somebody says appears for some seconds at their seat, wherever the table or the lobby has put it.
import { createMemo, createSignal, For, onCleanup, onMount } from "solid-js";
import type { WorldEvents } from "../model";
import type { Table } from "../table/table";
import { inWords, signOf } from "./emotes";
import { telling } from "../languages";

interface Placed {
  style: Record<string, string>;
  below: boolean;
}
interface Bubble {
  who: string;
  seat: number | undefined;
  text: string;
}

const SHOWN_MS = 5000;
const LENGTH_MAX = 120; // characters; the log has the rest
const HALF_WIDTH = 112; // px, of the widest one
const MARGIN = 6;

const cut = (text: string): string => (text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX - 1)}…` : text);

// What of it is on the screen: a lobby is longer than that.
function inSight(table: HTMLElement) {
  const { left, top, right, bottom } = table.getBoundingClientRect();
  return {
    left: Math.max(left, 0),
    top: Math.max(top, 0),
    right: Math.min(right, innerWidth),
    bottom: Math.min(bottom, innerHeight),
  };
}

const plateOf = (table: HTMLElement, seat: number | undefined): DOMRect | undefined =>
  table.querySelector(`[data-seat="${seat}"]`)?.getBoundingClientRect();

function isSeen(table: HTMLElement, seat: number | undefined): boolean {
  const stage = inSight(table);
  const plate = plateOf(table, seat);
  return plate !== undefined && plate.bottom > stage.top && plate.top < stage.bottom;
}

// Under a plate of the upper half, above one of the lower half; without a plate at the lower edge, and for those who
// watch at the upper one.
function seatPlace(table: HTMLElement, seat: number | undefined): Placed {
  const stage = inSight(table);
  const plate = plateOf(table, seat);
  const middle = plate ? plate.left + plate.width / 2 : (stage.left + stage.right) / 2;
  const least = stage.left + HALF_WIDTH + MARGIN,
    most = stage.right - HALF_WIDTH - MARGIN;
  const left = `${Math.max(least, Math.min(most, middle))}px`;
  const below = plate ? plate.top + plate.height / 2 < (stage.top + stage.bottom) / 2 : seat === undefined;
  const top = plate ? (below ? plate.bottom + MARGIN : plate.top - MARGIN) : below ? stage.top : stage.bottom;
  const reach = Math.max(stage.top + MARGIN, Math.min(stage.bottom - MARGIN, top));
  return { below, style: { left, top: `${reach}px` } };
}

// The same wherever the table is while it is shown: the drawer may open, a phone be turned, and a lobby be scrolled.
export function createPlaces(stage: () => HTMLElement): (seat: number | undefined) => Placed {
  const [changes, setChanges] = createSignal(0);
  onMount(() => {
    const change = () => setChanges((count) => count + 1);
    const observer = new ResizeObserver(change);
    observer.observe(stage());
    addEventListener("scroll", change, true);
    onCleanup(() => {
      observer.disconnect();
      removeEventListener("scroll", change, true);
    });
  });
  return (seat) => {
    changes();
    return seatPlace(stage(), seat);
  };
}

export function Bubbles(props: { table: Table; stage: () => HTMLElement; muted: (who: string) => boolean }) {
  const [bubbles, setBubbles] = createSignal<Bubble[]>([]);
  const placeOf = createPlaces(props.stage);

  function show({ playerId, name }: { playerId: string; name: string }, text: string) {
    const found = props.table.world.seats.find((seat) => seat.playerId === playerId)?.seatIndex;
    const seen = isSeen(props.stage(), found);
    if (!seen && found !== undefined && playerId === props.table.world.you?.playerId) return;
    const one = { who: playerId, text: seen ? text : telling(name, text), seat: found };
    setBubbles((old) => [...old.filter(({ who }) => who !== playerId), one]);
    setTimeout(() => setBubbles((old) => old.filter((other) => other !== one)), SHOWN_MS);
  }

  onCleanup(
    props.table.onStep(({ events }) => {
      for (const { event, data } of events) {
        if (props.muted(String(data.playerId))) continue;
        if (event === "chat") {
          const said = data as WorldEvents["chat"];
          show(said, cut(said.text));
        }
        if (event === "emote") {
          const shown = data as WorldEvents["emote"];
          show(shown, `${signOf(shown.id)} ${inWords(shown.id)}`.trim());
        }
      }
    }),
  );
  return (
    <div class="bubbles" aria-hidden="true">
      <For each={bubbles()}>
        {(one) => {
          const place = createMemo(() => placeOf(one.seat));
          return (
            <p class="bubble" classList={{ below: place().below }} style={place().style}>
              {one.text}
            </p>
          );
        }}
      </For>
    </div>
  );
}
