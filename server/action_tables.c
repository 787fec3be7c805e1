/* The action types of protocol.md, one table per game. Read them beside the game's `parse` and
 * `action`, which are the two sides that they connect. */
#include "server/action_tables.h"

/* ---- What every world has ---- */

static const struct action_row lobby_rows[] = {
    {.type = "swap-teams",
     .verb = "swap",
     .fields = {{.name = "playerIdA", .kind = FIELD_SEAT_OF},
                {.name = "playerIdB", .kind = FIELD_SEAT_OF}}},
    {.type = "set-target-score",
     .verb = "set",
     .fields = {{.name = "targetScore", .kind = FIELD_SETTING}}},
    {.type = "set-settings",
     .verb = "set",
     .fields = {{.name = "payload", .kind = FIELD_SETTINGS}}},
    {.type = "set-speed", .verb = "speed", .fields = {{.name = "speed", .kind = FIELD_WORD}}},
    {.type = "name-team",
     .verb = "team",
     .fields = {{.name = "team", .kind = FIELD_WORD}, {.name = "name", .kind = FIELD_NAME}}},
    {.type = "set-preset", .verb = "preset", .fields = {{.name = "preset", .kind = FIELD_WORD}}},
    {.type = "set-bot",
     .verb = "bot",
     .fields = {{.name = "seatIndex", .kind = FIELD_NUMBER},
                {.name = "level", .kind = FIELD_WORD}}},
    {.type = "move-seat",
     .verb = "move",
     .fields = {{.name = "playerId", .kind = FIELD_SEAT_OF},
                {.name = "seatIndex", .kind = FIELD_NUMBER}}},
    {.type = "remove-player",
     .verb = "remove",
     .fields = {{.name = "playerId", .kind = FIELD_PLAYER}}},
    {.type = "start",
     .verb = "start",
     .fields = {{.name = "payload", .kind = FIELD_SETTINGS, .optional = true},
                {.name = "teams", .kind = FIELD_TEAMS, .optional = true}}},
    {.type = "play-again", .verb = "again"},
    {.type = "chat", .verb = "say", .fields = {{.name = "text", .kind = FIELD_TEXT}}},
    {.type = "emote", .verb = "emote", .fields = {{.name = "id", .kind = FIELD_WORD}}},
    {.type = "hand-over",
     .verb = "hand-over",
     .fields = {{.name = "seatIndex", .kind = FIELD_NUMBER}}},
    {.type = "next-round", .verb = "next"},
};

/* ---- The games ---- */

static const struct action_row whos_deal_rows[] = {
    {.type = "call-trump",
     .verb = "order",
     .given = "pickUp",
     .given_is_flag = true,
     .fields = {{.name = "goAlone", .kind = FIELD_FLAG, .optional = true, .word = "alone"}}},
    {.type = "call-trump",
     .verb = "call",
     .fields = {{.name = "suit", .kind = FIELD_SUIT},
                {.name = "goAlone", .kind = FIELD_FLAG, .optional = true, .word = "alone"}}},
    {.type = "pass-trump", .verb = "pass"},
    {.type = "discard", .verb = "discard", .fields = {{.name = "cardId", .kind = FIELD_CARD}}},
    {.type = "play-card", .verb = "play", .fields = {{.name = "cardId", .kind = FIELD_CARD}}},
    {.type = "defend-alone", .verb = "defend alone"},
    {.type = "redeal", .verb = "redeal"},
};

static const struct action_row hand_and_foot_rows[] = {
    {.type = "draw", .verb = "draw"},
    {.type = "unlock-discard",
     .verb = "take add",
     .given = "bookId",
     .fields = {{.name = "bookId", .kind = FIELD_NUMBER},
                {.name = "cardIds", .kind = FIELD_CARDS, .optional = true}}},
    {.type = "unlock-discard",
     .verb = "take",
     .given = "melds",
     .fields = {{.name = "melds", .kind = FIELD_GROUPS}}},
    {.type = "unlock-discard",
     .verb = "take",
     .fields = {{.name = "cardIds", .kind = FIELD_CARDS, .optional = true}}},
    {.type = "meld", .verb = "meld", .fields = {{.name = "melds", .kind = FIELD_GROUPS}}},
    {.type = "add-to-meld",
     .verb = "add",
     .fields = {{.name = "bookId", .kind = FIELD_NUMBER},
                {.name = "cardIds", .kind = FIELD_CARDS}}},
    {.type = "open-book", .verb = "meld", .fields = {{.name = "cardIds", .kind = FIELD_CARDS}}},
    {.type = "close-book", .verb = "close", .fields = {{.name = "bookId", .kind = FIELD_NUMBER}}},
    {.type = "discard", .verb = "discard", .fields = {{.name = "cardId", .kind = FIELD_CARD}}},
    {.type = "done-melding", .verb = "done"},
    {.type = "undo", .verb = "undo"},
    {.type = "choose-pile", .verb = "pile", .fields = {{.name = "pile", .kind = FIELD_NUMBER}}},
    {.type = "lay-red-three", .verb = "lay", .fields = {{.name = "cardId", .kind = FIELD_CARD}}},
    {.type = "ask-partner", .verb = "ask"},
    {.type = "answer-partner", .verb = "answer", .fields = {{.name = "yes", .kind = FIELD_YES_NO}}},
};

/* In the order of their numbers in views. */
static const char *const preference_levels[] = {"none", "like", "really-like", "love", NULL};

static const struct action_row up_n_down_rows[] = {
    {.type = "play-card",
     .verb = "play",
     .fields = {{.name = "cardId", .kind = FIELD_NUMBER},
                {.name = "pileId", .kind = FIELD_NUMBER}}},
    {.type = "game:playCard", /* UD-48 */
     .verb = "play",
     .flat = true,
     .fields = {{.name = "cardId", .kind = FIELD_NUMBER},
                {.name = "pileId", .kind = FIELD_NUMBER}}},
    {.type = "undo", .verb = "undo"},
    {.type = "end-turn", .verb = "end"},
    {.type = "set-preference",
     .verb = "prefer",
     .fields = {{.name = "pileId", .kind = FIELD_NUMBER},
                {.name = "level", .kind = FIELD_CHOICE, .choices = preference_levels}}},
};

static const struct action_row four_kate_rows[] = {
    {.type = "drop", .verb = "drop", .fields = {{.name = "column", .kind = FIELD_NUMBER}}},
};

static const struct action_row terrible_people_rows[] = {
    {.type = "submit", .verb = "answer", .fields = {{.name = "cardIds", .kind = FIELD_NUMBERS}}},
    {.type = "judge", .verb = "pick", .fields = {{.name = "submissionId", .kind = FIELD_NUMBER}}},
};

#define ROWS(rows) (rows), sizeof(rows) / sizeof(rows)[0]

const struct action_table action_tables[] = {
    {NULL, ROWS(lobby_rows)},
    {"whos-deal", ROWS(whos_deal_rows)},
    {"hand-and-foot", ROWS(hand_and_foot_rows)},
    {"up-n-down", ROWS(up_n_down_rows)},
    {"4-kate", ROWS(four_kate_rows)},
    {"terrible-people", ROWS(terrible_people_rows)},
};

const size_t action_table_count = sizeof action_tables / sizeof action_tables[0];
