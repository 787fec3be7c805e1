// The three submissions: face down while they come in, turned one by one, then named.
import { For, Show } from "solid-js";
import type { Table } from "../../table/table";
import { Sentence } from "./Prompt";
import type { Submission, TerribleView } from "./terrible";
import { t } from "../../languages";

export const Back = () => (
  <span class="tp-back" aria-hidden="true">
    <span>Terrible</span>
    <span>People</span>
  </span>
);

// While submitting: a place for each answer, filled as they come.
export function Waiting(props: { table: Table; view: TerribleView }) {
  const seats = () => props.view.players.map((player) => player.seatIndex).filter((seat) => seat !== props.view.judge);
  return (
    <ul class="tp-waiting" data-place="answers" aria-label={t("Answers so far")}>
      <For each={seats()}>
        {(seat) => (
          <li>
            <span class="tp-slot">
              <Show when={props.view.submitted.includes(seat)}>
                <span
                  class="tp-down"
                  data-flip={`answer-${seat}`}
                  data-from={seat === props.table.mySeat() ? undefined : `seat-${seat}`}
                >
                  <Back />
                </span>
              </Show>
            </span>
            <span class="small">
              {props.table.name(seat)}
              <span class="hidden-text">
                {" "}
                {props.view.submitted.includes(seat) ? t("answered") : t("still to answer")}
              </span>
            </span>
          </li>
        )}
      </For>
    </ul>
  );
}

export function Reveal(props: {
  table: Table;
  view: TerribleView;
  shown: number; // how many are turned already
  judging: boolean; // it is ours to pick
  chosen: number | null;
  named: boolean; // the winner is no secret any more
  onChoose: (id: number) => void;
}) {
  const picked = (one: Submission) => props.named && one.id === props.view.pickedSubmissionId;
  const own = (one: Submission) =>
    props.named ? one.seatIndex === props.table.mySeat() : one.id === props.view.ownSubmissionId;
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...(event.currentTarget as HTMLElement).querySelectorAll("button")];
    all[(all.indexOf(document.activeElement as HTMLButtonElement) + step + all.length) % all.length]?.focus();
  };
  const author = (one: Submission) => (props.named ? props.table.name(one.seatIndex) : own(one) ? t("Yours") : "");

  return (
    <ol class="tp-reveal" tabindex="-1" aria-label={t("The answers")} onKeyDown={onKey}>
      <For each={props.view.submissions}>
        {(one, i) => {
          const turned = () => i() < props.shown;
          const body = () => (
            <>
              <span class="tp-front" aria-hidden={!turned()}>
                <span class="tp-number">{one.id}</span>
                <span class="tp-text">
                  <Sentence view={props.view} answers={one.cards.map((card) => card.text)} />
                </span>
                <span class="tp-author" classList={{ named: props.named }}>
                  {author(one)}
                  <Show when={picked(one)}>
                    <b class="tp-plus">+{props.view.roundPoints}</b>
                  </Show>
                </span>
              </span>
              <Back />
            </>
          );
          return (
            <li
              class="tp-answer"
              classList={{
                turned: turned(),
                picked: picked(one),
                lost: props.named && !picked(one),
                chosen: props.chosen === one.id,
              }}
            >
              <Show when={props.judging} fallback={<div class="tp-leaf">{body()}</div>}>
                <button
                  type="button"
                  class="tp-leaf"
                  aria-pressed={props.chosen === one.id}
                  aria-label={turned() ? undefined : t("Answer {id}, face down", { id: one.id })}
                  onClick={() => props.onChoose(one.id!)}
                >
                  {body()}
                </button>
              </Show>
            </li>
          );
        }}
      </For>
    </ol>
  );
}
