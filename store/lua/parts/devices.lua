-- luacheck: push ignore 211 (not every script needs all of these)
-- A person's devices by token: `CREATED SEEN UNTIL NAME`, in a hash beside the person's. In version 1 there was one
-- token, which stood with the person.
local function devices_of(key)
  local all, out = redis.call('HGETALL', key .. ':devices'), {}
  for i = 1, #all, 2 do out[all[i]] = all[i + 1] end
  local before = redis.call('HMGET', key, 'token', 'created', 'seen')
  if before[1] then out[before[1]] = before[2] .. ' ' .. before[3] .. ' 0 ' end
  return out
end

-- What store_device_next reads.
local function text_of_devices(key)
  local lines = {}
  for token, rest in pairs(devices_of(key)) do lines[#lines + 1] = token .. ' ' .. rest .. '\n' end
  table.sort(lines)
  return table.concat(lines)
end

local function read_devices(text)
  local out = {}
  for token, rest in string.gmatch(text, '(%x+) ([^\n]*)\n') do out[token] = rest end
  return out
end

-- May these tokens become this person's?
local function are_free(devices, id)
  for token in pairs(devices) do
    local holder = redis.call('GET', P .. 'token:' .. token)
    if holder and holder ~= id then return false end
  end
  return true
end

-- Makes these the person's devices, and keeps the person for so long (0: for ever).
local function set_devices(key, id, devices, kept)
  local before = devices_of(key)
  local keys = {key, key .. ':devices', key .. ':notes'}
  for token in pairs(before) do keys[#keys + 1] = P .. 'token:' .. token end
  for token in pairs(devices) do keys[#keys + 1] = P .. 'token:' .. token end
  redis.call('EXISTS', unpack(keys)) -- see look_at_all
  for token in pairs(before) do
    if not devices[token] then redis.call('DEL', P .. 'token:' .. token) end
  end
  redis.call('HDEL', key, 'token')
  redis.call('DEL', key .. ':devices')
  for token, rest in pairs(devices) do
    redis.call('HSET', key .. ':devices', token, rest)
    redis.call('SET', P .. 'token:' .. token, id)
  end
  if kept == '0' then return end
  for _, one in ipairs(keys) do redis.call('PEXPIRE', one, kept) end
end
-- luacheck: pop
