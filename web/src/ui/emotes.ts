// The sign of each emote, and how it is read.
export const signs: Record<string, string> = {
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

export const inWords = (id: string): string => id.replace("-", " ");

export function emoteText(text: string): string {
  const [name, id = ""] = text.split(/: (?=[a-z-]+$)/);
  return `${name}: ${signs[id] ?? ""} ${inWords(id)}`;
}
