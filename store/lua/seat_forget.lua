-- KEYS: a world. ARGV: its code, the number of a game, a seat, what all keys begin with. The game no longer counts for
-- the person there. Gives 0 if it does not anyway.
local code, number, seat, P = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
--include totals
local who = redis.call('HGET', KEYS[1] .. ':matches', number) or ''
for each, id in string.gmatch(who, '(%d+) ([^\n]+)') do
  local person, field = P .. 'player:' .. id, code .. ' ' .. number .. ' ' .. seat
  if each == seat and redis.call('HEXISTS', person .. ':results', field) == 1 then
    redis.call('EXISTS', person .. ':totals', person .. ':ended') -- all are here, in a cluster as well
    uncount_result(person, field)
    return 1
  end
end
return 0
