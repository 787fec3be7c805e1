// How long what somebody did stays at their seat, at a table of this speed in percent of the usual time.
const SHOWN_MS = 2200;
const SHORTEST = 0.7; // of it, at a fast table

export const captionTime = (percent: number): number =>
  percent === 0 ? 0 : SHOWN_MS * Math.max(SHORTEST, percent / 100);
