// How somebody likes to play a game against bots: the rules, who plays and how well. Kept on this device, as the moves
// that lay such a table.
import { settingText, type World } from "../model";
import { codeOf, type About } from "../rules";

const KEY = "oyster-tables";

function all(): Record<string, string[]> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string[]>;
  } catch {
    return {};
  }
}

export const keptSetup = (gameId: string): string[] | undefined => all()[gameId];

// The moves that turn a new table of this game into one like this, before it starts. `fixed`: no place can be closed.
export function setupMoves(world: World, about: About, fixed: boolean): string[] {
  const code = codeOf(about, world.settings);
  const mine = world.you?.seatIndex ?? 0;
  return [
    `set ${[code, `speed=${settingText(world.settings.speed!)}`].filter((words) => words !== "").join(" ")}`,
    ...(mine > 0 ? [`move 0 ${mine}`] : []),
    ...world.seats
      .filter((seat) => seat.seatIndex !== mine && (seat.bot !== null || !fixed))
      .map((seat) => `bot ${seat.seatIndex} ${seat.bot ?? (seat.open ? "open" : "closed")}`),
  ];
}

export function keepSetup(gameId: string, moves: string[] | undefined): void {
  const { [gameId]: _before, ...others } = all();
  localStorage.setItem(KEY, JSON.stringify(moves ? { ...others, [gameId]: moves } : others));
}

const LAST = "oyster-last-game";
export const lastPlayed = (): string | null => localStorage.getItem(LAST);
export const keepPlayed = (gameId: string): void => localStorage.setItem(LAST, gameId);
