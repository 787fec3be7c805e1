/* The file as people read it: with plain SQL. A real game of Hand & Foot is stored as the server
 * would, and the views must show it as "Hand and Foot Tests" models it. */
#include "engine/record.h"
#include "games/registry.h"
#include "store/sqlite.h"
#include "tests/store_support.h"

#include <stdlib.h>

static struct answer answer;

static const char *read_source(const char *path) {
    static char text[1 << 17];
    char full[256];
    snprintf(full, sizeof full, "%s/%s", SOURCE_ROOT, path);
    FILE *file = fopen(full, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* ---- SQL as text: columns with commas, rows with bars ---- */

static const char *ask(const struct shelf *shelf, const char *sql) {
    static char rows[1 << 16];
    struct text text;
    sqlite3 *database;
    sqlite3_stmt *statement;
    text_begin(&text, rows, sizeof rows);
    assert_int_equal(sqlite3_open_v2(shelf->file, &database, SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(database), sql);
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        if (text.length > 0)
            text_char(&text, '|');
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const char *value = (const char *)sqlite3_column_text(statement, i);
            text_string(&text, i > 0 ? "," : "");
            text_string(&text, value ? value : "null");
        }
    }
    assert_int_equal(step, SQLITE_DONE);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return rows;
}

/* ---- A recorded game, stored ---- */

struct played {
    const struct game *game;
    struct options options;
    struct game_state state;
    struct record_header header;
};

static void play(struct played *played, struct span file) {
    struct record_reader reader;
    struct record_error error = {0};
    struct record_entry entry;
    record_open(&reader, file);
    assert_true(record_read_header(&reader, &played->header, &error));
    played->game = registry_find(played->header.game);
    options_default(&played->game->options, &played->options);
    assert_true(
        options_parse(&played->game->options, played->header.options, &played->options, NULL));
    assert_true(
        game_start(played->game, &played->state, &played->options, played->header.seats, NULL));
    while (record_next(&reader, &entry, &error) == RECORD_ENTRY)
        assert_true(
            game_play_text(played->game, &played->state, entry.seat, entry.text, NULL, NULL));
}

static struct span state_json(const struct played *played) {
    static char buffer[STORE_STATE_MAX];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    game_view(played->game, &played->state, OMNISCIENT, NULL, &json);
    assert_true(json_complete(&json));
    return span_of(buffer);
}

static struct span settings_json(const struct played *played) {
    static char buffer[STORE_SUMMARY_MAX];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    options_json(&played->game->options, &played->options, NULL, &json);
    assert_true(json_complete(&json));
    return span_of(buffer);
}

/* Stores the game; the winners are a mask of seats, 0 while it goes on. */
static void keep(struct shelf *shelf, const struct played *played, int64_t version,
                 uint32_t winners) {
    struct store_seat seats[SEATS_MAX];
    struct result result;
    struct span line = span_of("round over");
    game_result(played->game, &played->state, &result);
    for (int i = 0; i < played->header.seats; i++)
        seats[i] = (struct store_seat){.name = played->header.seat[i].name,
                                       .player = span_of(i == 0 ? "p-ann" : ""),
                                       .level = span_of(i == 0 ? "" : "hard"),
                                       .side = result.side_of[i],
                                       .score = result.score[i],
                                       .won = (winners >> i & 1) != 0};
    for (int i = 0; i < played->header.seats; i++)
        game_count(played->game, &played->state, i, seats[i].figures);
    struct span figures[] = {span_of("rounds"), span_of("clean books"), span_of("dirty books"),
                             span_of("went out")};
    struct store_stat stat = {span_of("rounds"), 1};
    struct store_match match = {.number = 1,
                                .over = winners != 0,
                                .started_ms = 500,
                                .settings = settings_json(played),
                                .state = state_json(played),
                                .seats = seats,
                                .seat_count = (size_t)played->header.seats,
                                .figures = figures,
                                .figure_count = 4,
                                .stats = &stat,
                                .stat_count = 1};
    struct store_summary summary = {.game = played->header.game, .status = STORE_PLAYING};
    struct store_append append = append_line("AAAAAA", version, &line);
    append.summary = &summary;
    append.match = &match;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_OK);
}

