// The first hand of Who's Deal?: the learner deals, holds the left bower, and the right one is turned
// up. The others have passed.
import { suitTitle, teamOf, viewOf, type CardPreview, type EuchreView, type Round } from "../games/whos-deal/view";
import type { World } from "../model";
import type { Table } from "../table/table";
import { cardSigns, cardWords, suitSign, suitWord } from "../ui/cards";
import type { Idea, Lesson } from "./lesson";
import { numberOfRules } from "./rules";
import { t } from "../languages";

const deal = "JD KH KS 10S 9C / AS QS KD 9D 10C / JS 10H AC QD KC / 9S QH QC JC AD / JH AH 9H 10D";

const card = (id: string) => `[data-card="${id}"]`;

export interface Advice {
  id: string;
  why: "highest" | "takes" | "partner" | "lost";
}

type Choice = CardPreview & { id: string };

// The cards that may be played or discarded now, the weakest first.
const choices = (view: EuchreView, type: "play-card" | "discard"): Choice[] =>
  view.legal
    .filter((one) => one.type === "play-card" || one.type === "discard")
    .filter((one) => one.type === type)
    .map(({ payload, preview }) => ({ id: payload.cardId, ...preview }))
    .sort((a, b) => a.strength - b.strength);

// The card a sensible player would take: lead the highest; take a trick as cheaply as possible;
// throw the lowest into one that is the partner's or lost.
export function adviseCard(view: EuchreView, seat: number): Advice {
  const rising = choices(view, "play-card");
  const winner = view.round!.winningSeatIndex;
  const low = rising[0]!.id;
  if (winner === null) return { id: rising.at(-1)!.id, why: "highest" };
  if (teamOf(view, winner) === teamOf(view, seat)) return { id: low, why: "partner" };
  const enough = rising.find(({ takes }) => takes);
  return enough ? { id: enough.id, why: "takes" } : { id: low, why: "lost" };
}

const reasons: Record<Advice["why"], (name: string) => string> = {
  highest: (name) => t("The {name} is the highest you have.", { name }),
  takes: (name) => t("The {name} is enough to take the trick.", { name }),
  partner: (name) => t("Your partner is winning, so give a low card: the {name}.", { name }),
  lost: (name) => t("You cannot win this one, so give your lowest card: the {name}.", { name }),
};

const goal: Idea = {
  id: "goal",
  title: t("Two against two"),
  text: t(
    "The player opposite is your partner. Each hand has five tricks. One side names a trump " +
      "suit and promises to take at least three of them.",
  ),
  gate: true,
};

function turned(round: Round): Idea {
  const up = round.faceUpCard!;
  return {
    id: "turned",
    title: t("The turned card"),
    text: t(
      "The others have passed, so it is up to you. Pick it up and {suit} are trump: they beat " +
        "every other suit. As the dealer you also get the {card}. You hold good ones: do it.",
      { suit: suitWord(up.suit), card: cardWords(up.id) },
    ),
    light: '[data-control="order"]',
  };
}

function bowers(round: Round): Idea {
  const trump = round.trumpSuit!;
  const right = cardSigns(round.bowers!.right);
  const left = cardSigns(round.bowers!.left);
  return {
    id: "bowers",
    title: t("The bowers"),
    text: t(
      "{suit} are trump. Their jack {right} is the highest card of all, the right bower. " +
        "Next comes the other jack of that colour, {left}, the left bower: it counts as one of " +
        "the {trump}. Then A K Q 10 9.",
      { suit: suitTitle(trump), right, left, trump: suitWord(trump) },
    ),
    gate: true,
  };
}

function discard(view: EuchreView, table: Table): Idea {
  const trump = view.round!.trumpSuit;
  const low = choices(view, "discard");
  // Better still is the only card of a suit: once the suit is gone, it can be trumped when it is led.
  const single = low.find(
    ({ id, suit }) => suit !== trump && low.filter((other) => other.suit === suit).length === 1 && !id.startsWith("A"),
  );
  const { id, suit } = single ?? low[0]!;
  return {
    id: "discard",
    title: t("Put one away"),
    text: t(
      "You have six cards now. Give up the {card}: tap it, then Discard. Without {suit} in " +
        "your hand you may trump when they are led.",
      { card: cardWords(id), suit: suitWord(suit) },
    ),
    light: table.busy() ? "" : `${card(id)}:not(.chosen), [data-control="confirm"]:not([aria-disabled])`,
  };
}

function follow(view: EuchreView, seat: number): Idea {
  const round = view.round!;
  const led = round.ledSuit!;
  const { id, why } = adviseCard(view, seat);
  const bound = choices(view, "play-card").every(({ suit }) => suit === led);
  const values = { suit: suitTitle(led), sign: suitSign(led), reason: reasons[why](cardWords(id)) };
  return {
    id: "follow",
    title: bound ? t("Follow suit") : t("No {suit}", { suit: suitWord(led) }),
    text: bound
      ? t("{suit} {sign} were led, and you have some: you must play one. {reason} Tap it, then tap it again.", values)
      : t(
          "{suit} {sign} were led, and you have none: play what you like. Only a trump could take it. " +
            "{reason} Tap it, then tap it again.",
          values,
        ),
    light: card(id),
  };
}

