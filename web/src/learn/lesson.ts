// A first game that is explained while it is played: a table set up in advance, and a coach who looks
// at the world as it is. So nothing breaks when a learner does something else than was advised.
import type { Table } from "../table/table";

export interface Idea {
  id: string;
  title: string;
  text: string;
  // A selector of what to tap.
  light?: string;
  // The learner says when this was read; until then nothing else is shown.
  gate?: boolean;
}

export interface Lesson {
  gameId: string;
  // Entries of the table's log after the first one, as world/world.h describes them, without their time.
  entries: readonly string[];
  // The ideas that count, in the order in which they usually come.
  ideas: readonly string[];
  advise(table: Table, read: ReadonlySet<string>): Idea;
}

const lessons: Record<string, () => Promise<{ default: Lesson }>> = {
  "whos-deal": () => import("./whos-deal"),
  "up-n-down": () => import("./up-n-down"),
  "hand-and-foot": () => import("./hand-and-foot"),
};

export const hasLesson = (gameId: string): boolean => gameId in lessons;

export const loadLesson = async (gameId: string): Promise<Lesson | undefined> => (await lessons[gameId]?.())?.default;
