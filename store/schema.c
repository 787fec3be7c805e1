/* The tables of the SQLite store, and views that make them readable; docs/STORE.md explains them.
 *
 * What every append touches is kept narrow: `entries` grows at its end, `heads` has one short row
 * per open world. What lists show stands in `worlds` and is written only when it changes. */
#include "store/sqlite.h"

static const char worlds[] = "CREATE TABLE worlds ("
                             "  id INTEGER PRIMARY KEY,"
                             "  code TEXT NOT NULL UNIQUE,"
                             "  game TEXT NOT NULL,"
                             "  owner TEXT NOT NULL,"
                             "  status INTEGER NOT NULL," /* enum store_status */
                             "  public INTEGER NOT NULL,"
                             "  summary TEXT NOT NULL,"
                             "  created_ms INTEGER NOT NULL,"
                             "  archived_ms INTEGER" /* null: open */
                             ") STRICT";

static const char worlds_listed[] = "CREATE INDEX worlds_listed ON worlds (id)"
                                    "  WHERE public = 1 AND status = 0 AND archived_ms IS NULL";
static const char worlds_listed_game[] =
    "CREATE INDEX worlds_listed_game ON worlds (game, id)"
    "  WHERE public = 1 AND status = 0 AND archived_ms IS NULL";

/* Open worlds: how far they are, their last entry, and when something is due (null: never). */
static const char heads[] = "CREATE TABLE heads ("
                            "  world INTEGER PRIMARY KEY,"
                            "  version INTEGER NOT NULL,"
                            "  last INTEGER NOT NULL,"
                            "  changed_ms INTEGER NOT NULL,"
                            "  due_ms INTEGER"
                            ") STRICT";
static const char heads_due[] = "CREATE INDEX heads_due ON heads (due_ms) WHERE due_ms IS NOT NULL";

/* The logs of open worlds, in the order in which they were written. Each entry knows the one
 * before it in its world (null: it is the first), and the head knows the last: an index on world
 * and version would find them as well, but every append would touch another page of it, which
 * costs more than all the rest (docs/decisions/0005-store.md). */
static const char entries[] = "CREATE TABLE entries ("
                              "  id INTEGER PRIMARY KEY,"
                              "  world INTEGER NOT NULL,"
                              "  version INTEGER NOT NULL,"
                              "  previous INTEGER,"
                              "  text TEXT NOT NULL"
                              ") STRICT";

/* The logs of the others, one line per entry. */
static const char archives[] = "CREATE TABLE archives ("
                               "  world INTEGER PRIMARY KEY,"
                               "  version INTEGER NOT NULL,"
                               "  changed_ms INTEGER NOT NULL,"
                               "  log TEXT NOT NULL"
                               ") STRICT";

static const char members[] = "CREATE TABLE members ("
                              "  player TEXT NOT NULL,"
                              "  world INTEGER NOT NULL,"
                              "  PRIMARY KEY (player, world)"
                              ") STRICT, WITHOUT ROWID";
static const char members_world[] = "CREATE INDEX members_world ON members (world)";

static const char people[] = "CREATE TABLE people ("
                             "  id TEXT NOT NULL UNIQUE,"
                             "  name TEXT NOT NULL,"
                             "  token_hash BLOB NOT NULL UNIQUE,"
                             "  created_ms INTEGER NOT NULL,"
                             "  seen_ms INTEGER NOT NULL"
                             ") STRICT";

/* Games that were played, as they stood at the end of their last round. */
static const char matches[] = "CREATE TABLE matches ("
                              "  id INTEGER PRIMARY KEY,"
                              "  world INTEGER NOT NULL,"
                              "  number INTEGER NOT NULL,"
                              "  game TEXT NOT NULL,"
                              "  version INTEGER NOT NULL," /* of the entry that ended the round */
                              "  started_ms INTEGER NOT NULL,"
                              "  ended_ms INTEGER," /* null: goes on, or was given up */
                              "  settings TEXT NOT NULL,"
                              "  state TEXT NOT NULL,"
                              "  UNIQUE (world, number)"
                              ") STRICT";
static const char match_seats[] = "CREATE TABLE match_seats ("
                                  "  match INTEGER NOT NULL,"
                                  "  seat INTEGER NOT NULL,"
                                  "  name TEXT NOT NULL,"
                                  "  player TEXT," /* null: a bot */
                                  "  level TEXT NOT NULL,"
                                  "  side INTEGER NOT NULL,"
                                  "  score INTEGER NOT NULL,"
                                  "  won INTEGER NOT NULL,"
                                  "  PRIMARY KEY (match, seat)"
                                  ") STRICT, WITHOUT ROWID";
static const char match_seats_player[] =
    "CREATE INDEX match_seats_player ON match_seats (player) WHERE player IS NOT NULL";
static const char match_stats[] = "CREATE TABLE match_stats ("
                                  "  match INTEGER NOT NULL,"
                                  "  name TEXT NOT NULL,"
                                  "  value INTEGER NOT NULL,"
                                  "  PRIMARY KEY (match, name)"
                                  ") STRICT, WITHOUT ROWID";

/* How often a batch could not be written. Writing this row is also how the file's log gets a known
 * end again after a failure has left an unknown one. */
static const char failures[] = "CREATE TABLE failures (count INTEGER NOT NULL) STRICT";
static const char failures_none[] = "INSERT INTO failures VALUES (0)";

/* ---- Views: what people ask for ---- */

/* An archived log becomes a JSON array: its line ends are escaped by json_quote and then made into
 * commas, once backslashes are written in the one way that cannot be taken for a line end. */
static const char logs[] =
    "CREATE VIEW logs AS"
    "  SELECT w.code, e.version, e.text FROM worlds w JOIN entries e ON e.world = w.id"
    "  UNION ALL"
    "  SELECT w.code, l.key + 1, l.value FROM worlds w JOIN archives a ON a.world = w.id,"
    "    json_each('[' || replace(replace(json_quote(a.log), '\\\\', '\\u005c'), '\\n', '\",\"')"
    "      || ']') l";

