/* What runs on the server. A script sees and changes everything at one moment: that is what makes
 * an append, its due time, its lists and its announcement one thing.
 *
 *     {CODE}            hash: version, chain, place, times, what lists show
 *     {CODE}:log        list: the entries
 *     {CODE}:members    set: ids
 *     {CODE}:matches    hash: number of a game -> who has it in their results
 *     due               sorted set: `PLACE CODE` by due time, or by the end of a claim
 *     finished          the same by when it was finished or archived; until it is exported
 *     exports           is there once somebody exports
 *     open, over        the same by (about) the last change; `over` has finished and closed ones
 *     public[:GAME]     sorted set: codes by place
 *     player:ID:worlds  sorted set: codes by place; player:ID:results hash of finished games
 *     player:ID         hash: the person
 *     token:HEX         the id of the player with a token of this hash
 *     places            the last place that was given
 *
 * Before each stands `oyster:`, or in a Redis Cluster `oyster:{TAG}:`, one of REDIS_SHARDS tags
 * (redis_requests.c): all that one script touches lies in one slot. Of people the cluster has one
 * shard, of all else each shard has its own, and lists are put together from all.
 *
 * A place in a name has sixteen digits, so that equal scores come in the order of places. */
#include "store/redis.h"

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

#define ROW                                                                                        \
    "local function row(key) return redis.call('HMGET', key, 'code', 'place', 'game', 'owner', "   \
    "'summary', 'status', 'public', 'archived', 'version', 'created', 'changed', 'due') end\n"

/* While a slot moves to another server of a cluster, some of its keys are here and some there. A
 * script that comes upon one that is not here fails, and what it had done before stays: so one that
 * changes more than the keys it is given looks at all of them first. */
#define IN_A_CLUSTER "P ~= 'oyster:'"
#define LOOK_AT_ALL  "redis.call('EXISTS', unpack(keys))\n"

/* All sorted sets but that of due worlds in which a world may stand. */
#define LISTS                                                                                      \
    "local function lists(key)\n"                                                                  \
    "  local game, all = redis.call('HGET', key, 'game'), {P .. 'open', P .. 'over', P .. "        \
    "'public'}\n"                                                                                  \
    "  if game then all[4] = P .. 'public:' .. game end\n"                                         \
    "  for _, id in ipairs(redis.call('SMEMBERS', key .. ':members')) do\n"                        \
    "    all[#all + 1] = P .. 'player:' .. id .. ':worlds'\n"                                      \
    "  end\n"                                                                                      \
    "  return all\n"                                                                               \
    "end\n"

#define UNLIST                                                                                     \
    "local function unlist(key, code, name)\n"                                                     \
    "  for _, list in ipairs(lists(key)) do redis.call('ZREM', list, code, name) end\n"            \
    "end\n"

#define LIST                                                                                       \
    "local function list(key, code, name, place, now)\n"                                           \
    "  local w = redis.call('HMGET', key, 'game', 'status', 'public')\n"                           \
    "  redis.call('ZADD', P .. (tonumber(w[2]) < 2 and 'open' or 'over'), now, name)\n"            \
    "  if tonumber(w[2]) >= 2 then redis.call('ZADD', P .. 'finished', now, name) end\n"           \
    "  if w[2] == '0' and w[3] == '1' then\n"                                                      \
    "    redis.call('ZADD', P .. 'public', place, code)\n"                                         \
    "    redis.call('ZADD', P .. 'public:' .. w[1], place, code)\n"                                \
    "  end\n"                                                                                      \
    "  for _, id in ipairs(redis.call('SMEMBERS', key .. ':members')) do\n"                        \
    "    redis.call('ZADD', P .. 'player:' .. id .. ':worlds', place, code)\n"                     \
    "  end\n"                                                                                      \
    "end\n"

/* The next that no other shard gives. */
#define NEXT_PLACE "last + " TEXT(REDIS_SHARDS)

#define NAMES "local key, log = KEYS[1], KEYS[2]\n"

/* ARGV: code, expected version, count, now, due or '', chain before or '', chain after, again,
 * channel, tag, how many of the summary, how many of the match, what all keys begin with, a place
 * for a new world; entries; the summary: game, owner, status, public, text, members; the match:
 * number, over, and for each seat player, score, won, figures. Gives the new version, or the
 * present one in a list: somebody else was first. */
