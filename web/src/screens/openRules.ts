// What a list of open tables says of the rules of one of them.
import all from "virtual:options";
import type { WorldSummary } from "../model";
import { rulesText } from "../rules";

export const rulesOf = ({ gameId, rules }: WorldSummary): string => {
  const about = all[gameId];
  return about && rules !== null ? rulesText(about, rules) : "";
};