static struct played played;

static int store_a_game(void **state) {
    struct shelf *shelf = calloc(1, sizeof *shelf);
    shelf_make(shelf);
    shelf_open(shelf);
    play(&played, span_of(read_source("games/hand_and_foot/golden/closers_round.oyster")));
    keep(shelf, &played, 0, 0);
    *state = shelf;
    return 0;
}

static int put_away(void **state) {
    struct shelf *shelf = *state;
    shelf_close(shelf);
    shelf_remove(shelf);
    free(shelf);
    return 0;
}

/* ---- The models of "Hand and Foot Tests" ---- */

static void HT_9_games(void **state) {
    assert_string_equal(ask(*state, "SELECT * FROM games"), "1,null,1,5");
    keep(*state, &played, 1, 5);
    assert_string_equal(ask(*state, "SELECT id, winner, current_round, number_of_decks FROM games"),
                        "1,16,1,5");
    keep(*state, &played, 2, 15); /* a tie */
    assert_string_equal(ask(*state, "SELECT winner FROM games"), "null");
}

static void HT_7_HT_8_teams(void **state) {
    assert_string_equal(ask(*state, "SELECT id, team_name, points FROM teams"),
                        "16,Ann & Cy,660|17,Bob & Dee,-280");
    assert_string_equal(ask(*state, "SELECT game_id, team_id FROM games_and_teams"), "1,16|1,17");
}

/* HT-C20: the team of a player and the links between the two say the same. */
static void HT_4_HT_6_players(void **state) {
    assert_string_equal(ask(*state, "SELECT id, team, name, person FROM players"),
                        "16,16,Ann,p-ann|17,17,Bob,null|18,16,Cy,null|19,17,Dee,null");
    assert_string_equal(ask(*state, "SELECT player_id, team_id FROM players_and_teams"),
                        "16,16|17,17|18,16|19,17");
}

static void HT_5_hands(void **state) {
    assert_string_equal(
        ask(*state, "SELECT id, foot, json_array_length(cards), player FROM hands ORDER BY id"),
        "32,0,0,16|33,1,0,16|34,0,14,17|35,1,14,17|36,0,11,18|37,1,14,18|38,0,14,19|39,1,14,19");
    assert_string_equal(ask(*state, "SELECT cards FROM hands WHERE id = 36"),
                        "[\"5H\",\"5H.2\",\"5D\",\"5D.2\",\"5D.3\",\"5D.4\",\"5D.5\",\"5C\","
                        "\"5C.2\",\"5C.3\",\"5C.4\"]");
    assert_string_equal(ask(*state, "SELECT player_id FROM hands_and_players WHERE hand_id = 37"),
                        "18");
}

static void HT_1_books(void **state) {
    assert_string_equal(
        ask(*state,
            "SELECT id, closed, unnatural, rank, json_array_length(cards), team FROM books"),
        "4097,1,0,13,8,16|4098,1,0,12,7,16|4099,1,1,11,7,16|4100,1,1,10,7,16|4101,0,0,1,3,16");
    assert_string_equal(ask(*state, "SELECT cards FROM books WHERE rank = 1"),
                        "[\"AS\",\"AH\",\"AD\"]");
}

static void HT_2_piles(void **state) {
    assert_string_equal(
        ask(*state, "SELECT id, draw, discard, json_array_length(cards) FROM piles ORDER BY id"),
        "2,1,0,153|3,0,1,4");
    assert_string_equal(ask(*state, "SELECT cards FROM piles WHERE discard"),
                        "[\"9S\",\"8S\",\"8H\",\"8D\"]");
}

