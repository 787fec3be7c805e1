// What the page needs to know of a game's table.
import type { Component } from "solid-js";
import type { GameEvent } from "../model";
import type { Speech } from "../table/speech";
import type { Table } from "../table/table";
import type { Cheer } from "../ui/Cheer";

// What somebody has just done, in a few words without the name.
export interface Caption {
  seat: number;
  text: string;
  from?: string; // the data-place that it comes flying from
}

export interface GameUi<Event = GameEvent> extends Speech<Event> {
  Table: Component<{ table: Table }>;
  // What is shown at the seats of others when these events, which come together, have happened.
  captions?(events: Event[], table: Table): Caption[];
  // A moment worth a cheer over the table.
  cheers?(event: Event, table: Table): Cheer | undefined;
  // The result, inside the dialog that opens when the game is over.
  Result?: Component<{ table: Table }>;
  // Milliseconds before that dialog opens, where the usual delay is too short to see the last move.
  endShown?: number;
  // Keys beyond those that every table has: [keys, what they do].
  keys?: [string, string][];
}

const tables: Record<string, () => Promise<{ default: GameUi }>> = {
  "whos-deal": () => import("./whos-deal"),
  "up-n-down": () => import("./up-n-down"),
  "4-kate": () => import("./four-kate"),
  "hand-and-foot": () => import("./hand-and-foot"),
  "terrible-people": () => import("./terrible-people"),
};

export async function loadGameUi(gameId: string): Promise<GameUi> {
  const load = tables[gameId] ?? (() => import("./generic"));
  return (await load()).default;
}
