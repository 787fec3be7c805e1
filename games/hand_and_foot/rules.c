/* Hand & Foot's options and presets, as the table of the three rule books in RULES.md has them, and
 * the house rules that players ask for beyond it. */
#include "games/hand_and_foot/rules.h"

#include "engine/ensure.h"
#include "engine/game.h"
#include "games/hand_and_foot/hand_and_foot.h"

#define YES_NO(at, name, words, text, value)                                                       \
    {                                                                                              \
        .key = name, .label = words, .help = text, .kind = OPTION_YES_NO, .slot = at,              \
        .standard = value                                                                          \
    }
#define NUMBER(at, name, words, text, low, high, value)                                            \
    {                                                                                              \
        .key = name, .label = words, .help = text, .kind = OPTION_NUMBER, .slot = at, .min = low,  \
        .max = high, .standard = value                                                             \
    }
#define CHOICE(at, name, words, text, list, value)                                                 \
    {                                                                                              \
        .key = name, .label = words, .help = text, .kind = OPTION_CHOICE, .slot = at,              \
        .choices = (const char *const[]){list(HAND_FOOT_WORD) NULL}, .standard = value             \
    }
#define LIST(at, name, words, text, low, high, value)                                              \
    {                                                                                              \
        .key = name, .label = words, .help = text, .kind = OPTION_LIST, .slot = at, .min = low,    \
        .max = high, .standard = value                                                             \
    }

