/* The limits of store.h, checked before anything is queued, so that one bad request never costs
 * the others of its batch anything. */
#include "store/limits.h"

#include <string.h>

static bool refuse_bad(struct refusal *why, const char *what, const char *how) {
    return refuse(why, "BAD_REQUEST", "%s %s", what, how);
}

static bool limits_count(size_t count, size_t max, const char *what, struct refusal *why) {
    return count <= max || refuse(why, "TOO_LARGE", "%s: at most %d", what, (int)max);
}

bool limits_text(struct span text, size_t min, size_t max, const char *what, struct refusal *why) {
    if (text.length < min)
        return refuse_bad(why, what, "is missing");
    if (text.length > max)
        return refuse(why, "TOO_LARGE", "%s has more than %d bytes", what, (int)max);
    if (text.length > 0 && memchr(text.data, '\0', text.length))
        return refuse_bad(why, what, "holds a zero byte");
    return true;
}

bool limits_code(struct span code, struct refusal *why) {
    return limits_text(code, 1, STORE_CODE_MAX, "The world's code", why);
}

bool limits_id(struct span id, struct refusal *why) {
    return limits_text(id, 1, STORE_ID_MAX, "The player's id", why);
}

bool limits_number(int64_t number, const char *what, struct refusal *why) {
    return number >= 0 || refuse_bad(why, what, "is negative");
}

bool limits_page(size_t max, struct refusal *why) {
    if (max == 0)
        return refuse_bad(why, "The number of worlds", "is missing");
    return limits_count(max, STORE_LIST_MAX, "Worlds at once", why);
}

bool limits_devices(struct span devices, struct refusal *why) {
    struct store_device device;
    size_t count = 0;
    for (; devices.length > 0; count++)
        if (!store_device_next(&devices, &device))
            return refuse(why, "BAD_REQUEST", "A device is malformed");
    return limits_count(count, STORE_DEVICES_MAX, "Devices", why);
}

bool limits_player(const struct store_player *player, struct refusal *why) {
    return limits_id(player->id, why) && limits_devices(player->devices, why) &&
           limits_text(player->name, 1, STORE_NAME_MAX, "The name", why) &&
           limits_number(player->created_ms, "The time", why) &&
           limits_number(player->seen_ms, "The time", why);
}

bool limits_note(const struct store_note *note, struct refusal *why) {
    return limits_text(note->name, 1, STORE_WORD_MAX, "The note's name", why) &&
           limits_text(note->text, 0, STORE_NOTE_MAX, "The note", why);
}

bool limits_records(const struct store_record *records, size_t count, struct refusal *why) {
    if (!limits_count(count, STORE_RECORDS_MAX, "Records", why))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!limits_text(records[i].game, 1, STORE_WORD_MAX, "The game's id", why) ||
            !limits_count(records[i].figure_count, STORE_FIGURES_MAX, "Figures", why))
            return false;
        for (size_t f = 0; f < records[i].figure_count; f++)
            if (!limits_text(records[i].figures[f].name, 1, STORE_WORD_MAX, "The figure's name",
                             why))
                return false;
    }
    return true;
}

static bool limits_line(struct span line, struct refusal *why) {
    if (!limits_text(line, 1, STORE_ENTRY_MAX, "The entry", why))
        return false;
    if (memchr(line.data, '\n', line.length) || memchr(line.data, '\r', line.length))
        return refuse_bad(why, "The entry", "holds a line end");
    return true;
}

static bool limits_summary(const struct store_summary *summary, struct refusal *why) {
    if (!limits_text(summary->game, 1, STORE_WORD_MAX, "The game's id", why) ||
        !limits_text(summary->owner, 0, STORE_ID_MAX, "The owner's id", why) ||
        !limits_text(summary->text, 0, STORE_SUMMARY_MAX, "The summary", why) ||
        !limits_count(summary->member_count, STORE_MEMBERS_MAX, "Members", why))
        return false;
    for (size_t i = 0; i < summary->member_count; i++)
        if (!limits_id(summary->members[i], why))
            return false;
    return true;
}

static bool limits_seat(const struct store_seat *seat, struct refusal *why) {
    return limits_text(seat->name, 0, STORE_NAME_MAX, "The name", why) &&
           limits_text(seat->player, 0, STORE_ID_MAX, "The player's id", why) &&
           limits_text(seat->level, 0, STORE_WORD_MAX, "The bot's level", why);
}

static bool limits_match(const struct store_match *match, struct refusal *why) {
    if (match->number < 1)
        return refuse_bad(why, "The number of the game", "counts from 1");
    if (!limits_text(match->settings, 0, STORE_SUMMARY_MAX, "The settings", why) ||
        !limits_text(match->state, 0, STORE_STATE_MAX, "The state", why) ||
        !limits_number(match->started_ms, "The time", why) ||
        !limits_count(match->seat_count, STORE_SEATS_MAX, "Seats", why) ||
        !limits_count(match->figure_count, STORE_FIGURES_MAX, "Figures", why) ||
        !limits_count(match->stat_count, STORE_STATS_MAX, "Statistics", why))
        return false;
    for (size_t i = 0; i < match->figure_count; i++)
        if (!limits_text(match->figures[i], 1, STORE_WORD_MAX, "The figure's name", why))
            return false;
    for (size_t i = 0; i < match->seat_count; i++)
        if (!limits_seat(&match->seats[i], why))
            return false;
    for (size_t i = 0; i < match->stat_count; i++)
        if (!limits_text(match->stats[i].name, 1, STORE_WORD_MAX, "The statistic's name", why))
            return false;
    return true;
}

bool limits_append(const struct store_append *append, struct refusal *why) {
    if (!limits_code(append->code, why) ||
        !limits_number(append->expected_version, "The version", why) ||
        !limits_number(append->now_ms, "The time", why) ||
        !limits_number(append->due_ms, "The due time", why) ||
        !limits_count(append->count, STORE_ENTRIES_MAX, "Entries at once", why))
        return false;
    if (append->count == 0)
        return refuse_bad(why, "The entry", "is missing");
    if (append->expected_version == 0 && !append->summary)
        return refuse_bad(why, "The summary", "of a new world is missing");
    for (size_t i = 0; i < append->count; i++)
        if (!limits_line(append->entries[i], why))
            return false;
    return (!append->summary || limits_summary(append->summary, why)) &&
           (!append->match || limits_match(append->match, why));
}

bool limits_rewrite(const struct store_rewrite *rewrite, struct refusal *why) {
    if (!limits_code(rewrite->code, why) || !limits_number(rewrite->version, "The version", why) ||
        !limits_id(rewrite->player, why) ||
        !limits_text(rewrite->name, 1, STORE_NAME_MAX, "The name", why) ||
        !limits_text(rewrite->owner, 0, STORE_ID_MAX, "The owner's id", why) ||
        !limits_text(rewrite->summary, 0, STORE_SUMMARY_MAX, "The summary", why))
        return false;
    int64_t last = 0;
    for (size_t i = 0; i < rewrite->count; i++) {
        const struct store_entry *entry = &rewrite->entries[i];
        if (entry->version <= last || entry->version > rewrite->version)
            return refuse_bad(why, "The entry", "is out of order");
        if (!limits_line(entry->text, why))
            return false;
        last = entry->version;
    }
    return true;
}
