-- KEYS: over, open, due. ARGV: finished ones before, others before, how many, how long they are kept (0: for ever),
-- what all keys begin with, now. Gives whether there are more, and the worlds. A score may be older than the world's
-- last change: then it is set.
local kept, P, now = ARGV[4], ARGV[5], ARGV[6]
--include row
--include lists
--include forget
--include put_away
local exports = redis.call('EXISTS', P .. 'exports') == 1
local out, more, max = {}, 0, tonumber(ARGV[3])

local function sweep(set, before)
  while more == 0 do
    local found = redis.call('ZRANGEBYSCORE', set, '-inf', '(' .. before, 'LIMIT', 0, 100)
    if #found == 0 then return end
    for _, name in ipairs(found) do
      local code = string.sub(name, 18)
      local key = P .. '{' .. code .. '}'
      local changed = redis.call('HGET', key, 'changed')
      if not changed then
        redis.call('ZREM', set, name)
      elseif tonumber(changed) >= tonumber(before) then
        redis.call('ZADD', set, changed, name)
      elseif #out == max then
        more = 1
        return
      else
        put_away(key, code, name, KEYS[3])
        out[#out + 1] = row(key)
        if not exports and kept ~= '0' then forget(key, kept) end
      end
    end
  end
end

if not exports and kept ~= '0' then -- nobody asks for them, or no longer
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', P .. 'finished', '-inf', tonumber(now) - tonumber(kept), 'LIMIT', 0,
    100)) do
    local key = P .. '{' .. string.sub(name, 18) .. '}'
    if redis.call('HGET', key, 'archived') == '1' then forget(key, 0) end
    redis.call('ZREM', P .. 'finished', name)
  end
end
sweep(KEYS[1], ARGV[1])
sweep(KEYS[2], ARGV[2])
return {more, out}
