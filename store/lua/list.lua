-- KEYS: a set of codes by place. ARGV: before place, how many, what all keys begin with. Gives whether there are more,
-- and the worlds.
--include row
local max, P = tonumber(ARGV[2]), ARGV[3]
local out, more = {}, 0
local found = redis.call('ZREVRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '-inf', 'LIMIT', 0, max + 1)
for i, code in ipairs(found) do
  if i > max then more = 1 else out[i] = row(P .. '{' .. code .. '}') end
end
return {more, out}
