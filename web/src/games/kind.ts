// What the page needs to know of a game's table.
import type { Component } from "solid-js";
import type { GameEvent } from "../model";
import type { Speech } from "../table/speech";
import type { Table } from "../table/table";
import type { Cheer } from "../ui/Cheer";

export interface GameUi<Event = GameEvent> extends Speech<Event> {
  Table: Component<{ table: Table }>;
  // A moment worth a cheer over the table.
  cheers?(event: Event, table: Table): Cheer | undefined;
  // The result, inside the dialog that opens when the game is over.
  Result?: Component<{ table: Table }>;
  // Milliseconds before that dialog opens, where the usual delay is too short to see the last move.
  endShown?: number;
  // False where a game has no rounds: its next deal is that of the next game.
  rounds?: false;
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
