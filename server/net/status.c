/* See status.h. */
#include "server/net/status.h"

#include <stddef.h>
#include <string.h>

/* Codes that are not listed are the fault of the request or break a rule of the game: 400. */
static const struct {
    int status;
    const char *const codes[18]; /* null-terminated */
} rows[] = {
    {401, {"UNAUTHENTICATED"}},
    {403,
     {"ALREADY_SUBMITTED", "BOT_PLAYS", "FORBIDDEN", "INACTIVE_PARTNER", "JUDGE_CANNOT_SUBMIT",
      "MUTED", "NOT_A_MEMBER", "NOT_A_PLAYER", "NOT_DEALER", "NOT_OWNER", "NOT_THE_JUDGE",
      "NOT_YOUR_TEAM", "NOT_YOUR_TURN", "NO_SEATING", "NO_WATCHING", "REMOVED"}},
    {404, {"LINK_GONE", "NOT_FOUND", "ROOM_NOT_FOUND"}},
    {408, {"TIMEOUT"}},
    {409,
     {"ALREADY_STARTED", "LOG_FULL", "NOT_IDLE", "ROOM_FULL", "TOO_MANY_DEVICES", "SETTING_LOCKED",
      "WRONG_PHASE"}},
    {413, {"TOO_LARGE"}},
    {426, {"UPGRADE_REQUIRED"}},
    {429, {"RATE_LIMITED"}},
    {431, {"HEADERS_TOO_LARGE"}},
    {500, {"BROKEN"}},
    {503, {"BEHIND", "CONFLICT", "OTHER_RULES", "STORE_NEWER", "STORE_UNUSABLE", "UNAVAILABLE"}},
    {505, {"HTTP_VERSION"}},
};

int refusal_status(const struct refusal *why) {
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        for (const char *const *code = rows[row].codes; *code; code++)
            if (strcmp(*code, why->code) == 0)
                return rows[row].status;
    return 400;
}

/* One of the codes without a row is SEAT_TAKEN, of a seat that the lobby does not give away;
 * BOT_PLAYS is written as SEAT_TAKEN, too, but with 403. */
const char *refusal_name(const struct refusal *why) {
    static const char *const others[][2] = {{"BOT_PLAYS", "SEAT_TAKEN"},
                                            {"SETTING_LOCKED", "INVALID_SETTING"},
                                            {"UPGRADE_REQUIRED", "BAD_REQUEST"},
                                            {"HEADERS_TOO_LARGE", "TOO_LARGE"},
                                            {"HTTP_VERSION", "BAD_REQUEST"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i][0], why->code) == 0)
            return others[i][1];
    return why->code;
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
