import { Script } from '../script.ts';

/**
 * Makes the effects of calls happen in turn, each of them whole or not at all.
 *
 * KEYS  of each workspace its meta hash, updates stream and wake channel, one behind the other; ledger hashes; state keys
 * ARGV  1 the transactions: a JSON array of arrays (one argument, because building and reading thousands would cost more than
 *         what they ask for), each of them:
 *       1 ledger field, 2 claim (`''`: the field must be absent; else it must hold exactly this)
 *       3 notAfter, 4 ledger expiry (both ms since the epoch, by Redis' clock)
 *       5 txid taken before the call read state (used when nothing is written), or `''`
 *       6 `result` | `frame`: what 7 is
 *       7 the result's JSON, or a whole reply frame (of a call that failed for good)
 *       8 one letter per state key: h hash, z sorted set, s set; `-` for one whose type was looked at before
 *       then places in KEYS: of the meta hash, of the ledger hash, then of each state key
 *       then number of checks, each: slot, field, expected
 *       then number of state keys with counters, each: its place among the state keys, number of counters, each of those: field, by, n
 *       then number of texts that are written in several places, each: n, JSON
 *       then number of writes, each: slot, arguments
 *       then number of updates, each: kind, messenger account, user, update JSON
 *       A slot is a number: 16 times the state key's place, plus what is done with it (CHECKS and WRITES in this order).
 *       A text in writes and updates, and the result, may be an array of pieces: every second one is an n, and stands for the new
 *       value of that counter, or for that text.
 * Result for each transaction: {'committed', frame, txid} | {'recorded', frame} | {'void'} | {'expired'} | {'conflict', n}
 *       | {'refused', why} | {'failed', error of Redis}
 *
 * Everything that could fail is looked at before a transaction's first write: an error after it would leave half a commit.
 */
