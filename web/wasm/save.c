/* Saved games as a WebAssembly module of its own, which a page loads when somebody saves or opens
 * one: a device's table as a save, and a save as the entries of a new table. Nobody plays here, so
 * no bot is in it. */
#include "formats/save_world.h"
#include "web/wasm/desk.h"
#include <string.h>

_Static_assert((int)DESK_OUTPUT_SIZE >= (int)SAVE_TEXT_SIZE, "a save fits into the output");
_Static_assert((int)DESK_FILE_SIZE > (int)SAVE_SIZE_MAX, "and one that is read into the input");

static struct world world;
static struct world_news news;
static struct save save;
static struct save_nodes nodes;
static struct save_birth birth;

static bool answer(bool done, const struct refusal *why) {
    if (!done)
        desk_refuse(why);
    return done;
}

/* ---- A table as a save ---- */

/* To be called before the first entry. */
void save_export_clear(void) EXPORT(clear);
void save_export_clear(void) {
    world_empty(&world, &world_times_usual);
}

/* Input: an entry. False leaves the refusal in the output, here and below. */
bool save_export_fold(uint32_t length) EXPORT(fold);
bool save_export_fold(uint32_t length) {
    struct refusal why;
    bool good = world_fold(&world, desk_input(length), &why);
    if (!good && strcmp(why.code, "UNKNOWN_GAME") == 0) /* the module has one game */
        refuse(&why, "BAD_REQUEST", "Only Hand & Foot has saves");
    return answer(good, &why);
}

/* The world as a save. Input: who saves, and a seed for a save of people who play together. */
bool save_export_write(double now, uint32_t length) EXPORT(write);
bool save_export_write(double now, uint32_t length) {
    struct scan words = scan_of(desk_input(length));
    struct span id = {0}, hex = {0};
    struct refusal why;
    uint8_t seed[CHANCE_SEED_SIZE];
    scan_word(&words, &id);
    scan_word(&words, &hex);
    bool good = span_hex(hex, seed, sizeof seed) ? save_world_may(&world, id, &why)
                                                 : refuse(&why, "BAD_REQUEST", "A seed is missing");
    if (!answer(good, &why))
        return false;
    save_of_world(&world, (int64_t)now, seed, &save);
    return save_write(&save, desk_output, sizeof desk_output);
}

/* ---- A save as a table ---- */

/* Reads the first line of the input: who sits down, the code, a seed for bots, the name. */
static bool read_maker(struct span line, struct world_birth *out, uint8_t seed[CHANCE_SEED_SIZE]) {
    struct scan words = scan_of(line);
    struct span hex;
    if (!scan_word(&words, &out->id) || !scan_word(&words, &out->code) ||
        !scan_word(&words, &hex) || !span_hex(hex, seed, CHANCE_SEED_SIZE) || scan_done(words))
        return false;
    out->name = (struct span){words.at + 1, (size_t)(words.end - words.at) - 1};
    out->game = span_of(save_game()->id);
    out->deal_seed = out->bot_seed = seed;
    return true;
}

static bool put_entry(void *arg, const struct world_news *entry, struct refusal *why) {
    json_put_span(arg, NULL, (struct span){entry->line, entry->line_length});
    return true;
}

/* The game goes on at once, because nobody else can come to this table. */
static bool make_world(const struct world_birth *maker, int64_t now, struct json *json,
                       struct refusal *why) {
    struct world_wish wish = {
        .birth = *maker, .words = birth.words, .word_count = birth.word_count, .save = &birth.save};
    struct world_action start = {.id = maker->id, .words = span_of("start")};
    return world_make(&world, now, &world_times_usual, &wish, &news, put_entry, json, why) &&
           world_act(&world, now, &start, &news, why) == WORLD_DONE && put_entry(json, &news, why);
}

static bool open_file(struct span file, int64_t now, struct json *json, struct refusal *why) {
    uint8_t seed[CHANCE_SEED_SIZE];
    struct world_birth maker;
    const char *end = memchr(file.data, '\n', file.length);
    if (!end || !read_maker((struct span){file.data, (size_t)(end - file.data)}, &maker, seed))
        return refuse(why, "BAD_REQUEST", "A line about its owner comes before a save");
    size_t rest = file.length - (size_t)(end + 1 - file.data);
    return save_read((struct span){end + 1, rest}, &nodes, &save, why) &&
           save_begin_birth(&save, &birth, why) && make_world(&maker, now, json, why);
}

/* The entries of a table that goes on from a save, as a list. Input: a line `ID CODE SEED NAME`,
 * and the save. */
bool save_export_open(double now, uint32_t length) EXPORT(open);
bool save_export_open(double now, uint32_t length) {
    struct refusal why;
    struct json json;
    desk_begin(&json);
    json_put_array(&json, NULL);
    if (!answer(open_file(desk_file(length), (int64_t)now, &json, &why), &why))
        return false;
    json_put_end(&json);
    return true;
}
