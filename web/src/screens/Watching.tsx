// For those who watch: a bar with the seats they may have, and the same offer on a tap at a bot's plate.
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { seatName, type Seat } from "../model";
import type { Table } from "../table/table";
import { BotLevel, SeatFace } from "../ui/BotFace";
import { Dialog } from "../ui/Dialog";
import { said, t } from "../languages";

export function Watching(props: { table: Table; rounds: boolean; stage: () => HTMLElement }) {
  const { world } = props.table;
  const [asked, setAsked] = createSignal<number | null>(null);
  const waits = () => world.spectators.find((one) => one.playerId === world.you?.playerId)?.wants ?? null;
  const free = () => world.seats.filter((seat) => seat.free);
  const nextGame = () => world.status === "game_over" || (world.settings.seating === "next-deal" && !props.rounds);
  const when = () =>
    nextGame()
      ? t("You play in the next game")
      : world.settings.seating === "next-deal"
        ? t("You play from the next deal on")
        : t("You play as soon as the bot has finished its turn");
  const sit = (seat: number) => {
    setAsked(null);
    if (!props.table.busy()) void props.table.act(`sit ${seat}`); // a second tap would be refused
  };
  const offered = (at: EventTarget | null): number | undefined => {
    if (!(at instanceof Element) || at.closest("button")) return undefined; // a button is the table's own
    const plate = at.closest<HTMLElement>("[data-seat]");
    return free().find((one) => String(one.seatIndex) === plate?.dataset.seat)?.seatIndex;
  };
  const onTap = ({ target }: Event) => setAsked((old) => offered(target) ?? old);
  const onOver = ({ target }: Event) => props.stage().classList.toggle("offers", offered(target) !== undefined);
  onMount(() => {
    const stage = props.stage();
    stage.addEventListener("click", onTap);
    stage.addEventListener("pointerover", onOver);
    onCleanup(() => {
      stage.removeEventListener("click", onTap);
      stage.removeEventListener("pointerover", onOver);
      stage.classList.remove("offers");
    });
  });
  return (
    <section class="watching" aria-label={t("You are watching")}>
      <Show
        when={waits() === null}
        fallback={
          <>
            <p role="status">{when()}</p>
            <button type="button" class="button" onClick={() => props.table.act(`watch ${myName(props.table)}`)}>
              {t("Rather watch")}
            </button>
          </>
        }
      >
        <p>
          {t("You are watching")}
          {free().length > 0 ? ` · ${t("Sit in for:")}` : ""}
        </p>
        <For each={free()}>
          {(seat) => (
            <button type="button" class="button" aria-label={sitInFor(seat)} onClick={() => sit(seat.seatIndex)}>
              <SeatFace seat={seat} /> {seatName(seat)} <BotLevel seat={seat} />
            </button>
          )}
        </For>
      </Show>
      <Dialog
        open={asked() !== null}
        title={t("Sit here, for {name}?", { name: seatName(world.seats[asked() ?? -1]) })}
        onClose={() => setAsked(null)}
        footer={
          <>
            <button type="button" class="button" onClick={() => setAsked(null)}>
              {t("Go on watching")}
            </button>
            <button type="button" class="button main" onClick={() => sit(asked()!)}>
              {t("Sit here")}
            </button>
          </>
        }
      >
        <p>
          {nextGame()
            ? t("You play in the next game.")
            : world.settings.seating === "next-deal"
              ? t("You play from the next deal on.")
              : t("You take over the bot's cards and play on from here.")}
        </p>
      </Dialog>
    </section>
  );
}

const sitInFor = (seat: Seat): string =>
  t("Sit in for {name}", { name: `${seatName(seat)} ${seat.character && seat.bot ? said(seat.bot) : ""}`.trim() });

const myName = ({ world }: Table): string =>
  world.spectators.find((one) => one.playerId === world.you?.playerId)?.name ?? "";
