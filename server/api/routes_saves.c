/* Saves: a position as a file that its owner keeps, and a world made of one. */
#include "server/api/call.h"
#include "store/reserve.h"
#include <stdlib.h>

#include "engine/ensure.h"
#include "formats/save_world.h"
#include <sodium.h>

static bool may_save(const struct call *call, struct refusal *why) {
    return save_world_may(room_world(call->room), span_of(call->session.id), why);
}

static void on_durable_save(void *arg, const struct room_failure *failure) {
    struct call *call = arg;
    struct refusal why;
    uint8_t other_seed[CHANCE_SEED_SIZE];
    if (failure) {
        call_fail(call, failure);
        return;
    }
    if (!may_save(call, &why)) { /* it may have moved on meanwhile */
        call_refuse(call, &why);
        return;
    }
    randombytes_buf(other_seed, sizeof other_seed);
    struct save *save = reserve_calloc(1, sizeof *save);
    save_of_world(room_world(call->room), rooms_now(call->app->rooms), other_seed, save);
    ensure(save_write(save, call->app->json, sizeof call->app->json));
    free(save);
    call_answer(call, &(struct http_answer){.status = 200,
                                            .type = "application/json",
                                            .body = span_of(call->app->json)});
}

void route_get_save(struct call *call) {
    struct refusal why;
    if (!may_save(call, &why))
        call_refuse(call, &why);
    else
        room_when_durable(call->room, on_durable_save, call);
}

static bool load_world(struct call *call, const struct save *save, struct refusal *why) {
    struct save_birth *birth = reserve_calloc(1, sizeof *birth);
    bool good = save_begin_birth(save, birth, why);
    struct rooms_wish wish = {.game = span_of(save_game()->id),
                              .id = span_of(call->session.id),
                              .name = span_of(call->session.name),
                              .words = birth->words,
                              .word_count = birth->word_count,
                              .save = &birth->save};
    good = good && rooms_create(call->app->rooms, &wish, call_on_created, call, why);
    free(birth);
    return good;
}

static void create_loaded(struct call *call) {
    struct save *save = reserve_calloc(1, sizeof *save);
    struct refusal why;
    bool good = save_read(call->request->body, save, &why) && load_world(call, save, &why);
    free(save);
    if (!good)
        call_refuse(call, &why);
}

void route_post_load(struct call *call) {
    call_count_worlds_then(call, create_loaded);
}