/* HT-3 and the point values HT-62 to HT-66 */
static void HT_3_cards(void **state) {
    assert_string_equal(ask(*state, "SELECT count(*), count(DISTINCT id) FROM cards"), "53,53");
    assert_string_equal(ask(*state, "SELECT id, suit, rank, colour, point_value FROM cards WHERE id"
                                    " IN ('AS', '3H', '3C', '10D', '8D', 'JK') ORDER BY id"),
                        "10D,diamonds,10,red,10|3C,clubs,3,black,5|3H,hearts,3,red,-50|"
                        "8D,diamonds,8,red,5|AS,spades,A,black,20|JK,null,JK,null,50");
}

/* Hands, books and piles together are the decks: no card is missing or there twice. */
static void every_card_is_somewhere(void **state) {
    assert_string_equal(
        ask(*state, "WITH places AS (SELECT cards FROM hands UNION ALL SELECT cards FROM books"
                    "  UNION ALL SELECT cards FROM piles)"
                    " SELECT count(*), count(c.id) FROM places p, json_each(p.cards) j LEFT JOIN"
                    "  cards c ON c.id = substr(j.value, 1, instr(j.value || '.', '.') - 1)"),
        "270,270");
}

static void HT_56_rounds(void **state) {
    assert_string_equal(ask(*state, "SELECT game, team, round, points, went_out FROM rounds"),
                        "1,16,1,660,1|1,17,1,-280,0");
}

static void state_that_is_no_json_hides_nothing_else(void **state) {
    struct shelf *shelf = *state;
    struct span line = span_of("x");
    struct store_match match = {.number = 1, .state = span_of("{oops"), .settings = span_of("")};
    struct store_summary summary = {.game = span_of("hand-and-foot")};
    struct store_append append = append_line("BBBBBB", 0, &line);
    append.summary = &summary;
    append.match = &match;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(ask(shelf, "SELECT count(*) FROM matches"), "2");
    assert_string_equal(ask(shelf, "SELECT count(*) FROM teams"), "2");
    assert_string_equal(ask(shelf, "SELECT count(*) FROM books"), "5");
}

/* ---- Logs, results, records ---- */

static void logs_are_the_same_open_and_archived(void **state) {
    struct shelf *shelf = *state;
    static const char *const lines[] = {"create", "say \"a, b\" \\n \\\\n \\", "end"};
    static const char all[] = "1,create|2,say \"a, b\" \\n \\\\n \\|3,end";
    static const char sql[] =
        "SELECT version, text FROM logs WHERE code = 'BBBBBB' ORDER BY version";
    for (int i = 0; i < 3; i++)
        shelf_append(shelf, "BBBBBB", i, lines[i], &answer);
    assert_string_equal(ask(shelf, sql), all);
    struct store_ages ages = {5000, 5000, 5000, 10};
    assert_true(store_archive(shelf->store, &ages, NULL, NULL, NULL));
    store_commit(shelf->store);
    assert_string_equal(ask(shelf, "SELECT count(*) FROM open_worlds"), "0");
    assert_string_equal(ask(shelf, sql), all);
}

static void results_and_records(void **state) {
    assert_string_equal(ask(*state, "SELECT count(*) FROM results"), "0"); /* it goes on */
    keep(*state, &played, 1, 5);
    assert_string_equal(ask(*state, "SELECT code, game, seat, name, player, level, side, score, won"
                                    " FROM results WHERE seat < 2"),
                        "AAAAAA,hand-and-foot,0,Ann,p-ann,,0,660,1|"
                        "AAAAAA,hand-and-foot,1,Bob,null,hard,1,-280,0");
    assert_string_equal(ask(*state, "SELECT player, game, played, won, points, best FROM records"),
                        "p-ann,hand-and-foot,1,1,660,660");
    assert_string_equal(ask(*state, "SELECT * FROM match_stats"), "1,rounds,1");
    assert_string_equal(ask(*state, "SELECT game, seat, name, player, figure, value FROM figures"
                                    " WHERE seat < 2 AND figure IN ('went out', 'clean books')"),
                        "hand-and-foot,0,Ann,p-ann,clean books,2|"
                        "hand-and-foot,0,Ann,p-ann,went out,1|"
                        "hand-and-foot,1,Bob,null,clean books,0|"
                        "hand-and-foot,1,Bob,null,went out,0");
    assert_string_equal(ask(*state, "SELECT ended_ms, version FROM matches"), "1000,2");
}

