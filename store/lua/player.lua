-- KEYS: the player, or the token. ARGV: an id, or '' to ask the token; what all keys begin with. Gives the player, or
-- nothing.
local P = ARGV[2]
--include devices
local id = ARGV[1]
if id == '' then id = redis.call('GET', KEYS[1]) end
if not id then return false end
local key = P .. 'player:' .. id
local found = redis.call('HMGET', key, 'id', 'name', 'created', 'seen')
if not found[1] then return false end
found[5] = text_of_devices(key)
return found
