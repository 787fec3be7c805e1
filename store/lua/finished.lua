-- KEYS: finished. ARGV: how many, what all keys begin with. Gives whether there are more, and the worlds: their
-- rows, and at the place where a walk has them the seats of people for whom a game no longer counts.
--include row
--include forgotten
local max, P = tonumber(ARGV[1]), ARGV[2]
local out, more, gone
redis.call('SET', P .. 'exports', 1)
repeat
  out, more, gone = {}, 0, false
  for _, name in ipairs(redis.call('ZRANGE', KEYS[1], 0, max)) do
    local key = P .. '{' .. string.sub(name, 18) .. '}'
    local world = row(key)
    if not world[1] then
      gone = redis.call('ZREM', KEYS[1], name)
    elseif #out == max then
      more = 1
    else
      world[13], world[14], world[15], world[16] = '', '', '', (forgotten_of(key, world[1], P))
      out[#out + 1] = world
    end
  end
until not gone
return {more, out}
