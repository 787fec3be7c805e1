-- KEYS: the player. ARGV: name or '', seen. Gives 0 if there is no such player.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'seen', ARGV[2])
if ARGV[1] ~= '' then redis.call('HSET', KEYS[1], 'name', ARGV[1]) end
return 1
