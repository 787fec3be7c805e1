/* See status.h. */
#include "server/net/status.h"

#include <stddef.h>
#include <string.h>

/* Codes that are not listed are the fault of the request or break a rule of the game: 400. One of
 * them is SEAT_TAKEN, of a seat that the lobby does not give away; BOT_PLAYS is written as
 * SEAT_TAKEN, too, but with 403. */
static const struct {
    const char *code;
    int status;
    const char *name; /* in the API, where that is another */
} rows[] = {
    {"UNAUTHENTICATED", 401, NULL},
    {"ALREADY_SUBMITTED", 403, NULL},
    {"BOT_PLAYS", 403, "SEAT_TAKEN"},
    {"FORBIDDEN", 403, NULL},
    {"INACTIVE_PARTNER", 403, NULL},
    {"JUDGE_CANNOT_SUBMIT", 403, NULL},
    {"MUTED", 403, NULL},
    {"NOT_A_MEMBER", 403, NULL},
    {"NOT_A_PLAYER", 403, NULL},
    {"NOT_DEALER", 403, NULL},
    {"NOT_OWNER", 403, NULL},
    {"NOT_THE_JUDGE", 403, NULL},
    {"NOT_YOUR_TEAM", 403, NULL},
    {"NOT_YOUR_TURN", 403, NULL},
    {"NO_SEATING", 403, NULL},
    {"NO_WATCHING", 403, NULL},
    {"REMOVED", 403, NULL},
    {"LINK_GONE", 404, NULL},
    {"NOT_FOUND", 404, NULL},
    {"ROOM_NOT_FOUND", 404, NULL},
    {"TIMEOUT", 408, NULL},
    {"ALREADY_STARTED", 409, NULL},
    {"LOG_FULL", 409, NULL},
    {"NOT_IDLE", 409, NULL},
    {"ROOM_FULL", 409, NULL},
    {"TOO_MANY_DEVICES", 409, NULL},
    {"SETTING_LOCKED", 409, "INVALID_SETTING"},
    {"WRONG_PHASE", 409, NULL},
    {"TOO_LARGE", 413, NULL},
    {"UPGRADE_REQUIRED", 426, "BAD_REQUEST"},
    {"RATE_LIMITED", 429, NULL},
    {"HEADERS_TOO_LARGE", 431, "TOO_LARGE"},
    {"BROKEN", 500, NULL},
    {"BEHIND", 503, NULL},
    {"CONFLICT", 503, NULL},
    {"OTHER_RULES", 503, NULL},
    {"STORE_NEWER", 503, NULL},
    {"STORE_UNUSABLE", 503, NULL},
    {"UNAVAILABLE", 503, NULL},
    {"HTTP_VERSION", 505, "BAD_REQUEST"},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static size_t row_of(const struct refusal *why) {
    size_t row = 0;
    while (row < ROWS && strcmp(rows[row].code, why->code) != 0)
        row++;
    return row;
}

int refusal_status(const struct refusal *why) {
    size_t row = row_of(why);
    return row < ROWS ? rows[row].status : 400;
}

const char *refusal_name(const struct refusal *why) {
    size_t row = row_of(why);
    return row < ROWS && rows[row].name ? rows[row].name : why->code;
}

const char *status_reason(int status) {
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        {200, "OK"},
        {201, "Created"},
        {304, "Not Modified"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {408, "Request Timeout"},
        {409, "Conflict"},
        {413, "Payload Too Large"},
        {426, "Upgrade Required"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Status";
}
