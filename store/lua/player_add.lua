-- KEYS: the player. ARGV: id, name, created, seen, devices, again, how long people are known who are not seen (0: for
-- ever), what all keys begin with. Gives 1, or 0 if something is taken.
local key, id, P = KEYS[1], ARGV[1], ARGV[8]
--include devices
local devices = read_devices(ARGV[5])
if redis.call('EXISTS', key) == 1 then
  if ARGV[6] == '0' then return 0 end
  local there = devices_of(key) -- somebody else's, unless this very person was added just now
  for token in pairs(devices) do
    if not there[token] then return 0 end
  end
  return 1
end
if not are_free(devices, id) then return 0 end
redis.call('HSET', key, 'id', id, 'name', ARGV[2], 'created', ARGV[3], 'seen', ARGV[4])
set_devices(key, id, devices, ARGV[7])
return 1