static const char append_start[] = NAMES
    "local expected, count = tonumber(ARGV[2]), tonumber(ARGV[3])\n"
    "local w = redis.call('HMGET', key, 'version', 'place', 'due', 'archived', 'chain')\n"
    "local version = tonumber(w[1] or 0)\n"
    "if ARGV[8] == '1' and version >= expected + count then\n"
    "  local kept = redis.call('LRANGE', log, expected, expected + count - 1)\n"
    "  local same = #kept == count\n"
    "  for i = 1, count do same = same and kept[i] == ARGV[14 + i] end\n"
    "  if same then return expected + count end\n"
    "end\n"
    "if version ~= expected or\n"
    "   (ARGV[6] ~= '' and w[5] and w[5] ~= '' and w[5] ~= ARGV[6]) then return {version} end\n"
    "local code, now, due, place = ARGV[1], ARGV[4], ARGV[5], w[2]\n"
    "local P = ARGV[13]\n"
    "local at, parts, seats = 14 + count, tonumber(ARGV[11]), tonumber(ARGV[12])\n"
    "local name = place and place .. ' ' .. code\n"
    "if parts + seats > 0 or w[4] == '1' or not place then\n" LISTS UNLIST LIST;
static const char append[] =
    "if " IN_A_CLUSTER " then\n"
    "  local keys = lists(key)\n"
    "  for _, part in ipairs({':members', ':matches'}) do keys[#keys + 1] = key .. part end\n"
    "  if parts > 0 then keys[#keys + 1] = P .. 'public:' .. ARGV[at + 1] end\n"
    "  for i = at + 6, at + parts do\n"
    "    keys[#keys + 1] = P .. 'player:' .. ARGV[i] .. ':worlds'\n"
    "  end\n"
    "  for i = at + parts + 3, at + parts + seats, 4 do\n"
    "    keys[#keys + 1] = P .. 'player:' .. ARGV[i] .. ':results'\n"
    "  end\n"
    "  keys[#keys + 1] = P .. 'finished'\n"
    "  if not place then keys[#keys + 1] = P .. 'places' end\n"
    "  for _, match in ipairs(redis.call('HVALS', key .. ':matches')) do\n"
    "    for id in string.gmatch(match, '%d+ ([^\\n]+)') do\n"
    "      keys[#keys + 1] = P .. 'player:' .. id .. ':results'\n"
    "    end\n"
    "  end\n"
    "  " LOOK_AT_ALL "end\n"
    "if not place then\n"
    "  local last = tonumber(redis.call('GET', P .. 'places') or 0)\n"
    "  place = string.format('%016d', math.max(tonumber(ARGV[14]), " NEXT_PLACE "))\n"
    "  redis.call('SET', P .. 'places', place)\n"
    "  redis.call('HSET', key, 'code', code, 'place', place, 'created', now, 'archived', 0)\n"
    "end\n"
    "name = place .. ' ' .. code\n"
    "if parts > 0 then\n"
    "  local members = key .. ':members'\n"
    "  unlist(key, code, name)\n"
    "  redis.call('HSET', key, 'game', ARGV[at + 1], 'owner', ARGV[at + 2], 'status',\n"
    "    ARGV[at + 3], 'public', ARGV[at + 4], 'summary', ARGV[at + 5])\n"
    "  redis.call('DEL', members)\n"
    "  if parts > 5 then redis.call('SADD', members, unpack(ARGV, at + 6, at + parts)) end\n"
    "end\n"
    "if parts > 0 or w[4] == '1' then list(key, code, name, place, now) end\n"
    "if w[4] == '1' then\n"
    "  redis.call('HSET', key, 'archived', 0)\n"
    "  for _, part in ipairs({'', ':log', ':members', ':matches'}) do\n"
    "    redis.call('PERSIST', key .. part)\n"
    "  end\n"
    "end\n"
    "at = at + parts\n"
    "if seats > 0 then\n"
    "  local game, number = redis.call('HGET', key, 'game'), ARGV[at + 1]\n"
    "  local field, who = code .. ' ' .. number .. ' ', {}\n"
    "  local before = redis.call('HGET', key .. ':matches', number)\n"
    "  for seat, id in string.gmatch(before or '', '(%d+) ([^\\n]+)') do\n"
    "    redis.call('HDEL', P .. 'player:' .. id .. ':results', field .. seat)\n"
    "  end\n"
    "  for i = at + 3, at + seats, 4 do\n"
    "    local seat = (i - at - 3) / 4\n"
    "    if ARGV[i] ~= '' and ARGV[at + 2] == '1' then\n"
    "      redis.call('HSET', P .. 'player:' .. ARGV[i] .. ':results', field .. seat,\n"
    "        ARGV[i + 1] .. ' ' .. ARGV[i + 2] .. ' ' .. now .. ' ' .. place .. ' ' ..\n"
    "        number .. ' ' .. game .. '\\n' .. ARGV[i + 3])\n"
    "      who[#who + 1] = seat .. ' ' .. ARGV[i]\n"
    "    end\n"
    "  end\n"
    "  redis.call('HSET', key .. ':matches', number, table.concat(who, '\\n'))\n"
    "end\n"
    "end\n"
    "if redis.call('RPUSH', log, unpack(ARGV, 15, 14 + count)) ~= expected + count then\n"
    "  redis.call('RPOP', log, count)\n" /* somebody, or an eviction, has taken some of it away */
    "  return redis.error_reply('ERR the log has a gap')\n"
    "end\n"
    "redis.call('HSET', key, 'version', expected + count, 'changed', now, 'due', due, 'chain',\n"
    "  ARGV[7])\n"
    "if due ~= '' then redis.call('ZADD', KEYS[3], due, name)\n"
    "elseif w[3] and w[3] ~= '' then redis.call('ZREM', KEYS[3], name) end\n"
    "redis.call('PUBLISH', ARGV[9], 'append ' .. ARGV[10] .. ' ' .. ARGV[2] .. ' ' ..\n"
    "  ARGV[6] .. '\\n' ..\n"
    "  table.concat(ARGV, '\\n', 15, 14 + count))\n"
    "return expected + count\n";

