local function enlist(key, code, name, place, now)
  local w = redis.call('HMGET', key, 'game', 'status', 'public')
  redis.call('ZADD', P .. (tonumber(w[2]) < 2 and 'open' or 'over'), now, name)
  if tonumber(w[2]) >= 2 then redis.call('ZADD', P .. 'finished', now, name) end
  if w[2] == '0' and w[3] == '1' then
    redis.call('ZADD', P .. 'public', place, code)
    redis.call('ZADD', P .. 'public:' .. w[1], place, code)
  end
  for _, id in ipairs(redis.call('SMEMBERS', key .. ':members')) do
    redis.call('ZADD', P .. 'player:' .. id .. ':worlds', place, code)
  end
end
