/* A world made of a save; routes_past.c makes saves of worlds. */
#include "server/api/call.h"
#include "store/reserve.h"
#include <stdlib.h>

#include "formats/save_world.h"

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
    struct save_nodes *nodes = reserve_calloc(1, sizeof *nodes);
    struct refusal why;
    bool good = save_read(call->request->body, nodes, save, &why) && load_world(call, save, &why);
    free(nodes);
    free(save);
    if (!good)
        call_refuse(call, &why);
}

void route_post_load(struct call *call) {
    call_count_worlds_then(call, create_loaded);
}
