-- KEYS: the player. ARGV: id, name or '', seen, the token or '', how long people are known who are not seen (0: for
-- ever), what all keys begin with. Gives 0 if there is no such player.
local key, seen, token, P = KEYS[1], ARGV[3], ARGV[4], ARGV[6]
--include devices
if redis.call('EXISTS', key) == 0 then return 0 end
local devices = devices_of(key)
if devices[token] then devices[token] = string.gsub(devices[token], '^(%d+) %d+', '%1 ' .. seen) end
set_devices(key, ARGV[1], devices, ARGV[5])
redis.call('HSET', key, 'seen', seen)
if ARGV[2] ~= '' then redis.call('HSET', key, 'name', ARGV[2]) end
return 1