static const char open_worlds[] =
    "CREATE VIEW open_worlds AS"
    "  SELECT w.code, w.game, w.owner, w.public, h.version, w.summary, w.created_ms,"
    "    h.changed_ms, h.due_ms,"
    "    CASE w.status WHEN 0 THEN 'waiting' WHEN 1 THEN 'playing' WHEN 2 THEN 'game_over'"
    "      ELSE 'closed' END AS status"
    "  FROM heads h JOIN worlds w ON w.id = h.world";

static const char results[] =
    "CREATE VIEW results AS"
    "  SELECT m.id AS match, w.code, m.game, m.started_ms, m.ended_ms, s.seat, s.name, s.player,"
    "    s.level, s.side, s.score, s.won"
    "  FROM matches m JOIN worlds w ON w.id = m.world JOIN match_seats s ON s.match = m.id"
    "  WHERE m.ended_ms IS NOT NULL";

static const char records[] =
    "CREATE VIEW records AS"
    "  SELECT s.player, p.name, m.game, count(*) AS played, sum(s.won) AS won,"
    "    sum(s.score) AS points, max(s.score) AS best"
    "  FROM match_seats s JOIN matches m ON m.id = s.match LEFT JOIN people p ON p.id = s.player"
    "  WHERE s.player IS NOT NULL AND m.ended_ms IS NOT NULL"
    "  GROUP BY s.player, m.game";

/* ---- Views: Hand & Foot as "Hand and Foot Tests" models it (HT-1 to HT-9) ----
 *
 * They read the state of a match. Ids are numbers that hold across games: a team's is 16 times the
 * game's plus its side, a player's the same with the seat, a hand's twice the player's plus one
 * for the foot, a pile's twice the game's plus one for the discards, a book's 256 times the team's
 * plus its number. */

static const char hand_foot[] =
    "CREATE VIEW hand_foot AS SELECT id, settings, state FROM matches"
    "  WHERE game = 'hand-and-foot' AND json_valid(state) AND json_valid(settings)";

/* HT-9. A tie has no winner. */
static const char games[] =
    "CREATE VIEW games AS"
    "  SELECT id,"
    "    (SELECT CASE count(DISTINCT s.side) WHEN 1 THEN g.id * 16 + s.side END"
    "      FROM match_seats s WHERE s.match = g.id AND s.won = 1) AS winner,"
    "    json_extract(state, '$.round') AS current_round,"
    "    coalesce(nullif(json_extract(settings, '$.decks'), 0),"
    "      json_array_length(state, '$.players') + 1) AS number_of_decks"
    "  FROM hand_foot g";

/* HT-7. A team is called after its players. */
static const char teams[] =
    "CREATE VIEW teams AS"
    "  SELECT g.id * 16 + json_extract(t.value, '$.id') AS id,"
    "    (SELECT group_concat(s.name, ' & ') FROM match_seats s"
    "      WHERE s.match = g.id AND s.side = json_extract(t.value, '$.id')) AS team_name,"
    "    json_extract(t.value, '$.points') AS points"
    "  FROM hand_foot g, json_each(g.state, '$.teams') t";

/* HT-4; `person` is the id of the session, null for a bot. */
static const char players[] =
    "CREATE VIEW players AS"
    "  SELECT s.match * 16 + s.seat AS id, s.match * 16 + s.side AS team, s.name,"
    "    s.player AS person"
    "  FROM hand_foot g JOIN match_seats s ON s.match = g.id";

/* HT-5. */
static const char hands[] =
    "CREATE VIEW hands AS"
    "  SELECT (g.id * 16 + json_extract(p.value, '$.seatIndex')) * 2 + f.foot AS id, f.foot,"
    "    json_extract(p.value, CASE f.foot WHEN 1 THEN '$.foot' ELSE '$.hand' END) AS cards,"
    "    g.id * 16 + json_extract(p.value, '$.seatIndex') AS player"
    "  FROM hand_foot g, json_each(g.state, '$.players') p,"
    "    (SELECT 0 AS foot UNION ALL SELECT 1) f";

/* HT-1. Ranks as in the routes: 1 is the ace, 11 to 13 are jack, queen and king. */
static const char books[] =
    "CREATE VIEW books AS"
    "  SELECT (g.id * 16 + json_extract(t.value, '$.id')) * 256 + json_extract(b.value, '$.id')"
    "      AS id,"
    "    json_extract(b.value, '$.closed') AS closed,"
    "    json_extract(b.value, '$.unnatural') AS unnatural,"
    "    CASE json_extract(b.value, '$.rank') WHEN 'A' THEN 1 WHEN 'J' THEN 11 WHEN 'Q' THEN 12"
    "      WHEN 'K' THEN 13 ELSE CAST(json_extract(b.value, '$.rank') AS INTEGER) END AS rank,"
    "    json_extract(b.value, '$.cards') AS cards,"
    "    g.id * 16 + json_extract(t.value, '$.id') AS team"
    "  FROM hand_foot g, json_each(g.state, '$.teams') t, json_each(t.value, '$.melds') b";

/* HT-2. */
static const char piles[] =
    "CREATE VIEW piles AS"
    "  SELECT id * 2 AS id, 1 AS draw, 0 AS discard, json_extract(state, '$.deck.cards') AS cards"
    "  FROM hand_foot"
    "  UNION ALL"
    "  SELECT id * 2 + 1, 0, 1, json_extract(state, '$.discardPile.cards') FROM hand_foot";

/* HT-3, for the closers' rule book alone: the points are those of HT-62 to HT-66, whatever a match
 * counts. The cards in the lists above are called by these ids; a copy has a dot and its number. */
