-- KEYS: the notes of a person or of the server. ARGV: the person's id or '', name, text ('' to have none), fresh,
-- again, how many there may be, how long people are known who are not seen (0: for ever), what all keys begin with.
-- Gives 1, 0 if there are too many or another one is there, -1 if there is no such person.
local id, name, text, P = ARGV[1], ARGV[2], ARGV[3], ARGV[8]
if id ~= '' and redis.call('EXISTS', P .. 'player:' .. id) == 0 then return -1 end
local before = redis.call('HGET', KEYS[1], name)
if text == '' then
  redis.call('HDEL', KEYS[1], name)
  return 1
end
if before and ARGV[4] == '1' and not (ARGV[5] == '1' and before == text) then return 0 end
if not before and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[6]) then return 0 end
redis.call('HSET', KEYS[1], name, text)
if id ~= '' and ARGV[7] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[7]) end
return 1