/* The defaults are those of classic. */
const struct option hand_foot_options[HAND_FOOT_OPTIONS] = {
    CHOICE(RULE_TEAMS, "teams", "Teams",
           "Everybody for themselves, or two teams in turn around the table.", HAND_FOOT_TEAMS,
           "none"),
    NUMBER(RULE_PLAYERS_MAX, "playersMax", "Most players", "How many may play at the most.", 2, 8,
           "6"),
    NUMBER(RULE_DECKS, "decks", "Decks",
           "How many decks; 0 means one more than players, and fewer than that "
           "is refused.",
           0, 9, "0"),
    NUMBER(RULE_JOKERS, "jokersPerDeck", "Jokers per deck",
           "How many jokers each deck of 52 brings along.", 0, 4, "4"),
    LIST(RULE_HAND_SIZE, "handSize", "Cards in the hand",
         "How many cards the hand has, round by round; the last number goes on.", 11, 17, "11"),
    LIST(RULE_FOOT_SIZE, "footSize", "Cards in the foot",
         "How many cards the foot has, round by round; the last number goes on.", 11, 17, "11"),
    YES_NO(RULE_CHOOSE_PILE, "choosePile", "Choose your hand",
           "Each player may choose which of the two dealt piles is the hand.", "no"),
    YES_NO(RULE_TURN_CARD, "turnFirstCard", "Turn a first card",
           "A card is turned to start the discard pile.", "yes"),
    NUMBER(RULE_DRAW, "draw", "Cards to draw", "How many cards are drawn from the deck.", 1, 3,
           "2"),
    NUMBER(RULE_PICKUP, "pickup", "Cards from the pile",
           "How many cards at the most are taken from the discard pile, the "
           "top card included; 0 "
           "means all.",
           0, 9, "6"),
    YES_NO(RULE_PICKUP_AFTER_MELD, "pickupAfterMeld", "Pile only when down",
           "The pile may be taken only by a side that has laid its first meld.", "yes"),
    CHOICE(RULE_PICKUP_WITH, "pickupWith", "To take the pile",
           "What must come from the hand to go with the top card.", HAND_FOOT_PICKUP_WITH,
           "two-naturals"),
    CHOICE(RULE_PICKUP_EXCLUDES, "pickupExcludes", "Pile is locked by",
           "Top cards that cannot be taken.", HAND_FOOT_PICKUP_EXCLUDES, "wilds-and-threes"),
    CHOICE(RULE_PICKUP_PLAY, "pickupPlay", "The top card goes",
           "Where the top card and its companions are laid.", HAND_FOOT_PICKUP_PLAY, "own-meld"),
    YES_NO(RULE_FREEZING, "freezing", "Wilds freeze the pile",
           "A wild on top freezes the pile until it is buried.", "yes"),
    CHOICE(RULE_WILD_LIMIT, "wildLimit", "Wilds in a book",
           "How many wilds a book may hold: as many as naturals, fewer, or at "
           "most two or three.",
           HAND_FOOT_WILD_LIMIT, "equal"),
    CHOICE(RULE_BOOKS_PER_RANK, "booksPerRank", "Books of one rank",
           "How many books of a rank a side may have.", HAND_FOOT_BOOKS_PER_RANK, "one"),
    YES_NO(RULE_BLACK_THREE_BOOKS, "blackThreeBooks", "Books of black threes",
           "Black threes may be laid down as books.", "no"),
    YES_NO(RULE_WILD_BOOKS, "wildBooks", "Books of wilds",
           "Three or more wilds may be laid down as a book of their own.", "no"),
    NUMBER(RULE_POINTS_JOKER, "jokerPoints", "Joker", "What a joker counts.", 0, 100, "50"),
    NUMBER(RULE_POINTS_TWO, "twoPoints", "Two", "What a two counts.", 0, 100, "20"),
    NUMBER(RULE_POINTS_ACE, "acePoints", "Ace", "What an ace counts.", 0, 100, "20"),
    NUMBER(RULE_POINTS_HIGH, "highPoints", "King to nine",
           "What kings, queens, jacks, tens and nines count.", 0, 100, "10"),
    NUMBER(RULE_POINTS_EIGHT, "eightPoints", "Eight", "What an eight counts.", 0, 100, "10"),
    NUMBER(RULE_POINTS_LOW, "lowPoints", "Seven to four",
           "What sevens, sixes, fives and fours count.", 0, 100, "5"),
    NUMBER(RULE_POINTS_BLACK_THREE, "blackThreePoints", "Black three in a book",
           "What a black three counts in a book.", 0, 100, "5"),
    NUMBER(RULE_PENALTY_BLACK_THREE, "blackThreePenalty", "Black three held",
           "What a black three costs when the round ends.", 0, 500, "5"),
    NUMBER(RULE_PENALTY_RED_THREE, "redThreePenalty", "Red three held",
           "What a red three costs when the round ends.", 0, 1000, "300"),
    NUMBER(RULE_BOOK_SIZE, "bookSize", "Cards in a book", "How many cards complete a book.", 5, 9,
           "7"),
    NUMBER(RULE_CLEAN_BONUS, "cleanBonus", "Clean book", "Bonus for a complete book without wilds.",
           0, 2000, "500"),
    NUMBER(RULE_DIRTY_BONUS, "dirtyBonus", "Dirty book", "Bonus for a complete book with wilds.", 0,
           2000, "300"),
    NUMBER(RULE_WILD_BONUS, "wildBookBonus", "Book of wilds", "Bonus for a complete book of wilds.",
           0, 5000, "1500"),
    CHOICE(RULE_CLOSING, "closing", "Closing books",
           "A book is closed by itself when it is complete, or by an action.", HAND_FOOT_CLOSING,
           "automatic"),
    CHOICE(RULE_FULL_CLEAN, "fullClean", "On a full clean book",
           "What may still be added to a complete book without wilds.", HAND_FOOT_FULL_CLEAN,
           "naturals-and-wilds"),
    YES_NO(RULE_FULL_DIRTY, "addToFullDirty", "On a full dirty book",
           "Cards may still be added to a complete book with wilds.", "yes"),
    LIST(RULE_MINIMUMS, "minimums", "First meld",
         "Points that a side's first meld needs, round by round.", 0, 500, "60"),
    NUMBER(RULE_MINIMUM_STEP, "minimumStep", "First meld, later rounds",
           "What each round beyond the list adds to the last number.", 0, 100, "30"),
    CHOICE(RULE_MINIMUM_TEST, "minimumTest", "First meld must be",
           "Reaching the number is enough, or it must be exceeded.", HAND_FOOT_MINIMUM_TEST,
           "at-least"),
    NUMBER(RULE_OUT_CLEAN, "cleanToGoOut", "Clean books to go out",
           "Complete clean books needed to go out.", 0, 5, "1"),
    NUMBER(RULE_OUT_DIRTY, "dirtyToGoOut", "Dirty books to go out",
           "Complete dirty books needed to go out.", 0, 5, "1"),
    CHOICE(RULE_LAST_CARD, "lastCard", "The last card",
           "The last card may be laid or discarded, or must be discarded.", HAND_FOOT_LAST_CARD,
           "meld-or-discard"),
    YES_NO(RULE_ASK_PARTNER, "askPartner", "Ask before going out",
           "A team's player goes out only after the partner has agreed.", "no"),
    NUMBER(RULE_OUT_BONUS, "goingOutBonus", "Going out", "Bonus for the side that goes out.", 0,
           1000, "100"),
    YES_NO(RULE_RED_THREES_LAID, "layRedThrees", "Lay red threes",
           "Red threes may be laid down at once, face up, for points.", "no"),
    NUMBER(RULE_RED_THREE_BONUS, "redThreeBonus", "Red three laid",
           "Bonus for each red three laid down.", 0, 1000, "100"),
    NUMBER(RULE_TARGET, "targetScore", "Points to win",
           "The game ends after the round in which a side reaches this; 0 "
           "means that rounds decide.",
           0, 30000, "8500"),
    NUMBER(RULE_ROUNDS, "rounds", "Rounds",
           "The game ends after this many rounds; 0 means that points decide.", 0, 20, "0"),
    CHOICE(RULE_TIE, "tie", "A tie", "Who wins when the best totals are equal.", HAND_FOOT_TIE,
           "first-seat"),
    YES_NO(RULE_STARTER_ROTATES, "starterRotates", "Starter rotates",
           "Another seat starts each round; otherwise always seat 0.", "no"),
    YES_NO(RULE_UNDO, "undo", "Undo", "Own plays of the turn may be taken back until the discard.",
           "no"),
    CHOICE(RULE_SORTING, "sorting", "Sorting", "The hand is always sorted, or as the player likes.",
           HAND_FOOT_SORTING, "automatic"),
    CHOICE(RULE_LABELS, "labels", "Words", "Clean and dirty books, or natural and unnatural ones.",
           HAND_FOOT_LABELS, "clean-dirty"),
};