static const char cards[] =
    "CREATE VIEW cards AS"
    "  WITH suits(letter, suit, colour) AS (VALUES ('S', 'spades', 'black'),"
    "    ('H', 'hearts', 'red'), ('D', 'diamonds', 'red'), ('C', 'clubs', 'black')),"
    "  ranks(rank, point_value) AS (VALUES ('A', 20), ('2', 20), ('3', 5), ('4', 5), ('5', 5),"
    "    ('6', 5), ('7', 5), ('8', 5), ('9', 10), ('10', 10), ('J', 10), ('Q', 10), ('K', 10))"
    "  SELECT rank || letter AS id, suit, rank, colour,"
    "    CASE WHEN rank = '3' AND colour = 'red' THEN -50 ELSE point_value END AS point_value"
    "  FROM suits, ranks"
    "  UNION ALL SELECT 'JK', NULL, 'JK', NULL, 50";

/* The links of HT-5, HT-6 and HT-8. */
static const char hands_and_players[] =
    "CREATE VIEW hands_and_players AS SELECT id AS hand_id, player AS player_id FROM hands";
static const char players_and_teams[] =
    "CREATE VIEW players_and_teams AS SELECT id AS player_id, team AS team_id FROM players";
static const char games_and_teams[] =
    "CREATE VIEW games_and_teams AS SELECT id / 16 AS game_id, id AS team_id FROM teams";

/* HT-56: what was recorded after each round. */
static const char rounds[] =
    "CREATE VIEW rounds AS"
    "  SELECT g.id AS game, g.id * 16 + json_extract(t.value, '$.id') AS team,"
    "    json_extract(r.value, '$.round') AS round, json_extract(r.value, '$.score') AS points,"
    "    json_extract(r.value, '$.wentOut') AS went_out"
    "  FROM hand_foot g, json_each(g.state, '$.teams') t, json_each(t.value, '$.roundHistory') r";

static const char *const version_1[] = {worlds,
                                        worlds_listed,
                                        worlds_listed_game,
                                        heads,
                                        heads_due,
                                        entries,
                                        archives,
                                        members,
                                        members_world,
                                        people,
                                        matches,
                                        match_seats,
                                        match_seats_player,
                                        match_stats,
                                        failures,
                                        failures_none,
                                        logs,
                                        open_worlds,
                                        results,
                                        records,
                                        hand_foot,
                                        games,
                                        teams,
                                        players,
                                        hands,
                                        books,
                                        piles,
                                        cards,
                                        hands_and_players,
                                        players_and_teams,
                                        games_and_teams,
                                        rounds,
                                        NULL};

/* ---- Version 2: figures by seat ----
 *
 * A JSON object of numbers by name. Of games that had ended before, only the whole table's figures
 * are known, which say nothing about a person. */

static const char seat_figures[] =
    "ALTER TABLE match_seats ADD COLUMN figures TEXT NOT NULL DEFAULT '{}'";
static const char figures[] =
    "CREATE VIEW figures AS"
    "  SELECT m.id AS match, m.game, m.ended_ms, s.seat, s.name, s.player, f.key AS figure, f.value"
    "  FROM matches m JOIN match_seats s ON s.match = m.id, json_each(s.figures) f"
    "  WHERE m.ended_ms IS NOT NULL";

static const char *const version_2[] = {seat_figures, figures, NULL};

/* ---- Version 3: running totals ----
 *
 * What statistics show is kept up to date by triggers when seats of finished games are written, so
 * that reading it takes as long for ten thousand games as for one. Totals stay when the worlds go
 * that they came from: then the row of `matches` goes first, and nothing is taken off. Only a game
 * that is written once more is taken off before it counts again. */

static const char seat_ended[] = "ALTER TABLE match_seats ADD COLUMN ended_ms INTEGER";
static const char seat_ended_fill[] =
    "UPDATE match_seats SET ended_ms = (SELECT ended_ms FROM matches WHERE id = match)";
static const char seat_player_drop[] = "DROP INDEX match_seats_player";
static const char seat_player_ended[] =
    "CREATE INDEX match_seats_player ON match_seats (player, ended_ms) WHERE player IS NOT NULL";

static const char totals[] = "CREATE TABLE totals ("
                             "  player TEXT NOT NULL,"
                             "  game TEXT NOT NULL,"
                             "  played INTEGER NOT NULL,"
                             "  won INTEGER NOT NULL,"
                             "  points INTEGER NOT NULL,"
                             "  best INTEGER NOT NULL,"
                             "  PRIMARY KEY (player, game)"
                             ") STRICT, WITHOUT ROWID";
static const char total_figures[] = "CREATE TABLE total_figures ("
                                    "  player TEXT NOT NULL,"
                                    "  game TEXT NOT NULL,"
                                    "  figure TEXT NOT NULL,"
                                    "  value INTEGER NOT NULL,"
                                    "  PRIMARY KEY (player, game, figure)"
                                    ") STRICT, WITHOUT ROWID";
static const char totals_fill[] =
    "INSERT INTO totals SELECT player, game, played, won, points, best"
    "  FROM records";
static const char total_figures_fill[] =
    "INSERT INTO total_figures SELECT player, game, figure, sum(value) FROM figures"
    "  WHERE player IS NOT NULL GROUP BY player, game, figure";

static const char seat_counts[] =
    "CREATE TRIGGER seat_counts AFTER INSERT ON match_seats"
    "  WHEN NEW.player IS NOT NULL AND NEW.ended_ms IS NOT NULL BEGIN"
    "  INSERT INTO totals"
    "    SELECT NEW.player, game, 1, NEW.won, NEW.score, NEW.score FROM matches WHERE id = "
    "NEW.match"
    "    ON CONFLICT DO UPDATE SET played = played + 1, won = won + excluded.won,"
    "      points = points + excluded.points, best = max(best, excluded.best);"
    "  INSERT INTO total_figures"
    "    SELECT NEW.player, m.game, f.key, f.value FROM matches m, json_each(NEW.figures) f"
    "      WHERE m.id = NEW.match"
    "    ON CONFLICT DO UPDATE SET value = value + excluded.value; END";
