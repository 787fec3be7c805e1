/* The contract between a game and everything around it.
 *
 * A game is one `const struct game`; all else in its files is static. Its state is one flat struct
 * without pointers whose first member is a struct game_head: memcpy clones it, its bytes are hashed
 * (so padding is zero: build a state with memset and assignments to members). A game allocates
 * nothing, asks no clock and knows no randomness: when cards must be ordered it awaits NATURE.
 *
 * What a seat may know is made by `observe`, which builds a new state out of what it lists.
 * Views, legal moves of a view, samples and bots are all computed from an observed state, so none
 * of them can tell more than `observe` put there.
 *
 * The functions below the struct are the only way in for everybody else. */
#pragma once

#include "engine/caption.h"
#include "engine/chance.h"
#include "engine/json.h"
#include "engine/option.h"
#include "engine/places.h"
#include "engine/refusal.h"
#include "engine/verb.h"

/* A seat is 0 to SEATS_MAX - 1. The number -1 is nobody's seat: NATURE when something moves,
 * SPECTATOR when somebody looks on. OMNISCIENT sees everything. */
enum { SEATS_MAX = PLACE_HANDS, NATURE = -1, SPECTATOR = -1, OMNISCIENT = -2 };

/* Bits of to_act: 1 << seat for a seat, and this one for NATURE. Most deals begin a round. A
 * shuffle is a deal in the middle of a round, because cards ran out or have to be mixed. */
#define AWAITS_NATURE  ((uint32_t)1 << 31)
#define AWAITS_SHUFFLE (AWAITS_NATURE | (uint32_t)1 << 30)

enum {
    GAME_STATE_SIZE_MAX = 4480,
    GAME_LEGAL_MAX = 256, /* what `legal` may list at the most */
    GAME_FIGURES_MAX = 12,
    DEAL_CARDS_MAX = 640,
    DEAL_PARTS_MAX = 32,
    DEAL_CARD_CODE_MAX = 1024,
    DEAL_TEXT_SIZE = 4096,
    POSITION_TEXT_SIZE = 32768
};

struct game_head {
    uint8_t seats;
};

/* The seat to the left, which comes next in most games. */
static inline uint8_t seat_after(struct game_head head, int seat) {
    return (uint8_t)((seat + 1) % head.seats);
}

/* States are compared and hashed as bytes, so they have no hidden padding: a state's struct stands
 * between these two, and the compiler refuses one that has some. */
#define STATE_BEGINS _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wpadded\"")
#define STATE_ENDS   _Pragma("GCC diagnostic pop")

/* The public part of a state, which begins with it. It is a struct of its own: `observe` copies it
 * by its name, `out->public = state->public`, and lists what else the seat knows. Its members are
 * used as if they were the state's. (This takes an extension that gcc and clang share.) */
#define PUBLIC_PART(type)                                                                          \
    union {                                                                                        \
        __extension__ type;                                                                        \
        type public;                                                                               \
    }

/* Room for any game's state. */
struct game_state {
    _Alignas(8) unsigned char bytes[GAME_STATE_SIZE_MAX];
};

/* What NATURE is asked for: cards in a fixed order, to be shuffled, and where they go. Part by part
 * they leave the top of the shuffled deck for a group; groups are numbered as an explicit deal
 * writes them. A stock that is drawn from is a group as well, the last one; cards that no part
 * takes stay in the deck, where nobody sees them in this round. */
struct deal_part {
    uint8_t group; /* or DEAL_UNDEALT: stays in the deck, and an explicit deal does not name it */
    uint8_t place; /* where a game with places gets them */
    uint16_t count;
    bool new_deck; /* from here on cards are shuffled apart from those before */
};

enum { DEAL_UNDEALT = 255 };

struct deal {
    uint16_t count;
    uint8_t part_count, group_count;
    uint32_t same_owner; /* bit g: group g goes to the owner of the one before, after " + " instead
                            of " / " */
    const char *rest;    /* a name that may stand before the last group's cards, or null */
    struct deal_part parts[DEAL_PARTS_MAX];
    uint16_t cards[DEAL_CARDS_MAX];
};

