-- KEYS: a player. ARGV: how many of the last games, whether only games count whose worlds are gone, what all keys begin
-- with. Gives the records, each with names and sums of its figures, and those games.
local person, only_earlier, P = KEYS[1], ARGV[2] == '1', ARGV[3]
--include totals
local by, out, last = {}, {}, {}

local function count(game, more)
  by[game] = by[game] or read_total()
  add_total(by[game], more)
end

make_totals(person)
if only_earlier then -- for copies of the store, which may take their time
  local results = redis.call('HGETALL', person .. ':results')
  for i = 1, #results, 2 do
    local result = read_result(results[i + 1])
    if redis.call('EXISTS', P .. '{' .. string.match(results[i], '^(%S+)') .. '}') == 0 then
      count(result.game, as_total(result))
    end
  end
else
  local totals = redis.call('HGETALL', person .. ':totals')
  for i = 1, #totals, 2 do count(totals[i], read_total(totals[i + 1])) end
  local max = tonumber(ARGV[1])
  for _, name in ipairs(max > 0 and redis.call('ZREVRANGE', person .. ':ended', 0, max - 1) or {}) do
    local field = string.match(name, '^%d+ %d+ (.*)$')
    local code, seat = string.match(field, '^(%S+) (.*)$')
    local text = redis.call('HGET', person .. ':results', field)
    if text then
      local result = read_result(text)
      last[#last + 1] = {result.game, tonumber(result.at), result.score, result.won, result.figures, result.place,
        result.number, redis.call('HGET', P .. '{' .. code .. '}:others', seat) or '[]'}
    end
  end
end
local earlier = redis.call('HGETALL', person .. ':earlier')
for i = 1, #earlier, 2 do count(earlier[i], read_total(earlier[i + 1])) end
for game, total in pairs(by) do
  local names, figures = {}, {}
  for name in pairs(total.figures) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do figures[2 * i - 1], figures[2 * i] = name, total.figures[name] end
  out[#out + 1] = {game, total.played, total.won, total.points, total.best, figures}
end
table.sort(out, function(a, b) return a[1] < b[1] end)
return {out, last}
