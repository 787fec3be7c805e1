// The first round of Hand & Foot, against one bot: cards come in an order that leads from the first
// meld over a clean and a dirty book to the foot and out.
import {
  cardsOf,
  isWild,
  pointsOf,
  rankName,
  suggestionsIn,
  type HandAndFootView,
  type Side,
} from "../games/hand-and-foot/view";
import type { Table } from "../table/table";
import { cardSigns, cardWords, parseCard } from "../ui/cards";
import type { Idea, Lesson } from "./lesson";
import { rule, usualRule } from "./rules";
import { t } from "../languages";

const mine = "KS KS KS KH KH QS QS QS QH 3H 4C + 9S 9S 9H 9D 8S 8S 8H 8D 7S 7H 3C";
const theirs = "4S 5S 6S 7C 8C 10S JS AD 3S 3D 6D + 4S 5S 6S 7C 8C 10S JS AH 3S AC 6C";
// The turned card, then two for the learner and two for the bot in turn.
const order = "4H QD 5H 10H 5D KD KC 4D 8H 2S 2H JC 6H 7D 9C";

// Every other card is shuffled from this seed.
const rest = "5eed".repeat(16);

type Discard = Extract<HandAndFootView["legal"][number], { type: "discard" }>;
const discards = (view: HandAndFootView): Discard[] => view.legal.filter((one) => one.type === "discard");

const adviseDiscard = (view: HandAndFootView): Discard | undefined =>
  discards(view).sort((a, b) => b.preview.rating - a.preview.rating)[0];

// What a sensible beginner does next.
export function adviseMove(view: HandAndFootView, side: Side): string | undefined {
  if (view.legal.some(({ type }) => type === "draw")) return "draw";
  const books = new Set(side.melds.filter(({ isBook }) => isBook).map(({ id }) => id));
  const lay = suggestionsIn(view).find(({ spoils }) => !books.has(spoils ?? 0));
  if (lay) return lay.move;
  return adviseDiscard(view)?.move;
}

const suggest =
  '.hf-actions:not(:has([data-control="meld"].main)) [data-control="suggest"]:not([aria-disabled]), ' +
  '[data-control="meld"].main';

const goal = ({ world }: Table): Idea => ({
  id: "goal",
  title: t("Hand, then foot"),
  text: t(
    "You hold {hand} cards, your hand. {foot} more lie face down: your foot, for later. Lay " +
      "cards of one rank as melds, make books of {size}, use up hand and foot, and score more " +
      "than the others.",
    { hand: rule(world, "handSize"), foot: rule(world, "footSize"), size: rule(world, "bookSize") },
  ),
  gate: true,
});

const drawing = (again: boolean, count: number): Idea => ({
  id: "draw",
  title: again ? t("Draw {count}", { count }) : t("A turn begins"),
  text: again
    ? t("Every turn: draw {count}, lay what you like, discard one.", { count })
    : t("Every turn has three parts: draw {count} cards, lay what you like, discard one. Draw from " + "the deck.", {
        count,
      }),
  light: '[data-control="draw"]',
});

function playDown(move: string, view: HandAndFootView): Idea {
  const groups = move.slice(5).split(" / ");
  return {
    id: "play-down",
    title: t("Play down"),
    text: t(
      "Your first melds must count {minimum} points together: kings and queens are {each} each. You " +
        "have {count} groups of three or more, {points} points. Tap Suggest to select them, " +
        "then Play down.",
      {
        minimum: view.minimum,
        each: view.cardPoints.K!,
        count: groups.length,
        points: pointsOf(cardsOf(move), view),
      },
    ),
    light: suggest,
  };
}