_Static_assert(DEAL_PARTS_MAX <= 32, "every group, of one part at least, has its bit");

/* The next part: so many cards for a group. */
static inline struct deal_part *deal_to(struct deal *deal, int group, int count) {
    struct deal_part *part = &deal->parts[deal->part_count++];
    *part = (struct deal_part){.group = (uint8_t)group, .count = (uint16_t)count};
    if (group != DEAL_UNDEALT && group >= deal->group_count)
        deal->group_count = (uint8_t)(group + 1);
    return part;
}

/* The same in a game with places: to one of them, from the deck. The engine lists the deck and
 * moves the cards. */
static inline void deal_to_place(struct deal *deal, int place, int count) {
    deal_to(deal, deal->group_count, count)->place = (uint8_t)place;
}

/* So many cards to the hand of each seat. */
static inline void deal_to_hands(struct deal *deal, int seats, int count) {
    for (int seat = 0; seat < seats; seat++)
        deal_to_place(deal, seat, count);
}

/* Something people should see happen. The audience is a mask: a bit for each seat, and one for all
 * who watch. */
#define SPECTATORS ((uint32_t)1 << SEATS_MAX)
#define EVERYONE   (SPECTATORS | (SPECTATORS - 1))

enum { EVENTS_MAX = 64 };

struct event {
    const char *type;
    uint32_t audience;
    struct span data;    /* a JSON object */
    struct span message; /* what a person reads of it, without the name; may be empty */
    int seat;            /* whose doing the message tells, or NATURE */
    bool answers;        /* its data is the answer to the one who moved, who alone hears it */
    /* True for events told by the rules; false for those of the world (chat, news). */
    bool of_game;
};

struct events {
    struct json json;
    size_t count;
    struct event item[EVENTS_MAX];
};

struct result {
    bool over;
    uint8_t sides;
    uint8_t side_of[SEATS_MAX];
    int32_t score[SEATS_MAX]; /* by seat; more is better */
    uint32_t winners;         /* mask of seats */
};

/* How long people need to follow what just happened. */
struct pace {
    uint16_t bot_delay_ms_min, bot_delay_ms_max;
    uint16_t show_ms; /* the wait before NATURE or a bot goes on; after a round at every speed */
};

#define OPTIONS(table)                                                                             \
    { .options = table, .option_count = sizeof(table) / sizeof(table)[0] }
#define VERBS(table) .verbs = table, .verb_count = sizeof(table) / sizeof(table)[0]

struct game_number {
    const char *name;
    int number;
};

/* In each part the members that every game needs come first. Of the others a comment says that they
 * may be null, and what null means. */
struct game {
    const char *id, *name, *summary, *icon;
    const char *view_event; /* a second name under which its views are sent; null: none */
    int players_min, players_max, players_default;
    bool lobby_bots;       /* bots take the places up to players_default that no person takes */
    bool saves;            /* formats/ reads and writes it as a file (docs/SAVES.md) */
    bool hands_carry_over; /* cards of a deal may still be secret in a later round */
    /* Its verbs refuse who is not awaited themselves: some may act at any time, or the phase is
     * checked first. In other games a seat that is not awaited can do nothing. */
    bool checks_turns;
    /* The version of the rules. It is raised whenever a log would be replayed differently from
     * before; a log names the version that it was written by. Logs of version `rules_oldest` and
     * later are still replayed, each by its own rules. 0 in `rules` means version 1; 0 in
     * `rules_oldest` means that only the present version is. */
    uint8_t rules, rules_oldest;
    size_t state_size;
    /* The offset of a struct places in the state. 0: none, the game sees to its cards by itself. */
    size_t places;
    /* The offset of int32_t[SEATS_MAX], the points of each seat, in the state of a game without a
     * `result` of its own. */
    size_t points;
    struct option_table options; /* OPTIONS(table) where there is nothing but a table */
    /* What a seat may do: VERBS(table). A move names its row by number; row 0 is empty. */
    const struct verb *verbs;
    size_t verb_count;
    /* What people read of its events, FOR_TERMINAL: the page's build reads the file. Null: their
     * messages, or the moves as records have them. */
    const struct caption *captions;
    /* What is counted for each seat and for the whole table, in the order in which people read it;
     * null-terminated, at most GAME_FIGURES_MAX. Null: nothing. */
    const char *const *figures;
    const char *const *table_figures;
    /* Numbers of the rules that no option changes, for pages that teach the game; the last one has
     * no name. Null: none. */
    const struct game_number *numbers;

