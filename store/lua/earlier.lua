-- KEYS: a player's records of games whose worlds are gone. ARGV: for each game its id, and `PLAYED WON POINTS BEST`
-- with the figures as JSON on the next line. They take the place of what was there.
redis.call('DEL', KEYS[1])
for i = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1
