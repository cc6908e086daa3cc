import { TXIDS_PER_MS } from '../txid.ts';

/**
 * Lua of the commit script, within a transaction: finds the new values of its counters, builds its texts, and puts both in place of the
 * numbers that stand for them, and the time of the commit in place of 0. Leaves `groups` and `firstGroup` (hashes with counters), `written`
 * and `firstWrite`, `updates` and their position `at`. Nothing is written yet.
 */
export const FIND_VALUES = `  -- By n. With room for most transactions' values at once: a table that grows is laid out anew each time it doubles.
  local values = {nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil}
  local groups, firstGroup = tx[at], at + 1
  at = firstGroup
  for _ = 1, groups do
    local index, size, first = tx[11 + tx[at]], tx[at + 1], at + 2
    local fields, stored = hashes[index], nil
    local isKnown = fields ~= nil
    at = first + size
    for i = first, at - 1 do isKnown = isKnown and fields[tx[i]] end
    if not isKnown then stored = call('HMGET', KEYS[index], unpack(tx, first, at - 1)) end
    for i = 1, size do
      local name = tx[first + i - 1]
      local value = tonumber(fields and fields[name] or stored[i] or 0)
      if not value then return 'refused', 'counter ' .. name .. ' is not a number' end
      value = format('%d', value + tx[at])
      local n = tx[at + 1]
      -- 0: the new value is not used elsewhere.
      if n ~= 0 then values[n] = value end
      -- From here on, the counter's name and new value stand in place of its increment and n.
      tx[at], tx[at + 1] = name, value
      at = at + 2
    end
  end

  local texts = tx[at]
  at = at + 1
  for _ = 1, texts do
    local first, last = at + 2, at + 1 + tx[at + 1]
    -- Most texts have three or five pieces. For so few, \`..\` is faster.
    if last == first + 4 then
      values[tx[at]] = tx[first] .. values[tx[first + 1]] .. tx[first + 2] .. values[tx[first + 3]] .. tx[last]
    elseif last == first + 2 then values[tx[at]] = tx[first] .. values[tx[first + 1]] .. tx[last]
    else
      for i = first + 1, last, 2 do tx[i] = values[tx[i]] end
      values[tx[at]] = concat(tx, '', first, last)
    end
    at = last + 1
  end

  local written, firstWrite = tx[at], at + 1
  at = firstWrite
  for i = 1, written do
    local last = at + 1 + ARGUMENTS[tx[at]]
    for a = at + 2, last do
      local value = values[tx[a]]
      if value then tx[a] = value
      elseif tx[a] == 0 then tx[a] = format('%d', floor((newest + 1) / ${TXIDS_PER_MS}))
      elseif type(tx[a]) == 'number' then return 'refused', 'write ' .. i end
    end
    at = last + 1
  end
  local updates = tx[at]
  at = at + 1
  for i = at + 3, at + 5 * updates, 5 do
    if type(tx[i]) == 'number' then tx[i] = values[tx[i]] end
    tx[i + 1] = ARGV[tx[i + 1]]
    if not tx[i] or not tx[i + 1] then return 'refused', 'update' end
  end
  if type(reply) == 'number' then reply = values[reply] end
  if not reply then return 'refused', 'result' end`;