/* ---- Older files ---- */

static void change(const struct shelf *shelf, const char *sql) {
    sqlite3 *database;
    assert_int_equal(sqlite3_open(shelf->file, &database), SQLITE_OK);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
}

/* Makes the tables what they were in a file of version 6. */
#define VERSION_6                                                                                  \
    "DROP TABLE leftovers;"                                                                        \
    "CREATE TABLE before AS SELECT p.id, name, token_hash, created_ms, seen_ms FROM people p"      \
    "  JOIN (SELECT player, token_hash FROM devices) ON player = p.id;"                            \
    "DROP TABLE devices; DROP TABLE people;"                                                       \
    "CREATE TABLE people (id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"                            \
    "  token_hash BLOB NOT NULL UNIQUE, created_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL)"    \
    "  STRICT;"                                                                                    \
    "INSERT INTO people SELECT * FROM before; DROP TABLE before;"                                  \
    "CREATE INDEX people_seen ON people (seen_ms);"

/* The same of version 2. */
#define VERSION_2                                                                                  \
    VERSION_6                                                                                      \
    "DROP INDEX worlds_archived; DROP INDEX people_seen; DROP TABLE visits; DROP TABLE notes;"     \
    "DROP TRIGGER seat_counts; DROP TRIGGER seat_counts_no_longer; DROP VIEW records;"             \
    "DROP TABLE totals; DROP TABLE total_figures; DROP INDEX match_seats_player;"                  \
    "ALTER TABLE match_seats DROP COLUMN ended_ms;"                                                \
    "CREATE INDEX match_seats_player ON match_seats (player) WHERE player IS NOT NULL;"            \
    "CREATE VIEW records AS"                                                                       \
    "  SELECT s.player, p.name, m.game, count(*) AS played, sum(s.won) AS won,"                    \
    "    sum(s.score) AS points, max(s.score) AS best"                                             \
    "  FROM match_seats s JOIN matches m ON m.id = s.match LEFT JOIN people p ON p.id = s.player"  \
    "  WHERE s.player IS NOT NULL AND m.ended_ms IS NOT NULL"                                      \
    "  GROUP BY s.player, m.game;"

