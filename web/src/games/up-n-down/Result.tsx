// How it ended, with everybody's numbers (UD-59).
import { For, Show } from "solid-js";
import type { Seat } from "../../model";
import type { Table } from "../../table/table";
import { SeatFace } from "../../ui/BotFace";
import { orderName, type Statistics, type UpNDownView } from "./view";

function Row(props: { seat?: Seat; name: string; numbers: Statistics }) {
  return (
    <tr>
      <th scope="row">
        <SeatFace seat={props.seat} /> {props.name}
      </th>
      <td>{props.numbers.cardsPlayed}</td>
      <td>{props.numbers.totalMovement}</td>
      <td>{props.numbers.averageMovement.toFixed(1)}</td>
      <td>{props.numbers.specialPlays}</td>
    </tr>
  );
}

export function Result(props: { table: Table }) {
  const view = () => props.table.world.view as UpNDownView;
  const won = () => view().gamePhase === "won";
  const left = () => view().cardsLeft;
  return (
    <div class="stack updown-result">
      <p class="verdict" classList={{ won: won() }}>
        {won()
          ? "Won! Every card is on a pile."
          : left() === 1
            ? "Lost: one single card was left."
            : `Lost: ${left()} cards were left.`}
      </p>
      <Show when={!won() && left() < 10}>
        <p>Fewer than ten left is an excellent game.</p>
      </Show>
      <table>
        <caption class="hidden-text">Statistics</caption>
        <thead>
          <tr>
            <th scope="col">Player</th>
            <th scope="col">Cards</th>
            <th scope="col">Moved</th>
            <th scope="col">Average</th>
            <th scope="col">Back</th>
          </tr>
        </thead>
        <tbody>
          <For each={view().players}>
            {({ seatIndex, statistics }) => (
              <Row
                seat={props.table.world.seats[seatIndex]}
                name={orderName(props.table.world.seats[seatIndex], props.table.mySeat())}
                numbers={statistics}
              />
            )}
          </For>
        </tbody>
        <Show when={!view().isSolitaire}>
          <tfoot>
            <Row name="All together" numbers={view().statistics} />
          </tfoot>
        </Show>
      </table>
      <p class="small quiet">
        Moved is how far the piles went; the smaller the average, the better the play. Back counts the plays ten against
        a pile's direction.
      </p>
    </div>
  );
}
