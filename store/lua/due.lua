-- KEYS: due. ARGV: after time, after place, until, how many, now or '', lease, what all keys begin with. With a time it
-- is a claim: the worlds come again when the lease is over, or after as long as they have been due already, so that one
-- that stands there for no reason is looked at ever less often. Gives whether there are more, and the worlds.
--include row
local after, until_time, max, now, P = tonumber(ARGV[1]), ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[7]
local out, more, at = {}, 0, 0
while more == 0 do
  local found = redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], until_time, 'WITHSCORES', 'LIMIT', at, 200)
  if #found == 0 then break end
  for i = 1, #found, 2 do
    local name = found[i]
    if tonumber(found[i + 1]) ~= after or string.sub(name, 1, 16) > ARGV[2] then
      if #out == max then
        more = 1
        break
      end
      out[#out + 1] = name
    end
  end
  at = at + 200
end
for i, name in ipairs(out) do
  out[i] = row(P .. '{' .. string.sub(name, 18) .. '}')
  if now ~= '' and not out[i][1] then
    redis.call('ZREM', KEYS[1], name)
  elseif now ~= '' then
    local age = tonumber(now) - (tonumber(out[i][12]) or 0)
    local lease = math.max(tonumber(ARGV[6]), math.min(age, 60000))
    redis.call('ZADD', KEYS[1], tonumber(now) + lease, name)
  end
end
return {more, out}
