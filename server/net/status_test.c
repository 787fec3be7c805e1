/* What HTTP makes of refusals: a status for each code, and one name for codes that share it. */
#include "server/net/status.h"
#include "tests/support.h"

static void answered(const char *code, int status, const char *name) {
    struct refusal why;
    refuse(&why, code, "No");
    assert_int_equal(refusal_status(&why), status);
    assert_string_equal(refusal_name(&why), name);
}

/* PL-28, PL-29: what somebody may not do, or not now, has a status other than nonsense has. */
UNIT_TEST(statuses) {
    answered("UNAUTHENTICATED", 401, "UNAUTHENTICATED");
    answered("NOT_YOUR_TURN", 403, "NOT_YOUR_TURN");
    answered("NOT_THE_JUDGE", 403, "NOT_THE_JUDGE");
    answered("ROOM_NOT_FOUND", 404, "ROOM_NOT_FOUND");
    answered("WRONG_PHASE", 409, "WRONG_PHASE");
    answered("RATE_LIMITED", 429, "RATE_LIMITED");
    answered("UNAVAILABLE", 503, "UNAVAILABLE");
}

/* A code that only a game knows needs no row. */
UNIT_TEST(codes_of_games_need_no_row) {
    answered("COLUMN_FULL", 400, "COLUMN_FULL");
    answered("BAD_REQUEST", 400, "BAD_REQUEST");
    answered("", 400, "");
}

UNIT_TEST(codes_that_share_a_name) {
    answered("SEAT_TAKEN", 400, "SEAT_TAKEN");
    answered("BOT_PLAYS", 403, "SEAT_TAKEN");
    answered("INVALID_SETTING", 400, "INVALID_SETTING");
    answered("SETTING_LOCKED", 409, "INVALID_SETTING");
    answered("TOO_LARGE", 413, "TOO_LARGE");
    answered("HEADERS_TOO_LARGE", 431, "TOO_LARGE");
    answered("UPGRADE_REQUIRED", 426, "BAD_REQUEST");
    answered("HTTP_VERSION", 505, "BAD_REQUEST");
}

/* One that is never answered has none of its own. */
UNIT_TEST(statuses_have_words) {
    assert_string_equal(status_reason(200), "OK");
    assert_string_equal(status_reason(304), "Not Modified");
    assert_string_equal(status_reason(404), "Not Found");
    assert_string_equal(status_reason(431), "Request Header Fields Too Large");
    assert_string_equal(status_reason(299), "Status");
}
