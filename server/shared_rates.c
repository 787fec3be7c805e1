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

struct share {
    char letter;
    struct rates *rates;
};

enum { SHARES = 8 + APP_GUESS_BLOCKS };

static void list_shares(struct app *app, struct share out[SHARES]) {
    const struct share all[SHARES] = {{'a', &app->actions},    {'s', &app->new_sessions},
                                      {'f', &app->guesses[0]}, {'h', &app->guesses[1]},
                                      {'i', &app->guesses[2]}, {'g', &app->guesses_in_all},
                                      {'r', &app->read_units}, {'R', &app->read_units_of_address},
                                      {'w', &app->written},    {'W', &app->written_of_address},
                                      {'n', &app->renames}};
    memcpy(out, all, sizeof all);
}

/* Keys must mean the same at all servers, and nobody else may compute them. */
void shared_rates_begin(struct app *app) {
    struct share shares[SHARES];
    const char *secret = store_secret(app->store);
    if (!secret)
        return;
    crypto_generichash(app->rates_secret, sizeof app->rates_secret, (const unsigned char *)secret,
                       strlen(secret), NULL, 0);
    list_shares(app, shares);
    for (int i = 0; i < SHARES; i++)
        rates_share(shares[i].rates);
}

void shared_rates_say(struct app *app, bool only_in_a_hurry) {
    enum { LINE_SIZE = 32 };
    struct share shares[SHARES];
    uint64_t key;
    uint32_t count;
    size_t size = sizeof start + (size_t)SHARES * RATES_UNSAID_MAX * LINE_SIZE;
    bool hurry = !only_in_a_hurry;
    list_shares(app, shares);
    for (int i = 0; i < SHARES; i++)
        hurry = hurry || shares[i].rates->hurry;
    if (!hurry)
        return;
    char *buffer = reserve_malloc(size);
    struct text text = text_in(buffer, size);
    text_string(&text, start);
    for (int i = 0; i < SHARES; i++) {
        while (rates_say(shares[i].rates, &key, &count)) {
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

static void hear_line(struct app *app, const struct share *shares, const char *line) {
    char letter;
    uint64_t key;
    uint32_t count;
    if (sscanf(line, "%c%16" SCNx64 " %9" SCNu32, &letter, &key, &count) != 3)
        return;
    for (int i = 0; i < SHARES; i++)
        if (shares[i].letter == letter)
            rates_charge(shares[i].rates, key, count, rooms_now(app->rooms));
}

bool shared_rates_hear(struct app *app, struct span words) {
    struct share shares[SHARES];
    if (!span_take(&words, start))
        return false;
    list_shares(app, shares);
    while (words.length > 0) {
        char line[64];
        struct text text = text_in(line, sizeof line);
        text_span(&text, span_take_until(&words, '\n'));
        hear_line(app, shares, line);
    }
    return true;
}
