/* What every world has, whatever is played in it: settings beside the house rules, emotes, and the
 * registry that tells pages of all this. People change the settings by verbs of lobby.c. */
#include "world/change.h"

#include "games/registry.h"

/* ---- Settings ---- */

static const char *const speeds[] = {"watch-along", "relaxed", "normal", "fast", "instant", NULL};
static const int speed_percent[] = {300, 150, 100, 40, 0};
static const char *const slow_chats[] = {"off", "short", "medium", "long", NULL};
static const int slow_chat_ms[] = {0, 10000, 30000, 60000};

static const char *const seatings[] = {"at-once", "next-deal", "never", NULL}; /* enum seating */

static const char *const previews[] = {"off", "game", "names", NULL}; /* enum world_preview */

static const struct option manners[] = {
    {.key = "speed",
     .label = "Speed",
     .help = "How long bots think and tricks lie; watch-along is for learners.",
     .kind = OPTION_CHOICE,
     .slot = MANNER_SPEED,
     .choices = speeds,
     .standard = "normal"},
    {.key = "watching",
     .label = "Watching",
     .help = "People without a seat may look on.",
     .kind = OPTION_YES_NO,
     .slot = MANNER_WATCHING,
     .standard = "yes"},
    {.key = "public",
     .label = "Public",
     .help = "Shown in the list of open tables, so that anybody can join.",
     .kind = OPTION_YES_NO,
     .slot = MANNER_PUBLIC,
     .standard = "no"},
    {.key = "seating",
     .label = "Latecomers",
     .help = "When somebody who watches may take a bot's seat in a game that runs.",
     .kind = OPTION_CHOICE,
     .slot = MANNER_SEATING,
     .choices = seatings,
     .standard = "at-once"},
    {.key = "slowChat",
     .label = "Slow chat",
     .help = "Time between two messages of everybody but the owner: 10, 30 or 60 seconds.",
     .kind = OPTION_CHOICE,
     .slot = MANNER_SLOW_CHAT,
     .choices = slow_chats,
     .standard = "off"},
    {.key = "preview",
     .label = "Preview of the link",
     .help = "What is shown where the link is posted: nothing, the game and how many are here, or "
             "your name as well.",
     .kind = OPTION_CHOICE,
     .slot = MANNER_PREVIEW,
     .choices = previews,
     .standard = "off"},
};

int world_speed_percent(const struct world *world) {
    return speed_percent[world->manners.slot[MANNER_SPEED]];
}

const struct option_table world_manners = {.options = manners,
                                           .option_count = sizeof manners / sizeof manners[0]};

int world_slow_chat_ms(const struct world *world) {
    return slow_chat_ms[world->manners.slot[MANNER_SLOW_CHAT]];
}

enum seating world_seating(const struct world *world) {
    return (enum seating)world->manners.slot[MANNER_SEATING];
}

bool world_is_public(const struct world *world) {
    return world->manners.slot[MANNER_PUBLIC] != 0;
}

/* The list of worlds shows what is played in a public world and by how many, so its preview hides
 * no more than that list. */
enum world_preview world_preview(const struct world *world) {
    enum world_preview wished = (enum world_preview)world->manners.slot[MANNER_PREVIEW];
    return wished == WORLD_PREVIEW_OFF && world_is_public(world) ? WORLD_PREVIEW_GAME : wished;
}

bool world_may_watch(const struct world *world) {
    return world->manners.slot[MANNER_WATCHING] != 0;
}

/* ---- The registry ---- */

const char *const world_emotes[] = {"hello", "thanks", "well-played", "oops",  "think",
                                    "laugh", "sad",    "hurry",       "cheer", NULL};

static void put_speeds(struct json *json) {
    json_put_object(json, "speeds");
    for (int i = 0; speeds[i]; i++)
        json_put_number(json, speeds[i], speed_percent[i]);
    json_put_end(json);
}

static void put_limits(struct json *json) {
    json_put_object(json, "limits");
    json_put_number(json, "name", WORLD_NAME_MAX);
    json_put_number(json, "chat", WORLD_SAY_MAX);
    json_put_number(json, "code", WORLD_CODE_LENGTH);
    json_put_end(json);
}

/* What the log of a new world of each game names as its rules. */
static void put_rules(const struct game *only, struct json *json) {
    json_put_object(json, "rules");
    for (size_t i = 0; i < registry_count; i++) {
        char buffer[16];
        struct text text;
        if (only && only != registry_games[i])
            continue;
        text_begin(&text, buffer, sizeof buffer);
        text_number(&text, WORLD_RULES);
        text_char(&text, '.');
        text_number(&text, game_rules(registry_games[i]));
        json_put_string(json, registry_games[i]->id, buffer);
    }
    json_put_end(json);
}

void world_registry_json(const struct game *only, struct json *json) {
    json_put_object(json, NULL);
    json_put_array(json, "games");
    for (size_t i = 0; i < registry_count; i++)
        if (!only || only == registry_games[i])
            game_registry_json(registry_games[i], json);
    json_put_end(json);
    json_put_object(json, "world");
    put_rules(only, json);
    option_table_json(&world_manners, json);
    put_speeds(json);
    json_put_array(json, "levels");
    for (int level = 0; level < BOT_LEVELS; level++)
        json_put_string(json, NULL, bot_level_name((enum bot_level)level));
    json_put_end(json);
    json_put_string(json, "usualLevel", bot_level_name(BOT_MEDIUM));
    json_put_array(json, "emotes");
    for (int i = 0; world_emotes[i]; i++)
        json_put_string(json, NULL, world_emotes[i]);
    json_put_end(json);
    put_limits(json);
    json_put_end(json);
    json_put_end(json);
}