    /* The state before the first deal, which is all zero but for its head and what options keep
     * there. Null: there is nothing to add. The first game at a table is given its `options`, and
     * is refused with a reason if they and the seats do not fit. Another game with the same seats
     * and options is given the one that has `ended`, is not refused, and may tell events. What is
     * not given is null. */
    bool (*start)(void *state, const struct options *options, const void *ended,
                  struct events *events, struct refusal *why);
    /* The awaited seats, AWAITS_NATURE, AWAITS_SHUFFLE, or 0 when the game is over. */
    uint32_t (*to_act)(const void *state);

    /* The moves of a seat, awaited or not: all, or a useful set where they cannot be listed; at
     * most GAME_LEGAL_MAX. Must give the same answer for a state and for what the seat sees of it.
     * Null: all that the verbs' checks allow, tried one by one, which takes arguments of few values
     * (verbs_legal). */
    size_t (*legal)(const void *state, int seat, struct move *out, size_t max);
    /* A random one of those moves for a seat that is awaited: the one in the list with the number
     * that chance_below gives. Null: the list is made; a game that search plays often may be faster
     * without. */
    void (*pick)(const void *state, int seat, struct chance *chance, struct move *out);

    /* What NATURE has to order now; called only while NATURE is awaited. */
    void (*deck)(const void *state, struct deal *out);
    /* The cards in the order they leave the deck; they are those that `deck` listed. In a game with
     * places they have got there; at the deal of a new round all others are in the deck again. */
    void (*deal)(void *state, const uint16_t *cards, struct events *events);

    /* What the seat (or SPECTATOR) knows, as a state; `out` is all zero when called. Null in a game
     * without secrets, or if cards at places are its only ones: places_seen says who sees them. */
    void (*observe)(const void *state, int seat, void *out);
    /* Members of an open JSON object. `seen` is what `viewer` observed; all of it if OMNISCIENT. */
    void (*describe)(const void *seen, int viewer, struct json *json);
    /* The same in words, FOR_TERMINAL; `names` is by seat. Null: a line for each member, with the
     * name in place of a `seatIndex`. */
    void (*show)(const void *seen, int viewer, const char *const *names, struct text *text);
    /* What the seat, which is awaited, is asked to do, FOR_TERMINAL, where the prompt of a verb
     * does not say it all: "Your turn: 2 cards". The page's `awaits` has the same words. Null, or
     * nothing written: the `prompt` of a verb. */
    void (*prompt)(const void *seen, int seat, struct text *text);
    /* Tells the seat, and nobody else, what it holds. Asked for somebody who comes back. Null: the
     * view is enough. */
    void (*tell_hand)(const void *state, int seat, struct events *events);
    /* A full state that `seat` could be in, given what it sees. `out` is all zero when called.
     * Null in a game without secrets, or if cards at places are its only ones. */
    void (*sample)(const void *seen, int seat, struct chance *chance, void *out);

    /* Cards as text. Null in a game without cards, or with those of card.h. */
    bool (*parse_card)(struct span word, uint16_t *out);
    void (*print_card)(uint16_t card, struct text *text);

    /* The whole state in one line, as FEN does it for chess; what the options say is left out. Null
     * for a game without this notation, and then so is read_position. */
    void (*print_position)(const void *state, struct text *text);
    /* Turns a state that `start` has just made into the one that the words describe. Believes
     * nothing: what is accepted could have been played. `why` is not null. */
    bool (*read_position)(void *state, struct scan *words, struct refusal *why);

