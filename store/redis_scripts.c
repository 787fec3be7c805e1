/* What runs on the server. A script sees and changes everything at one moment: that is what makes
 * an append, its due time, its lists and its announcement one thing.
 *
 *     oyster:{CODE}            hash: version, chain, place, times, what lists show
 *     oyster:{CODE}:log        list: the entries
 *     oyster:{CODE}:members    set: ids
 *     oyster:{CODE}:matches    hash: number of a game -> who has it in their results
 *     oyster:due               sorted set: `PLACE CODE` by due time, or by the end of a claim
 *     oyster:open oyster:over  the same by (about) the last change; `over` has finished and closed
 *     oyster:public[:GAME]     sorted set: codes by place
 *     oyster:player:ID         hash; :worlds sorted set of codes, :results hash of finished games
 *     oyster:token:HEX         the id of the player with a token of this hash
 *     oyster:places            how many worlds there ever were
 *
 * A place in a name has sixteen digits, so that equal scores come in the order of places. */
#include "store/redis.h"

#define ROW                                                                                        \
    "local function row(key) return redis.call('HMGET', key, 'code', 'place', 'game', 'owner', "   \
    "'summary', 'status', 'public', 'archived', 'version', 'created', 'changed', 'due') end\n"

/* Takes a world out of all lists but that of due ones. */
#define UNLIST                                                                                     \
    "local function unlist(key, code, name)\n"                                                     \
    "  local game = redis.call('HGET', key, 'game')\n"                                             \
    "  redis.call('ZREM', 'oyster:open', name)\n"                                                  \
    "  redis.call('ZREM', 'oyster:over', name)\n"                                                  \
    "  redis.call('ZREM', 'oyster:public', code)\n"                                                \
    "  if game then redis.call('ZREM', 'oyster:public:' .. game, code) end\n"                      \
    "  for _, id in ipairs(redis.call('SMEMBERS', key .. ':members')) do\n"                        \
    "    redis.call('ZREM', 'oyster:player:' .. id .. ':worlds', code)\n"                          \
    "  end\n"                                                                                      \
    "end\n"

#define LIST                                                                                       \
    "local function list(key, code, name, place, now)\n"                                           \
    "  local w = redis.call('HMGET', key, 'game', 'status', 'public')\n"                           \
    "  redis.call('ZADD', tonumber(w[2]) < 2 and 'oyster:open' or 'oyster:over', now, name)\n"     \
    "  if w[2] == '0' and w[3] == '1' then\n"                                                      \
    "    redis.call('ZADD', 'oyster:public', place, code)\n"                                       \
    "    redis.call('ZADD', 'oyster:public:' .. w[1], place, code)\n"                              \
    "  end\n"                                                                                      \
    "  for _, id in ipairs(redis.call('SMEMBERS', key .. ':members')) do\n"                        \
    "    redis.call('ZADD', 'oyster:player:' .. id .. ':worlds', place, code)\n"                   \
    "  end\n"                                                                                      \
    "end\n"

/* ARGV: code, expected version, count, now, due or '', chain before or '', chain after, again,
 * channel, tag, how many of the summary, how many of the match; entries; the summary: game, owner,
 * status, public, text, members; the match: number, over, and for each seat player, score, won,
 * figures. Gives the new version, or the present one in a list: somebody else was first. */
static const char append[] = UNLIST LIST
    "local key, log = KEYS[1], KEYS[2]\n"
    "local expected, count = tonumber(ARGV[2]), tonumber(ARGV[3])\n"
    "local w = redis.call('HMGET', key, 'version', 'place', 'due', 'archived', 'chain')\n"
    "local version = tonumber(w[1] or 0)\n"
    "if ARGV[8] == '1' and version >= expected + count then\n"
    "  local kept = redis.call('LRANGE', log, expected, expected + count - 1)\n"
    "  local same = #kept == count\n"
    "  for i = 1, count do same = same and kept[i] == ARGV[12 + i] end\n"
    "  if same then return expected + count end\n"
    "end\n"
    "if version ~= expected or\n"
    "   (ARGV[6] ~= '' and w[5] and w[5] ~= '' and w[5] ~= ARGV[6]) then return {version} end\n"
    "local code, now, due, place = ARGV[1], ARGV[4], ARGV[5], w[2]\n"
    "if not place then\n"
    "  place = string.format('%016d', redis.call('INCR', 'oyster:places'))\n"
    "  redis.call('HSET', key, 'code', code, 'place', place, 'created', now, 'archived', 0)\n"
    "end\n"
    "local name = place .. ' ' .. code\n"
    "redis.call('RPUSH', log, unpack(ARGV, 13, 12 + count))\n"
    "redis.call('HSET', key, 'version', expected + count, 'changed', now, 'due', due, 'chain',\n"
    "  ARGV[7])\n"
    "if due ~= '' then redis.call('ZADD', KEYS[3], due, name)\n"
    "elseif w[3] and w[3] ~= '' then redis.call('ZREM', KEYS[3], name) end\n"
    "local at, parts = 12 + count, tonumber(ARGV[11])\n"
    "if parts > 0 then\n"
    "  local members = key .. ':members'\n"
    "  unlist(key, code, name)\n"
    "  redis.call('HSET', key, 'game', ARGV[at + 1], 'owner', ARGV[at + 2], 'status', ARGV[at + "
    "3],\n"
    "    'public', ARGV[at + 4], 'summary', ARGV[at + 5])\n"
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
    "parts = tonumber(ARGV[12])\n"
    "if parts > 0 then\n"
    "  local game, number = redis.call('HGET', key, 'game'), ARGV[at + 1]\n"
    "  local field, who = code .. ' ' .. number .. ' ', {}\n"
    "  local before = redis.call('HGET', key .. ':matches', number)\n"
    "  for seat, id in string.gmatch(before or '', '(%d+) ([^\\n]+)') do\n"
    "    redis.call('HDEL', 'oyster:player:' .. id .. ':results', field .. seat)\n"
    "  end\n"
    "  for i = at + 3, at + parts, 4 do\n"
    "    local seat = (i - at - 3) / 4\n"
    "    if ARGV[i] ~= '' and ARGV[at + 2] == '1' then\n"
    "      redis.call('HSET', 'oyster:player:' .. ARGV[i] .. ':results', field .. seat,\n"
    "        ARGV[i + 1] .. ' ' .. ARGV[i + 2] .. ' ' .. now .. ' ' .. place .. ' ' ..\n"
    "        number .. ' ' .. game .. '\\n' .. ARGV[i + 3])\n"
    "      who[#who + 1] = seat .. ' ' .. ARGV[i]\n"
    "    end\n"
    "  end\n"
    "  redis.call('HSET', key .. ':matches', number, table.concat(who, '\\n'))\n"
    "end\n"
    "redis.call('PUBLISH', ARGV[9], 'append ' .. ARGV[10] .. ' ' .. ARGV[2] .. '\\n' ..\n"
    "  table.concat(ARGV, '\\n', 13, 12 + count))\n"
    "return expected + count\n";

