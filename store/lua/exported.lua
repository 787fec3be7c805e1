-- KEYS: the world, its log. ARGV: version, how long an archived world is kept, what all keys begin with. Gives 0 if the
-- world has gone on.
--include forget
local P, w = ARGV[3], redis.call('HMGET', KEYS[1], 'version', 'place', 'code', 'archived')
if w[1] ~= ARGV[1] then return 0 end
redis.call('ZREM', P .. 'finished', w[2] .. ' ' .. w[3])
if w[4] == '1' then forget(KEYS[1], ARGV[2]) end
return 1
