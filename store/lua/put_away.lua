-- KEYS: the world, due. ARGV: code, when it was archived, what all keys begin with. Gives 0 if there is no such world.
local code, now, P = ARGV[1], ARGV[2], ARGV[3]
--include lists
--include put_away
local place = redis.call('HGET', KEYS[1], 'place')
if not place then return 0 end
put_away(KEYS[1], code, place .. ' ' .. code, KEYS[2])
return 1
