-- KEYS: the player, the new token. ARGV: the new token; what all keys begin with. Gives 0 if there is no such player.
local old = redis.call('HGET', KEYS[1], 'token')
if not old then return 0 end
if old ~= ARGV[1] then redis.call('DEL', ARGV[2] .. 'token:' .. old) end
redis.call('HSET', KEYS[1], 'token', ARGV[1])
redis.call('SET', KEYS[2], redis.call('HGET', KEYS[1], 'id'))
return 1
