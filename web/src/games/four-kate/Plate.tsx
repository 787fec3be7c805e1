// The front of the board with its holes, and the two kinds of discs: they differ by pattern (FK-7).
import { For, Show } from "solid-js";

interface Size {
  columns: number;
  rows: number;
}

const holesOf = ({ columns, rows }: Size) =>
  Array.from({ length: columns * rows }, (_, index) => ({
    x: (index % columns) * 100 + 50,
    y: Math.floor(index / columns) * 100 + 50,
  }));
const RADIUS = 41;
const hole = ({ x, y }: { x: number; y: number }) =>
  `M${x - RADIUS} ${y}a${RADIUS} ${RADIUS} 0 1 0 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 ${-2 * RADIUS} 0Z`;
const pathOf = (size: Size) => `M0 0H${size.columns * 100}V${size.rows * 100}H0Z${holesOf(size).map(hole).join("")}`;

export const Plate = (props: Size) => (
  <svg class="plate" viewBox={`0 0 ${props.columns * 100} ${props.rows * 100}`} aria-hidden="true">
    <defs>
      <linearGradient id="kate-plate" x1="0" y1="0" x2="0.3" y2="1">
        <stop offset="0" stop-color="#4b7bf0" />
        <stop offset="0.5" stop-color="#2f57c4" />
        <stop offset="1" stop-color="#213f96" />
      </linearGradient>
    </defs>
    <path d={pathOf(props)} fill="url(#kate-plate)" fill-rule="evenodd" />
    <For each={holesOf(props)}>
      {({ x, y }) => (
        <>
          <circle cx={x} cy={y} r="43" class="rim" />
          <path d={`M${x - 38} ${y - 17}A42 42 0 0 1 ${x + 38} ${y - 17}`} class="shade" />
          <path d={`M${x - 30} ${y + 33}A45 45 0 0 0 ${x + 30} ${y + 33}`} class="shine" />
        </>
      )}
    </For>
  </svg>
);

export const Token = (props: { seat: number }) => (
  <svg class={`token seat-${props.seat}`} viewBox="0 0 100 100" aria-hidden="true">
    <circle cx="50" cy="50" r="47" class="body" />
    <circle cx="50" cy="50" r="43" class="edge" />
    <Show
      when={props.seat === 0}
      fallback={
        <path
          d="m50 20 8.8 19.4 21.2 2.4-15.8 14.3 4.4 20.9L50 66.4 31.4 77l4.4-20.9L20 41.800l21.200-2.400Z"
          class="figure"
        />
      }
    >
      <circle cx="50" cy="50" r="22" class="figure" />
    </Show>
    <path d="M18 38a34 34 0 0 1 30-22" class="gleam" />
  </svg>
);
