-- What lists and loads show of a world, in the order in which redis_replies.c reads it.
local function row(key)
  return redis.call('HMGET', key, 'code', 'place', 'game', 'owner', 'summary', 'status', 'public', 'archived',
    'version', 'created', 'changed', 'due')
end
