// What is told of people, in words: who came and went, and how the games of this world ended.
import { seatName, teamName, type News, type World, type WorldEvents } from "../model";

// Of oneself, and of somebody else.
const words: Record<News, [string, string]> = {
  joined: ["You join", "NAME joins"],
  watches: ["You are watching", "NAME is watching"],
  sits: ["You sit down", "NAME sits down"],
  waits: ["You wait for a seat", "NAME waits for a seat"],
  left: ["You leave", "NAME leaves"],
  removed: ["You were sent away", "NAME was sent away"],
  away: ["A bot plays for you", "A bot plays for NAME"],
  back: ["You are back", "NAME is back"],
  owner: ["The table is yours now", "The table is NAME's now"],
  rematch: ["You ask for another game", "NAME asks for another game"],
  lobby: ["You bring everybody back to the lobby", "NAME brings everybody back to the lobby"],
};

export function newsText({ what, playerId, name }: WorldEvents["news"], you: string | undefined): string | undefined {
  return playerId === you ? words[what]?.[0] : words[what]?.[1].replace("NAME", () => name);
}

// Who is at a table beside oneself, whether it is one's turn, and how its games ended: for those who come back to it.
export interface Return {
  company: string;
  mine: boolean;
  score?: string;
}
export function returnText(world: World): Return {
  const mine = world.you?.seatIndex ?? null;
  const others = world.seats.filter((seat) => seat.playerId !== null && seat.seatIndex !== mine);
  return {
    company: others.map((seat) => seatName(seat)).join(", "),
    mine: world.status === "playing" && mine !== null && (world.view?.turn.includes(mine) ?? false),
    score: scoreText(world),
  };
}

// "After 5 games: you 3, they 2", or by name where more than two play for themselves or sides have changed.
export function scoreText(world: World): string | undefined {
  if (world.played === 0) return undefined;
  const seats = world.seats.filter((seat) => seat.playerId !== null);
  const sides = [...new Set(seats.map((seat) => seat.team ?? seat.seatIndex))].map((side) =>
    seats.filter((seat) => (seat.team ?? seat.seatIndex) === side),
  );
  const mine = world.you?.seatIndex;
  const agree = sides.every((side) => side.every((seat) => seat.won === side[0]!.won));
  const called = (side: typeof seats): string => {
    if (side.some((seat) => seat.seatIndex === mine)) return "you";
    if (mine != null && sides.length === 2) return "they";
    return side[0]!.team === null ? seatName(side[0]) : teamName(world, side[0]!.team);
  };
  const parts = agree
    ? sides.map((side) => `${called(side)} ${side[0]!.won}`)
    : seats.map((seat) => `${seat.seatIndex === mine ? "you" : seatName(seat)} ${seat.won}`);
  const own = parts.findIndex((part) => part.startsWith("you "));
  if (own > 0) parts.unshift(...parts.splice(own, 1));
  return `After ${world.played} ${world.played === 1 ? "game" : "games"}: ${parts.join(", ")}`;
}