    /* When called, `out` says whether the game is over, and that every seat plays for itself. Null:
     * the scores are the `points`, and the highest wins. */
    void (*result)(const void *state, struct result *out);
    /* What the round that has just ended adds to the seat's figures, or to those of the table for
     * SPECTATOR; a game without rounds is one. Asked before the next deal, and once the game is
     * over. `out` is all zero when called. Null where there are no figures. */
    void (*count)(const void *state, int seat, int32_t out[GAME_FIGURES_MAX]);
    /* Changes `pace` where the usual one does not suit: bots take 1.5 to 3 seconds, and the result
     * of a round stays for 5 seconds. Null: it always suits. */
    void (*pace)(const void *state, struct pace *pace);
    /* Invariants: every card exactly once, counters consistent. Null: those of places are all. */
    bool (*holds)(const void *state);
};

/* In a game with places: has the seat the card that it must hold, and are the other arguments
 * values of their kinds? The elements of lists, and how large a number is, are the business of
 * `check`. */
bool verb_arguments_are_good(const struct game *game, const void *state, int seat,
                             const struct move *move, struct refusal *why);

/* Can the seat make no move of the rows before this one? Rows with lists do not count. */
bool verb_is_last_resort(const struct game *game, const void *state, int seat,
                         const struct move *move, struct refusal *why);

/* Check and apply of a move's row, called directly. They are for callers whose moves follow the
 * rules anyway, such as a game's bot or a search over moves from `legal`: nothing is checked twice,
 * and no invariant is tested. */
static inline bool verb_check(const struct game *game, const void *state, int seat,
                              const struct move *move, struct refusal *why) {
    const struct verb *verb = &game->verbs[move->verb];
    return (game->places == 0 || verb_arguments_are_good(game, state, seat, move, why)) &&
           (!verb->if_stuck || verb_is_last_resort(game, state, seat, move, why)) &&
           (!verb->check || verb->check(state, seat, move, why));
}

static inline void verb_apply(const struct game *game, void *state, int seat,
                              const struct move *move, struct events *events) {
    game->verbs[move->verb].apply(state, seat, move, events);
}

/* The members above that may be null, with what they mean then. */
bool game_parse_card(const struct game *game, struct span word, uint16_t *out);
void game_print_card(const struct game *game, uint16_t card, struct text *text);
static inline int game_rules(const struct game *game) {
    return game->rules > 0 ? game->rules : 1;
}

struct pace game_pace(const struct game *game, const struct game_state *state);
static inline bool game_holds(const struct game *game, const struct game_state *state) {
    const void *places = state->bytes + game->places;
    return (game->places == 0 || places_hold(places)) &&
           (!game->holds || game->holds(state->bytes));
}
size_t game_list(const struct game *game, const void *state, int seat, struct move *out,
                 size_t max);

bool game_start(const struct game *game, struct game_state *state, const struct options *options,
                int seats, struct refusal *why);

/* Check, apply, and ensure the invariants. On refusal the state is untouched, byte for byte. */
bool game_play(const struct game *game, struct game_state *state, int seat, const struct move *move,
               struct events *events, struct refusal *why);

/* What NATURE, who is awaited, has to order: what the game's `deck` says, and a part for the cards
 * that it leaves undealt. */
void game_deck(const struct game *game, const struct game_state *state, struct deal *out);

/* NATURE moves: with a seed, with exact cards in the order in which they leave the deck, or, in
 * simulations where nobody will check the deal, straight from a stream of chance. */
bool game_deal_seed(const struct game *game, struct game_state *state,
                    const uint8_t seed[CHANCE_SEED_SIZE], struct events *events,
                    struct refusal *why);
bool game_deal_cards(const struct game *game, struct game_state *state, const uint16_t *cards,
                     size_t count, struct events *events, struct refusal *why);
bool game_deal_chance(const struct game *game, struct game_state *state, struct chance *chance,
                      struct events *events, struct refusal *why);

/* A move or a deal as text, the form of logs, terminals and the API. */
bool game_play_text(const struct game *game, struct game_state *state, int seat, struct span text,
                    struct events *events, struct refusal *why);

/* "deal" or "shuffle": what NATURE, who is awaited, is asked for. */
const char *game_deal_word(const struct game *game, const struct game_state *state);