function laying(move: string, view: HandAndFootView, side: Side, { world }: Table): Idea {
  const cards = cardsOf(move);
  const book = move.startsWith("add ") ? side.melds.find(({ id }) => id === Number(move.split(" ")[1])) : undefined;
  const rank = book?.rank ?? parseCard(cards.find((id) => !isWild(id, view)) ?? cards[0]!).rank;
  const names = cards.map(cardSigns).join(" ");
  if (book && cards.some((id) => isWild(id, view)))
    return {
      id: "dirty",
      title: t("Wild cards"),
      text: t(
        "Twos and jokers are wild: they go with any rank, but never more of them than naturals. A " +
          "book with wilds is dirty and brings {bonus}. Add {names} to the {rank}: Suggest, then " +
          "lay it. Keep wilds off the clean book!",
        { names, rank: rankName(rank), bonus: rule(world, "dirtyBonus") },
      ),
      light: suggest,
    };
  if (book && suggestionsIn(view).find((one) => one.move === move)?.completes) {
    const size = rule(world, "bookSize");
    return {
      id: "clean",
      title: t("{size} make a book", { size }),
      text: t(
        "{names} make {size} {rank}. Without a wild it is a clean book and brings {bonus} points. " +
          "Tap Suggest, then lay them: or drag the cards onto the {rank}.",
        { names, size, rank: rankName(rank), bonus: rule(world, "cleanBonus") },
      ),
      light: suggest,
    };
  }
  return {
    id: "more",
    title: t("Lay more"),
    text: t(
      "After playing down there is no minimum any more. {names} can go down: Suggest, then lay " +
        "them. What is left in your hand at the end counts against you.",
      { names },
    ),
    light: suggest,
  };
}

function discarding({ payload, preview }: Discard, view: HandAndFootView, { world }: Table): Idea {
  const id = payload.cardId;
  const last = discards(view).length === 1;
  const me = view.players.find(({ hand }) => hand !== undefined);
  const light = `[data-card="${id}"]:not(.chosen), [data-control="discard"].main`;
  if (last && me?.hasPickedUpFoot)
    return {
      id: "out",
      title: t("Go out"),
      text: t(
        "A clean book, a dirty book, and one card left: discard the {card} and you are out. " +
          "That ends the round and brings {bonus}.",
        { card: cardWords(id), bonus: rule(world, "goingOutBonus") },
      ),
      light,
    };
  if (last)
    return {
      id: "last",
      title: t("The last card"),
      text: t("Discard the {card}. Then your hand is used up, and you take your foot.", {
        card: cardWords(id),
      }),
      light,
    };
  const why =
    preview.three === "red"
      ? t("A red three cannot be laid and costs {cost} if you keep it", { cost: rule(world, "redThreePenalty") })
      : preview.three === "black"
        ? t("Threes cannot be laid")
        : t("You have few cards of its rank");
  return {
    id: "discard",
    title: t("Discard one"),
    text: t("{why}: tap the {card}, then Discard. That ends your turn.", { why, card: cardWords(id) }),
    light,
  };
}

const foot: Idea = {
  id: "foot",
  title: t("Your foot"),
  text: t(
    "Your hand was used up, so the foot is your hand now. Use it up as well and you are out, " +
      "if you have a clean and a dirty book. The line beside the pile says what is missing.",
  ),
  gate: true,
};

const over = (won: boolean, { world }: Table): Idea => ({
  id: "over",
  title: won ? t("Out!") : t("The round is over"),
  text: t(
    "Melds and books count for you, cards left in hand and foot against you. A whole game " +
      "goes to {target}, and each round needs {step} more to play down. You may also take the " +
      "pile: with two naturals of its top card's rank. Have fun!",
    { target: usualRule(world, "targetScore"), step: rule(world, "minimumStep") },
  ),
});

function advise(table: Table, read: ReadonlySet<string>): Idea {
  const view = table.world.view as HandAndFootView | null;
  const me = view?.players.find(({ seatIndex }) => seatIndex === table.mySeat());
  if (!view || !me || !read.has("goal")) return goal(table);
  if (table.world.status === "game_over" || view.phase !== "playing")
    return over(view.wentOut === table.mySeat(), table);
  if (me.hasPickedUpFoot && !read.has("foot")) return foot;
  const side = view.teams.find(({ id }) => id === me.team)!;
  const move = table.myTurn() ? adviseMove(view, side) : undefined;
  if (!move)
    return {
      id: "wait",
      title: t("The bot plays"),
      text: t("It draws, lays if it can, and discards onto the pile. Then it is your turn again."),
    };
  if (move === "draw") return drawing(me.hasPlayedDown, rule(table.world, "draw"));
  const discard = discards(view).find((one) => one.move === move);
  if (discard) return discarding(discard, view, table);
  return me.hasPlayedDown ? laying(move, view, side, table) : playDown(move, view);
}

const lesson: Lesson = {
  gameId: "hand-and-foot",
  entries: [
    "@me bot 1 easy",
    "@me bot 2 closed",
    "@me bot 3 closed",
    "@me start rounds=1 targetScore=0",
    `- deal ${mine} / ${theirs} / ${order} ${rest}`,
  ],
  ideas: ["goal", "draw", "play-down", "discard", "clean", "dirty", "foot", "out"],
  advise,
};
export default lesson;