const struct option_group hand_foot_groups[HAND_FOOT_GROUPS] = {
    {"teams", "Players and the deal"},      {"draw", "Drawing and the pile"},
    {"wildLimit", "What makes a book"},     {"jokerPoints", "What cards count"},
    {"bookSize", "Complete books"},         {"minimums", "The first meld"},
    {"cleanToGoOut", "Going out"},          {"layRedThrees", "Red threes"},
    {"targetScore", "The end of the game"}, {"undo", "At the table"},
};

const struct preset hand_foot_presets[HAND_FOOT_PRESETS] = {
    {.id = "classic",
     .label = "Classic",
     .help = "Everybody for themselves, to 8500 points: one clean and one "
             "dirty book to go out.",
     .settings = ""},
    {.id = "partners",
     .label = "Partners",
     .help = "Two teams, four rounds: two clean and two dirty books, the last "
             "card is discarded.",
     .settings = "teams=two jokersPerDeck=2 pickup=7 pickupPlay=new-book freezing=no "
                 "wildLimit=fewer booksPerRank=any acePoints=50 eightPoints=5 "
                 "blackThreePenalty=0 redThreePenalty=500 fullClean=naturals "
                 "addToFullDirty=no "
                 "minimums=50,90,120,150 minimumStep=0 cleanToGoOut=2 dirtyToGoOut=2 "
                 "lastCard=discard goingOutBonus=0 targetScore=0 rounds=4 tie=shared "
                 "starterRotates=yes undo=yes"},
    {.id = "closers",
     .label = "Closers",
     .help = "Two teams, three rounds: fourteen cards each, one drawn, books "
             "are closed by hand.",
     .settings = "teams=two playersMax=8 jokersPerDeck=2 handSize=14 footSize=14 choosePile=yes "
                 "turnFirstCard=no draw=1 pickup=5 pickupAfterMeld=no "
                 "pickupWith=any-legal-play "
                 "pickupExcludes=red-threes pickupPlay=anywhere freezing=no "
                 "booksPerRank=after-closing blackThreeBooks=yes eightPoints=5 "
                 "redThreePenalty=50 cleanBonus=100 dirtyBonus=50 closing=explicit "
                 "fullClean=naturals minimums=50,90,120 minimumStep=0 "
                 "minimumTest=more-than "
                 "cleanToGoOut=2 dirtyToGoOut=2 goingOutBonus=150 targetScore=0 "
                 "rounds=3 "
                 "tie=shared starterRotates=yes sorting=choice "
                 "labels=natural-unnatural"},
};

