// Small pictures that say more than a paragraph of rules; each belongs to a section of a page.
import { For, type JSX } from "solid-js";
import { rich, t } from "../languages";
import { CardBack, CardFace, cardWords } from "../ui/cards";

const Card = (props: { id: string; class?: string }) => (
  <span class={`card ${props.class ?? ""}`} role="img" aria-label={cardWords(props.id)}>
    <CardFace id={props.id} />
  </span>
);

const Framed = (props: { caption: string; children: JSX.Element }) => (
  <figure class="figure">
    <div class="figure-body">{props.children}</div>
    <figcaption>{props.caption}</figcaption>
  </figure>
);

function BowerOrder() {
  const order: [string, string][] = [
    ["JH", t("right bower")],
    ["JD", t("left bower")],
    ["AH", t("ace")],
    ["KH", t("king")],
    ["QH", t("queen")],
    ["10H", t("ten")],
    ["9H", t("nine")],
  ];
  return (
    <Framed caption={t("Hearts are trump: from the strongest to the weakest. The jack of diamonds has changed sides.")}>
      <ol class="ranked">
        <For each={order}>
          {([id, name]) => (
            <li>
              <Card id={id} />
              <span>{name}</span>
            </li>
          )}
        </For>
      </ol>
    </Framed>
  );
}

function Trick() {
  return (
    <Framed
      caption={t("Hearts are trump and the nine was led. The left bower beats the ace of trump and takes the trick.")}
    >
      <div class="loose">
        <For each={["9H", "JD", "AH", "9S"]}>{(id) => <Card id={id} class={id === "JD" ? "lit" : ""} />}</For>
      </div>
    </Framed>
  );
}

const Pile = (props: { cards: number[]; rising: boolean; start: number }) => (
  <span class="pile-picture" classList={{ rising: props.rising }}>
    <span class="pile-arrow" aria-hidden="true">
      {props.rising ? "▲" : "▼"}
    </span>
    <span class="pile-cards">
      <For each={[props.start, ...props.cards]}>{(card, i) => <b classList={{ start: i() === 0 }}>{card}</b>}</For>
    </span>
  </span>
);

function Piles() {
  return (
    <Framed caption={t("Two piles rise from 1, two fall from 100. On the second, 57 after 67 was a step back of ten.")}>
      <div class="piles-picture">
        <Pile rising start={1} cards={[4, 9, 12]} />
        <Pile rising start={1} cards={[48, 67, 57]} />
        <Pile rising={false} start={100} cards={[96, 91, 88]} />
        <Pile rising={false} start={100} cards={[71, 52, 44]} />
      </div>
    </Framed>
  );
}

const Book = (props: { cards: string[]; name: string; points: number; kind: "clean" | "dirty" }) => (
  <div class={`book ${props.kind}`}>
    <div class="book-cards">
      <For each={props.cards}>{(id) => <Card id={id} />}</For>
    </div>
    <p>
      <b>{props.name}</b> {t("{points} points#book", { points: props.points })}
    </p>
  </div>
);

function Books() {
  return (
    <Framed caption={t("Seven of a rank are a book. Wild cards, twos and jokers, make it dirty.")}>
      <Book kind="clean" name={t("Clean book")} points={500} cards={["KS", "KH", "KD", "KC", "KH", "KS", "KD"]} />
      <Book kind="dirty" name={t("Dirty book")} points={300} cards={["9S", "9H", "9C", "9D", "9H", "2S", "JK"]} />
    </Framed>
  );
}

function HandAndFoot() {
  const backs = Array.from({ length: 5 });
  return (
    <Framed caption={t("The hand is played first. The foot lies face down until the hand is used up.")}>
      <div class="two-piles">
        <div>
          <div class="book-cards">
            <For each={["4C", "8H", "8S", "QD", "AS"]}>{(id) => <Card id={id} />}</For>
          </div>
          <p>{t("Hand#pile of a player")}</p>
        </div>
        <div>
          <div class="book-cards foot-cards">
            <For each={backs}>
              {() => (
                <span class="card">
                  <CardBack />
                </span>
              )}
            </For>
          </div>
          <p>{t("Foot#pile of a player")}</p>
        </div>
      </div>
    </Framed>
  );
}

// Four rows of the board from the top down; capitals are the line.
const board = ["...R...", "..Ryy..", ".Ryry..", "Ryrryy."];
const cells = board.flatMap((line, row) => [...line].map((disc, column) => ({ row, column, disc })));
const discColours: Record<string, string> = { r: "#ff5a4f", y: "#ffd24d", ".": "#0d1836" };

function Line() {
  return (
    <Framed caption={t("A line may lie, stand, or lean like this one.")}>
      <svg
        class="board-picture"
        viewBox="0 0 154 92"
        role="img"
        aria-label={t("A board of 4 Kate with four discs in a diagonal line")}
      >
        <rect width="154" height="92" rx="8" fill="#2a4aa0" />
        <For each={cells}>
          {({ row, column, disc }) => (
            <circle
              cx={11 + column * 22}
              cy={13 + row * 22}
              r="9"
              fill={discColours[disc.toLowerCase()]}
              stroke={disc === "R" ? "#fff" : "none"}
              stroke-width="2.5"
            />
          )}
        </For>
      </svg>
    </Framed>
  );
}

function FilledPrompt() {
  const answers = [t("a very small horse"), t("the free soup")];
  return (
    <Framed caption={t("The first card goes into the first blank, the second into the second.")}>
      <div class="prompt-picture">
        <p class="black">
          {rich("I came for {first} and stayed for {second}.", {
            first: <u>{answers[0]}</u>,
            second: <u>{answers[1]}</u>,
          })}
        </p>
        <For each={answers}>{(answer) => <p class="white">{answer}</p>}</For>
      </div>
    </Framed>
  );
}

const figures: Record<string, Record<string, () => JSX.Element>> = {
  "whos-deal": { cards: BowerOrder, play: Trick },
  "up-n-down": { goal: Piles },
  "hand-and-foot": { goal: Books, "the-deal": HandAndFoot },
  "4-kate": { "the-end": Line },
  "terrible-people": { "a-round": FilledPrompt },
};

export const Figure = (props: { game: string; section: string }) => <>{figures[props.game]?.[props.section]?.()}</>;
