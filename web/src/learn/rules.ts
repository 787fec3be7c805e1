// Numbers of the rules for the sentences of a lesson, from the engine.
import all from "virtual:options";
import type { Setting, World } from "../model";

// A list counts with its first round.
const numberOf = (setting: Setting | undefined): number => Number([setting].flat()[0]);

// By the house rules of the lesson's table.
export const rule = ({ settings }: World, key: string): number => numberOf(settings[key]);

// As the game is usually played, where the lesson's table is set up in another way.
export const usualRule = ({ gameId }: World, key: string): number =>
  numberOf(all[gameId]!.options.find((option) => option.key === key)?.default);

// What no house rule changes.
export const numberOfRules = ({ gameId }: World, name: string): number => all[gameId]!.numbers[name]!;