export const commitScript = new Script(`
local call, find, sub, format, floor, concat = redis.call, string.find, string.sub, string.format, math.floor, table.concat
local TYPES = {h = 'hash', z = 'zset', s = 'set'}
local CHECKS = {'h=', 'h!', 'z=', 'z!', 's=', 's!'}
local WRITES = {'HSET', 'HINCRBY', 'HDEL', 'ZADD', 'ZREM', 'SADD', 'SREM', 'DEL', 'PEXPIRE', 'PERSIST'}
local ARGUMENTS = {2, 2, 1, 2, 1, 1, 1, 0, 1, 0}

local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)
local spaces, expiries, ledgers, hashes, zsets = {}, {}, {}, {}, {}

local function spaceAt(place)
  local space = spaces[place]
  if not space then
    local meta = call('HMGET', KEYS[place], 'txid', 'tail')
    space = {newest = tonumber(meta[1]) or 0, tail = meta[2] or '', updates = KEYS[place + 1]}
    spaces[place] = space
  end
  return space
end

local function inChunks(command, key, args, size)
  for from = 1, size, 2000 do call(command, key, unpack(args, from, math.min(from + 1999, size))) end
end

-- What transactions put into a hash or a sorted set is written together, and before anything else is done with the key.
local function settle(key)
  local fields, scores = hashes[key], zsets[key]
  if fields then
    hashes[key] = nil
    local pairs, size = {}, 0
    for name, value in next, fields do
      pairs[size + 1], pairs[size + 2] = name, type(value) == 'number' and format('%d', value) or value
      size = size + 2
    end
    inChunks('HSET', key, pairs, size)
  end
  if scores then
    zsets[key] = nil
    inChunks('ZADD', key, scores, #scores)
  end
end

local function hashOf(key)
  local fields = hashes[key]
  if not fields then
    fields = {}
    hashes[key] = fields
  end
  return fields
end

-- A hash field as it is with what is still to be written.
local function get(key, name)
  local fields = hashes[key]
  local value = fields and fields[name]
  if type(value) == 'number' then return format('%d', value) end
  return value or call('HGET', key, name)
end

local function commit(tx)
  local field, claim, reply, types, space, ledger = tx[1], tx[2], tx[7], tx[8], spaceAt(tx[9]), KEYS[tx[10]]
  local recorded = get(ledger, field)
  if claim == '' then
    if recorded == 'void' then return {'void'} end
    if recorded then return {'recorded', recorded} end
  elseif recorded ~= claim then
    if recorded and sub(recorded, 1, 5) == 'done:' then return {'recorded', sub(recorded, find(recorded, '\\n', 1, true) + 1)} end
    return {'void'}
  end
  if now > tx[3] then return {'expired'} end

  local at = 10
  local keys = {}
  for i = 1, #types do
    local key = KEYS[tx[at + i]]
    keys[i] = key
    local wanted = TYPES[sub(types, i, i)]
    if wanted then
      local found = call('TYPE', key).ok
      if found ~= 'none' and found ~= wanted then return {'refused', 'key ' .. i .. ' holds a ' .. found} end
    end
  end

  at = at + #types + 1
  local checks = tx[at]
  at = at + 1
  for i = 1, checks do
    local slot, name, expected = tx[at], tx[at + 1], tx[at + 2]
    local key, op = keys[floor(slot / 16)], CHECKS[slot % 16]
    at = at + 3
    if zsets[key] then settle(key) end
    local holds
    if op == 'h=' then holds = get(key, name) == expected
    elseif op == 'h!' then holds = not (hashes[key] and hashes[key][name]) and call('HEXISTS', key, name) == 0
    elseif op == 'z=' then
      local score = call('ZSCORE', key, name)
      holds = score and tonumber(score) == tonumber(expected)
    elseif op == 'z!' then holds = not call('ZSCORE', key, name)
    elseif op == 's=' then holds = call('SISMEMBER', key, name) == 1
    elseif op == 's!' then holds = call('SISMEMBER', key, name) == 0
    else return {'refused', 'check ' .. i} end
    if not holds then return {'conflict', i} end
  end

  local raised, values = {}, {}
  local groups = tx[at]
  at = at + 1
  for g = 1, groups do
    local key, size = keys[tx[at]], tx[at + 1]
    local known, latest, missing = hashes[key] or {}, {}, {}
    at = at + 2
    for i = 0, size - 1 do
      local name = tx[at + i * 3]
      if known[name] then latest[name] = known[name]
      else missing[#missing + 1] = name end
    end
    if #missing > 0 then
      local stored = call('HMGET', key, unpack(missing))
      for i = 1, #missing do latest[missing[i]] = stored[i] or 0 end
    end
    for i = 1, size do
      local name = tx[at]
      local value = tonumber(latest[name])
      if not value then return {'refused', 'counter ' .. name .. ' is not a number'} end
      value = value + tx[at + 1]
      latest[name] = value
      values[tx[at + 2]] = format('%d', value)
      at = at + 3
    end
    raised[key] = latest
  end
  local function fill(text)
    if type(text) ~= 'table' then return text end
    for i = 2, #text, 2 do text[i] = values[text[i]] end
    return concat(text)
  end

  local texts = tx[at]
  at = at + 1
  for i = 1, texts do
    values[tx[at]] = fill(tx[at + 1])
    at = at + 2
  end

  local writes, places, firsts, seconds, before = {}, {}, {}, {}, {}
  local written = tx[at]
  at = at + 1
  for i = 1, written do
    local slot = tx[at]
    local op, key = slot % 16, keys[floor(slot / 16)]
    local command, argc = WRITES[op], ARGUMENTS[op]
    if not command then return {'refused', 'write ' .. i} end
    local a, b
    if argc > 0 then a = fill(tx[at + 1]) end
    if argc > 1 then b = fill(tx[at + 2]) end
    at = at + 1 + argc
    local possible = true
    if command == 'HINCRBY' then
      before[i] = tonumber(get(key, a) or 0)
      possible = tonumber(b) and before[i] and before[i] % 1 == 0
    elseif command == 'ZADD' or command == 'PEXPIRE' then
      local number = tonumber(a)
      possible = number and number == number
    end
    if not possible then return {'refused', 'write ' .. i .. ' ' .. command} end
    writes[i], places[i], firsts[i], seconds[i] = command, key, a, b
  end

  local updates = tx[at]
  at = at + 1
  for i = at + 3, at + 4 * updates, 4 do tx[i] = fill(tx[i]) end
  if tx[6] == 'result' then reply = fill(reply) end
  local changes = written > 0 or updates > 0 or groups > 0
  local txid = tonumber(tx[5])
  local isNew = changes or not txid
  if isNew then
    txid = math.max(space.newest + 1, now * 2048)
    space.newest, space.changed = txid, true
  end
  local id = format('%d', txid)

  for key, latest in next, raised do
    local fields = hashOf(key)
    for name, value in next, latest do fields[name] = value end
  end
  local taken = {}
  for i = 1, written do
    local command, key, a, b = writes[i], places[i], firsts[i], seconds[i]
    if command == 'HSET' then hashOf(key)[a] = b
    elseif command == 'HINCRBY' then
      local fields = hashOf(key)
      local value = fields[a] or taken[key] and (call('HGET', key, a) or 0) or before[i]
      fields[a] = value + b
    elseif command == 'ZADD' then
      local scores = zsets[key] or {}
      zsets[key] = scores
      scores[#scores + 1], scores[#scores + 2] = a, b
    elseif command ~= 'PEXPIRE' or expiries[key] ~= a then
      settle(key)
      if a then call(command, key, a) else call(command, key) end
      -- A key that is empty is gone, and what it had to expire by with it.
      if command == 'PEXPIRE' then expiries[key] = a
      else expiries[key], taken[key] = nil, true end
    end
  end
  for i = 1, updates do
    local user = tx[at + 2]
    if user == '' then
      call('XADD', space.updates, id .. '-' .. i, 'k', tx[at], 'a', tx[at + 1], 'u', tx[at + 3])
    else
      call('XADD', space.updates, id .. '-' .. i, 'k', tx[at], 'a', tx[at + 1], 's', user, 'u', tx[at + 3])
    end
    at = at + 4
  end

  local frame = reply
  local offset = updates > 0 and format('%016d_%016d', txid, updates) or space.tail
  if tx[6] == 'result' then frame = '200 ' .. (offset == '' and '-' or offset) .. '\\n{"result":' .. reply .. ',"txid":' .. id .. '}' end
  hashOf(ledger)[field] = claim == '' and frame or 'done:' .. sub(claim, find(claim, ' ', 1, true) + 1) .. '\\n' .. frame
  ledgers[ledger] = tx[4]
  if updates > 0 then space.tail, space.told = offset, true end
  return {'committed', frame, id}
end

local answers = {}
for i, tx in ipairs(cjson.decode(ARGV[1])) do
  local ok, answer = pcall(commit, tx)
  answers[i] = ok and answer or {'failed', type(answer) == 'table' and answer.err or tostring(answer)}
end
for key in next, hashes do settle(key) end
for key in next, zsets do settle(key) end
for key, expiry in next, ledgers do call('PEXPIREAT', key, format('%d', expiry)) end
for place, space in next, spaces do
  if space.told then
    call('HSET', KEYS[place], 'txid', format('%d', space.newest), 'tail', space.tail)
    call('SPUBLISH', KEYS[place + 2], space.tail)
  elseif space.changed then call('HSET', KEYS[place], 'txid', format('%d', space.newest)) end
end
return answers
`);
