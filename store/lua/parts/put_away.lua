-- Takes a world out of all lists. Beside `lists` it needs `now`.
local function put_away(key, code, name, due)
  if in_a_cluster then
    local keys = lists(key)
    for _, part in ipairs({':log', ':members', ':matches', ':others'}) do keys[#keys + 1] = key .. part end
    keys[#keys + 1] = P .. 'finished'
    look_at_all(keys)
  end
  unlist(key, code, name)
  redis.call('ZREM', due, name)
  redis.call('HSET', key, 'archived', 1, 'due', '')
  redis.call('ZADD', P .. 'finished', now, name)
end
