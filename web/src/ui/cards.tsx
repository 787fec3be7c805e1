// A playing card's face and back. Faces are drawn here: an index in two corners that stays readable
// at 60 pixels, and pips or a court letter between them.
import { Index, Show } from "solid-js";
import "./cards.css";

const symbols: Record<string, string> = { S: "♠", H: "♥", D: "♦", C: "♣" };
const suits: Record<string, string> = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const ranks: Record<string, string> = { J: "jack", Q: "queen", K: "king", A: "ace" };

export interface CardName {
  rank: string;
  suit: string; // a letter, or "" for a joker
}

// `KH.2` is the second king of hearts of a view.
export function parseCard(id: string): CardName {
  const plain = id.split(".")[0]!;
  return plain === "JK" ? { rank: "JK", suit: "" } : { rank: plain.slice(0, -1), suit: plain.slice(-1) };
}

export function cardWords(id: string): string {
  const { rank, suit } = parseCard(id);
  return suit === "" ? "joker" : `${ranks[rank] ?? rank} of ${suits[suit]}`;
}

export const cardSigns = (id: string): string => {
  const { rank, suit } = parseCard(id);
  return suit === "" ? "Joker" : rank + symbols[suit];
};

export const suitSign = (name: string): string => symbols[name[0]!.toUpperCase()] ?? "";
export const suitClass = (suit: string): string => `suit-${suit[0]?.toLowerCase() ?? "j"}`;

// Where pips stand, in percent of the face.
const pips: Record<string, [number, number][]> = {
  A: [[50, 50]],
  "2": [[50, 22], [50, 78]],
  "3": [[50, 22], [50, 50], [50, 78]],
  "4": [[32, 24], [68, 24], [32, 76], [68, 76]],
  "5": [[32, 24], [68, 24], [50, 50], [32, 76], [68, 76]],
  "6": [[32, 24], [68, 24], [32, 50], [68, 50], [32, 76], [68, 76]],
  "7": [[32, 24], [68, 24], [50, 37], [32, 50], [68, 50], [32, 76], [68, 76]],
  "8": [[32, 24], [68, 24], [50, 37], [32, 50], [68, 50], [50, 63], [32, 76], [68, 76]],
  "9": [[32, 22], [68, 22], [32, 41], [68, 41], [50, 50], [32, 59], [68, 59], [32, 78], [68, 78]],
  "10": [[32, 22], [68, 22], [50, 32], [32, 41], [68, 41], [32, 59], [68, 59], [50, 68], [32, 78], [68, 78]],
};

export function CardFace(props: { id: string }) {
  const card = () => parseCard(props.id);
  const sign = () => symbols[card().suit] ?? "★";
  return (
    <span class={`face ${suitClass(card().suit)}`} aria-hidden="true">
      <span class="index">
        <b>{card().suit === "" ? "★" : card().rank}</b>
        <i>{card().suit === "" ? "" : sign()}</i>
      </span>
      <Show
        when={pips[card().rank]}
        fallback={
          <span class="court">
            <b>{card().suit === "" ? "Joker" : card().rank}</b>
            <i>{sign()}</i>
          </span>
        }
      >
        {(places) => (
          <span class={`pips ${card().rank === "A" ? "ace" : ""}`}>
            <Index each={places()}>
              {(place) => <i style={{ left: `${place()[0]}%`, top: `${place()[1]}%`, rotate: place()[1] > 50 ? "180deg" : "none" }}>{sign()}</i>}
            </Index>
          </span>
        )}
      </Show>
      <span class="index turned">
        <b>{card().suit === "" ? "★" : card().rank}</b>
        <i>{card().suit === "" ? "" : sign()}</i>
      </span>
    </span>
  );
}

export const CardBack = () => <span class="back" aria-hidden="true" />;