#define FORGET                                                                                     \
    "local function forget(key, after)\n"                                                          \
    "  for _, part in ipairs({'', ':log', ':members', ':matches'}) do\n"                           \
    "    redis.call('PEXPIRE', key .. part, after)\n"                                              \
    "  end\n"                                                                                      \
    "end\n"

/* KEYS: over, open, due. ARGV: finished ones before, others before, how many, how long they are
 * kept, what all keys begin with, now. Gives whether there are more, and the worlds. A score may be
 * older than the world's last change: then it is set. */
static const char archive[] =
    "local P = ARGV[5]\n" ROW LISTS UNLIST FORGET
    "local out, more, max = {}, 0, tonumber(ARGV[3])\n"
    "local function put_away(key, code, name)\n"
    "  if " IN_A_CLUSTER " then\n"
    "    local keys = lists(key)\n"
    "    for _, part in ipairs({':log', ':members', ':matches'}) do keys[#keys + 1] = key .. part "
    "end\n"
    "    keys[#keys + 1] = P .. 'finished'\n"
    "    " LOOK_AT_ALL "  end\n"
    "  unlist(key, code, name)\n"
    "  redis.call('ZREM', KEYS[3], name)\n"
    "  redis.call('HSET', key, 'archived', 1, 'due', '')\n"
    "  out[#out + 1] = row(key)\n"
    "  redis.call('ZADD', P .. 'finished', ARGV[6], name)\n"
    "  if redis.call('EXISTS', P .. 'exports') == 0 then forget(key, ARGV[4]) end\n"
    "end\n"
    "local function sweep(set, before)\n"
    "  while more == 0 do\n"
    "    local found = redis.call('ZRANGEBYSCORE', set, '-inf', '(' .. before, 'LIMIT', 0, 100)\n"
    "    if #found == 0 then return end\n"
    "    for _, name in ipairs(found) do\n"
    "      local code = string.sub(name, 18)\n"
    "      local key = P .. '{' .. code .. '}'\n"
    "      local changed = redis.call('HGET', key, 'changed')\n"
    "      if not changed then redis.call('ZREM', set, name)\n"
    "      elseif tonumber(changed) >= tonumber(before) then redis.call('ZADD', set, changed, "
    "name)\n"
    "      elseif #out == max then more = 1 return\n"
    "      else put_away(key, code, name) end\n"
    "    end\n"
    "  end\n"
    "end\n"
    "if redis.call('EXISTS', P .. 'exports') == 0 then\n" /* nobody asks for them, or no longer */
    "  for _, name in ipairs(redis.call('ZRANGEBYSCORE', P .. 'finished', '-inf',\n"
    "    tonumber(ARGV[6]) - tonumber(ARGV[4]), 'LIMIT', 0, 100)) do\n"
    "    local key = P .. '{' .. string.sub(name, 18) .. '}'\n"
    "    if redis.call('HGET', key, 'archived') == '1' then forget(key, 0) end\n"
    "    redis.call('ZREM', P .. 'finished', name)\n"
    "  end\n"
    "end\n"
    "sweep(KEYS[1], ARGV[1])\n"
    "sweep(KEYS[2], ARGV[2])\n"
    "return {more, out}\n";

