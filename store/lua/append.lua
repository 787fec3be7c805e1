-- KEYS: the world, its log, due. ARGV: as named below, then entries; the summary: game, owner, status, public, text,
-- members; the match: number, over, and for each seat player, score, won, figures, others. Gives the new version, or
-- the present one in a list: somebody else was first.
local key, log = KEYS[1], KEYS[2]
local code, expected, count, now, due = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local chain, chain_after, again = ARGV[6], ARGV[7], ARGV[8]
local channel, tag = ARGV[9], ARGV[10]
local parts, seats = tonumber(ARGV[11]), tonumber(ARGV[12]) -- how many are of the summary, how many of the match
local P, place_asked, place_step = ARGV[13], ARGV[14], ARGV[15]
local visits_kept = ARGV[16] -- how long it is known where people were (0: for ever)
local first = 17 -- of the entries
local at = first - 1 + count -- the summary follows

local w = redis.call('HMGET', key, 'version', 'place', 'due', 'archived', 'chain')
local version, place, archived = tonumber(w[1] or 0), w[2], w[4] == '1'
if again == '1' and version >= expected + count then
  local kept = redis.call('LRANGE', log, expected, expected + count - 1)
  local same = #kept == count
  for i = 1, count do same = same and kept[i] == ARGV[first - 1 + i] end
  if same then return expected + count end
end
if version ~= expected or (chain ~= '' and w[5] and w[5] ~= '' and w[5] ~= chain) then return {version} end

local name = place and place .. ' ' .. code
if parts + seats > 0 or archived or not place then
  --include lists
  --include enlist
  if in_a_cluster then
    local keys = lists(key)
    for _, part in ipairs({':members', ':matches', ':others'}) do keys[#keys + 1] = key .. part end
    if parts > 0 then keys[#keys + 1] = P .. 'public:' .. ARGV[at + 1] end
    for i = at + 6, at + parts do
      keys[#keys + 1] = P .. 'player:' .. ARGV[i] .. ':worlds'
      keys[#keys + 1] = P .. 'player:' .. ARGV[i] .. ':visits'
    end
    for i = at + parts + 3, at + parts + seats, 5 do
      for _, part in ipairs({':results', ':totals', ':ended'}) do
        keys[#keys + 1] = P .. 'player:' .. ARGV[i] .. part
      end
    end
    keys[#keys + 1] = P .. 'finished'
    if not place then keys[#keys + 1] = P .. 'places' end
    for _, match in ipairs(redis.call('HVALS', key .. ':matches')) do
      for id in string.gmatch(match, '%d+ ([^\n]+)') do
        for _, part in ipairs({':results', ':totals', ':ended'}) do
          keys[#keys + 1] = P .. 'player:' .. id .. part
        end
      end
    end
    look_at_all(keys)
  end
  if not place then -- the one asked for, or the next that no other shard gives
    local last = tonumber(redis.call('GET', P .. 'places') or 0)
    place = string.format('%016d', math.max(tonumber(place_asked), last + tonumber(place_step)))
    redis.call('SET', P .. 'places', place)
    redis.call('HSET', key, 'code', code, 'place', place, 'created', now, 'archived', 0)
  end
  name = place .. ' ' .. code
  if parts > 0 then
    local members = key .. ':members'
    unlist(key, code, name)
    redis.call('HSET', key, 'game', ARGV[at + 1], 'owner', ARGV[at + 2], 'status', ARGV[at + 3], 'public', ARGV[at + 4],
      'summary', ARGV[at + 5])
    redis.call('DEL', members)
    if parts > 5 then redis.call('SADD', members, unpack(ARGV, at + 6, at + parts)) end
    for i = at + 6, at + parts do
      local visits = P .. 'player:' .. ARGV[i] .. ':visits'
      redis.call('ZADD', visits, place, code)
      if visits_kept ~= '0' then redis.call('PEXPIRE', visits, visits_kept) end
    end
  end
  if parts > 0 or archived then enlist(key, code, name, place, now) end
  if archived then
    redis.call('HSET', key, 'archived', 0)
    for _, part in ipairs({'', ':log', ':members', ':matches', ':others'}) do
      redis.call('PERSIST', key .. part)
    end
  end
  at = at + parts
  if seats > 0 then
    --include totals
    local game, number = redis.call('HGET', key, 'game'), ARGV[at + 1]
    local field, who = code .. ' ' .. number .. ' ', {}
    local before = redis.call('HGET', key .. ':matches', number)
    for seat, id in string.gmatch(before or '', '(%d+) ([^\n]+)') do
      uncount_result(P .. 'player:' .. id, field .. seat)
    end
    for i = at + 3, at + seats, 5 do
      local seat = (i - at - 3) / 5
      if ARGV[i] ~= '' and ARGV[at + 2] == '1' then
        count_result(P .. 'player:' .. ARGV[i], field .. seat,
          ARGV[i + 1] .. ' ' .. ARGV[i + 2] .. ' ' .. now .. ' ' .. place .. ' ' .. number .. ' ' .. game .. '\n' ..
          ARGV[i + 3])
        redis.call('HSET', key .. ':others', number .. ' ' .. seat, ARGV[i + 4])
        who[#who + 1] = seat .. ' ' .. ARGV[i]
      end
    end
    redis.call('HSET', key .. ':matches', number, table.concat(who, '\n'))
  end
end

if redis.call('RPUSH', log, unpack(ARGV, first, first - 1 + count)) ~= expected + count then
  redis.call('RPOP', log, count) -- somebody, or an eviction, has taken some of it away
  return redis.error_reply('ERR the log has a gap')
end
redis.call('HSET', key, 'version', expected + count, 'changed', now, 'due', due, 'chain', chain_after)
if due ~= '' then
  redis.call('ZADD', KEYS[3], due, name)
elseif w[3] and w[3] ~= '' then
  redis.call('ZREM', KEYS[3], name)
end
redis.call('PUBLISH', channel, 'append ' .. tag .. ' ' .. ARGV[2] .. ' ' .. chain .. '\n' ..
  table.concat(ARGV, '\n', first, first - 1 + count))
return expected + count
