-- luacheck: push ignore 211 (not every script needs all of these)
-- How a person did, in running totals, so that reading them takes as long for ten thousand games as for one. Beside the
-- person's key: `:results`, a hash of all finished games by `CODE NUMBER SEAT`; `:ended`, the same fields in a sorted
-- set by when they ended; `:totals`, by game `PLAYED WON POINTS BEST` and on the next line the sums of the figures as
-- JSON. A result is score, won, end, place, number, game, and on the next line the figures as JSON; a very old one has
-- those of the whole table there, otherwise.
local function read_result(text)
  local score, won, at, place, number, game, figures =
    string.match(text, '^(%S+) (%d) (%d+) (%d+) (%d+) ([^\n]*)\n(.*)$')
  if string.sub(figures, 1, 1) ~= '{' then figures = '{}' end
  return {score = tonumber(score), won = tonumber(won), at = at, place = place, number = tonumber(number), game = game,
    figures = figures}
end

-- Games that ended at the same time are in the order of their worlds, then of their numbers.
local function ended_name(result, field)
  return string.format('%s %010d %s', result.place, result.number, field)
end

local function read_total(text)
  local played, won, points, best, figures = string.match(text or '0 0 0 0\n{}', '^(%d+) (%d+) (%S+) (%S+)\n(.*)$')
  return {played = tonumber(played), won = tonumber(won), points = tonumber(points), best = tonumber(best),
    figures = cjson.decode(figures)}
end

local function add_total(total, more)
  total.best = total.played == 0 and more.best or math.max(total.best, more.best)
  total.played = total.played + more.played
  total.won = total.won + more.won
  total.points = total.points + more.points
  for name, value in pairs(more.figures) do total.figures[name] = (total.figures[name] or 0) + value end
end

local function as_total(result)
  return {played = 1, won = result.won, points = result.score, best = result.score,
    figures = cjson.decode(result.figures)}
end

local function write_total(person, game, total)
  redis.call('HSET', person .. ':totals', game, string.format('%.0f %.0f %.0f %.0f\n%s', total.played, total.won,
    total.points, total.best, cjson.encode(total.figures)))
end

-- Version 1 had results only: what is missing is made of them once.
local function make_totals(person)
  if redis.call('EXISTS', person .. ':totals') == 1 then return end
  local results, totals = redis.call('HGETALL', person .. ':results'), {}
  for i = 1, #results, 2 do
    local result = read_result(results[i + 1])
    totals[result.game] = totals[result.game] or read_total()
    add_total(totals[result.game], as_total(result))
    redis.call('ZADD', person .. ':ended', result.at, ended_name(result, results[i]))
  end
  for game, total in pairs(totals) do write_total(person, game, total) end
end

-- Takes a game off again, if it is there: its game is counted anew, which is rare.
local function uncount_result(person, field)
  make_totals(person)
  local text = redis.call('HGET', person .. ':results', field)
  if not text then return end
  local result, rest = read_result(text), read_total()
  redis.call('HDEL', person .. ':results', field)
  redis.call('ZREM', person .. ':ended', ended_name(result, field))
  for _, other in ipairs(redis.call('HVALS', person .. ':results')) do
    local one = read_result(other)
    if one.game == result.game then add_total(rest, as_total(one)) end
  end
  if rest.played > 0 then
    write_total(person, result.game, rest)
  else
    redis.call('HDEL', person .. ':totals', result.game)
  end
end

-- Counts a game. If it is there, its world was gone in between, and what it counted for goes first.
local function count_result(person, field, text)
  uncount_result(person, field)
  local result = read_result(text)
  local total = read_total(redis.call('HGET', person .. ':totals', result.game))
  add_total(total, as_total(result))
  write_total(person, result.game, total)
  redis.call('ZADD', person .. ':ended', result.at, ended_name(result, field))
  redis.call('HSET', person .. ':results', field, text)
end
-- luacheck: pop