/* ARGV: id, name, token, created, seen, again. Gives 1, or 0 if something is taken. */
static const char player_add[] =
    "local token = redis.call('HGET', KEYS[1], 'token')\n"
    "if ARGV[6] == '1' and token == ARGV[3] then return 1 end\n"
    "if token or redis.call('EXISTS', KEYS[2]) == 1 then return 0 end\n"
    "redis.call('HSET', KEYS[1], 'id', ARGV[1], 'name', ARGV[2], 'token', ARGV[3], 'created',\n"
    "  ARGV[4], 'seen', ARGV[5])\n"
    "redis.call('SET', KEYS[2], ARGV[1])\n"
    "return 1\n";

/* ARGV: name or '', seen. Gives 0 if there is no such player. */
static const char player_seen[] =
    "if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end\n"
    "redis.call('HSET', KEYS[1], 'seen', ARGV[2])\n"
    "if ARGV[1] ~= '' then redis.call('HSET', KEYS[1], 'name', ARGV[1]) end\n"
    "return 1\n";

/* ARGV: after version, how many. Gives the world, the entries and the chain, or nothing. */
static const char load[] =
    ROW "local world = row(KEYS[1])\n"
        "if not world[1] then return false end\n"
        "local from = tonumber(ARGV[1])\n"
        "return {world, redis.call('LRANGE', KEYS[2], from, from + tonumber(ARGV[2]) - 1),\n"
        "  redis.call('HGET', KEYS[1], 'chain')}\n";

/* ARGV: after time, after place, until, how many, now or '', lease, what all keys begin with. With
 * a time it is a claim: the worlds come again when the lease is over, or after as long as they have
 * been due already, so that one that stands there for no reason is looked at ever less often. */
static const char due[] =
    ROW "local out, more, at, max = {}, 0, 0, tonumber(ARGV[4])\n"
        "local after = tonumber(ARGV[1])\n"
        "while more == 0 do\n"
        "  local found = redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], ARGV[3], 'WITHSCORES',\n"
        "    'LIMIT', at, 200)\n"
        "  if #found == 0 then break end\n"
        "  for i = 1, #found, 2 do\n"
        "    local name = found[i]\n"
        "    if tonumber(found[i + 1]) ~= after or string.sub(name, 1, 16) > ARGV[2] then\n"
        "      if #out == max then more = 1 break end\n"
        "      out[#out + 1] = name\n"
        "    end\n"
        "  end\n"
        "  at = at + 200\n"
        "end\n"
        "for i, name in ipairs(out) do\n"
        "  out[i] = row(ARGV[7] .. '{' .. string.sub(name, 18) .. '}')\n"
        "  if ARGV[5] ~= '' and not out[i][1] then\n"
        "    redis.call('ZREM', KEYS[1], name)\n"
        "  elseif ARGV[5] ~= '' then\n"
        "    local age = tonumber(ARGV[5]) - (tonumber(out[i][12]) or 0)\n"
        "    local lease = math.max(tonumber(ARGV[6]), math.min(age, 60000))\n"
        "    redis.call('ZADD', KEYS[1], tonumber(ARGV[5]) + lease, name)\n"
        "  end\n"
        "end\n"
        "return {more, out}\n";

/* ARGV: before place, how many, what all keys begin with. */
static const char list[] = ROW
    "local out, more, max = {}, 0, tonumber(ARGV[2])\n"
    "local found = redis.call('ZREVRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '-inf', 'LIMIT', 0,\n"
    "  max + 1)\n"
    "for i, code in ipairs(found) do\n"
    "  if i > max then more = 1 else out[i] = row(ARGV[3] .. '{' .. code .. '}') end\n"
    "end\n"
    "return {more, out}\n";

/* KEYS: the player, or the token. ARGV: an id, or '' to ask the token; what all keys begin with. */
static const char player[] =
    "local id = ARGV[1]\n"
    "if id == '' then id = redis.call('GET', KEYS[1]) end\n"
    "if not id then return false end\n"
    "local found = redis.call('HMGET', ARGV[2] .. 'player:' .. id, 'id', 'name', 'token', "
    "'created',\n"
    "  'seen')\n"
    "return found[1] and found\n";

