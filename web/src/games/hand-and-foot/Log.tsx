// The last ten actions (HF-122); on small screens the frame's drawer has them.
import { createEffect, For } from "solid-js";
import { withSigns } from "../../table/table";
import { SeatFace } from "../../ui/BotFace";
import type { Play } from "./state";
import { said, t } from "../../languages";

const LINES = 10;

export function Log(props: { play: Play }) {
  const { view, table } = props.play;
  const lines = () => view().log.slice(-LINES);
  let list!: HTMLOListElement;
  createEffect(() => {
    lines();
    queueMicrotask(() => list.scrollTo({ top: list.scrollHeight }));
  });
  return (
    <section class="hf-log" aria-labelledby="hf-log">
      <h2 id="hf-log">{t("Action log")}</h2>
      <ol ref={list} tabindex="0" aria-labelledby="hf-log">
        <For each={lines()} fallback={<li class="quiet">{t("Nothing yet.")}</li>}>
          {(line) => (
            <li>
              <SeatFace seat={table.world.seats[line.seatIndex ?? -1]} />
              {line.seatIndex !== null && <b>[{table.name(line.seatIndex)}] </b>}
              {withSigns(said(line.message))}
            </li>
          )}
        </For>
      </ol>
    </section>
  );
}
