/* A game's moves as data. A verb is one row: how a move is written in records, what it is called in
 * the API, which arguments follow, whether the others may read them, the rule that allows it and
 * the change that it makes. From the rows the engine reads and writes records, actions of the API,
 * the notation tables of RULES.md, and refuses what does not have the form of a move. */
#pragma once

#include "engine/json.h"
#include "engine/refusal.h"

/* What only a terminal needs is not in the page's modules, which are built WITHOUT_TERMINAL: a text
 * is no more than a bool there. */
#ifdef WITHOUT_TERMINAL
typedef bool terminal_text;
#define FOR_TERMINAL(it) (0 ? (it) : NULL)
#else
typedef const char *terminal_text;
#define FOR_TERMINAL(it) (it)
#endif

struct events;
struct game;
struct game_state;

enum {
    MOVE_ARGS_MAX = 62,
    MOVE_AGAIN = 255, /* the verb of "play again", which every game has once it is over */
    MOVE_TEXT_SIZE = 512,
    VERB_ARGUMENTS_MAX = 3
};

/* Values of arguments that no card, number or choice has. */
enum {
    ARGUMENT_MISSING = 0xffff, /* not there, or a word that means nothing: the rules refuse it */
    MOVE_SEPARATOR = 0xfffe    /* between two groups of cards */
};

/* The number of a row of the game's verbs (from 1), and its arguments. What stands in `args` from
 * `count` on means nothing. */
struct move {
    uint8_t verb;
    uint8_t count;
    uint16_t args[MOVE_ARGS_MAX];
};

/* The kinds up to ARGUMENT_FLAG take one place of a move's `args`, whatever was written; the later
 * ones take all that is left. */
enum argument_kind {
    ARGUMENT_NONE, /* ends a row's list */
    ARGUMENT_CARD,
    ARGUMENT_NUMBER,
    ARGUMENT_CHOICE, /* one of `words`; its number in JSON, where its word is read as well */
    ARGUMENT_SUIT,   /* S, H, D or C; its name in JSON */
    ARGUMENT_YES_NO, /* yes or no; a boolean in JSON */
    ARGUMENT_FLAG,   /* `words[0]`, or nothing; a boolean in JSON. Nothing follows it. */
    ARGUMENT_CARDS,
    ARGUMENT_ONLY_CARD, /* read like ARGUMENT_CARDS; one card, not an array, in JSON */
    ARGUMENT_GROUPS, /* cards with MOVE_SEPARATOR between the groups; arrays in an array in JSON */
    ARGUMENT_NUMBERS,
    ARGUMENT_KINDS /* the first kind that somebody else may add for rows of their own */
};

struct argument {
    uint8_t kind;
    /* May be left out of the payload, and of the text if it is a row's last; it is ARGUMENT_MISSING
     * in the move then, and in no JSON. */
    bool optional;
    /* A card that must be in the hand of whoever moves, in a game with places: others are refused
     * before `check` is asked. Only a row's first argument may say so. */
    bool held;
    const char *said; /* stands before it in the row's message and on the page's buttons, "naming",
                       * and may be typed; null: nothing */
    uint16_t most;    /* the largest number that verbs_legal tries */
    const char *json; /* its name in the payload */
    const char *const *words;
};

/* Several rows may have one action: meant is the one that requires most of what the payload has. A
 * row without `apply` is another way to say a word in the API and nothing else. */
