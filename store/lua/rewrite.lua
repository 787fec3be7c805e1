-- KEYS: the world, its log. ARGV: version, chain, chain afterwards, who goes, the lines that change (`VERSION TEXT`,
-- each with its end), owner, summary, whether these two count, what all keys begin with, what results call
-- the person. Gives 1, 0 if there is
-- another log by now, or -1 if there is no such world.
local key, log, who, P = KEYS[1], KEYS[2], ARGV[4], ARGV[9]
local w = redis.call('HMGET', key, 'version', 'chain', 'code')
local person, matches = P .. 'player:' .. who, key .. ':matches'
redis.call('EXISTS', matches, key .. ':others', key .. ':members', person .. ':visits', person .. ':worlds',
  person .. ':results', person .. ':totals', person .. ':ended')
if not w[1] then
  return -1
end
local known = w[2] and w[2] ~= ''
if w[1] ~= ARGV[1] then return 0 end
if known and ARGV[2] ~= '' and w[2] ~= ARGV[2] and w[2] ~= ARGV[3] then return 0 end
if redis.call('LLEN', log) ~= tonumber(w[1]) then return redis.error_reply('ERR the log has a gap') end
for version, text in string.gmatch(ARGV[5], '(%d+) ([^\n]*)\n') do
  redis.call('LSET', log, tonumber(version) - 1, text)
end
redis.call('HSET', key, 'chain', ARGV[3])
if ARGV[8] == '1' then redis.call('HSET', key, 'owner', ARGV[6], 'summary', ARGV[7]) end
local all = redis.call('HGETALL', matches)
for i = 1, #all, 2 do
  local others = {}
  for seat, id in string.gmatch(all[i + 1], '(%d+) ([^\n]+)') do
    if id ~= who then
      others[#others + 1] = seat .. ' ' .. id
    else
      redis.call('HDEL', key .. ':others', all[i] .. ' ' .. seat)
    end
  end
  redis.call('HSET', matches, all[i], table.concat(others, '\n'))
end
all = redis.call('HGETALL', key .. ':others')
for i = 1, #all, 2 do
  local others = cjson.decode(all[i + 1])
  for _, one in ipairs(others) do
    if one.playerId == who then one.playerId, one.name = cjson.null, ARGV[10] end
  end
  if #others > 0 then redis.call('HSET', key .. ':others', all[i], cjson.encode(others)) end
end
redis.call('SREM', key .. ':members', who)
for _, set in ipairs({{':results', 'HKEYS', 'HDEL', '^'}, {':ended', 'ZRANGE', 'ZREM', '^%d+ %d+ '}}) do
  local names = redis.call(set[2], person .. set[1], unpack(set[2] == 'ZRANGE' and {0, -1} or {}))
  for _, name in ipairs(names) do
    if string.match(name, set[4] .. w[3] .. ' ') then redis.call(set[3], person .. set[1], name) end
  end
end
for _, list in ipairs({':visits', ':worlds'}) do redis.call('ZREM', person .. list, w[3]) end
return 1
