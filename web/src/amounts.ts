// What is counted at more than one table.
import { tn } from "./languages";

export const pointCount = (n: number): string => tn(n, "{n} point", "{n} points");
export const cardCount = (n: number): string => tn(n, "{n} card", "{n} cards");
