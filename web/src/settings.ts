// What a person chose on this device.
import { createEffect } from "solid-js";
import { createStore } from "solid-js/store";

export interface Choices {
  name: string;
  known: boolean; // the server has a session of ours
  deck: "two-colour" | "four-colour";
  faces: "classic" | "large";
  theme: "warm" | "contrast";
  motion: "full" | "less";
  pace: "calm" | "usual" | "quick"; // of what moves
  sounds: boolean;
  calls: "ask" | "yes" | "no"; // whether to be called when it is one's turn and one looks away
  textScale: number; // percent
  confirmPlays: boolean; // a second tap plays a card
  muted: string[]; // ids of people who are not heard here
}

const KEY = "oyster-choices";
const usual: Choices = {
  name: "",
  known: false,
  deck: "two-colour",
  faces: "large",
  theme: "warm",
  motion: "full",
  pace: "usual",
  sounds: false,
  calls: "ask",
  textScale: 100,
  confirmPlays: true,
  muted: [],
};

function kept(): Choices {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choices>) };
  } catch {
    return { ...usual };
  }
}

export const [choices, choose] = createStore<Choices>(kept());

// From here on a phone has no room for all of a table at once. Percent.
const LARGE_TEXT = 150;

export function keepChoices(): void {
  createEffect(() => {
    localStorage.setItem(KEY, JSON.stringify(choices));
    const { dataset, style } = document.documentElement;
    dataset.deck = choices.deck;
    dataset.faces = choices.faces;
    dataset.theme = choices.theme;
    dataset.motion = choices.motion;
    dataset.pace = choices.pace;
    style.setProperty("--text", String(choices.textScale / 100));
    dataset.text = choices.textScale >= LARGE_TEXT ? "large" : "usual";
  });
}
