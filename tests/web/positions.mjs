// Hand & Foot tables in the middle of a game, as saves (docs/SAVES.md). Cards lie where a test puts them; hands and
// feet that it does not name are filled from the other cards, and what is left is the deck.
const RANKS = ["4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "3", "2"];
const SUITS = ["S", "H", "D", "C"];
const presets = {
  classic: { jokers: 4, size: 11 },
  partners: { jokers: 2, size: 11 },
  closers: { jokers: 2, size: 14 },
};

// "KH*3 QS JK" is KH KH KH QS JK.
const cards = (text) =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word) => {
      const [card, count = "1"] = word.split("*");
      return Array(Number(count)).fill(card);
    });

// `seats` has of a seat { hand, foot } and a list of melds, in such words; a foot of "" was picked up, and
// closers' books of seven are closed unless they are in `open`. Seat 0 is the person's.
export function position({
  preset = "classic",
  rules = "",
  players = 4,
  seats = {},
  pile = "",
  turn = "meld",
  current = 0,
  round = 1,
  history = [],
  state = {},
}) {
  const { jokers, size } = presets[preset];
  const rest = [
    ...RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit)).flatMap((card) => Array(players + 1).fill(card)),
    ...Array(jokers * (players + 1)).fill("JK"),
  ];
  const take = (wanted) =>
    cards(wanted).map((card) => {
      const at = rest.indexOf(card);
      if (at < 0) throw new Error(`there are not so many ${card}`);
      return rest.splice(at, 1)[0];
    });
  const named = Array.from({ length: players }, (_, seat) => {
    const { hand, foot, melds = [], open = [], ...more } = seats[seat] ?? {};
    return {
      hand: hand === undefined ? null : take(hand),
      foot: foot === undefined ? null : take(foot),
      melds: melds.map((text) => ({
        rank: rankOf(cards(text)),
        cards: take(text),
        closed: preset === "closers" && cards(text).length >= 7 && !open.includes(text),
      })),
      ...more,
    };
  });
  const pileCards = take(pile);
  // Every seventh of the rest, so that nobody gets all cards of a rank.
  const filled = () => Array.from({ length: size }, (_, i) => rest.splice((i * 7) % rest.length, 1)[0]);
  const team = (seat) => (preset === "classic" ? seat : seat % 2);
  const opened = new Set(named.flatMap(({ melds }, seat) => (melds.length > 0 ? [team(seat)] : [])));
  const total = (seat) => history.reduce((sum, { scores }) => sum + scores[team(seat)], 0);
  return {
    version: "1.0",
    gameSeed: 7,
    gameState: {
      phase: "playing",
      round,
      currentPlayerIndex: current,
      turnPhase: turn,
      discardPileFrozen: false,
      hasDrawnFromDeck: turn !== "draw",
      ...state,
    },
    players: named.map(({ hand, foot, melds, ...more }, seat) => ({
      id: `player${seat + 1}`,
      name: seat === 0 ? "Ann" : `Bot ${seat + 1}`,
      type: seat === 0 ? "human" : "bot",
      score: total(seat),
      hand: hand ?? filled(),
      foot: foot ?? filled(),
      melds,
      hasPlayedDown: opened.has(team(seat)),
      hasPickedUpFoot: foot?.length === 0,
      roundScoreHistory: history.map(({ scores, out }) => ({ score: scores[team(seat)], wentOut: out === seat })),
      ...more,
    })),
    discardPile: pileCards,
    deck: { cards: rest, size: rest.length, shuffleCount: round },
    settings: `preset=${preset} ${rules}`.trim(),
    timestamp: "2026-01-01T12:00:00Z",
  };
}

// What a save calls the rank of a meld.
function rankOf(meld) {
  const rank = meld.find((card) => card !== "JK" && card[0] !== "2").slice(0, -1);
  return { A: "ace", J: "jack", Q: "queen", K: "king" }[rank] ?? rank;
}

// A table of the device after these things in the lobby and these moves; `reach` does what is left to be done at it.
export const laid = (gameId, lobby, moves, reach) => async (guest) => {
  await guest.arrive();
  await guest.keep("ABCDEF", gameId, ["set speed=instant", ...lobby, "start"], moves);
  await guest.page.goto(`${guest.house.url}/t/ABCDEF`);
  await guest.page.locator(".stage").waitFor();
  await reach?.(guest);
};

// The same from a saved game.
export const saved = (save, reach) => async (guest) => {
  await guest.open(save);
  await reach?.(guest);
};

// A deal of Who's Deal? that everybody else has passed.
export const dealt = [
  "- deal JD KH KS 10S 9C / AS QS KD 9D 10C / JS 10H AC QD KC / 9S QH QC JC AD / JH AH 9H 10D",
  "1 pass",
  "2 pass",
  "3 pass",
];
