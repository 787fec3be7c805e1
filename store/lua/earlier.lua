-- KEYS: a player. ARGV: what all keys begin with; then for each game its id, and `PLAYED WON POINTS BEST` with the
-- figures as JSON on the next line. These take the place of all that counts of games whose worlds are gone.
local person, P = KEYS[1], ARGV[1]
--include totals
for _, field in ipairs(redis.call('HKEYS', person .. ':results')) do
  if redis.call('EXISTS', P .. '{' .. string.match(field, '^(%S+)') .. '}') == 0 then uncount_result(person, field) end
end
redis.call('DEL', person .. ':earlier')
for i = 2, #ARGV, 2 do redis.call('HSET', person .. ':earlier', ARGV[i], ARGV[i + 1]) end
return 1
