-- KEYS: a player's results; records of games whose worlds are gone. ARGV: how many of the last games, whether only
-- games count whose worlds are gone, what all keys begin with. A result is score, won, end, place, number, game, and on
-- the next line the figures as JSON; an older version wrote those of the whole table there, otherwise. Gives the
-- records, each with names and sums of its figures, and those games.
local only_earlier, P = ARGV[2] == '1', ARGV[3]
local by, out, ended, last = {}, {}, {}, {}

local function count(game, played, won, points, best, figures)
  local record = by[game]
  if not record then
    record = {game, 0, 0, 0, best, {}, sums = {}}
    by[game] = record
    out[#out + 1] = record
  end
  record[2] = record[2] + played
  record[3] = record[3] + won
  record[4] = record[4] + points
  record[5] = math.max(record[5], best)
  for name, value in pairs(cjson.decode(figures)) do
    record.sums[name] = (record.sums[name] or 0) + value
  end
end

local results = redis.call('HGETALL', KEYS[1])
for i = 1, #results, 2 do
  local score, won, at, place, number, game, figures =
    string.match(results[i + 1], '^(%S+) (%d) (%d+) (%d+) (%d+) ([^\n]*)\n(.*)$')
  local code = string.match(results[i], '^(%S+)')
  if not only_earlier or redis.call('EXISTS', P .. '{' .. code .. '}') == 0 then
    score = tonumber(score)
    if string.sub(figures, 1, 1) ~= '{' then figures = '{}' end
    count(game, 1, tonumber(won), score, score, figures)
    ended[#ended + 1] = {game, tonumber(at), score, tonumber(won), figures, place, tonumber(number)}
  end
end
local earlier = redis.call('HGETALL', KEYS[2])
for i = 1, #earlier, 2 do
  local played, won, points, best, figures = string.match(earlier[i + 1], '^(%d+) (%d+) (%S+) (%S+)\n(.*)$')
  count(earlier[i], tonumber(played), tonumber(won), tonumber(points), tonumber(best), figures)
end
table.sort(out, function(a, b) return a[1] < b[1] end)
table.sort(ended, function(a, b)
  if a[2] ~= b[2] then return a[2] > b[2] end
  if a[6] ~= b[6] then return a[6] > b[6] end
  return a[7] > b[7]
end)
for _, record in ipairs(out) do
  local names = {}
  for name in pairs(record.sums) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do
    record[6][2 * i - 1], record[6][2 * i] = name, record.sums[name]
  end
end
for i = 1, math.min(#ended, tonumber(ARGV[1])) do last[i] = ended[i] end
return {out, last}
