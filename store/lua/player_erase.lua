-- KEYS: the player, whose other keys begin like it. ARGV: what all keys begin with. Gives 0, and does nothing, if there
-- is a world from whose log the person was not taken.
local P, key = ARGV[1], KEYS[1]
--include devices
for _, code in ipairs(redis.call('ZRANGE', key .. ':visits', 0, -1)) do
  if redis.call('EXISTS', P .. '{' .. code .. '}') == 1 then return 0 end
end
for token in pairs(devices_of(key)) do redis.call('DEL', P .. 'token:' .. token) end
for _, part in ipairs({'', ':devices', ':worlds', ':visits', ':results', ':earlier', ':totals', ':ended',
  ':notes'}) do
  redis.call('DEL', key .. part)
end
return 1
