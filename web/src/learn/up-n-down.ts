// The first game of Up-N-Down: a small deck, a bot as partner, and in the first hand a pair that is
// ten apart.
import { jumpsOf, jumpWords, legalMove, type Jump, type UpNDownView } from "../games/up-n-down/view";
import type { Table } from "../table/table";
import type { Idea, Lesson } from "./lesson";
import { rule, usualRule } from "./rules";
import { t } from "../languages";

const deal = "3 8 13 18 24 / 4 5 11 21 23 / 6 20 22 2 25 7 19 9 17 16 10 15 14 12";

// Up to this cost a jump is better than waiting for the next turn.
const SMALL = 2;

const tapCard = (card: number) => `[data-card="${card}"]:not(.chosen)`;
const tapPile = (card: number, pile: number) =>
  `.updown:has([data-card="${card}"].chosen) [data-pile="${pile}"] .target`;
const light = (card: number, pile: number) => `${tapCard(card)}, ${tapPile(card, pile)}`;

export interface Advice extends Jump {
  card: number;
}

function allJumps(view: UpNDownView, hand: readonly number[]): Advice[] {
  return hand.flatMap((card) => jumpsOf(view, card).map((jump) => ({ ...jump, card })));
}

const isPair = ({ backward, partner }: Jump): boolean => !backward && partner !== undefined;

// The play that costs least for each card of it: where one steps back on the other, two cards count together.
function adviseJump(view: UpNDownView, hand: readonly number[]): Advice | undefined {
  const valued = allJumps(view, hand).map((jump) => ({
    jump,
    cost: isPair(jump) ? jump.pairCost! / 2 : jump.cost,
  }));
  return valued.sort((a, b) => a.cost - b.cost)[0]?.jump;
}

const best = (view: UpNDownView, hand: readonly number[], wanted: "ascending" | "descending") =>
  allJumps(view, hand)
    .filter(({ pile, backward }) => !backward && view.foundationPiles.find(({ id }) => id === pile)!.type === wanted)
    .sort((a, b) => a.distance - b.distance)[0];

const goal = ({ world }: Table): Idea => ({
  id: "goal",
  title: t("All of us against the deck"),
  text: t(
    "Bring every card onto the four piles. You and the bot win or lose together. Here the " +
      "cards go from {low} to {high}; the whole game goes to {highest}.",
    {
      low: rule(world, "minCardValue"),
      high: rule(world, "maxCardValue"),
      highest: usualRule(world, "maxCardValue"),
    },
  ),
  gate: true,
});

const rising = ({ card, pile, distance }: Advice): Idea => ({
  id: "rising",
  title: t("Up"),
  text: t(
    "The two green piles rise: every card must be higher than the one below. Tap your {card}, " +
      "then pile {pile}. The number there says how far it jumps: {distance}.",
    { card, pile, distance },
  ),
  light: light(card, pile),
});

const falling = ({ card, pile }: Advice): Idea => ({
  id: "falling",
  title: t("Down"),
  text: t(
    "The two red piles fall: every card must be lower. Small jumps are good, because what you " +
      "jump over may find no place later. Put {card} on pile {pile}.",
    { card, pile },
  ),
  light: light(card, pile),
});

const ending = (view: UpNDownView): Idea => ({
  id: "ending",
  title: t("Enough"),
  text:
    view.drawPileCount > 0
      ? t(
          "{count} cards a turn are the least, and you drew a new one for each. More are allowed, but " +
            "the next jump would be wide. End your turn.",
          { count: view.minimumThisTurn },
        )
      : t("With nothing left to draw, one card a turn is enough. End your turn."),
  light: ".end",
});

const marks: Idea = {
  id: "marks",
  title: t("Tell what you need"),
  text: t(
    "You may not talk about numbers. While the bot plays, tap a heart beside a pile you can " +
      "serve well: once for like, again for really like and love. The others see it and leave " +
      "that pile to you.",
  ),
  light: "button.heart",
  gate: true,
};

function backward({ card, pile }: Advice): Idea {
  return {
    id: "backward",
    title: t("Ten backward"),
    text: t(
      "The one way back: a card exactly ten against the direction. {card} goes on pile {pile} " +
        "and gives back ten numbers of room. Do it!",
      { card, pile },
    ),
    light: light(card, pile),
  };
}

function pair({ card, pile, partner }: Advice): Idea {
  return {
    id: "pair",
    title: t("Ten apart"),
    text: t(
      "You hold {card} and {partner}, exactly ten apart. Put {card} on pile {pile} now: then " +
        "{partner} can step back ten on it. Two cards for little room.",
      { card, partner, pile },
    ),
    light: light(card, pile),
  };
}

const plain = (advice: Advice): Idea => ({
  id: "plain",
  title: t("The smallest jump"),
  text: t("Cheapest now: {card} on pile {pile}, {jump}. The star marks the best pile for the " + "card you chose.", {
    card: advice.card,
    pile: advice.pile,
    jump: jumpWords(advice),
  }),
  light: light(advice.card, advice.pile),
});

const over = (won: boolean): Idea =>
  won
    ? {
        id: "over",
        title: t("Won!"),
        text: t(
          "Every card is on a pile. With the whole deck it is harder: keep the middle numbers, play " +
            "very low and very high ones early, and keep a pair ten apart for tight spots.",
        ),
      }
    : {
        id: "over",
        title: t("So close"),
        text: t(
          "Somebody owed a card and had none that fits. Play again: small jumps, and step back ten " + "when you can.",
        ),
      };

function myTurn(view: UpNDownView, hand: readonly number[], turns: number): Idea {
  const advice = adviseJump(view, hand);
  if (turns === 0) {
    const [up, down] = [best(view, hand, "ascending"), best(view, hand, "descending")];
    if (view.cardsPlayedThisTurn === 0 && up) return rising(up);
    if (view.cardsPlayedThisTurn === 1 && down) return falling(down);
    return ending(view);
  }
  if (!advice || (legalMove(view, "end") && advice.cost > SMALL && !isPair(advice))) return ending(view);
  return advice.backward ? backward(advice) : isPair(advice) ? pair(advice) : plain(advice);
}

function advise(table: Table, read: ReadonlySet<string>): Idea {
  const view = table.world.view as UpNDownView | null;
  const me = view?.players.find(({ seatIndex }) => seatIndex === table.mySeat());
  if (!view || !me || !read.has("goal")) return goal(table);
  if (view.gamePhase !== "playing") return over(view.gamePhase === "won");
  if (!table.myTurn()) {
    if (!read.has("marks")) return marks;
    return {
      id: "wait",
      title: t("The bot plays"),
      text: t("Watch which pile it takes, and think about your next two cards. You can choose one " + "already."),
    };
  }
  const before = me.statistics.cardsPlayed - view.cardsPlayedThisTurn;
  return myTurn(view, me.hand ?? [], before);
}

const lesson: Lesson = {
  gameId: "up-n-down",
  entries: ["@me bot 1 hard", "@me start maxCardValue=25 handSize=5", `- deal ${deal}`],
  ideas: ["goal", "rising", "falling", "ending", "marks", "pair", "backward"],
  advise,
};
export default lesson;