static const char seat_counts_no_longer[] =
    "CREATE TRIGGER seat_counts_no_longer AFTER DELETE ON match_seats"
    "  WHEN OLD.player IS NOT NULL AND OLD.ended_ms IS NOT NULL"
    "    AND EXISTS (SELECT 1 FROM matches WHERE id = OLD.match) BEGIN"
    "  UPDATE totals SET played = played - 1, won = won - OLD.won, points = points - OLD.score,"
    "      best = coalesce((SELECT max(s.score) FROM match_seats s JOIN matches m ON m.id = s.match"
    "        WHERE s.player = OLD.player AND s.ended_ms IS NOT NULL AND m.game = totals.game), 0)"
    "    WHERE player = OLD.player AND game = (SELECT game FROM matches WHERE id = OLD.match);"
    "  UPDATE total_figures SET value = value -"
    "      coalesce((SELECT f.value FROM json_each(OLD.figures) f WHERE f.key = figure), 0)"
    "    WHERE player = OLD.player AND game = (SELECT game FROM matches WHERE id = OLD.match);"
    "  DELETE FROM total_figures WHERE player = OLD.player AND (player, game) IN"
    "    (SELECT player, game FROM totals WHERE player = OLD.player AND played = 0);"
    "  DELETE FROM totals WHERE player = OLD.player AND played = 0; END";

static const char records_drop[] = "DROP VIEW records";
static const char records_of_totals[] =
    "CREATE VIEW records AS SELECT t.player, p.name, t.game, t.played, t.won, t.points, t.best"
    "  FROM totals t LEFT JOIN people p ON p.id = t.player";

static const char *const version_3[] = {
    seat_ended,  seat_ended_fill,       seat_player_drop, seat_player_ended,
    totals,      total_figures,         totals_fill,      total_figures_fill,
    seat_counts, seat_counts_no_longer, records_drop,     records_of_totals,
    NULL};

/* ---- Version 4: what is old is found without a scan ---- */

static const char worlds_archived[] = "CREATE INDEX worlds_archived ON worlds (archived_ms)"
                                      "  WHERE archived_ms IS NOT NULL";
static const char people_seen[] = "CREATE INDEX people_seen ON people (seen_ms)";

static const char *const version_4[] = {worlds_archived, people_seen, NULL};

/* ---- Version 5: who ever was in a world, so that people can be taken out of logs ----
 *
 * Of older worlds their logs tell: whoever did something there stands behind the time. */

static const char visits[] = "CREATE TABLE visits ("
                             "  player TEXT NOT NULL,"
                             "  world INTEGER NOT NULL,"
                             "  PRIMARY KEY (player, world)"
                             ") STRICT, WITHOUT ROWID";
static const char visits_world[] = "CREATE INDEX visits_world ON visits (world)";
static const char visits_of_members[] = "INSERT INTO visits SELECT player, world FROM members";
static const char visits_of_logs[] =
    "INSERT OR IGNORE INTO visits"
    "  SELECT substr(l.who, 1, instr(l.who, ' ') - 1), w.id FROM worlds w JOIN"
    "    (SELECT code, substr(text, instr(text, ' @') + 2) AS who FROM logs"
    "      WHERE instr(text, ' @') = instr(text, ' ')) l ON l.code = w.code";

static const char *const version_5[] = {visits, visits_world, visits_of_members, visits_of_logs,
                                        NULL};

/* ---- Version 6: short texts of people and of the server, as push subscriptions are ---- */

static const char notes[] = "CREATE TABLE notes ("
                            "  owner TEXT NOT NULL," /* of people; empty: the server */
                            "  name TEXT NOT NULL,"
                            "  text TEXT NOT NULL,"
                            "  PRIMARY KEY (owner, name)"
                            ") STRICT, WITHOUT ROWID";

static const char *const version_6[] = {notes, NULL};

/* ---- Version 7: a person's devices ----
 *
 * The one token that a person had before is that of a device of which nobody knows what it is. The
 * table of people is made anew, since SQLite cannot drop a column that is unique. */

static const char devices[] = "CREATE TABLE devices ("
                              "  token_hash BLOB NOT NULL PRIMARY KEY,"
                              "  player TEXT NOT NULL,"
                              "  name TEXT NOT NULL,"
                              "  created_ms INTEGER NOT NULL,"
                              "  seen_ms INTEGER NOT NULL,"
                              "  until_ms INTEGER NOT NULL" /* of a link; 0: a device */
                              ") STRICT, WITHOUT ROWID";
static const char devices_player[] = "CREATE INDEX devices_player ON devices (player)";
static const char devices_fill[] =
    "INSERT INTO devices SELECT token_hash, id, '', created_ms, seen_ms, 0 FROM people";
static const char people_before[] =
    "CREATE TABLE people_before AS SELECT rowid AS number, id, name, created_ms, seen_ms"
    "  FROM people";
static const char people_drop[] = "DROP TABLE people";
static const char people_of_devices[] = "CREATE TABLE people ("
                                        "  id TEXT NOT NULL UNIQUE,"
                                        "  name TEXT NOT NULL,"
                                        "  created_ms INTEGER NOT NULL,"
                                        "  seen_ms INTEGER NOT NULL"
                                        ") STRICT";
static const char people_fill[] = "INSERT INTO people (rowid, id, name, created_ms, seen_ms)"
                                  "  SELECT number, id, name, created_ms, seen_ms"
                                  "  FROM people_before";
static const char people_before_drop[] = "DROP TABLE people_before";

static const char *const version_7[] = {
    devices,           devices_player, devices_fill,       people_before, people_drop,
    people_of_devices, people_fill,    people_before_drop, people_seen,   NULL};

/* ---- Version 8: logs that nobody needs any more are deleted a part at a time ----
 *
 * A world whose log is rewritten or archived is done with its old entries at once; they stay until
 * somebody has the time. Such a log is known by its last entry. So entries of a world are those
 * that its head leads to, and there may be others. */

