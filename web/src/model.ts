// What the server and the WebAssembly world say, as docs/PROTOCOL.md describes it.
import { t } from "./languages";

export type Setting = number | string | boolean | number[];
export type Settings = Record<string, Setting>;

export interface Option {
  key: string;
  group?: string; // the heading it stands under
  label: string;
  help: string;
  type: "boolean" | "choice" | "number" | "list" | string;
  values?: (number | string)[];
  min?: number;
  max?: number;
  default: Setting;
  details?: boolean; // changes no rule, but asks for a detailed log
}

export interface Preset {
  id: string;
  label: string;
  help: string;
  settings: Settings;
}

export interface GameInfo {
  id: string;
  name: string;
  description: string;
  icon: string;
  minPlayers: number;
  maxPlayers: number;
  cooperative: boolean; // all win or lose together
  lobbyBots: boolean; // bots take the places that nobody takes
  saves: boolean; // can be saved as a file (docs/SAVES.md)
  figures: string[]; // what is counted for each player
  numbers: Record<string, number>; // of the rules, that no option changes
  // The prompts of the verbs. A seat is asked the last one among those of its legal moves.
  prompts: { move: string; text: string }[];
  presets: Preset[];
  options: Option[];
}

// What every world has, whatever is played.
export interface WorldInfo {
  rules: Record<string, string>; // what the log of a new world of each game names as its rules
  options: Option[];
  speeds: Record<string, number>; // in percent of the usual time
  levels: Level[];
  usualLevel: Level; // of a bot for which nobody chose one
  emotes: string[];
  limits: { name: number; chat: number; code: number }; // in characters
}

export interface Registry {
  games: GameInfo[];
  world: WorldInfo;
}

export type Level = string; // of a bot; the registry names them

export interface Seat {
  seatIndex: number;
  playerId: string | null;
  name: string | null;
  bot: Level | null;
  character: { name: string; face: string } | null; // of a bot's own seat
  team: string | null;
  connected: boolean;
  open: boolean;
  away: boolean;
  free: boolean; // who watches can have it
  won: number; // of the games that were played in this world
}

// A move that the viewer may make. Some moves of some games have a preview of what they would do.
export interface Legal {
  type: string;
  payload?: Record<string, unknown>; // none for another game
  move: string;
  said?: string; // the move as people say it, where the game has words for it: "play 8D naming spades"
  preview?: unknown;
}

// The moves of a game, by their types, and those that every game has.
export type LegalOf<Actions> =
  | { [Type in keyof Actions & string]: { type: Type; move: string } & Actions[Type] }[keyof Actions & string]
  | { type: "play-again"; move: string }
  | { type: "next-round"; payload: Nothing; move: string };
export type Nothing = Record<string, never>;

export interface LogLine {
  seatIndex: number | null;
  player: string | null;
  message: string;
  time: number;
}

// What every game's view has; each table adds its own members.
export interface View<Move = Legal> {
  turn: number[];
  legal: Move[];
  result?: { winners: number[]; scores: number[]; places: number[] }; // by seat, once the game is over
  looking: number[]; // seats of people who look at a round's result
  phaseEndsAt: number | null;
  botActionAt: number | null;
  log: LogLine[];
}

export interface Spectator {
  playerId: string;
  name: string;
  connected: boolean;
  wants: number | "any" | null; // the seat they wait for
}

export interface World {
  roomCode: string;
  gameId: string;
  status: "waiting" | "playing" | "game_over" | "closed";
  ownerId: string;
  settings: Settings;
  seats: Seat[];
  places: number; // how many can play by the house rules
  teamNames: Record<string, string>; // by letter, those that have one
  spectators: Spectator[];
  played: number; // games so far
  rematch: string[]; // ids of those who ask for another game
  muted: string[]; // ids of those whom the owner does not let talk
  loadedBy: { playerId: string; name: string } | null; // who loaded the game that is played
  invitation: string | null; // the secret of links to it, for those who are in it
  you: { playerId: string; seatIndex: number | null } | null;
  version: number;
  standing?: { seats: number[]; score: number }[] | null; // by side, when this was asked for
  view: View | null;
}

export interface WorldSummary {
  roomCode: string;
  gameId: string;
  status: World["status"];
  ownerId: string;
  players: number;
  places: number;
  host: string | null;
  createdAt: number;
  rules: string | null; // of one that waits, as `codeOf` writes them
}

export interface Refusal {
  error: string;
  code: string;
  status?: number; // of HTTP; a world on this device has none
  wait?: number; // seconds after which to try again
}

export interface GameEvent {
  event: string;
  data: Record<string, unknown>;
}

// A union of events from a map of names to data, so that `switch (event)` narrows `data`.
export type EventOf<Events> = {
  [Name in keyof Events & string]: { event: Name; data: Events[Name] };
}[keyof Events & string];

// What somebody did or became.
export type News =
  | "joined"
  | "watches"
  | "sits"
  | "waits"
  | "left"
  | "removed"
  | "away"
  | "back"
  | "owner"
  | "rematch"
  | "lobby";

// Events that every table may have, whatever is played.
export interface WorldEvents {
  chat: { playerId: string; name: string; text: string; time: number };
  emote: { playerId: string; name: string; id: string; time: number };
  news: { what: News; playerId: string; name: string; seatIndex: number | null; time: number };
  "log-recalled": Pick<LogLine, keyof LogLine>; // of the saved game that is played on
}

// What an entry of the log told everybody, and who sat where then, if that changed with it.
export interface Told {
  version: number;
  seats?: Seat[];
  events: GameEvent[];
}

// What was told up to this version.
export interface History {
  version: number;
  entries: Told[];
}

// One accepted action: what happened, and how the world stands after it.
export interface Step {
  version: number;
  events: GameEvent[];
  world: World;
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" && value !== null && "error" in value && "code" in value;

// The network was gone, or the server had too much to do: the same may work a little later.
export const isPassing = ({ status }: Refusal): boolean =>
  status !== undefined && (status === 0 || status === 429 || status >= 500);

// A bot is called by its character's name, which no person can take.
export function seatName(seat: Seat | undefined, you?: number | null): string {
  if (!seat) return t("Nobody");
  if (seat.seatIndex === you) return t("You");
  if (seat.name === null) return seat.open ? t("Open place") : t("No place");
  return seat.character?.name ?? seat.name;
}

export const teamName = (world: Pick<World, "teamNames">, team: string): string =>
  world.teamNames[team] ?? t("Team {team}", { team: team.toUpperCase() });

export const isOwner = (world: World): boolean => world.you !== null && world.you.playerId === world.ownerId;

export const settingText = (value: Setting): string =>
  typeof value === "boolean" ? (value ? "yes" : "no") : Array.isArray(value) ? value.join(",") : String(value);
