-- KEYS: finished. ARGV: how many, what all keys begin with. Gives whether there are more, and the worlds.
--include row
local max, P = tonumber(ARGV[1]), ARGV[2]
local out, more, gone
redis.call('SET', P .. 'exports', 1)
repeat
  out, more, gone = {}, 0, false
  for _, name in ipairs(redis.call('ZRANGE', KEYS[1], 0, max)) do
    local world = row(P .. '{' .. string.sub(name, 18) .. '}')
    if not world[1] then
      gone = redis.call('ZREM', KEYS[1], name)
    elseif #out == max then
      more = 1
    else
      out[#out + 1] = world
    end
  end
until not gone
return {more, out}
