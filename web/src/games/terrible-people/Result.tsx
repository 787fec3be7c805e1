import { For, Show } from "solid-js";
import type { Table } from "../../table/table";
import { SeatFace } from "../../ui/BotFace";
import { Plot } from "./Plot";
import { Sentence } from "./Prompt";
import { standings, type TerribleView } from "./terrible";
import { t, tn } from "../../languages";

// The standings, and the sentence that decided it.
export function Result(props: { table: Table }) {
  const view = () => props.table.world.view as TerribleView;
  const table = () => standings(view().result!);
  const last = () => view().submissions.find((one) => one.id === view().pickedSubmissionId);
  const winner = () => view().result!.winners[0]!;
  return (
    <div class="tp-result stack">
      <p class="tp-winner">
        {winner() === props.table.mySeat()
          ? t("You are the most terrible of all")
          : t("{name} is the most terrible of all", { name: props.table.name(winner()) })}
      </p>
      <ol class="tp-standings">
        <For each={table()}>
          {({ seat, score, place }) => (
            <li classList={{ first: place === 1 }}>
              <span class="place">{place}</span>
              <b class="grow">
                <SeatFace seat={props.table.world.seats[seat]} /> {props.table.name(seat)}
              </b>
              <span class="bar-of" aria-hidden="true">
                <i style={{ transform: `scaleX(${score / view().targetScore})` }} />
              </span>
              <span>{tn(score, "{n} point", "{n} points")}</span>
            </li>
          )}
        </For>
      </ol>
      <Plot table={props.table} view={view()} />
      <Show when={last()}>
        {(won) => (
          <figure class="tp-last">
            <figcaption class="small quiet">{t("The last word")}</figcaption>
            <p class="tp-prompt small-prompt">
              <Sentence view={view()} answers={won().cards.map((card) => card.text)} />
            </p>
          </figure>
        )}
      </Show>
    </div>
  );
}
