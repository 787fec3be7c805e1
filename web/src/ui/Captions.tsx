// What an opponent has just done, in a few words at their seat; what was taken comes flying with its caption. At an
// instant table, where nobody could read it, there is none. The log says the same to those who do not see.
import { speeds } from "virtual:world";
import { createMemo, createSignal, For, onCleanup } from "solid-js";
import type { GameUi } from "../games/kind";
import type { Step } from "../model";
import { captionOf, tellings } from "../table/captions";
import { motionIsReduced, paced } from "../table/flip";
import type { Table } from "../table/table";
import { createPlaces } from "./Bubbles";
import { bySeat, captionTime } from "./captionTime";

interface Caption {
  seat: number;
  text: string;
  from?: string; // the data-place that it comes flying from
}

// What others did.
const captionsOf = ({ events }: Step, table: Table, ui: GameUi): Caption[] =>
  events
    .flatMap((event) => tellings(event, table, events) ?? [])
    .flatMap((telling) => {
      const { row, seat } = telling;
      const from = row.others !== "" && seat !== null && seat !== table.mySeat() && ui.atSeat?.(row);
      return from ? [{ seat, text: captionOf(telling), ...(from === true ? {} : { from }) }] : [];
    });

const FLIGHT_MS = 800;

function fly(element: HTMLElement, from: Element | null | undefined) {
  if (!from || motionIsReduced()) return;
  const start = from.getBoundingClientRect(),
    end = element.getBoundingClientRect();
  const x = start.left + start.width / 2 - end.left - end.width / 2;
  const y = start.top + start.height / 2 - end.top - end.height / 2;
  element.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(1.15)` },
      { transform: `translate(${x}px, ${y}px) scale(1.15)`, offset: 0.35 },
      { transform: "none" },
    ],
    { duration: paced(FLIGHT_MS), easing: "cubic-bezier(.3,.7,.3,1)" },
  );
}

export function Captions(props: { table: Table; ui: GameUi; stage: () => HTMLElement }) {
  const [shown, setShown] = createSignal<Caption[]>([]);
  const placeOf = createPlaces(props.stage);
  const show = (caption: Caption, time: number) => {
    setShown((old) => [...old.filter(({ seat }) => seat !== caption.seat), caption]);
    setTimeout(() => setShown((old) => old.filter((other) => other !== caption)), time);
  };
  onCleanup(
    props.table.onStep((step) => {
      const time = captionTime(speeds[String(props.table.world.settings.speed)] ?? 100);
      if (time === 0 || document.hidden) return;
      for (const caption of bySeat(captionsOf(step, props.table, props.ui))) show(caption, time);
    }),
  );
  return (
    <div class="bubbles captions" aria-hidden="true">
      <For each={shown()}>
        {(one) => {
          const place = createMemo(() => placeOf(one.seat));
          return (
            <p
              class="caption"
              classList={{ below: place().below }}
              style={place().style}
              ref={(element) =>
                queueMicrotask(() => fly(element, props.stage().querySelector(`[data-place="${one.from}"]`)))
              }
            >
              {one.text}
            </p>
          );
        }}
      </For>
    </div>
  );
}
