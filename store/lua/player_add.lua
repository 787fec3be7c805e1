-- KEYS: the player, the token. ARGV: id, name, token, created, seen, again, how long people are known
-- who are not seen (0: for ever). Gives 1, or 0 if something is taken.
local token = redis.call('HGET', KEYS[1], 'token')
if ARGV[6] == '1' and token == ARGV[3] then return 1 end
if token or redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'name', ARGV[2], 'token', ARGV[3], 'created', ARGV[4], 'seen', ARGV[5])
redis.call('SET', KEYS[2], ARGV[1])
if ARGV[7] ~= '0' then
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[7]) end
end
return 1
