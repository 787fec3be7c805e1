import { expect, test } from "vitest";
import type { Seat, World } from "../model";
import { aSeat } from "./fixtures";
import { newsText, scoreText } from "./news";

const seat = (seatIndex: number, won: number, team: string | null, name = `P${seatIndex}`): Seat =>
  aSeat(seatIndex, name, { playerId: name, team, won });
const world = (played: number, you: number | null, seats: Seat[]) =>
  ({ played, seats, teamNames: { b: "The Sharks" }, you: { playerId: "me", seatIndex: you } }) as unknown as World;

test("news are told of oneself and of others", () => {
  const told = { playerId: "bob", name: "Bob $& Co", seatIndex: 1, time: 0 };
  expect(newsText({ what: "away", ...told }, "ann")).toBe("A bot plays for Bob $& Co");
  expect(newsText({ what: "sits", ...told }, "bob")).toBe("You sit down");
});

test("games are counted by sides, one's own first", () => {
  expect(scoreText(world(0, 0, [seat(0, 0, null)]))).toBeUndefined();
  expect(scoreText(world(1, 0, [seat(0, 1, null), seat(1, 0, null)]))).toBe("After 1 game: you 1, they 0");
  const four = [seat(0, 2, "a"), seat(1, 3, "b"), seat(2, 2, "a"), seat(3, 3, "b")];
  expect(scoreText(world(5, 1, four))).toBe("After 5 games: you 3, they 2");
  expect(scoreText(world(5, null, four))).toBe("After 5 games: Team A 2, The Sharks 3");
  const three = [seat(0, 2, null), seat(1, 0, null), seat(2, 1, null)];
  expect(scoreText(world(3, 2, three))).toBe("After 3 games: you 1, P0 2, P1 0");
});

test("partners who won apart are counted one by one", () => {
  const four = [seat(0, 2, "a"), seat(1, 3, "b"), seat(2, 3, "a"), seat(3, 2, "b")];
  expect(scoreText(world(5, 0, four))).toBe("After 5 games: you 2, P1 3, P2 3, P3 2");
});

test("who plays together wins together", () => {
  const together = (played: number, ...won: number[]) => ({
    ...world(
      played,
      0,
      won.map((count, at) => seat(at, count, null)),
    ),
    gameId: "up-n-down",
  });
  expect(scoreText(together(5, 2, 2))).toBe("Won 2 of 5 together");
  expect(scoreText(together(1, 0, 0, 0))).toBe("Won 0 of 1 together");
  expect(scoreText(together(3, 1))).toBe("Won 1 of 3");
});
