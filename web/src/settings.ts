// What a person chose on this device.
import { createEffect, createSignal } from "solid-js";
import { createStore } from "solid-js/store";

export interface Choices {
  name: string;
  known: boolean; // the server has a session of ours
  deck: "two-colour" | "four-colour" | "safe-colour";
  faces: "classic" | "large";
  theme: "warm" | "light" | "system" | "contrast";
  cloth: "own" | "moss" | "lagoon" | "wine" | "slate"; // own: each game has its own
  back: "own" | "waves" | "reef" | "night"; // of cards
  motion: "full" | "less";
  pace: "calm" | "usual" | "quick"; // of what moves
  sounds: boolean;
  calls: "ask" | "yes" | "no"; // whether to be called when it is one's turn and one looks away
  push: boolean; // to be called on this device when the page is closed ...
  pushTurnMs: number; // ... at one's turn, after so long; 0: never
  pushFriends: boolean; // ... by people one has played with
  quiet: boolean; // ... but not between these times of the device's clock
  quietFrom: string;
  quietTo: string;
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
  cloth: "own",
  back: "own",
  motion: "full",
  pace: "usual",
  sounds: false,
  calls: "ask",
  push: false,
  pushTurnMs: 60_000,
  pushFriends: true,
  quiet: false,
  quietFrom: "22:00",
  quietTo: "08:00",
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

// Whether this device prefers a light page.
function createDaylight(): () => boolean {
  const query = matchMedia("(prefers-color-scheme: light)");
  const [light, setLight] = createSignal(query.matches);
  query.addEventListener("change", () => setLight(query.matches));
  return light;
}

export function keepChoices(): void {
  const daylight = createDaylight();
  createEffect(() => {
    localStorage.setItem(KEY, JSON.stringify(choices));
    const { dataset, style } = document.documentElement;
    dataset.deck = choices.deck;
    dataset.faces = choices.faces;
    dataset.theme = choices.theme === "system" ? (daylight() ? "light" : "warm") : choices.theme;
    dataset.cloth = choices.cloth;
    dataset.back = choices.back;
    dataset.motion = choices.motion;
    dataset.pace = choices.pace;
    style.setProperty("--text", String(choices.textScale / 100));
    dataset.text = choices.textScale >= LARGE_TEXT ? "large" : "usual";
  });
}
