// How it ended, with everybody's numbers (UD-59).
import { For, Show } from "solid-js";
import type { Seat } from "../../model";
import type { Table } from "../../table/table";
import { SeatFace } from "../../ui/BotFace";
import { orderName, type Statistics, type UpNDownView } from "./view";
import { t } from "../../languages";

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
          ? t("Won! Every card is on a pile.")
          : left() === 1
            ? t("Lost: one single card was left.")
            : t("Lost: {left} cards were left.", { left: left() })}
      </p>
      <Show when={!won() && left() < 10}>
        <p>{t("Fewer than ten left is an excellent game.")}</p>
      </Show>
      <table>
        <caption class="hidden-text">{t("Statistics")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("Player")}</th>
            <th scope="col">{t("Cards")}</th>
            <th scope="col">{t("Moved")}</th>
            <th scope="col">{t("Average")}</th>
            <th scope="col">{t("Back#plays")}</th>
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
            <Row name={t("All together")} numbers={view().statistics} />
          </tfoot>
        </Show>
      </table>
      <p class="small quiet">
        {t(
          "Moved is how far the piles went; the smaller the average, the better the play. Back " +
            "counts the plays ten against a pile's direction.",
        )}
      </p>
    </div>
  );
}
