-- KEYS: the player, or the token. ARGV: an id, or '' to ask the token; what all keys begin with. Gives the player, or
-- nothing.
local id = ARGV[1]
if id == '' then id = redis.call('GET', KEYS[1]) end
if not id then return false end
local found = redis.call('HMGET', ARGV[2] .. 'player:' .. id, 'id', 'name', 'token', 'created', 'seen')
return found[1] and found