const tricks = (mine: boolean, name: string): Idea => ({
  id: "tricks",
  title: mine ? t("Your trick") : t("{name} took it", { name }),
  text: t(
    "The highest trump takes a trick; if there is none, the highest card of the suit that was " +
      "led. Who takes it leads the next one. The dots below count the tricks of both teams.",
  ),
  gate: true,
});

function lead(view: EuchreView, seat: number): Idea {
  const { id, why } = adviseCard(view, seat);
  const trumps = choices(view, "play-card").find((one) => one.id === id)!.suit === view.round!.trumpSuit;
  return {
    id: "lead",
    title: t("You lead"),
    text: [
      t("Play what you like."),
      reasons[why](cardWords(id)),
      ...(trumps ? [t("The others have to follow with their trumps.")] : []),
    ].join(" "),
    light: card(id),
  };
}

function scoring(world: World, view: EuchreView): Idea {
  const points = (outcome: string) => numberOfRules(world, outcome);
  return {
    id: "scoring",
    title: t("The score"),
    text: t(
      "Three or four tricks count {made} for those who called, all five {march}: a march. With fewer " +
        "than three they are euchred: {euchre} for the others. Who goes alone and takes all five gets {sweep}. " +
        "Team A has {score}, team B {score2}. That is all: play on!",
      {
        made: points("made"),
        march: points("march"),
        euchre: points("euchre"),
        sweep: points("sweep"),
        score: view.teams.a.score,
        score2: view.teams.b.score,
      },
    ),
    gate: true,
  };
}

function calling(view: EuchreView, mine: boolean): Idea {
  const round = view.round!;
  if (!mine)
    return {
      id: "wait",
      title: t("The others call"),
      text: t("Everybody may make the turned card's suit trump or pass. If all pass, another suit may " + "be named."),
    };
  if (round.trumpPhase === "round1")
    return {
      id: "call",
      title: t("Your call"),
      text: t(
        "Have three or more {suit}, best with a bower? Order it up. If not, pass. The dealer's " +
          "side gets the card.",
        { suit: suitWord(round.faceUpCard!.suit) },
      ),
    };
  return {
    id: "call",
    title: t("Name a suit"),
    text: t("The turned card was turned down. Name another suit that you are strong in, or pass if " + "you may."),
  };
}

function playing(table: Table, view: EuchreView, read: ReadonlySet<string>): Idea {
  const round = view.round!;
  const seat = table.mySeat()!;
  const wait: Idea = {
    id: "wait",
    title: t("Watch"),
    text: t("{name} to play. Everybody plays one card; the best one takes all of them.", {
      name: table.name(view.turn[0]),
    }),
  };
  if (!table.myTurn()) return wait;
  if (!read.has("bowers")) return bowers(round);
  if (round.tricksPlayed > 0 && !read.has("tricks"))
    return tricks(round.lastTrickWinnerSeatIndex === seat, table.name(round.lastTrickWinnerSeatIndex));
  return round.currentTrick.length > 0 ? follow(view, seat) : lead(view, seat);
}

function advise(table: Table, read: ReadonlySet<string>): Idea {
  const view = viewOf(table.world);
  const round = view?.round;
  const mine = table.myTurn();
  if (!view || !round || !read.has("goal")) return goal;
  if (view.teams.a.score + view.teams.b.score > 0 && !read.has("scoring")) return scoring(table.world, view);
  switch (round.trumpPhase) {
    case "round1":
      return mine && view.dealerSeatIndex === table.mySeat() && !read.has("scoring")
        ? turned(round)
        : calling(view, mine);
    case "round2":
    case "defending":
      return calling(view, mine);
    case "dealer_discard":
      if (!mine)
        return {
          id: "wait",
          title: t("The dealer discards"),
          text: t("{name} takes the turned card and puts another one away.", {
            name: table.name(view.dealerSeatIndex),
          }),
        };
      return read.has("bowers") ? discard(view, table) : bowers(round);
    case "playing":
      return playing(table, view, read);
    default:
      return {
        id: "wait",
        title: t("The hand is over"),
        text: t(
          "Look at its last trick for as long as you like, then go on. The deal goes around: next " +
            "time somebody else deals.",
        ),
      };
  }
}

const lesson: Lesson = {
  gameId: "whos-deal",
  entries: ["@me start targetScore=5", `- deal ${deal}`, "1 pass", "2 pass", "3 pass"],
  ideas: ["goal", "turned", "bowers", "discard", "follow", "tricks", "scoring"],
  advise,
};
export default lesson;
