-- KEYS: a player's results. ARGV: how many of the last games. A result is score, won, end, place, number, game, and on
-- the next line the figures as JSON; an older version wrote those of the whole table there, otherwise. Gives the
-- records, each with names and sums of its figures, and those games.
local by, out, ended, last = {}, {}, {}, {}
for _, result in ipairs(redis.call('HVALS', KEYS[1])) do
  local score, won, at, place, number, game, figures =
    string.match(result, '^(%S+) (%d) (%d+) (%d+) (%d+) ([^\n]*)\n(.*)$')
  local record = by[game]
  score = tonumber(score)
  if not record then
    record = {game, 0, 0, 0, score, {}, sums = {}}
    by[game] = record
    out[#out + 1] = record
  end
  record[2] = record[2] + 1
  record[3] = record[3] + tonumber(won)
  record[4] = record[4] + score
  record[5] = math.max(record[5], score)
  if string.sub(figures, 1, 1) ~= '{' then figures = '{}' end
  for name, value in pairs(cjson.decode(figures)) do
    record.sums[name] = (record.sums[name] or 0) + value
  end
  ended[#ended + 1] = {game, tonumber(at), score, tonumber(won), figures, place, tonumber(number)}
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
