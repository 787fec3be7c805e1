-- KEYS: the world, its log. ARGV: version, chain, chain afterwards, who goes, the lines that change (`VERSION TEXT`,
-- each with its end), owner, summary, whether these two count, what all keys begin with. Gives 1, 0 if there is
-- another log by now, or -1 if there is no such world.
local key, log, who, P = KEYS[1], KEYS[2], ARGV[4], ARGV[9]
local w = redis.call('HMGET', key, 'version', 'chain', 'code')
local person, matches = P .. 'player:' .. who, key .. ':matches'
redis.call('EXISTS', matches, key .. ':members', person .. ':visits', person .. ':worlds', person .. ':results')
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
    if id ~= who then others[#others + 1] = seat .. ' ' .. id end
  end
  redis.call('HSET', matches, all[i], table.concat(others, '\n'))
end
redis.call('SREM', key .. ':members', who)
for _, field in ipairs(redis.call('HKEYS', person .. ':results')) do
  if string.sub(field, 1, #w[3] + 1) == w[3] .. ' ' then redis.call('HDEL', person .. ':results', field) end
end
for _, list in ipairs({':visits', ':worlds'}) do redis.call('ZREM', person .. list, w[3]) end
return 1