/* Writes a deal with exact cards as game_play_text reads it; `state` is the one before it. */
void game_print_deal(const struct game *game, const struct game_state *state, const uint16_t *cards,
                     struct text *text);

/* A state as a line of text, and back into a game that was started with the same options and seats.
 * What game_print_position writes gives the same state, byte for byte; it writes nothing for a game
 * that has no such notation. On refusal the state is untouched. */
void game_print_position(const struct game *game, const struct game_state *state,
                         struct text *text);
bool game_read_position(const struct game *game, struct game_state *state, struct span line,
                        struct refusal *why);

uint32_t game_to_act(const struct game *game, const struct game_state *state);
int game_seats(const struct game_state *state);
size_t game_legal(const struct game *game, const struct game_state *state, int seat,
                  struct move out[GAME_LEGAL_MAX]);
bool game_check(const struct game *game, const struct game_state *state, int seat,
                const struct move *move, struct refusal *why);

void game_observe(const struct game *game, const struct game_state *state, int seat,
                  struct game_state *out);
void game_sample(const struct game *game, const struct game_state *seen, int seat,
                 struct chance *chance, struct game_state *out);

/* What a viewer is sent: an object of that key with the game's own members, `turn` and, but for
 * OMNISCIENT, `legal`. */
void game_view(const struct game *game, const struct game_state *state, int viewer, const char *key,
               struct json *json);

/* The same members in an object that the caller opened. Who may not move at present is offered no
 * move, and who may not begin another game once it is over is not offered that. Who looks at a
 * round's result is offered to go on, which is the business of the caller. */
struct game_offer {
    bool moves, again, next_round;
};

void game_view_members(const struct game *game, const struct game_state *state, int viewer,
                       struct game_offer offer, struct json *json);

/* What a viewer sees as plain text; `names` is by seat. */
void game_show(const struct game *game, const struct game_state *state, int viewer,
               const char *const *names, struct text *text);

/* What an awaited seat is asked to do, for a terminal; "Your turn" where the game says nothing. */
void game_prompt(const struct game *game, const struct game_state *state, int seat,
                 struct text *text);

void game_result(const struct game *game, const struct game_state *state, struct result *out);

/* For the `result` of a game that the highest score wins: once it is over, makes a winner of
 * everybody who has that score. */
void result_highest_wins(struct result *result);

/* Adds the round that has just ended to what was counted for the seat, or for the table. */
void game_count(const struct game *game, const struct game_state *state, int seat,
                int32_t figures[GAME_FIGURES_MAX]);
/* How many names such a list has. */
int figure_count(const char *const *names);

/* Has the round ended, so that the next one is to be dealt? Also before the first deal, and once
 * the game is over. */
bool game_round_has_ended(const struct game *game, const struct game_state *state);

/* The game's entry in the registry as JSON: id, names, players, presets and options. */
void game_registry_json(const struct game *game, struct json *json);

/* 64 bits over all bytes of the state; the same on every little-endian machine. */
uint64_t game_hash(const struct game *game, const struct game_state *state);

/* Events: `buffer` takes the JSON of all of them. */
void events_begin(struct events *events, char *buffer, size_t size);

/* The open JSON object of a new event, or null when nobody listens; close it with event_end. */
struct json *event_begin(struct events *events, const char *type, uint32_t audience);
void event_end(struct events *events);

/* Begins an event that everybody hears of what a seat does: `seatIndex` is its first member. */
struct json *event_begin_seat(struct events *events, const char *type, int seat);

/* A whole event of what a seat does: it has one number, and a message whose %d stands for it. */
void event_number(struct events *events, const char *type, int seat, const char *key, int number,
                  const char *message);

/* The last event is the answer to the move: who acts over HTTP finds its data in the response. */
void event_answers(struct events *events);

/* Gives the last event a line for the action log: in the past tense for a seat ("drew 2 cards",
 * which reads well after a name and after "You"), or a whole sentence for NATURE. It holds no more
 * than the event's data. The format is one of text_format. */
void event_message(struct events *events, int seat, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
