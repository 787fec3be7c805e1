-- All sorted sets but that of due worlds in which a world may stand.
local function lists(key)
  local game, all = redis.call('HGET', key, 'game'), {P .. 'open', P .. 'over', P .. 'public'}
  if game then all[4] = P .. 'public:' .. game end
  for _, id in ipairs(redis.call('SMEMBERS', key .. ':members')) do
    all[#all + 1] = P .. 'player:' .. id .. ':worlds'
  end
  return all
end

local function unlist(key, code, name)
  for _, list in ipairs(lists(key)) do redis.call('ZREM', list, code, name) end
end

-- While a slot moves to another server of a cluster, some of its keys are here and some there. A script that comes upon
-- one that is not here fails, and what it had done before stays: so one that changes more than the keys it is given
-- looks at all of them first.
local in_a_cluster = P ~= 'oyster:'
local function look_at_all(keys)
  redis.call('EXISTS', unpack(keys))
end
