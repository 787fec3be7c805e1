-- KEYS: due. ARGV: where SCAN goes on, how many keys it looks at, whether to look for what is wrong, what all keys
-- begin with. Gives where it goes on, the worlds, bytes, and sentences. A world is its row, when it was archived, how
-- many of its games were finished, its members, and the seats of people for whom a game no longer counts.
--include row
--include forgotten
local look, P = ARGV[3] == '1', ARGV[4]
local out, bytes, problems = {}, 0, {}

local function stands_in(list, name) return redis.call('ZSCORE', P .. list, name) end

local function check(world, key, name)
  local code, game, status, version = world[1], world[3], tonumber(world[6]), tonumber(world[9])
  local length = redis.call('LLEN', key .. ':log')
  local function say(text) problems[#problems + 1] = 'world ' .. code .. ' ' .. text end
  if length ~= version then say('has ' .. length .. ' entries and says ' .. tostring(version)) end
  if world[8] == '1' then return end
  if not stands_in(status < 2 and 'open' or 'over', name) then say('is open and stands in no list of such worlds') end
  if world[12] ~= '' and not redis.call('ZSCORE', KEYS[1], name) then say('is due and stands not in that list') end
  if status == 0 and world[7] == '1' and not (stands_in('public', code) and stands_in('public:' .. game, code)) then
    say('is public and not listed')
  end
  for id in string.gmatch(world[15], '[^\n]+') do
    if not stands_in('player:' .. id .. ':worlds', code) then say('is not in the list of its member ' .. id) end
  end
end

local found = redis.call('SCAN', ARGV[1], 'MATCH', P .. '{*}', 'COUNT', ARGV[2])
for _, key in ipairs(found[2]) do
  local world = row(key)
  if world[1] then
    local name, forgotten, games = world[2] .. ' ' .. world[1], forgotten_of(key, world[1], P)
    world[13] = world[8] == '1' and redis.call('ZSCORE', P .. 'finished', name) or ''
    world[14] = games
    world[15] = table.concat(redis.call('SMEMBERS', key .. ':members'), '\n')
    if world[15] ~= '' then world[15] = world[15] .. '\n' end
    world[16] = forgotten
    for _, part in ipairs({'', ':log', ':members', ':matches', ':others'}) do
      bytes = bytes + (redis.call('MEMORY', 'USAGE', key .. part) or 0)
    end
    if look then check(world, key, name) end
    out[#out + 1] = world
  end
end
return {found[1], out, bytes, problems}
