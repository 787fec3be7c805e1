// What the generic table says: names of members and events as words, and events as sentences.
import type { GameEvent } from "../model";
import { withSigns } from "../table/table";

export const words = (key: string): string =>
  key
    .replace(/([A-Z])/g, " $1")
    .replace(/[-_]/g, " ")
    .toLowerCase();

// An event is told by its name and its values, those of lists as well: "Ann: card played 8♦ spades".
export function eventWords({ event, data }: GameEvent, name: (seat: number) => string): string | undefined {
  if (event.endsWith("-updated") || event === "seat-changed") return undefined;
  const who = typeof data.seatIndex === "number" ? `${name(data.seatIndex)}: ` : "";
  const values = Object.entries(data)
    .filter(([key]) => key !== "seatIndex" && key !== "version")
    .flatMap(([, value]) => value as unknown)
    .filter((value) => typeof value === "string" || typeof value === "number");
  return withSigns([who + words(event), ...values].join(" "));
}
