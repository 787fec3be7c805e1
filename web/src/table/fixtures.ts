// For the tests: somebody at a seat, and a world in which nothing special goes on.
import type { Seat, View, World } from "../model";

export const aSeat = (seatIndex: number, name: string, more: Partial<Seat> = {}): Seat => ({
  seatIndex,
  playerId: name.toLowerCase(),
  name,
  bot: null,
  character: null,
  team: null,
  connected: true,
  open: true,
  away: false,
  free: false,
  won: 0,
  ...more,
});

export const aView = (more: Partial<View> = {}): View => ({
  turn: [0],
  legal: [],
  looking: [],
  phaseEndsAt: null,
  botActionAt: null,
  log: [],
  ...more,
});

// 4 Kate, as Ann sees it.
export const aWorld = (version: number, more: Partial<World> = {}): World => ({
  roomCode: "ABCDEF",
  gameId: "4-kate",
  status: "playing",
  ownerId: "ann",
  settings: {},
  seats: [aSeat(0, "Ann")],
  spectators: [],
  played: 0,
  rematch: [],
  muted: [],
  loadedBy: null,
  invitation: null,
  places: 2,
  teamNames: {},
  you: { playerId: "ann", seatIndex: 0 },
  version,
  view: aView({ turn: [version % 2] }),
  ...more,
});
