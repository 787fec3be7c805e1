-- KEYS: the player, whose other keys begin like it. ARGV: what all keys begin with. Gives 0, and does nothing, if there
-- is a world from whose log the person was not taken.
local P, key = ARGV[1], KEYS[1]
for _, code in ipairs(redis.call('ZRANGE', key .. ':visits', 0, -1)) do
  if redis.call('EXISTS', P .. '{' .. code .. '}') == 1 then return 0 end
end
local token = redis.call('HGET', key, 'token')
if token then redis.call('DEL', P .. 'token:' .. token) end
redis.call('DEL', key, key .. ':worlds', key .. ':visits', key .. ':results', key .. ':earlier')
return 1
