// The sign of each emote, and how it is read.
import { said } from "../languages";
const signs: Record<string, string> = {
  hello: "👋",
  thanks: "🙏",
  "well-played": "👏",
  oops: "🙈",
  think: "🤔",
  laugh: "😄",
  sad: "😢",
  hurry: "⏳",
  cheer: "🎉",
};

// A device without these pictures would show empty boxes, all as wide as that of a character that does not exist. It
// shows the words alone.
let drawn: boolean | undefined;
function areDrawn(): boolean {
  if (drawn === undefined) {
    const context = document.createElement("canvas").getContext("2d");
    drawn = context?.measureText("👋").width !== context?.measureText("\u{10ffff}").width;
  }
  return drawn;
}

export const signOf = (id: string): string => (areDrawn() ? (signs[id] ?? "") : "");

export const inWords = (id: string): string => said(id.replace("-", " "));

export function emoteText(text: string): string {
  const [name, id = ""] = text.split(/: (?=[a-z-]+$)/);
  return `${name}: ${`${signOf(id)} ${inWords(id)}`.trim()}`;
}
