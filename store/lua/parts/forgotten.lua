-- The seats of people for whom a finished game of the world no longer counts, `NUMBER SEAT` in each line; and how many
-- games were finished.
local function forgotten_of(key, code, P)
  local matches, lines, games = redis.call('HGETALL', key .. ':matches'), '', 0
  for i = 1, #matches, 2 do
    if matches[i + 1] ~= '' then games = games + 1 end
    for seat, id in string.gmatch(matches[i + 1], '(%d+) ([^\n]+)') do
      local game = matches[i] .. ' ' .. seat
      if redis.call('HEXISTS', P .. 'player:' .. id .. ':results', code .. ' ' .. game) == 0 then
        lines = lines .. game .. '\n'
      end
    end
  end
  return lines, games
end