_Static_assert((int)RULE_COUNT <= (int)OPTION_SLOTS_MAX, "every rule has its slots");

int hand_foot_listed(const int16_t *rules, enum hand_foot_rule list, int round) {
    int count = rules[list];
    ensure(count >= 1 && round >= 1);
    return rules[(int)list + (round < count ? round : count)];
}

int hand_foot_minimum(const int16_t *rules, int round) {
    int beyond = round - rules[RULE_MINIMUMS];
    int listed = hand_foot_listed(rules, RULE_MINIMUMS, round);
    return beyond > 0 ? listed + beyond * rules[RULE_MINIMUM_STEP] : listed;
}

static int largest(const int32_t *list) {
    int most = 0;
    for (int32_t i = 1; i <= list[0]; i++)
        most = list[i] > most ? list[i] : most;
    return most;
}

static bool teams_fit(const int32_t *rules, int players, struct refusal *why) {
    if (rules[RULE_TEAMS] == TEAMS_TWO && players < 4)
        return refuse(why, "INVALID_SETTING", "Teams need at least 4 players, not %d", players);
    if (rules[RULE_TEAMS] == TEAMS_TWO && players % 2 != 0)
        return refuse(why, "INVALID_SETTING", "Teams need an even number of players, not %d",
                      players);
    if (players > rules[RULE_PLAYERS_MAX])
        return refuse(why, "INVALID_SETTING", "At most %d players are allowed, not %d",
                      (int)rules[RULE_PLAYERS_MAX], players);
    return true;
}

static bool cards_fit(const int32_t *rules, int players, struct refusal *why) {
    int decks = rules[RULE_DECKS] > 0 ? rules[RULE_DECKS] : players + 1;
    int cards = hand_foot_card_count(decks, rules[RULE_JOKERS]);
    int dealt = players * (largest(rules + RULE_HAND_SIZE) + largest(rules + RULE_FOOT_SIZE));
    int needed = dealt + rules[RULE_TURN_CARD] + rules[RULE_DRAW];
    if (decks < players + 1)
        return refuse(why, "INVALID_SETTING", "%d players need at least %d decks, not %d", players,
                      players + 1, decks);
    if (cards > HAND_FOOT_CARDS_MAX)
        return refuse(why, "INVALID_SETTING", "%d cards are too many; at most %d can be held",
                      cards, HAND_FOOT_CARDS_MAX);
    if (needed > cards)
        return refuse(why, "INVALID_SETTING", "The deal needs %d cards, but there are %d", needed,
                      cards);
    return true;
}

bool hand_foot_rules_fit(const int32_t *rules, int players, struct refusal *why) {
    if (rules[RULE_TARGET] == 0 && rules[RULE_ROUNDS] == 0)
        return refuse(why, "INVALID_SETTING", "The game needs an end: targetScore or rounds");
    if (rules[RULE_PICKUP] == 1)
        return refuse(why, "INVALID_SETTING",
                      "pickup must be 0 for the whole pile, or 2 to 9 cards");
    if (rules[RULE_ASK_PARTNER] && rules[RULE_TEAMS] == TEAMS_NONE)
        return refuse(why, "INVALID_SETTING", "askPartner needs teams");
    if (rules[RULE_PICKUP_WITH] == WITH_ANYTHING && rules[RULE_PICKUP_PLAY] != PLAY_ANYWHERE)
        return refuse(why, "INVALID_SETTING",
                      "pickupWith=any-legal-play needs pickupPlay=anywhere");
    if (rules[RULE_PICKUP_PLAY] == PLAY_ANYWHERE && rules[RULE_PICKUP_WITH] != WITH_ANYTHING)
        return refuse(why, "INVALID_SETTING",
                      "pickupPlay=anywhere needs pickupWith=any-legal-play");
    if (rules[RULE_PICKUP_PLAY] == PLAY_NEW_BOOK && rules[RULE_BOOKS_PER_RANK] != BOOKS_ANY)
        return refuse(why, "INVALID_SETTING", "pickupPlay=new-book needs booksPerRank=any");
    return teams_fit(rules, players, why) && cards_fit(rules, players, why);
}
