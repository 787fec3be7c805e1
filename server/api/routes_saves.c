/* A world made of a save; routes_past.c makes saves of worlds. */
#include "server/api/request.h"
#include "store/reserve.h"
#include <stdlib.h>

#include "formats/save_world.h"

static bool load_world(struct request *request, const struct save *save, struct refusal *why) {
    struct save_birth *birth = reserve_calloc(1, sizeof *birth);
    bool good = save_begin_birth(save, birth, why);
    struct rooms_wish wish = {.game = span_of(save_game()->id),
                              .id = span_of(request->session.id),
                              .name = span_of(request->session.name),
                              .words = birth->words,
                              .word_count = birth->word_count,
                              .save = &birth->save};
    good = good && rooms_create(request->app->rooms, &wish, request_on_created, request, why);
    free(birth);
    return good;
}

static bool create_loaded(struct request *request, struct refusal *why) {
    struct save *save = reserve_calloc(1, sizeof *save);
    struct save_nodes *nodes = reserve_calloc(1, sizeof *nodes);
    bool good = save_read(request->http->body, nodes, save, why) && load_world(request, save, why);
    free(nodes);
    free(save);
    return good;
}

bool route_post_load(struct request *request, struct refusal *why) {
    return request_count_worlds_then(request, create_loaded, why);
}