/* ARGV: finished ones before, others before, how many, how long they are kept. Gives whether there
 * are more, and the worlds. A score may be older than the world's last change: then it is set. */
static const char archive[] = ROW UNLIST
    "local out, more, max = {}, 0, tonumber(ARGV[3])\n"
    "local function put_away(key, code, name)\n"
    "  unlist(key, code, name)\n"
    "  redis.call('ZREM', 'oyster:due', name)\n"
    "  redis.call('HSET', key, 'archived', 1, 'due', '')\n"
    "  out[#out + 1] = row(key)\n"
    "  for _, part in ipairs({'', ':log', ':members', ':matches'}) do\n"
    "    redis.call('PEXPIRE', key .. part, ARGV[4])\n"
    "  end\n"
    "end\n"
    "local function sweep(set, before)\n"
    "  while more == 0 do\n"
    "    local found = redis.call('ZRANGEBYSCORE', set, '-inf', '(' .. before, 'LIMIT', 0, 100)\n"
    "    if #found == 0 then return end\n"
    "    for _, name in ipairs(found) do\n"
    "      local code = string.sub(name, 18)\n"
    "      local key = 'oyster:{' .. code .. '}'\n"
    "      local changed = redis.call('HGET', key, 'changed')\n"
    "      if not changed then redis.call('ZREM', set, name)\n"
    "      elseif tonumber(changed) >= tonumber(before) then redis.call('ZADD', set, changed, "
    "name)\n"
    "      elseif #out == max then more = 1 return\n"
    "      else put_away(key, code, name) end\n"
    "    end\n"
    "  end\n"
    "end\n"
    "sweep('oyster:over', ARGV[1])\n"
    "sweep('oyster:open', ARGV[2])\n"
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

/* ARGV: after version, how many. Gives the world and the entries, or nothing. */
static const char load[] =
    ROW "local world = row(KEYS[1])\n"
        "if not world[1] then return false end\n"
        "local from = tonumber(ARGV[1])\n"
        "return {world, redis.call('LRANGE', KEYS[2], from, from + tonumber(ARGV[2]) - 1)}\n";

/* ARGV: after time, after place, until, how many, now or '', lease. With a time it is a claim: the
 * worlds come again when the lease is over, or after as long as they have been due already, so
 * that one that stands there for no reason is looked at ever less often. */
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
        "  out[i] = row('oyster:{' .. string.sub(name, 18) .. '}')\n"
        "  if ARGV[5] ~= '' then\n"
        "    local age = tonumber(ARGV[5]) - tonumber(out[i][12] or 0)\n"
        "    local lease = math.max(tonumber(ARGV[6]), math.min(age, 60000))\n"
        "    redis.call('ZADD', KEYS[1], tonumber(ARGV[5]) + lease, name)\n"
        "  end\n"
        "end\n"
        "return {more, out}\n";

/* ARGV: before place, how many. */
static const char list[] = ROW
    "local out, more, max = {}, 0, tonumber(ARGV[2])\n"
    "local found = redis.call('ZREVRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '-inf', 'LIMIT', 0,\n"
    "  max + 1)\n"
    "for i, code in ipairs(found) do\n"
    "  if i > max then more = 1 else out[i] = row('oyster:{' .. code .. '}') end\n"
    "end\n"
    "return {more, out}\n";

/* ARGV: an id, or '' and the hash of a token. */
static const char player[] =
    "local id = ARGV[1]\n"
    "if id == '' then id = redis.call('GET', 'oyster:token:' .. ARGV[2]) end\n"
    "if not id then return false end\n"
    "local found = redis.call('HMGET', 'oyster:player:' .. id, 'id', 'name', 'token', 'created',\n"
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

const char *const redis_scripts[SCRIPTS] = {
    [SCRIPT_APPEND] = append,
    [SCRIPT_ARCHIVE] = archive,
    [SCRIPT_PLAYER_ADD] = player_add,
    [SCRIPT_PLAYER_SEEN] = player_seen,
    [SCRIPT_LOAD] = load,
    [SCRIPT_DUE] = due,
    [SCRIPT_LIST] = list,
    [SCRIPT_PLAYER] = player,
    [SCRIPT_RECORDS] = records,
};
