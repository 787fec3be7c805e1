-- KEYS: the world, its log. ARGV: after version, how many. Gives the world, the entries and the chain, or nothing.
--include row
local world = row(KEYS[1])
if not world[1] then return false end
local from = tonumber(ARGV[1])
return {world, redis.call('LRANGE', KEYS[2], from, from + tonumber(ARGV[2]) - 1), redis.call('HGET', KEYS[1], 'chain')}
