// A short animation for a book, a foot, or going out. It is decoration; the log tells the same.
import { createSignal, For, onCleanup, Show } from "solid-js";
import { viewOf } from "./state";
import type { Table } from "../../table/table";
import { rankName, type HandAndFootEvent } from "./view";
import { said, t } from "../../languages";

const SHOWN_MS = 1900;

export interface Joy {
  kind: "clean" | "dirty" | "foot" | "out";
  title: string;
  text: string;
}

// What is celebrated: books of the own side, the own foot, and anybody going out.
function joyOf({ event, data }: HandAndFootEvent, table: Table): Joy | null {
  const view = viewOf(table);
  const sideOf = (seat: number) => view.players.find((player) => player.seatIndex === seat)?.team;
  const mine = table.mySeat() === null ? undefined : sideOf(table.mySeat()!);
  if (event === "book-completed" && sideOf(data.seatIndex) === mine) {
    const book = view.teams.find(({ id }) => id === mine)?.melds.find(({ id }) => id === data.bookId);
    return book
      ? {
          kind: book.isClean ? "clean" : "dirty",
          title: said(book.status),
          text: `${rankName(book.rank)}, +${book.bonus}`,
        }
      : null;
  }
  if (event === "foot-picked-up" && data.seatIndex === table.mySeat())
    return { kind: "foot", title: t("The foot!"), text: t("It is your hand now") };
  if (event === "round-over" && data.wentOut !== null)
    return {
      kind: "out",
      title:
        data.wentOut === table.mySeat() ? t("You are out!") : t("{name} is out", { name: table.name(data.wentOut) }),
      text: t("The round is over"),
    };
  return null;
}

const rays = Array.from({ length: 12 }, (_, i) => i * 30);

export function Cheer(props: { table: Table }) {
  const [joy, setJoy] = createSignal<Joy | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = props.table.onStep((step) => {
    const found = (step.events as HandAndFootEvent[])
      .map((event) => joyOf(event, props.table))
      .filter((one) => one !== null);
    if (found.length === 0) return;
    clearTimeout(timer);
    setJoy(found.at(-1)!);
    timer = setTimeout(() => setJoy(null), SHOWN_MS);
  });
  onCleanup(() => {
    stop();
    clearTimeout(timer);
  });
  return (
    <Show when={joy()} keyed>
      {(shown) => (
        <div class={`hf-cheer ${shown.kind}`} aria-hidden="true">
          <span class="rays">
            <For each={rays}>{(turn) => <i style={{ "--turn": `${turn}deg` }} />}</For>
          </span>
          <p>
            <b>{shown.title}</b>
            <span>{shown.text}</span>
          </p>
        </div>
      )}
    </Show>
  );
}
