/* See shared_rates.h. A line is the letter of a rate, a key in hex and a count. */
#include "server/shared_rates.h"
#include "server/rooms/rooms.h"
#include "store/reserve.h"
#include "store/store.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char start[] = "took\n";

#define SHARE(letter, member)                                                                      \
    { letter, offsetof(struct app, member) }

/* All rates but those of requests and of previews, which are many and matter for one server. */
static const struct share {
    char letter;
    size_t offset;
} shares[] = {
    SHARE('a', actions),
    SHARE('r', read_units),
    SHARE('w', written),
    SHARE('n', renames),
    SHARE('g', guesses_in_all),
    SHARE('c', calls),
    SHARE('C', called),
    SHARE('s', new_sessions[0]),
    SHARE('t', new_sessions[1]),
    SHARE('u', new_sessions[2]),
    SHARE('R', read_units_of_address[0]),
    SHARE('S', read_units_of_address[1]),
    SHARE('T', read_units_of_address[2]),
    SHARE('W', written_of_address[0]),
    SHARE('X', written_of_address[1]),
    SHARE('Y', written_of_address[2]),
    SHARE('j', stirs[0]),
    SHARE('k', stirs[1]),
    SHARE('l', stirs[2]),
    SHARE('f', guesses[0]),
    SHARE('h', guesses[1]),
    SHARE('i', guesses[2]),
    SHARE('o', host_guesses[0]),
    SHARE('p', host_guesses[1]),
    SHARE('q', host_guesses[2]),
};

enum { SHARES = sizeof shares / sizeof shares[0] };
_Static_assert(RATES_BLOCKS == 3, "each block has a letter");

static struct rates *shared(struct app *app, int i) {
    return (struct rates *)((char *)app + shares[i].offset);
}

/* Keys must mean the same at all servers, and nobody else may compute them. */
void shared_rates_begin(struct app *app) {
    const char *secret = store_secret(app->store);
    if (!secret)
        return;
    crypto_generichash(app->rates_secret, sizeof app->rates_secret, (const unsigned char *)secret,
                       strlen(secret), NULL, 0);
    for (int i = 0; i < SHARES; i++)
        rates_share(shared(app, i));
}

void shared_rates_say(struct app *app, bool only_in_a_hurry) {
    enum { LINE_SIZE = 32 };
    uint64_t key;
    uint32_t count;
    size_t size = sizeof start + (size_t)SHARES * RATES_UNSAID_MAX * LINE_SIZE;
    bool hurry = !only_in_a_hurry;
    for (int i = 0; i < SHARES; i++)
        hurry = hurry || shared(app, i)->hurry;
    if (!hurry)
        return;
    char *buffer = reserve_malloc(size);
    struct text text = text_in(buffer, size);
    text_string(&text, start);
    for (int i = 0; i < SHARES; i++) {
        while (rates_say(shared(app, i), &key, &count)) {
            char line[LINE_SIZE];
            snprintf(line, sizeof line, "%c%016" PRIx64 " %" PRIu32 "\n", shares[i].letter, key,
                     count);
            text_string(&text, line);
        }
    }
    if (text.length > sizeof start - 1)
        store_say(app->store, span_of(""), (struct span){buffer, text.length}, NULL);
    free(buffer);
}

static void hear_line(struct app *app, const char *line) {
    char letter;
    uint64_t key;
    uint32_t count;
    if (sscanf(line, "%c%16" SCNx64 " %9" SCNu32, &letter, &key, &count) != 3)
        return;
    for (int i = 0; i < SHARES; i++)
        if (shares[i].letter == letter)
            rates_charge(shared(app, i), key, count, rooms_now(app->rooms));
}

bool shared_rates_hear(struct app *app, struct span words) {
    if (!span_take(&words, start))
        return false;
    while (words.length > 0) {
        char line[64];
        struct text text = text_in(line, sizeof line);
        text_span(&text, span_take_until(&words, '\n'));
        hear_line(app, line);
    }
    return true;
}
