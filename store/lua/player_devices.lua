-- KEYS: the player. ARGV: id, what goes (`none`, `one`, `others`, `links` or `all`), the token that is named or '',
-- devices to add, again, how long people are known who are not seen (0: for ever), what all keys begin with. Gives 1,
-- 0 if there is no such player or the token is not theirs, or -1 if one that is added is somebody else's.
local key, id, drop, named, again, P = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[5] == '1', ARGV[7]
--include devices
if redis.call('EXISTS', key) == 0 then return 0 end
local devices, added = devices_of(key), read_devices(ARGV[4])
local done = again and next(added) ~= nil
for token in pairs(added) do done = done and devices[token] ~= nil end
if done then return 1 end
if named ~= '' and not devices[named] then return again and drop ~= 'others' and next(added) == nil and 1 or 0 end
if not are_free(added, id) then return -1 end
for token, rest in pairs(devices) do
  local is_link = string.match(rest, '^%d+ %d+ (%d+)') ~= '0'
  if drop == 'all' or (drop == 'one' and token == named) or (drop == 'others' and token ~= named) or
    ((drop == 'links' or drop == 'one') and is_link) then
    devices[token] = nil
  end
end
for token, rest in pairs(added) do devices[token] = rest end
set_devices(key, id, devices, ARGV[6])
return 1