/* ARGV: how many of the last games. A result is score, won, end, place, number, game, and on the
 * next line the figures as JSON; an older version wrote those of the whole table there, otherwise.
 * Gives the records, each with names and sums of its figures, and those games. */
static const char records[] =
    "local by, out, ended, last = {}, {}, {}, {}\n"
    "for _, result in ipairs(redis.call('HVALS', KEYS[1])) do\n"
    "  local score, won, at, place, number, game, figures =\n"
    "    string.match(result, '^(%S+) (%d) (%d+) (%d+) (%d+) ([^\\n]*)\\n(.*)$')\n"
    "  local record = by[game]\n"
    "  score = tonumber(score)\n"
    "  if not record then\n"
    "    record = {game, 0, 0, 0, score, {}, sums = {}}\n"
    "    by[game] = record\n"
    "    out[#out + 1] = record\n"
    "  end\n"
    "  record[2] = record[2] + 1\n"
    "  record[3] = record[3] + tonumber(won)\n"
    "  record[4] = record[4] + score\n"
    "  record[5] = math.max(record[5], score)\n"
    "  if string.sub(figures, 1, 1) ~= '{' then figures = '{}' end\n"
    "  for name, value in pairs(cjson.decode(figures)) do\n"
    "    record.sums[name] = (record.sums[name] or 0) + value\n"
    "  end\n"
    "  ended[#ended + 1] =\n"
    "    {game, tonumber(at), score, tonumber(won), figures, place, tonumber(number)}\n"
    "end\n"
    "table.sort(out, function(a, b) return a[1] < b[1] end)\n"
    "table.sort(ended, function(a, b)\n"
    "  if a[2] ~= b[2] then return a[2] > b[2] end\n"
    "  if a[6] ~= b[6] then return a[6] > b[6] end\n"
    "  return a[7] > b[7]\n"
    "end)\n"
    "for _, record in ipairs(out) do\n"
    "  local names = {}\n"
    "  for name in pairs(record.sums) do names[#names + 1] = name end\n"
    "  table.sort(names)\n"
    "  for i, name in ipairs(names) do\n"
    "    record[6][2 * i - 1], record[6][2 * i] = name, record.sums[name]\n"
    "  end\n"
    "end\n"
    "for i = 1, math.min(#ended, tonumber(ARGV[1])) do last[i] = ended[i] end\n"
    "return {out, last}\n";

/* ARGV: how many, what all keys begin with. Gives whether there are more, and the worlds. */
static const char finished[] =
    ROW "local P, max, out, more, gone = ARGV[2], tonumber(ARGV[1])\n"
        "redis.call('SET', P .. 'exports', 1)\n"
        "repeat\n"
        "  out, more, gone = {}, 0, false\n"
        "  for _, name in ipairs(redis.call('ZRANGE', KEYS[1], 0, max)) do\n"
        "    local world = row(P .. '{' .. string.sub(name, 18) .. '}')\n"
        "    if not world[1] then gone = redis.call('ZREM', KEYS[1], name)\n"
        "    elseif #out == max then more = 1\n"
        "    else out[#out + 1] = world end\n"
        "  end\n"
        "until not gone\n"
        "return {more, out}\n";

/* ARGV: version, how long an archived world is kept, what all keys begin with. Gives 0 if the world
 * has gone on. */
static const char exported[] = FORGET
    "local P, w = ARGV[3], redis.call('HMGET', KEYS[1], 'version', 'place', 'code', 'archived')\n"
    "if w[1] ~= ARGV[1] then return 0 end\n"
    "redis.call('ZREM', P .. 'finished', w[2] .. ' ' .. w[3])\n"
    "if w[4] == '1' then forget(KEYS[1], ARGV[2]) end\n"
    "return 1\n";

const struct redis_script redis_scripts[SCRIPTS] = {
    [SCRIPT_APPEND] = {append_start, append},
    [SCRIPT_ARCHIVE] = {"", archive},
    [SCRIPT_PLAYER_ADD] = {"", player_add},
    [SCRIPT_PLAYER_SEEN] = {"", player_seen},
    [SCRIPT_LOAD] = {"", load},
    [SCRIPT_DUE] = {"", due},
    [SCRIPT_LIST] = {"", list},
    [SCRIPT_PLAYER] = {"", player},
    [SCRIPT_RECORDS] = {"", records},
    [SCRIPT_FINISHED] = {"", finished},
    [SCRIPT_EXPORTED] = {"", exported},
};
