// How long what somebody did stays at their seat, at a table of this speed in percent of the usual time.
const SHOWN_MS = 2200;
const SHORTEST = 0.7; // of it, at a fast table

// One caption for each seat. Of several the last counts, but what was taken, and comes flying, is told before it.
export function bySeat<Each extends { seat: number; text: string; from?: string }>(captions: Each[]): Each[] {
  const found = new Map<number, Each[]>();
  for (const one of captions) found.set(one.seat, [...(found.get(one.seat) ?? []), one]);
  return [...found.values()].map((all) => {
    const last = all.at(-1)!,
      taken = all.find((one) => one.from !== undefined) ?? last;
    return taken === last ? last : { ...taken, text: `${taken.text}, ${last.text}` };
  });
}

export const captionTime = (percent: number): number =>
  percent === 0 ? 0 : SHOWN_MS * Math.max(SHORTEST, percent / 100);
