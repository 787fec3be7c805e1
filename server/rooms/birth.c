/* New worlds: a fresh code, and all that their makers want of them in one append. */
#include "server/net/secrets.h"
#include "server/rooms/internal.h"
#include "store/reserve.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_TRIES = 8 };

/* ---- New worlds ---- */

struct birth {
    struct room *room;
    rooms_found *found;
    void *arg;
};

static void on_born(void *arg, const struct room_failure *failure) {
    struct birth birth = *(struct birth *)arg;
    free(arg);
    birth.found(birth.arg, failure ? NULL : birth.room, failure);
    if (!failure)
        room_tick(birth.room);
}

enum { BIRTH_LINES = 32 };

struct lines {
    struct span line[BIRTH_LINES];
    size_t count, used;
    struct world_news news; /* of one after the other */
    char text[BIRTH_LINES * 512 + WORLD_LINE_SIZE];
};

static bool keep_line(void *arg, const struct world_news *news, struct refusal *why) {
    struct lines *lines = arg;
    if (lines->count == BIRTH_LINES || lines->used + news->line_length > sizeof lines->text)
        return refuse(why, "BAD_REQUEST", "That is too much for a new world");
    memcpy(lines->text + lines->used, news->line, news->line_length);
    lines->line[lines->count++] = (struct span){lines->text + lines->used, news->line_length};
    lines->used += news->line_length;
    return true;
}

static bool fill_world(struct rooms *rooms, struct room *room, const struct rooms_wish *wish,
                       struct lines *lines, struct refusal *why) {
    uint8_t deal_seed[CHANCE_SEED_SIZE], bot_seed[CHANCE_SEED_SIZE];
    struct world_wish whole = {.birth = {.code = span_of(room->code),
                                         .game = wish->game,
                                         .id = wish->id,
                                         .name = wish->name,
                                         .deal_seed = deal_seed,
                                         .bot_seed = bot_seed},
                               .words = wish->words,
                               .word_count = wish->word_count,
                               .save = wish->save};
    randombytes_buf(deal_seed, sizeof deal_seed);
    randombytes_buf(bot_seed, sizeof bot_seed);
    return world_make(&room->replica.world, rooms_now(rooms), &rooms->config.times, &whole,
                      &lines->news, keep_line, lines, why);
}

bool rooms_create(struct rooms *rooms, const struct rooms_wish *wish, rooms_found *found, void *arg,
                  struct refusal *why) {
    char code[WORLD_CODE_LENGTH + 1];
    struct lines *lines = reserve_calloc(1, sizeof *lines);
    struct birth *birth = reserve_malloc(sizeof *birth);
    int tries = 0;
    do
        secrets_make_word(code, WORLD_CODE_LENGTH, world_code_letters);
    while (rooms_look_up(rooms, span_of(code)) && ++tries < CODE_TRIES);
    struct room *room = tries < CODE_TRIES ? rooms_add(rooms, span_of(code)) : NULL;
    struct asker asker = {.done = on_born, .arg = birth, .why = why};
    *birth = (struct birth){.room = room, .found = found, .arg = arg};
    bool good = room && fill_world(rooms, room, wish, lines, why);
    if (good)
        room_step(room, &(struct replica_event){.kind = REPLICA_BORN,
                                                .lines = lines->line,
                                                .line_count = lines->count,
                                                .asker = &asker});
    free(lines);
    if (good && !asker.untaken)
        return true;
    free(birth);
    if (good) /* and gone already */
        return false;
    if (room)
        room_drop(room);
    else if (tries < CODE_TRIES)
        refuse_no_memory(why);
    else
        refuse(why, "UNAVAILABLE", "No code is free");
    return false;
}