static void file_of_version_2_gets_totals(void **state) {
    struct shelf *shelf = *state;
    keep(shelf, &played, 1, 5);
    shelf_close(shelf);
    change(shelf, VERSION_2 "PRAGMA user_version = 2");
    shelf_open(shelf);
    assert_string_equal(ask(shelf, "PRAGMA user_version"), "8");
    assert_true(
        store_player_records(shelf->store, span_of("p-ann"), 9, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_non_null(strstr(answer.text, "hand-and-foot 1 1 660 660 clean books=2 dirty books=2"
                                        " rounds=1 went out=1"));
    assert_string_equal(ask(shelf, "SELECT played, won FROM records WHERE player = 'p-ann'"),
                        "1,1");
}

/* Who was in a world, open or archived, is known from its log. */
static void file_of_version_4_gets_visits(void **state) {
    struct shelf *shelf = *state;
    struct store_ages ages = {
        .over_before_ms = 9000, .idle_before_ms = 9000, .now_ms = 9, .max = 10};
    shelf_append(shelf, "OLD", 0, "1~9f @p-ann create \"\\", &answer);
    assert_true(store_archive(shelf->store, &ages, answer_take, &answer, NULL));
    store_commit(shelf->store);
    shelf_append(shelf, "NEW", 0, "1 @p-ann create", &answer);
    shelf_append(shelf, "NEW", 1, "2 @p-bob say Hi @p-cy", &answer);
    shelf_append(shelf, "NEW", 2, "3 - deal @p-dee", &answer);
    shelf_close(shelf);
    change(shelf, VERSION_6
           "DROP TABLE notes; DROP TABLE visits; DELETE FROM members; PRAGMA user_version = 4");
    shelf_open(shelf);
    assert_string_equal(ask(shelf, "SELECT group_concat(player || world) FROM"
                                   "  (SELECT * FROM visits ORDER BY player, world)"),
                        "p-ann2,p-ann3,p-bob3");
}

/* The one token that there was is that of a device without a name. */
static void file_of_version_6_gets_devices(void **state) {
    struct shelf *shelf = *state;
    uint8_t token[STORE_TOKEN_SIZE] = {0xab, 0xcd};
    struct store_player player = {.id = span_of("p-ann"),
                                  .name = span_of("Ann"),
                                  .token_hash = token,
                                  .created_ms = 3,
                                  .seen_ms = 4};
    assert_true(store_player_add(shelf->store, &player, answer_take, &answer, NULL));
    store_commit(shelf->store);
    shelf_close(shelf);
    change(shelf, VERSION_6 "PRAGMA user_version = 6");
    shelf_open(shelf);
    assert_string_equal(ask(shelf, "SELECT substr(hex(token_hash), 1, 4), player, name, created_ms,"
                                   "  seen_ms, until_ms FROM devices"),
                        "ABCD,p-ann,,3,4,0");
    assert_true(store_player_by_token(shelf->store, token, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "p-ann Ann 4");
    assert_string_equal(ask(shelf, "SELECT count(*) FROM sqlite_master"
                                   "  WHERE name IN ('people_seen', 'people_before')"),
                        "1");
}

/* Totals stay when the games they came from go; a game that is written once more counts once. */
static void totals_stay_and_count_once(void **state) {
    struct shelf *shelf = *state;
    const char *sums = "SELECT played, won, points, best FROM totals WHERE player = 'p-ann'";
    keep(shelf, &played, 1, 5);
    char first[64];
    snprintf(first, sizeof first, "%s", ask(shelf, sums));
    change(shelf,
           "INSERT INTO match_seats SELECT match, seat + 100, name, player, level, side, score,"
           "  won, figures, ended_ms FROM match_seats WHERE player = 'p-ann'");
    assert_string_not_equal(ask(shelf, sums), first);
    change(shelf, "DELETE FROM match_seats WHERE seat >= 100");
    assert_string_equal(ask(shelf, sums), first);
    change(shelf, "DELETE FROM matches; DELETE FROM match_seats");
    assert_string_equal(ask(shelf, sums), first);
}

/* A file of version 1 has figures of whole tables only, so its games are counted without
 * figures. */
static void file_of_version_1_is_brought_up_to_date(void **state) {
    struct shelf *shelf = *state;
    keep(shelf, &played, 1, 5);
    shelf_close(shelf);
    change(shelf, VERSION_2 "DROP VIEW figures; ALTER TABLE match_seats DROP COLUMN figures;"
                            "PRAGMA user_version = 1");
    shelf_open(shelf);
    assert_string_equal(ask(shelf, "PRAGMA user_version"), "8");
    assert_string_equal(ask(shelf, "SELECT count(*) FROM figures"), "0");
    assert_true(
        store_player_records(shelf->store, span_of("p-ann"), 0, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "hand-and-foot 1 1 660 660");
    assert_string_equal(ask(shelf, "SELECT * FROM match_stats"), "1,rounds,1");
    keep(shelf, &played, 2, 5);
    assert_true(
        store_player_records(shelf->store, span_of("p-ann"), 0, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "hand-and-foot 1 1 660 660 clean books=2 dirty books=2"
                                     " rounds=1 went out=1");
}

/* ---- What is old ---- */

static void archive_at(struct shelf *shelf, int64_t now_ms) {
    struct store_ages ages = {
        .over_before_ms = now_ms, .idle_before_ms = now_ms, .now_ms = now_ms, .max = 10};
    assert_true(store_archive(shelf->store, &ages, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_OK);
}

/* Archived worlds go with all that belongs to them, and nothing else does; totals stay. */
static void old_worlds_go(void **state) {
    struct shelf *shelf = *state;
    const char *rest = "SELECT (SELECT count(*) FROM worlds), (SELECT count(*) FROM archives),"
                       "  (SELECT count(*) FROM members), (SELECT count(*) FROM matches),"
                       "  (SELECT count(*) FROM match_seats), (SELECT count(*) FROM match_stats)";
    const char *sums = "SELECT count(*), sum(played), sum(points) FROM totals";
    char totals[64], before[64];
    const int64_t day_ms = 86400000, now_ms = 20000 * day_ms;
    keep(shelf, &played, 1, 5);
    snprintf(totals, sizeof totals, "%s", ask(shelf, sums));
    assert_string_not_equal(totals, "0,,");
    shelf_close(shelf);
    shelf->config.keep_worlds_ms = 30 * day_ms;
    shelf_open(shelf);
    archive_at(shelf, now_ms);
    snprintf(before, sizeof before, "%s", ask(shelf, rest));
    archive_at(shelf, now_ms + 29 * day_ms);
    assert_string_equal(ask(shelf, rest), before);
    assert_int_equal(shelf_append(shelf, "OTHERS", 0, "one", &answer), STORE_OK);
    archive_at(shelf, now_ms + 31 * day_ms); /* puts the other one away */
    assert_string_equal(ask(shelf, rest), "1,1,0,0,0,0");
    assert_string_equal(ask(shelf, sums), totals);
    assert_string_equal(shelf_load(shelf, "OTHERS", &answer), "1 one");
    archive_at(shelf, now_ms + 62 * day_ms);
    assert_string_equal(ask(shelf, rest), "0,0,0,0,0,0");
}

/* People go who were not seen, unless they are in a world. */
static void unseen_people_go(void **state) {
    struct shelf *shelf = *state;
    const int64_t day_ms = 86400000, now_ms = 20000 * day_ms;
    uint8_t tokens[3][STORE_TOKEN_SIZE] = {{1}, {2}, {3}};
    const char *ids[] = {"p-old", "p-new", "p-member"};
    for (int i = 0; i < 3; i++) {
        struct store_player player = {.id = span_of(ids[i]),
                                      .name = span_of("Pat"),
                                      .token_hash = tokens[i],
                                      .created_ms = now_ms,
                                      .seen_ms = now_ms};
        assert_true(store_player_add(shelf->store, &player, answer_take, &answer, NULL));
    }
    store_commit(shelf->store);
    assert_true(store_player_seen(shelf->store, span_of("p-new"), span_of(""), NULL,
                                  now_ms + 90 * day_ms, answer_take, &answer, NULL));
    store_commit(shelf->store);
    change(shelf, "INSERT INTO members (player, world) VALUES ('p-member', 1)");
    change(shelf, "INSERT INTO totals VALUES ('p-old', '4-kate', 1, 1, 1, 1)");
    shelf_close(shelf);
    shelf->config.keep_people_ms = 100 * day_ms;
    shelf_open(shelf);
    archive_at(shelf, now_ms + 99 * day_ms);
    assert_string_equal(ask(shelf, "SELECT count(*) FROM people"), "3");
    archive_at(shelf, now_ms + 101 * day_ms);
    assert_string_equal(
        ask(shelf, "SELECT group_concat(id) FROM (SELECT id FROM people ORDER BY id)"),
        "p-member,p-new");
    assert_string_equal(ask(shelf, "SELECT count(*) FROM totals WHERE player = 'p-old'"), "0");
}

/* ---- The documentation, and how statements find their rows ---- */

static void documented_queries_work(void **state) {
    static char text[1 << 17];
    int queries = 0;
    snprintf(text, sizeof text, "%s", read_source("docs/STORE.md"));
    for (char *at = strstr(text, "```sql\n"); at; at = strstr(at, "```sql\n")) {
        char *sql = at + strlen("```sql\n"), *end = strstr(sql, "```");
        assert_non_null(end);
        *end = '\0';
        ask(*state, sql);
        at = end + 1;
        queries++;
    }
    assert_in_range(queries, 3, 100);
}

static void finds(const struct shelf *shelf, enum statement which, const char *how, bool sorts) {
    char sql[2048];
    snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN %s", sqlite_statements[which]);
    const char *plan = ask(shelf, sql);
    if (!strstr(plan, how) || (!sorts && (strstr(plan, "SCAN") || strstr(plan, "TEMP B-TREE"))))
        fail_msg("%s: %s", sqlite_statements[which], plan);
}

/* No statement sorts a list or scans a table, however large it grows. Archiving alone may scan the
 * open worlds. */
static void statements_use_indexes(void **state) {
    finds(*state, FIND_WORLD, "SEARCH w USING COVERING INDEX", false);
    finds(*state, LOAD_WORLD, "SEARCH w USING INDEX", false);
    finds(*state, LOAD_ENTRY, "SEARCH entries USING INTEGER PRIMARY KEY", false);
    finds(*state, LIST_DUE, "SEARCH h USING INDEX heads_due (", false);
    finds(*state, LIST_PUBLIC, "INDEX worlds_listed (", false);
    finds(*state, LIST_PUBLIC_GAME, "INDEX worlds_listed_game (", false);
    finds(*state, LIST_OF_PLAYER, "SEARCH m USING PRIMARY KEY (player=? AND world<?)", false);
    finds(*state, CLEAR_MEMBERS, "INDEX members_world (world=?)", false);
    finds(*state, PLAYER_BY_TOKEN, "SEARCH t USING PRIMARY KEY", false);
    finds(*state, PLAYER_BY_ID, "SEARCH p USING INDEX", false);
    finds(*state, RECORD_FIGURES, "SEARCH total_figures USING PRIMARY KEY (player=?)", false);
    finds(*state, LIST_FINISHED,
          "SEARCH s USING INDEX match_seats_player (player=? AND ended_ms>?)", false);
    finds(*state, RECORDS, "SEARCH totals USING PRIMARY KEY (player=?)", false);
    finds(*state, LIST_OLD, "INDEX worlds_archived (archived_ms<?)", false);
    finds(*state, LIST_UNSEEN, "INDEX people_seen (seen_ms<?)", false);
    finds(*state, ARCHIVE_LOG, "SEARCH e USING INTEGER PRIMARY KEY", true);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, store_a_game, put_away)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(HT_9_games),
        TEST(HT_7_HT_8_teams),
        TEST(HT_4_HT_6_players),
        TEST(HT_5_hands),
        TEST(HT_1_books),
        TEST(HT_2_piles),
        TEST(HT_3_cards),
        TEST(every_card_is_somewhere),
        TEST(HT_56_rounds),
        TEST(state_that_is_no_json_hides_nothing_else),
        TEST(logs_are_the_same_open_and_archived),
        TEST(results_and_records),
        TEST(file_of_version_1_is_brought_up_to_date),
        TEST(file_of_version_2_gets_totals),
        TEST(file_of_version_4_gets_visits),
        TEST(file_of_version_6_gets_devices),
        TEST(totals_stay_and_count_once),
        TEST(old_worlds_go),
        TEST(unseen_people_go),
        TEST(documented_queries_work),
        TEST(statements_use_indexes),
    };
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