struct verb {
    const char *word;   /* in records; other spellings that are read follow after a '|' */
    const char *action; /* its type in the API; null: the same as `word` */
    const char *marker; /* null, or a member of the payload that is true for this row */
    bool flat;          /* in the API the arguments may stand beside the type, without a payload */
    bool secret;        /* the others read no more of it than the word */
    bool if_stuck;      /* only for whoever can make no move of an earlier row */
    struct argument arguments[VERB_ARGUMENTS_MAX + 1]; /* the last one is empty */
    const char *example; /* one or more moves, with a '|' between them; null: the same as `word` */
    terminal_text help;  /* what they mean */
    /* What somebody is asked who can make such a move, "Your turn: play a card", by a terminal and
     * by the page. Where several of the moves have a prompt, that of the last row counts. Null:
     * none. */
    const char *prompt;
    /* The event that tells everybody of the move: with `seatIndex` and, unless they are secret, the
     * arguments as in JSON, of which those that were left out are missing. Null: there is none, or
     * `apply` tells it. */
    const char *event;
    /* Its line in the action log, without the name: "played" becomes "played 8H naming clubs". In
     * the past tense it reads well after a name and after "You". Null: none. */
    const char *message;
    /* Where several rows have one word: is it this one under the rules of this table? Null: yes. */
    bool (*applies)(const void *state);
    /* May the seat do this now? The move has the form that the row asks for. Its values are those
     * of their kinds in a game with places; in others they may be anything. Called only while
     * somebody is awaited. Null: yes. */
    bool (*check)(const void *state, int seat, const struct move *move, struct refusal *why);
    /* Called only after `check` has allowed the move. `events` may be null. */
    void (*apply)(void *state, int seat, const struct move *move, struct events *events);
    /* What a move of `legal` would come to, as members of an open JSON object: pages show it, so
     * that they need not know the rules. Null: nothing. */
    void (*preview)(const void *seen, int seat, const struct move *move, struct json *json);
    /* Its own address in the API, in which each `*` stands for one part of a path. The last of them
     * are the arguments: a number, or cards with commas between them. Null: it has none. */
    const char *address;
    /* Does the move make sense at this address, going by all of its parts? `state` is null for
     * whoever does not sit at a running game, which the world refuses later. Null: yes. */
    bool (*address_fits)(const void *state, int seat, const struct span *parts,
                         struct refusal *why);
};

/* The word of a row as records have it, and its action. */
struct span verb_word(const struct verb *verb);
static inline const char *verb_action(const struct verb *verb) {
    return verb->action ? verb->action : verb->word;
}

/* Tells the row's own event of a move. */
void verb_tell(const struct game *game, int seat, const struct move *move, struct events *events);

bool move_equal(const struct move *a, const struct move *b);

/* The row of a move, or null if the game has none with that number. */
const struct verb *verb_of(const struct game *game, const struct move *move);

/* What verb_fits answers for a row that ends with a list or a flag. */
bool verb_fits_list_or_flag(const struct verb *verb, const struct move *move);

/* Does the move have as many arguments as its row asks for, and is a flag 0 or 1? Called for every
 * move, so the usual row is decided by two comparisons: the list of arguments ends where the move
 * does, and its last argument takes one place. */
static inline bool verb_fits(const struct verb *verb, const struct move *move) {
    size_t count = move->count;
    return (count <= VERB_ARGUMENTS_MAX && verb->arguments[count].kind == ARGUMENT_NONE &&
            (count == 0 || (uint32_t)verb->arguments[count - 1].kind - 1 < ARGUMENT_FLAG - 1)) ||
           verb_fits_list_or_flag(verb, move);
}

/* Reads a move as text, as records have it or as people say it. Words that mean nothing are kept as
 * ARGUMENT_MISSING where a single argument is asked for, so that the rules refuse them in their own
 * order; an optional one that means nothing is refused at once, lest it pass for one that was left
 * out. */
bool game_parse(const struct game *game, const struct game_state *state, struct span text,
                struct move *out, struct refusal *why);

/* The same for the move of a seat: if its first word is none, the refusal names what the seat may
 * do now, if that is anything. */
bool game_parse_by(const struct game *game, const struct game_state *state, int seat,
                   struct span text, struct move *out, struct refusal *why);
void game_print(const struct game *game, const struct move *move, struct text *text);

/* The same as people say it, "play 8H naming clubs"; false, and nothing, if no argument of the row
 * has a word that is said before it. */
bool game_say(const struct game *game, const struct move *move, struct text *text);

/* Like game_print, without the arguments of a move that is secret. */
void game_print_public(const struct game *game, const struct move *move, struct text *text);

/* Lists what the rows' checks allow the seat, by trying every value of every argument: cards of
 * card.h, suits, choices, yes and no, flags, numbers up to `most`. Rows with lists are left out. */
size_t verbs_legal(const struct game *game, const void *state, int seat, struct move *out,
                   size_t max);

/* Members `type` and `payload` of an open JSON object. */
void game_action_json(const struct game *game, const struct move *move, struct json *json);

/* The game's moves as a table in Markdown, the one that stands in its RULES.md. */
void game_move_table(const struct game *game, struct text *text);