static const char leftovers[] = "CREATE TABLE leftovers (last INTEGER PRIMARY KEY) STRICT";
static const char logs_drop[] = "DROP VIEW logs";
static const char logs_of_heads[] =
    "CREATE VIEW logs AS"
    "  WITH RECURSIVE chain (world, id) AS (SELECT world, last FROM heads UNION ALL"
    "    SELECT c.world, e.previous FROM chain c JOIN entries e ON e.id = c.id"
    "      WHERE e.previous IS NOT NULL)"
    "  SELECT w.code, e.version, e.text FROM worlds w JOIN chain c ON c.world = w.id"
    "    JOIN entries e ON e.id = c.id"
    "  UNION ALL"
    "  SELECT w.code, l.key + 1, l.value FROM worlds w JOIN archives a ON a.world = w.id,"
    "    json_each('[' || replace(replace(json_quote(a.log), '\\\\', '\\u005c'), '\\n', '\",\"')"
    "      || ']') l";

static const char *const version_8[] = {leftovers, logs_drop, logs_of_heads, NULL};

const char *const *const sqlite_migrations[] = {version_1, version_2, version_3, version_4,
                                                version_5, version_6, version_7, version_8};
const int sqlite_schema_version = sizeof sqlite_migrations / sizeof *sqlite_migrations;

/* ---- Statements ---- */

#define WORLD_COLUMNS                                                                              \
    "SELECT w.id, w.code, w.game, w.owner, w.summary, w.status, w.public,"                         \
    "  w.archived_ms, w.created_ms, h.version, h.changed_ms, h.due_ms "
/* The same of worlds that may be archived. */
#define ANY_WORLD_COLUMNS                                                                          \
    "SELECT w.id, w.code, w.game, w.owner, w.summary, w.status, w.public,"                         \
    "  w.archived_ms, w.created_ms, coalesce(h.version, a.version),"                               \
    "  coalesce(h.changed_ms, a.changed_ms), h.due_ms "
#define WITH_LOGS                                                                                  \
    "  LEFT JOIN heads h ON h.world = w.id"                                                        \
    "  LEFT JOIN archives a ON a.world = w.id AND h.world IS NULL"
/* Of a person's games that there are. */
#define GAMES_OF_PERSON                                                                            \
    "FROM match_seats s JOIN matches m ON m.id = s.match"                                          \
    "  WHERE s.player = ?1 AND s.ended_ms IS NOT NULL GROUP BY m.game"
#define FIGURES_OF_PERSON                                                                          \
    "FROM match_seats s JOIN matches m ON m.id = s.match, json_each(s.figures) f"                  \
    "  WHERE s.player = ?1 AND s.ended_ms IS NOT NULL GROUP BY m.game, f.key"
/* A person, with the lines of devices that store_device_next reads. */
#define PLAYER_COLUMNS                                                                             \
    "SELECT p.id, p.name, (SELECT group_concat(lower(hex(d.token_hash)) || ' ' || d.created_ms"    \
    "  || ' ' || d.seen_ms || ' ' || d.until_ms || ' ' || d.name || char(10), '')"                 \
    "  FROM devices d WHERE d.player = p.id), p.created_ms, p.seen_ms"
/* The entries of world ?1, by id. */
#define CHAIN                                                                                      \
    "WITH RECURSIVE chain (id, version, previous) AS ("                                            \
    "  SELECT e.id, e.version, e.previous FROM heads h JOIN entries e ON e.id = h.last"            \
    "    WHERE h.world = ?1"                                                                       \
    "  UNION ALL"                                                                                  \
    "  SELECT e.id, e.version, e.previous FROM chain c JOIN entries e ON e.id = c.previous) "
#define LISTED "w.public = 1 AND w.status = 0 AND w.archived_ms IS NULL"

