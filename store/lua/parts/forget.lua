-- A world's keys go after so many milliseconds.
local function forget(key, after)
  for _, part in ipairs({'', ':log', ':members', ':matches', ':others'}) do
    redis.call('PEXPIRE', key .. part, after)
  end
end
