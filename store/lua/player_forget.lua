-- KEYS: the player, whose other keys begin like it. Forgets how this person did.
for _, part in ipairs({':results', ':earlier', ':totals', ':ended'}) do redis.call('DEL', KEYS[1] .. part) end
return 1