const char *const sqlite_statements[STATEMENTS] = {
    [BEGIN_READ] = "BEGIN",
    [BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [MARK_FAILURE] = "UPDATE failures SET count = count + 1",
    [UNMARK_FAILURE] = "UPDATE failures SET count = count - 1",

    [FIND_WORLD] = "SELECT w.id, h.version, a.version, h.last FROM worlds w"
                   "  LEFT JOIN heads h ON h.world = w.id"
                   "  LEFT JOIN archives a ON a.world = w.id AND h.world IS NULL"
                   "  WHERE w.code = ?1",
    [ADD_WORLD] = "INSERT INTO worlds (code, game, owner, status, public, summary, created_ms)"
                  "  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [ADD_HEAD] = "INSERT INTO heads (world, version, changed_ms, due_ms, last)"
                 "  VALUES (?1, ?2, ?3, ?4, ?5)",
    [SET_HEAD] = "UPDATE heads SET version = ?2, changed_ms = ?3, due_ms = ?4, last = ?5"
                 "  WHERE world = ?1",
    [ADD_ENTRY] = "INSERT INTO entries (world, version, text, previous)"
                  "  VALUES (?1, ?2, ?3, nullif(?4, 0))",
    [SET_WORLD] = "UPDATE worlds SET game = ?2, owner = ?3, status = ?4, public = ?5, summary = ?6"
                  "  WHERE id = ?1",
    [CLEAR_MEMBERS] = "DELETE FROM members WHERE world = ?1",
    [ADD_MEMBER] = "INSERT OR IGNORE INTO members (player, world) VALUES (?2, ?1)",

    [ADD_VISIT] = "INSERT OR IGNORE INTO visits (player, world) VALUES (?2, ?1)",
    [CLEAR_VISITS] = "DELETE FROM visits WHERE world = ?1",

    [SET_LAST] = "UPDATE heads SET last = ?2 WHERE world = ?1",
    [SET_ARCHIVE] = "UPDATE archives SET log = ?2 WHERE world = ?1",
    [SET_SUMMARY] = "UPDATE worlds SET owner = ?2, summary = ?3 WHERE id = ?1",
    [ERASE_MEMBER] = "DELETE FROM members WHERE player = ?2 AND world = ?1",
    [ERASE_VISIT] = "DELETE FROM visits WHERE player = ?2 AND world = ?1",
    [ERASE_SEATS] = "UPDATE match_seats SET name = ?3, player = NULL WHERE player = ?2"
                    "  AND match IN (SELECT id FROM matches WHERE world = ?1)",
    [COUNT_VISITS] = "SELECT count(*) FROM visits v JOIN worlds w ON w.id = v.world"
                     "  WHERE v.player = ?1",
    [FORGET_VISITS] = "DELETE FROM visits WHERE player = ?1",

    [PUT_MATCH] = "INSERT INTO matches"
                  "    (world, number, game, version, started_ms, ended_ms, settings, state)"
                  "  SELECT id, ?2, game, ?3, ?4, ?5, ?6, ?7 FROM worlds WHERE id = ?1"
                  "  ON CONFLICT (world, number) DO UPDATE SET version = excluded.version,"
                  "    started_ms = excluded.started_ms, ended_ms = excluded.ended_ms,"
                  "    settings = excluded.settings, state = excluded.state"
                  "  RETURNING id",
    [CLEAR_SEATS] = "DELETE FROM match_seats WHERE match = ?1",
    [ADD_SEAT] = "INSERT INTO match_seats (match, seat, name, player, level, side, score, won,"
                 "    figures, ended_ms)"
                 "  VALUES (?1, ?2, ?3, nullif(?4, ''), ?5, ?6, ?7, ?8, ?9, ?10)",
    [READ_SEAT] = "SELECT s.match, s.name, s.player, s.level, s.side, s.score, s.won, s.figures"
                  "  FROM worlds w JOIN matches m ON m.world = w.id JOIN match_seats s"
                  "    ON s.match = m.id"
                  "  WHERE w.code = ?1 AND m.number = ?2 AND s.seat = ?3"
                  "    AND s.player IS NOT NULL AND s.ended_ms IS NOT NULL",
    [DROP_SEAT] = "DELETE FROM match_seats WHERE match = ?1 AND seat = ?2",
    [CLEAR_STATS] = "DELETE FROM match_stats WHERE match = ?1",
    [ADD_STAT] = "INSERT OR REPLACE INTO match_stats (match, name, value) VALUES (?1, ?2, ?3)",

    [LIST_AGED] = WORLD_COLUMNS "FROM heads h JOIN worlds w ON w.id = h.world"
                                "  WHERE h.changed_ms < iif(w.status >= 2, ?1, ?2)"
                                "  ORDER BY w.id LIMIT ?3",
    [ARCHIVE_LOG] = CHAIN "INSERT INTO archives (world, version, changed_ms, log)"
                          "  SELECT world, version, changed_ms,"
                          "    (SELECT group_concat(text, char(10)) FROM"
                          "      (SELECT e.text FROM chain c JOIN entries e ON e.id = c.id"
                          "        ORDER BY c.version))"
                          "  FROM heads WHERE world = ?1",
    [LEAVE_ENTRIES] = "INSERT INTO leftovers SELECT last FROM heads WHERE world = ?1",
    [ARCHIVE_HEAD] = "DELETE FROM heads WHERE world = ?1",
    [ARCHIVE_WORLD] = "UPDATE worlds SET archived_ms = ?2 WHERE id = ?1",
    [FIND_LEFTOVER] = "SELECT last FROM leftovers WHERE last <> ?1 LIMIT 1",
    [ADD_LEFTOVER] = "INSERT INTO leftovers (last) VALUES (?1)",
    [SET_LEFTOVER] = "UPDATE leftovers SET last = ?2 WHERE last = ?1",
    [DROP_LEFTOVER] = "DELETE FROM leftovers WHERE last = ?1",
    [DROP_ENTRY] = "DELETE FROM entries WHERE id = ?1",
    [LIST_OLD] = "SELECT w.id, a.version FROM worlds w LEFT JOIN archives a ON a.world = w.id"
                 "  WHERE w.archived_ms < ?1 ORDER BY w.archived_ms LIMIT ?2",
    /* Totals are for ever: seats that have not ended are not taken off them. */
    [FORGET_RESULTS] = "UPDATE match_seats SET ended_ms = NULL"
                       "  WHERE match IN (SELECT id FROM matches WHERE world = ?1)",
    [FORGET_SEATS] = "DELETE FROM match_seats"
                     "  WHERE match IN (SELECT id FROM matches WHERE world = ?1)",
    [FORGET_STATS] = "DELETE FROM match_stats"
                     "  WHERE match IN (SELECT id FROM matches WHERE world = ?1)",
    [FORGET_MATCHES] = "DELETE FROM matches WHERE world = ?1",
    [FORGET_WORLD] = "DELETE FROM worlds WHERE id = ?1",
    [LIST_UNSEEN] = "SELECT id FROM people p WHERE seen_ms < ?1"
                    "  AND NOT EXISTS (SELECT 1 FROM members WHERE player = p.id)"
                    "  ORDER BY seen_ms LIMIT ?2",
    [FORGET_TOTALS] = "DELETE FROM totals WHERE player = ?1",
    [FORGET_FIGURES] = "DELETE FROM total_figures WHERE player = ?1",
    [FORGET_OWN_RESULTS] = "UPDATE match_seats SET ended_ms = NULL WHERE player = ?1",
    [FORGET_PLAYER] = "DELETE FROM people WHERE id = ?1",
    [FORGET_NOTES] = "DELETE FROM notes WHERE owner = ?1",
    /* ?4: how many an owner may have. */
    [PUT_NOTE] = "INSERT INTO notes (owner, name, text) SELECT ?1, ?2, ?3"
                 "  WHERE (?1 = '' OR EXISTS (SELECT 1 FROM people WHERE id = ?1)) AND"
                 "    (SELECT count(*) FROM notes WHERE owner = ?1 AND name <> ?2) < ?4"
                 "  ON CONFLICT DO UPDATE SET text = excluded.text",
    [PUT_FRESH_NOTE] = "INSERT OR IGNORE INTO notes (owner, name, text) SELECT ?1, ?2, ?3"
                       "  WHERE (?1 = '' OR EXISTS (SELECT 1 FROM people WHERE id = ?1)) AND"
                       "    (SELECT count(*) FROM notes WHERE owner = ?1) < ?4",
    [DROP_NOTE] = "DELETE FROM notes WHERE owner = ?1 AND name = ?2",
    [LIST_NOTES] = "SELECT name, text FROM notes WHERE owner = ?1 ORDER BY name LIMIT ?2",
    [READ_ARCHIVE] = "SELECT log FROM archives WHERE world = ?1",
    [REOPEN_ARCHIVE] = "DELETE FROM archives WHERE world = ?1",
    [REOPEN_WORLD] = "UPDATE worlds SET archived_ms = NULL WHERE id = ?1",

    [LOAD_WORLD] = ANY_WORLD_COLUMNS "FROM worlds w" WITH_LOGS "  WHERE w.code = ?1",
    [LOAD_LAST] = "SELECT last FROM heads WHERE world = ?1",
    [LOAD_ENTRY] = "SELECT world, version, previous, text FROM entries WHERE id = ?1",
    [LIST_DUE] = WORLD_COLUMNS "FROM heads h JOIN worlds w ON w.id = h.world"
                               "  WHERE h.due_ms <= ?1 AND (h.due_ms, h.world) > (?3, ?4)"
                               "  ORDER BY h.due_ms, h.world LIMIT ?2",
    [LIST_PUBLIC] = WORLD_COLUMNS "FROM worlds w JOIN heads h ON h.world = w.id"
                                  "  WHERE " LISTED " AND w.id < ?1 ORDER BY w.id DESC LIMIT ?2",
    [LIST_PUBLIC_GAME] = WORLD_COLUMNS "FROM worlds w JOIN heads h ON h.world = w.id"
                                       "  WHERE " LISTED
                                       " AND w.game = ?3 AND w.id < ?1 ORDER BY w.id DESC LIMIT ?2",
    [LIST_OF_PLAYER] = WORLD_COLUMNS "FROM members m JOIN worlds w ON w.id = m.world"
                                     "  JOIN heads h ON h.world = w.id"
                                     "  WHERE m.player = ?3 AND m.world < ?1"
                                     "  ORDER BY m.world DESC LIMIT ?2",

    [LIST_VISITED] =
        ANY_WORLD_COLUMNS "FROM visits v JOIN worlds w ON w.id = v.world" WITH_LOGS
                          "  WHERE v.player = ?3 AND v.world < ?1 ORDER BY v.world DESC LIMIT ?2",

    [ADD_PLAYER] = "INSERT OR IGNORE INTO people (id, name, created_ms, seen_ms)"
                   "  VALUES (?1, ?2, ?3, ?4)",
    [HAS_DEVICE] = "SELECT player FROM devices WHERE token_hash = ?1",
    [ADD_DEVICE] = "INSERT OR REPLACE INTO devices VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [SEE_DEVICE] = "UPDATE devices SET seen_ms = ?2 WHERE token_hash = ?1",
    [DROP_DEVICE] = "DELETE FROM devices"
                    "  WHERE player = ?1 AND (token_hash = ?2 OR until_ms <> 0)",
    [DROP_OTHERS] = "DELETE FROM devices WHERE player = ?1 AND token_hash <> ?2",
    [DROP_LINKS] = "DELETE FROM devices WHERE player = ?1 AND until_ms <> 0",
    [DROP_DEVICES] = "DELETE FROM devices WHERE player = ?1",
    [SET_PLAYER] = "UPDATE people SET name = iif(?2 = '', name, ?2), seen_ms = ?3 WHERE id = ?1",
    [PLAYER_BY_TOKEN] = PLAYER_COLUMNS " FROM devices t JOIN people p ON p.id = t.player"
                                       "  WHERE t.token_hash = ?1",
    [PLAYER_BY_ID] = PLAYER_COLUMNS " FROM people p WHERE p.id = ?1",
    [RECORDS] = "SELECT game, played, won, points, best FROM totals WHERE player = ?1"
                "  ORDER BY game",
    [RECORD_FIGURES] = "SELECT game, figure, value FROM total_figures WHERE player = ?1"
                       "  ORDER BY game, figure",
    [LIST_FINISHED] = "SELECT m.game, s.ended_ms, s.score, s.won, s.figures,"
                      "  (SELECT json_group_array(json_object('playerId', o.player, 'name', o.name,"
                      "      'partner', json(iif(o.side = s.side, 'true', 'false')),"
                      "      'bot', iif(o.player IS NULL, nullif(o.level, ''), NULL)))"
                      "    FROM match_seats o WHERE o.match = s.match AND o.seat <> s.seat)"
                      "  FROM match_seats s"
                      "  JOIN matches m ON m.id = s.match"
                      "  WHERE s.player = ?1 AND s.ended_ms IS NOT NULL"
                      "  ORDER BY s.ended_ms DESC, s.match DESC LIMIT ?2",

    [WALK_WORLDS] =
        "SELECT w.id, w.code, w.game, w.owner, w.summary, w.status, w.public,"
        "  w.archived_ms, w.created_ms, coalesce(h.version, a.version),"
        "  coalesce(h.changed_ms, a.changed_ms), h.due_ms,"
        "  (SELECT count(*) FROM matches m WHERE m.world = w.id AND m.ended_ms IS NOT NULL "
        "AND"
        "    EXISTS (SELECT 1 FROM match_seats s WHERE s.match = m.id AND s.player IS NOT "
        "NULL)),"
        "  (SELECT group_concat(player || char(10), '') FROM members WHERE world = w.id),"
        "  (SELECT group_concat(m.number || ' ' || s.seat || char(10), '')"
        "    FROM matches m JOIN match_seats s ON s.match = m.id WHERE m.world = w.id"
        "      AND m.ended_ms IS NOT NULL AND s.player IS NOT NULL AND s.ended_ms IS NULL)"
        "  FROM worlds w LEFT JOIN heads h ON h.world = w.id"
        "  LEFT JOIN archives a ON a.world = w.id AND h.world IS NULL"
        "  WHERE w.id > ?1 ORDER BY w.id LIMIT ?2",
    [WALK_PLAYERS] = PLAYER_COLUMNS ", p.rowid FROM people p"
                                    "  WHERE p.rowid > ?1 ORDER BY p.rowid LIMIT ?2",
    [FILE_SIZE] = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    [INTEGRITY] = "SELECT integrity_check FROM pragma_integrity_check"
                  "  WHERE integrity_check <> 'ok' LIMIT ?1",
    [PROBLEMS] =
        "WITH RECURSIVE chain (world, id) AS (SELECT world, last FROM heads"
        " UNION SELECT NULL, last FROM leftovers"
        " UNION SELECT c.world, e.previous FROM chain c JOIN entries e ON e.id = c.id"
        "   WHERE e.previous IS NOT NULL)"
        "SELECT problem FROM ("
        "SELECT 'world ' || code || ' has neither entries nor an archive' AS problem"
        " FROM worlds WHERE id NOT IN (SELECT world FROM heads) AND id NOT IN (SELECT"
        " world FROM archives)"
        " UNION ALL SELECT 'world ' || code || ' is open and archived at once'"
        " FROM worlds WHERE id IN (SELECT world FROM heads) AND (archived_ms IS NOT NULL"
        " OR id IN (SELECT world FROM archives))"
        " UNION ALL SELECT count(*) || ' entries belong to no open world'"
        " FROM entries WHERE id NOT IN (SELECT id FROM chain) HAVING count(*) > 0"
        " UNION ALL SELECT 'world ' || w.code || ' has ' || count(*) || ' entries and says ' || "
        "h.version"
        " FROM heads h JOIN worlds w ON w.id = h.world JOIN chain c ON c.world = h.world"
        " JOIN entries e ON e.id = c.id AND e.world = h.world"
        " GROUP BY h.world HAVING count(*) <> h.version"
        " UNION ALL SELECT 'an open world''s head (' || world || ') belongs to no world'"
        " FROM heads WHERE world NOT IN (SELECT id FROM worlds)"
        " UNION ALL SELECT 'an archived log (' || world || ') belongs to no world'"
        " FROM archives WHERE world NOT IN (SELECT id FROM worlds)"
        " UNION ALL SELECT 'the result of game ' || number || ' (' || id || ') belongs to no world'"
        " FROM matches WHERE world NOT IN (SELECT id FROM worlds)"
        " UNION ALL SELECT 'a seat of a game (' || match || ') belongs to no result'"
        " FROM match_seats WHERE match NOT IN (SELECT id FROM matches)"
        " UNION ALL SELECT 'the membership of ' || player || ' belongs to no world'"
        " FROM members WHERE world NOT IN (SELECT id FROM worlds)"
        " UNION ALL SELECT 'a total of ' || player || ' in ' || game || ' is smaller than the "
        "games there are'"
        " FROM totals t WHERE played < (SELECT count(*) FROM match_seats s JOIN matches m"
        " ON m.id = s.match WHERE s.player = t.player AND s.ended_ms IS NOT NULL AND"
        " m.game = t.game)"
        ") LIMIT ?1",
    [EARLIER] = "WITH now AS (SELECT m.game, count(*) AS played, sum(s.won) AS won,"
                "  sum(s.score) AS points " GAMES_OF_PERSON ")"
                " SELECT t.game, t.played - coalesce(now.played, 0), t.won - coalesce(now.won, 0),"
                "  t.points - coalesce(now.points, 0), t.best"
                "  FROM totals t LEFT JOIN now ON now.game = t.game"
                "  WHERE t.player = ?1 AND t.played > coalesce(now.played, 0) ORDER BY t.game",
    [EARLIER_FIGURES] =
        "WITH now AS (SELECT m.game, f.key AS figure, sum(f.value) AS "
        "value " FIGURES_OF_PERSON ")"
        " SELECT t.game, t.figure, t.value - coalesce(now.value, 0)"
        "  FROM total_figures t LEFT JOIN now ON now.game = t.game AND now.figure = "
        "t.figure"
        "  WHERE t.player = ?1 AND EXISTS (SELECT 1 FROM totals a WHERE a.player = ?1"
        "    AND a.game = t.game AND a.played > (SELECT count(*) FROM match_seats s JOIN "
        "matches m"
        "      ON m.id = s.match WHERE s.player = ?1 AND s.ended_ms IS NOT NULL"
        "      AND m.game = t.game))"
        "  ORDER BY t.game, t.figure",
    [COUNT_TOTALS] = "INSERT INTO totals SELECT ?1, m.game, count(*), sum(s.won), sum(s.score),"
                     "  max(s.score) " GAMES_OF_PERSON,
    [COUNT_FIGURES] = "INSERT INTO total_figures SELECT ?1, m.game, f.key, "
                      "sum(f.value) " FIGURES_OF_PERSON,
    [ADD_TOTAL] = "INSERT INTO totals VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
                  "  ON CONFLICT DO UPDATE SET played = played + excluded.played,"
                  "    won = won + excluded.won, points = points + excluded.points,"
                  "    best = max(best, excluded.best)",
    [ADD_TOTAL_FIGURE] = "INSERT INTO total_figures VALUES (?1, ?2, ?3, ?4)"
                         "  ON CONFLICT DO UPDATE SET value = value + excluded.value",
};
