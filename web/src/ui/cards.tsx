// A playing card's face and back. The large face is drawn here: an index that is read at a glance from
// a hand, and one suit sign as large as the card allows. The classic one is a printed deck's, a picture.
import { Show } from "solid-js";
import { choices } from "../settings";
import { t } from "../languages";
import "./cards.css";

const symbols: Record<string, string> = { S: "♠", H: "♥", D: "♦", C: "♣" };
const suits: Record<string, string> = { S: t("spades"), H: t("hearts"), D: t("diamonds"), C: t("clubs") };
const ranks: Record<string, string> = { J: t("jack"), Q: t("queen"), K: t("king"), A: t("ace") };

export interface CardName {
  rank: string;
  suit: string; // a letter, or "" for a joker
}

// Views number the copies of a card: `KH.2` is the second king of hearts.
export function parseCard(id: string): CardName {
  const plain = id.split(".")[0]!;
  return plain === "JK" ? { rank: "JK", suit: "" } : { rank: plain.slice(0, -1), suit: plain.slice(-1) };
}

export function cardWords(id: string): string {
  const { rank, suit } = parseCard(id);
  return suit === "" ? t("joker") : t("{rank} of {suit}", { rank: ranks[rank] ?? rank, suit: suits[suit] });
}

export const cardSigns = (id: string): string => {
  const { rank, suit } = parseCard(id);
  return suit === "" ? t("Joker") : rank + symbols[suit];
};

// "hearts", in the person's language.
export const suitWord = (name: string): string => suits[name[0]!.toUpperCase()] ?? name;
export const suitSign = (name: string): string => symbols[name[0]!.toUpperCase()] ?? "";
export const suitClass = (suit: string): string => `suit-${suit[0]?.toLowerCase() ?? "j"}`;

const outlines: Record<string, string> = {
  S:
    "M50 6C58 26 92 44 92 66c0 13-10 21-21 21-7 0-13-3-17-9 1 9 4 13 9 17H37c5-4 8-8 9-17-4 6-10 9-17 9" +
    "C18 87 8 79 8 66 8 44 42 26 50 6Z",
  H: "M50 94C42 76 6 56 6 31 6 17 16 7 29 7c10 0 18 6 21 17C53 13 61 7 71 7c13 0 23 10 23 24 0 25-36 45-44 63Z",
  D: "M50 4c9 18 22 33 37 46-15 13-28 28-37 46-9-18-22-33-37-46C28 37 41 22 50 4Z",
  C:
    "M50 6c12 0 21 9 21 20 0 7-3 12-8 16 3-1 6-2 9-2 12 0 21 9 21 21s-9 21-21 21c-8 0-14-4-18-10 1 11 5 16 10 22" +
    "H36c5-6 9-11 10-22-4 6-10 10-18 10C16 82 7 73 7 61s9-21 21-21c3 0 6 1 9 2-5-4-8-9-8-16C29 15 38 6 50 6Z",
};

// What a court card wears: a crown, a coronet, a feathered hat.
const regalia: Record<string, string> = {
  K: "M12 84h76v10H12zM10 36l18 16 14-30h-4v-7h8V8h8v7h8v7h-4l14 30 18-16-6 40H16z",
  Q: "M14 86h72v8H14zM8 32a6 6 0 1 1 9 5l14 17 14-28a7 7 0 1 1 10 0l14 28 14-17a6 6 0 1 1 9 5L82 78H18z",
  J:
    "M8 72c20-8 64-8 84 0l-6 14c-18-6-54-6-72 0z" +
    "M20 62c0-22 12-34 30-34 6 0 11 1 16 4C68 18 78 8 94 6c-2 20-8 30-18 37 3 5 4 12 4 19-18-5-42-5-60 0z",
};

const Outline = (props: { path: string; class: string }) => (
  <svg class={props.class} viewBox="0 0 100 100" aria-hidden="true">
    <path d={props.path} />
  </svg>
);

// A cap with three bells.
const Jester = () => (
  <svg class="jester" viewBox="0 0 100 100" aria-hidden="true">
    <path class="left" d="M50 68C40 44 30 34 12 36c12 6 12 22 14 34 8-4 16-4 24-2Z" />
    <path class="right" d="M50 68c10-24 20-34 38-32-12 6-12 22-14 34-8-4-16-4-24-2Z" />
    <path class="middle" d="M34 66c-4-24 2-44 16-56 14 12 20 32 16 56-10-4-22-4-32 0Z" />
    <path class="brim" d="M24 68c16-7 36-7 52 0v14c-16-7-36-7-52 0Z" />
    <circle cx="12" cy="38" r="7" />
    <circle cx="88" cy="38" r="7" />
    <circle cx="50" cy="11" r="7" />
  </svg>
);

function LargeFace(props: CardName) {
  return (
    <Show
      when={outlines[props.suit]}
      fallback={
        <>
          <span class="index joker" data-rank={t("Joker")} />
          <Jester />
        </>
      }
    >
      {(outline) => (
        <>
          <span class="index" classList={{ ten: props.rank === "10" }}>
            <b data-rank={props.rank} />
            <Outline class="small-sign" path={outline()} />
          </span>
          <Show when={regalia[props.rank]}>{(worn) => <Outline class="worn" path={worn()} />}</Show>
          <Outline class="big-sign" path={outline()} />
        </>
      )}
    </Show>
  );
}

const picture = (card: CardName) =>
  `/cards/${choices.deck === "four-colour" && "DC".includes(card.suit) ? "four/" : ""}${card.rank}${card.suit}.svg`;

export function CardFace(props: { id: string }) {
  const card = () => parseCard(props.id);
  const printed = () => choices.faces === "classic" && choices.deck !== "safe-colour" && card().suit !== "";
  const kind = () => ({ court: !printed() && card().rank in regalia, ace: card().rank === "A" });
  return (
    <span class={`face ${suitClass(card().suit)}`} classList={kind()} aria-hidden="true">
      <Show when={printed()} fallback={<LargeFace {...card()} />}>
        <img class="print" src={picture(card())} alt="" draggable={false} decoding="async" />
      </Show>
    </span>
  );
}

export const CardBack = () => <span class="back" aria-hidden="true" />;
