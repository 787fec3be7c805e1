// What is told of people, in words: who came and went, and how the games of this world ended.
import games from "virtual:games";
import { seatName, teamName, type News, type Seat, type World, type WorldEvents } from "../model";
import { listed, t, tn } from "../languages";

// Of oneself, and of somebody else.
const words: Record<News, [string, string]> = {
  joined: [t("You join"), t("{name} joins")],
  watches: [t("You are watching"), t("{name} is watching")],
  sits: [t("You sit down"), t("{name} sits down")],
  waits: [t("You wait for a seat"), t("{name} waits for a seat")],
  left: [t("You leave"), t("{name} leaves")],
  removed: [t("You were sent away"), t("{name} was sent away")],
  away: [t("A bot plays for you"), t("A bot plays for {name}")],
  back: [t("You are back"), t("{name} is back")],
  owner: [t("The table is yours now"), t("The table is {name}'s now")],
  rematch: [t("You ask for another game"), t("{name} asks for another game")],
  lobby: [t("You bring everybody back to the lobby"), t("{name} brings everybody back to the lobby")],
};

export function newsText({ what, playerId, name }: WorldEvents["news"], you: string | undefined): string | undefined {
  return playerId === you ? words[what]?.[0] : words[what]?.[1].replace("{name}", () => name);
}

// What is kept of a world for those who come back to it.
export type Glance = Pick<World, "gameId" | "status" | "seats" | "teamNames" | "played" | "you" | "standing"> & {
  turn: number[];
};

export const glanceOf = (world: World): Glance => {
  const { gameId, status, seats, teamNames, played, you, standing, view } = world;
  return { gameId, status, seats, teamNames, played, you, standing, turn: view?.turn ?? [] };
};

// Who is at a table beside oneself, whose turn it is, and how this game and those before it went.
export interface Return {
  company: string;
  mine: boolean;
  turn?: string;
  score?: string;
}
export function returnText(world: Glance): Return {
  const mine = world.you?.seatIndex ?? null;
  const others = world.seats.filter((seat) => seat.playerId !== null && seat.seatIndex !== mine);
  const awaited = world.status === "playing" ? world.turn : [];
  const isMine = mine !== null && awaited.includes(mine);
  const names = awaited.map((seat) => seatName(world.seats[seat]));
  return {
    company: listed(others.map((seat) => seatName(seat))),
    mine: isMine,
    turn: isMine ? t("your turn") : names.length === 1 ? t("{name}'s turn", { name: names[0] }) : undefined,
    score: [standingText(world), scoreText(world)].filter((text) => text !== undefined).join(". ") || undefined,
  };
}

// "You 4, they 6"; nothing before anybody has a point.
function standingText(world: Glance): string | undefined {
  const sides = world.standing;
  if (world.status !== "playing" || !sides?.some(({ score }) => score !== 0)) return undefined;
  if (sides.length === 1) return t("Together {score}", { score: sides[0]!.score });
  const seats = sides.map((side) => side.seats.map((seat) => world.seats[seat]!));
  const parts = ownFirst(sides.map(({ score }, at) => `${sideName(world, seats[at]!, sides.length)} ${score}`));
  return capital(listed(parts));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function sideName(world: Pick<World, "you" | "teamNames">, side: Seat[], sides: number): string {
  const mine = world.you?.seatIndex;
  if (side.some((seat) => seat.seatIndex === mine)) return t("you");
  if (mine != null && sides === 2) return t("they");
  return side[0]!.team === null ? seatName(side[0]) : teamName(world, side[0]!.team);
}

function ownFirst(parts: string[]): string[] {
  const own = parts.findIndex((part) => part.startsWith(`${t("you")} `));
  return own > 0 ? [parts[own]!, ...parts.filter((_, at) => at !== own)] : parts;
}

// "After 5 games: you 3, they 2", or by name where more than two play for themselves or sides have changed; where all
// win or lose together, "Won 2 of 5 together".
export function scoreText(world: Omit<Glance, "turn" | "standing">): string | undefined {
  if (world.played === 0) return undefined;
  const seats = world.seats.filter((seat) => seat.playerId !== null);
  if (games.find(({ id }) => id === world.gameId)?.cooperative) {
    const values = { won: Math.max(...seats.map((seat) => seat.won)), played: world.played };
    return seats.length > 1 ? t("Won {won} of {played} together", values) : t("Won {won} of {played}", values);
  }
  const sides = [...new Set(seats.map((seat) => seat.team ?? seat.seatIndex))].map((side) =>
    seats.filter((seat) => (seat.team ?? seat.seatIndex) === side),
  );
  const mine = world.you?.seatIndex;
  const agree = sides.every((side) => side.every((seat) => seat.won === side[0]!.won));
  const parts = agree
    ? sides.map((side) => `${sideName(world, side, sides.length)} ${side[0]!.won}`)
    : seats.map((seat) => `${seat.seatIndex === mine ? t("you") : seatName(seat)} ${seat.won}`);
  return tn(world.played, "After {n} game: {scores}", "After {n} games: {scores}", {
    scores: listed(ownFirst(parts)),
  });
}
