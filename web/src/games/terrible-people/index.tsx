// The table of Terrible People: choose, reveal, judge, and the point.
import { createEffect, createMemo, createSignal, Match, on, onCleanup, onMount, Show, Switch } from "solid-js";
import { motionIsReduced } from "../../table/flip";
import { gate, use, type Gate } from "../../table/gate";
import type { Table } from "../../table/table";
import { isForTable } from "../../ui/keys";
import { say } from "../../ui/notes";
import type { GameUi } from "../kind";
import { Hand } from "./Hand";
import { Sentence } from "./Prompt";
import { Result } from "./Result";
import { Reveal, Waiting } from "./Reveal";
import { Gavel, Scores } from "./Scores";
import { filledWords, toggle, type Submission, type TerribleEvent, type TerribleView } from "./terrible";
import { speech } from "./speech";
import { t } from "../../languages";
import "./terrible.css";

const TURN_GAP = 750; // between one answer's turning and the next

const viewOf = (table: Table) => table.world.view as TerribleView | null;

function TerribleTable(props: { table: Table }) {
  return <Show when={viewOf(props.table)}>{(view) => <Round table={props.table} view={view()} />}</Show>;
}

function Round(props: { table: Table; view: TerribleView }) {
  const table = props.table;
  let root!: HTMLDivElement;
  const view = () => props.view;
  const phase = () => view().phase;
  const prompt = () => view().prompt;
  const blanks = () => prompt()?.blanks ?? 1;
  const me = () => table.mySeat();
  const hand = () => view().players.find((player) => player.seatIndex === me())?.hand ?? [];
  const amJudge = () => me() !== null && me() === view().judge;
  const answering = () => phase() === "submitting" && table.myTurn() && !amJudge();
  const judging = () => phase() === "judging" && amJudge();
  const revealing = () =>
    phase() === "judging" || phase() === "game_over" || (phase() === "round_over" && table.looks());

  // Cards chosen for the blanks, as long as they are in the hand.
  const [picks, setPicks] = createSignal<number[]>([]);
  const chosen = createMemo(() => picks().filter((id) => hand().some((card) => card.id === id)));
  const textOf = (id: number) => hand().find((card) => card.id === id)?.text ?? "";
  const own = () => (phase() === "submitting" ? view().submissions[0] : undefined);
  const answers = () => own()?.cards.map((card) => card.text) ?? chosen().map(textOf);

  function choose(card: number) {
    setPicks(toggle(chosen(), card, blanks()));
    say(filledWords(view(), answers()));
  }
  const choice = (card: number): Gate => ({ may: answering, move: () => `answer ${card}`, act: () => choose(card) });
  const answer = () => `answer ${chosen().join(" ")}`;
  const submit: Gate = {
    may: () => chosen().length === blanks(),
    move: answer,
    act: () => table.busy() || void table.act(answer()),
  };

  // How many of the answers are turned, and which one the judge is about to pick.
  const [shown, setShown] = createSignal(revealing() ? 3 : 0);
  const [favourite, setFavourite] = createSignal<number | null>(null);
  const count = () => view().submissions.length;
  const allShown = () => revealing() && shown() >= count();
  const named = () => (allShown() && phase() !== "judging") || (phase() === "round_over" && !revealing());
  const showAll = () => setShown(count());
  createEffect(
    on([() => view().round, phase], ([round, now], before) => {
      if (now === "submitting" || now === "dealing" || (before && before[0] !== round)) setShown(0);
      if (now !== "judging") setFavourite(null);
      if (now !== "submitting") setPicks([]);
    }),
  );
  createEffect(() => {
    if (!revealing() || shown() >= count()) return;
    if (motionIsReduced()) return void showAll();
    const timer = setTimeout(() => setShown((old) => old + 1), TURN_GAP);
    onCleanup(() => clearTimeout(timer));
  });

  function pick(id: number) {
    if (!judging()) return;
    if (!allShown()) return void showAll();
    if (favourite() === id) return use(table, confirm);
    setFavourite(id);
    say(t("Number {id} chosen. Once more, and it wins.", { id }));
  }
  const confirm: Gate = {
    may: () => favourite() !== null,
    move: () => "pick",
    act: () => table.busy() || void table.act(`pick ${favourite()}`),
  };

  const winner = () =>
    named() ? (view().submissions.find((one) => one.id === view().pickedSubmissionId) ?? null) : null;
  const hurry = () => {
    table.hurry();
    if (revealing()) showAll();
  };

  const onKey = (event: KeyboardEvent) => {
    if (!isForTable(event)) return;
    const number = Number(event.key);
    if (phase() === "submitting" && number >= 1 && number <= hand().length) use(table, choice(hand()[number - 1]!.id));
    else if (judging() && number >= 1 && number <= count()) pick(number);
    else if (event.key === "Escape") {
      setPicks(picks().slice(0, -1));
      setFavourite(null);
      hurry();
    } else return;
    event.preventDefault();
  };
  onMount(() => {
    addEventListener("keydown", onKey);
    table.stage(root, () => ({ leaveTo: (key) => (key.startsWith("card-") ? "answers" : undefined), stagger: 50 }));
  });
  onCleanup(() => removeEventListener("keydown", onKey));

  // If a new phase removes the focused element, the focus stays at the table.
  let within = false;
  const homes = [".tp-go", ".tp-reveal button", ".tp-hand:not(.idle) [tabindex='0']", ".tp-reveal", ".tp-prompt"];
  const keepFocus = () => {
    const lost = document.activeElement === document.body || !document.activeElement?.checkVisibility();
    const home = homes.map((one) => root.querySelector<HTMLElement>(one)).find((one) => one?.checkVisibility());
    if (within && lost) home?.focus();
  };
  createEffect(on([phase, answering, judging, allShown], () => queueMicrotask(keepFocus)));

  return (
    <div
      ref={root}
      class="tp"
      classList={{ revealing: revealing(), answering: answering() }}
      onFocusIn={() => (within = true)}
      onFocusOut={(event) => (within = event.relatedTarget === null || root.contains(event.relatedTarget as Node))}
      onPointerDown={(event) => event.target === event.currentTarget && hurry()}
    >
      <Scores table={table} view={view()} winner={winner()?.seatIndex ?? null} />
      <section class="tp-middle" aria-label={t("The prompt")}>
        <div class="tp-prompt" tabindex="-1" data-place="deck">
          <span class="tp-round">{t("Round {round}", { round: view().round })}</span>
          <p>
            <Show when={prompt()} fallback={t("Dealing…")}>
              <Sentence view={view()} answers={answers()} />
            </Show>
          </p>
          <Show when={blanks() > 1}>
            <span class="tp-count">{t("{blanks} blanks", { blanks: blanks() })}</span>
          </Show>
        </div>
        <Show when={phase() === "submitting"}>
          <Waiting table={table} view={view()} />
        </Show>
      </section>
      <Show when={revealing()}>
        <Reveal
          table={table}
          view={view()}
          shown={shown()}
          judging={judging()}
          chosen={favourite()}
          named={named()}
          onChoose={pick}
        />
      </Show>
      <Show when={phase() === "submitting" && hand().length > 0}>
        <Hand
          cards={hand()}
          chosen={chosen()}
          blanks={blanks()}
          idle={!answering()}
          button={(card) => gate(table, choice(card))}
        />
      </Show>
      <div class="tp-foot">
        <Switch>
          <Match when={answering()}>
            <button type="button" class="button main big" {...gate(table, submit)}>
              {chosen().length < blanks() ? chooseText(blanks(), chosen().length) : t("Submit")}
            </button>
          </Match>
          <Match when={revealing() && !allShown()}>
            <button type="button" class="button big" onClick={showAll}>
              {t("Show all")}
            </button>
          </Match>
          <Match when={judging()}>
            <button type="button" class="button main big" {...gate(table, confirm)}>
              {favourite() === null ? t("Pick the best one") : t("Number {favourite} wins", { favourite: favourite() })}
            </button>
          </Match>
          <Match when={phase() === "round_over" && revealing()}>
            <p class="tp-says">{winnerText(table, winner())}</p>
            <Show when={me() !== null}>
              <button type="button" class="button main big tp-go" onClick={() => void table.goOn()}>
                {t("Go on")}
              </button>
            </Show>
          </Match>
          <Match when={phase() === "submitting" && amJudge()}>
            <p class="tp-says">
              <Gavel /> {t("You judge this round. The answers are on their way.")}
            </p>
          </Match>
          <Match when={own()}>
            <p class="tp-says">{t("Your answer is in.")}</p>
          </Match>
        </Switch>
      </div>
    </div>
  );
}

function chooseText(blanks: number, done: number): string {
  if (blanks === 1) return t("Choose a card");
  return done === 0 ? t("Choose two cards") : t("Choose another card");
}

function winnerText(table: Table, won: Submission | null): string {
  if (!won) return "";
  return won.seatIndex === table.mySeat()
    ? t("The point is yours.")
    : t("The point goes to {name}.", { name: table.name(won.seatIndex) });
}

const ui: GameUi<TerribleEvent> = {
  Table: TerribleTable,
  ...speech,
  Result,
  endShown: 4500,
  keys: [
    ["1, 2 …", t("choose a card, or take it back")],
    ["1, 2 …", t("as judge: choose an answer; again: it wins")],
    ["Escape", t("take the last card back, show all answers at once")],
  ],
};
export default ui;
