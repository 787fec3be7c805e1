// The first hand of Who's Deal?: the learner deals, holds the left bower, and the right one is turned
// up. The others have passed.
import { suitTitle, teamOf, viewOf, type CardPreview, type EuchreView, type Round } from "../games/whos-deal/view";
import type { Table } from "../table/table";
import { cardSigns, cardWords, suitSign } from "../ui/cards";
import type { Idea, Lesson } from "./lesson";

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
  highest: (name) => `The ${name} is the highest you have.`,
  takes: (name) => `The ${name} is enough to take the trick.`,
  partner: (name) => `Your partner is winning, so give a low card: the ${name}.`,
  lost: (name) => `You cannot win this one, so give your lowest card: the ${name}.`,
};

const goal: Idea = {
  id: "goal",
  title: "Two against two",
  text:
    "The player opposite is your partner. Each hand has five tricks. One side names a trump suit and promises to " +
    "take at least three of them.",
  gate: true,
};

function turned(round: Round): Idea {
  const up = round.faceUpCard!;
  return {
    id: "turned",
    title: "The turned card",
    text:
      `The others have passed, so it is up to you. Pick it up and ${up.suit} are trump: they beat every other suit. ` +
      `As the dealer you also get the ${cardWords(up.id)}. You hold good ones: do it.`,
    light: '[data-control="order"]',
  };
}

function bowers(round: Round): Idea {
  const trump = round.trumpSuit!;
  const right = cardSigns(round.bowers!.right);
  const left = cardSigns(round.bowers!.left);
  return {
    id: "bowers",
    title: "The bowers",
    text:
      `${suitTitle(trump)} are trump. Their jack ${right} is the highest card of all, the right bower. Next comes ` +
      `the other jack of that colour, ${left}, the left bower: it counts as one of the ${trump}. Then A K Q 10 9.`,
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
    title: "Put one away",
    text:
      `You have six cards now. Give up the ${cardWords(id)}: tap it, then Discard. Without ${suit} in your hand ` +
      "you may trump when they are led.",
    light: table.busy() ? "" : `${card(id)}:not(.chosen), [data-control="confirm"]:not([aria-disabled])`,
  };
}

function follow(view: EuchreView, seat: number): Idea {
  const round = view.round!;
  const led = round.ledSuit!;
  const { id, why } = adviseCard(view, seat);
  const bound = choices(view, "play-card").every(({ suit }) => suit === led);
  const rule = bound
    ? "you have some: you must play one."
    : "you have none: play what you like. Only a trump could take it.";
  return {
    id: "follow",
    title: bound ? "Follow suit" : `No ${led}`,
    text:
      `${suitTitle(led)} ${suitSign(led)} were led, and ${rule} ${reasons[why](cardWords(id))} Tap it, then tap it ` +
      "again.",
    light: card(id),
  };
}

const tricks = (mine: boolean, name: string): Idea => ({
  id: "tricks",
  title: mine ? "Your trick" : `${name} took it`,
  text:
    "The highest trump takes a trick; if there is none, the highest card of the suit that was led. Who takes it " +
    "leads the next one. The dots below count the tricks of both teams.",
  gate: true,
});

function lead(view: EuchreView, seat: number): Idea {
  const { id, why } = adviseCard(view, seat);
  const trumps = choices(view, "play-card").find((one) => one.id === id)!.suit === view.round!.trumpSuit;
  return {
    id: "lead",
    title: "You lead",
    text:
      `Play what you like. ` +
      `${reasons[why](cardWords(id))}${trumps ? " The others have to follow with their trumps." : ""}`,
    light: card(id),
  };
}

const scoring = (view: EuchreView): Idea => ({
  id: "scoring",
  title: "The score",
  text:
    "Three or four tricks are 1 point for those who called, all five 2: a march. With fewer than three they are " +
    `euchred: 2 for the others. Who goes alone and takes all five gets 4. Team A has ${view.teams.a.score}, team B ` +
    `${view.teams.b.score}. That is all: play on!`,
  gate: true,
});

function calling(view: EuchreView, mine: boolean): Idea {
  const round = view.round!;
  if (!mine)
    return {
      id: "wait",
      title: "The others call",
      text: "Everybody may make the turned card's suit trump or pass. If all pass, another suit may be named.",
    };
  if (round.trumpPhase === "round1")
    return {
      id: "call",
      title: "Your call",
      text:
        `Have three or more ${round.faceUpCard!.suit}, best with a bower? Order it up. If not, pass. The dealer's ` +
        "side gets the card.",
    };
  return {
    id: "call",
    title: "Name a suit",
    text: "The turned card was turned down. Name another suit that you are strong in, or pass if you may.",
  };
}

function playing(table: Table, view: EuchreView, read: ReadonlySet<string>): Idea {
  const round = view.round!;
  const seat = table.mySeat()!;
  const wait: Idea = {
    id: "wait",
    title: "Watch",
    text: `${table.name(view.turn[0])} to play. Everybody plays one card; the best one takes all of them.`,
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
  if (view.teams.a.score + view.teams.b.score > 0 && !read.has("scoring")) return scoring(view);
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
          title: "The dealer discards",
          text: `${table.name(view.dealerSeatIndex)} takes the turned card and puts another one away.`,
        };
      return read.has("bowers") ? discard(view, table) : bowers(round);
    case "playing":
      return playing(table, view, read);
    default:
      return {
        id: "wait",
        title: "The hand is over",
        text:
          "Look at its last trick for as long as you like, then go on. The deal goes around: next time somebody " +
          "else deals.",
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
