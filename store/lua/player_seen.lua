-- KEYS: the player. ARGV: name or '', seen, how long people are known who are not seen (0: for ever), what all keys
-- begin with. Gives 0 if there is no such player.
local kept, P = ARGV[3], ARGV[4]
local token = redis.call('HGET', KEYS[1], 'token')
if not token then return 0 end
redis.call('HSET', KEYS[1], 'seen', ARGV[2])
if ARGV[1] ~= '' then redis.call('HSET', KEYS[1], 'name', ARGV[1]) end
if kept ~= '0' then
  for _, key in ipairs({KEYS[1], P .. 'token:' .. token}) do
    redis.call('PEXPIRE', key, kept)
  end
end
return 1
