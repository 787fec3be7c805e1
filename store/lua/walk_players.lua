-- KEYS: any of the shard. ARGV: where SCAN goes on, how many keys it looks at, whether to look for what is wrong, what
-- all keys begin with. Gives where it goes on, the people, bytes, and sentences.
local look, P = ARGV[3] == '1', ARGV[4]
--include devices
local out, bytes, problems = {}, 0, {}
local found = redis.call('SCAN', ARGV[1], 'MATCH', P .. 'player:*', 'COUNT', ARGV[2], 'TYPE', 'hash')
for _, key in ipairs(found[2]) do
  local person = redis.call('HMGET', key, 'id', 'name', 'created', 'seen')
  bytes = bytes + redis.call('MEMORY', 'USAGE', key)
  if person[1] and key == P .. 'player:' .. person[1] then
    for token in pairs(look and devices_of(key) or {}) do
      if redis.call('GET', P .. 'token:' .. token) ~= person[1] then
        problems[#problems + 1] = person[1] .. ' has a token that leads to nobody'
      end
    end
    person[5] = text_of_devices(key)
    out[#out + 1] = person
  end
end
return {found[1], out, bytes, problems}
