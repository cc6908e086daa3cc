import { Script } from '../script.ts';

/**
 * Makes the effects of calls happen in turn, each of them whole or not at all.
 *
 * KEYS  1 heads, then those that the transactions name by their places here: of each workspace its updates stream, and behind that
 *       its wake channel; ledger hashes; state keys
 * ARGV  1 what to do, in MessagePack (one argument, because building and reading thousands would cost more than what they ask
 *         for): an array of the places of keys that are written more than once, one of the places of updates streams, each followed
 *         by the workspace's id, and then for each transaction an array:
 *       1 ledger field, 2 claim (`''`: the field must be absent; else it must hold exactly this)
 *       3 notAfter, 4 ledger expiry (both ms since the epoch, by Redis' clock)
 *       5 txid taken before the call read state (used when nothing is written), or `''`
 *       6 `result` | `frame`: what 7 is
 *       7 the result's JSON, or a whole reply frame (of a call that failed for good)
 *       8 one letter per state key: h hash, z sorted set, s set, `-` one whose type was looked at before; `''` when all were
 *       9 places in KEYS: of the workspace's updates stream, 10 of the ledger hash, 11 number of state keys, then of each of them
 *       then number of checks, each: check, state key, field or member, expected
 *       then number of state keys with counters, each: state key, number of counters, each of those: field, by, n
 *       then number of texts, each: n, number of pieces, the pieces: by turns a string and the n of what goes behind it
 *       then number of writes, each: write, state key, arguments
 *       then number of updates, each: kind, messenger account, user, update JSON
 *       A state key is the number of its place among those of the transaction; checks and writes are numbered as in CHECKS and WRITES.
 *       Where a number stands for a result, an argument of a write or an update's JSON it is an n: the new value of that counter, or
 *       that text.
 * Result for each transaction: {'committed', frame, txid} | {'recorded', frame} | {'void'} | {'expired'} | {'conflict', n}
 *       | {'refused', why} | {'failed', error of Redis}
 *
 * Everything that could fail is looked at before a transaction's first write: an error after it would leave half a commit. Scores and
 * expiries are numbers, which whoever made the transaction has seen to.
 */
export const commitScript = new Script(`
local call, find, sub, format, floor, concat = redis.call, string.find, string.sub, string.format, math.floor, table.concat
local TYPES = {h = 'hash', z = 'zset', s = 'set'}
local CHECKS = {'h=', 'h!', 'z=', 'z!', 's=', 's!'}
local WRITES = {'HSET', 'ZADD', 'HDEL', 'ZREM', 'SADD', 'SREM', 'PEXPIRE', 'DEL', 'PERSIST'}
local ARGUMENTS = {2, 2, 1, 1, 1, 1, 1, 0, 0}

local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)
local newest = tonumber(call('HGET', KEYS[1], 'txid')) or 0
local transactions = cmsgpack.unpack(ARGV[1])
local heads = {}
-- All by their places in KEYS.
local gathered, hashes, zsets, recorded, expiries, workspaces, tails, told = {}, {}, {}, {}, {}, {}, {}, {}
for _, place in ipairs(transactions[1]) do gathered[place] = true end
for i = 1, #transactions[2], 2 do workspaces[transactions[2][i]] = transactions[2][i + 1] end

local function inChunks(command, key, args, size)
  for from = 1, size, 2000 do call(command, key, unpack(args, from, math.min(from + 1999, size))) end
end

local function setFields(key, fields)
  local pairs, size = {}, 0
  for name, value in next, fields do
    pairs[size + 1], pairs[size + 2] = name, value
    size = size + 2
  end
  inChunks('HSET', key, pairs, size)
end

-- What several writes put into a hash or a sorted set is written together, and before anything else is done with the key.
local function settle(place)
  local fields, scores = hashes[place], zsets[place]
  if fields then
    hashes[place] = nil
    setFields(KEYS[place], fields)
  end
  if scores then
    zsets[place] = nil
    inChunks('ZADD', KEYS[place], scores, #scores)
  end
end

local function fieldsOf(place)
  local fields = hashes[place]
  if not fields then
    fields = {}
    hashes[place] = fields
  end
  return fields
end

local function tailOf(place)
  if not tails[place] then tails[place] = call('HGET', KEYS[1], workspaces[place]) or '' end
  return tails[place]
end

local function commit(tx)
  local field, claim, reply, types, ledger = tx[1], tx[2], tx[7], tx[8], tx[10]
  local outcomes = recorded[ledger]
  if type(outcomes) == 'string' then return {'failed', outcomes} end
  local known = outcomes[field]
  if claim == '' then
    if known == 'void' then return {'void'} end
    if known then return {'recorded', known} end
  elseif known ~= claim then
    if known and sub(known, 1, 5) == 'done:' then return {'recorded', sub(known, find(known, '\\n', 1, true) + 1)} end
    return {'void'}
  end
  if now > tx[3] then return {'expired'} end

  for i = 1, #types do
    local wanted = TYPES[sub(types, i, i)]
    if wanted then
      local found = call('TYPE', KEYS[tx[11 + i]]).ok
      if found ~= 'none' and found ~= wanted then return {'refused', 'key ' .. i .. ' holds a ' .. found} end
    end
  end

  local at = 12 + tx[11]
  local checks = tx[at]
  at = at + 1
  for i = 1, checks do
    local op, place, name, expected = CHECKS[tx[at]], tx[11 + tx[at + 1]], tx[at + 2], tx[at + 3]
    local key, fields, holds = KEYS[place], hashes[place], nil
    at = at + 4
    if zsets[place] then settle(place) end
    if op == 'h=' then holds = (fields and fields[name] or call('HGET', key, name)) == expected
    elseif op == 'h!' then holds = not (fields and fields[name]) and call('HEXISTS', key, name) == 0
    elseif op == 'z=' then
      local score = call('ZSCORE', key, name)
      holds = score and tonumber(score) == tonumber(expected)
    elseif op == 'z!' then holds = not call('ZSCORE', key, name)
    elseif op == 's=' then holds = call('SISMEMBER', key, name) == 1
    elseif op == 's!' then holds = call('SISMEMBER', key, name) == 0
    else return {'refused', 'check ' .. i} end
    if not holds then return {'conflict', i} end
  end

  local values, raised, raisedAt = {}, {}, {}
  local groups = tx[at]
  at = at + 1
  for g = 1, groups do
    local place, last = tx[11 + tx[at]], at + 1 + 3 * tx[at + 1]
    local fields, latest, missing = hashes[place], {}, {}
    at = at + 2
    for i = at, last, 3 do
      local name = tx[i]
      local value = fields and fields[name]
      if value then latest[name] = value
      else missing[#missing + 1] = name end
    end
    if missing[1] then
      local stored = call('HMGET', KEYS[place], unpack(missing))
      for i = 1, #missing do latest[missing[i]] = stored[i] or 0 end
    end
    for i = at, last, 3 do
      local name = tx[i]
      local value = tonumber(latest[name])
      if not value then return {'refused', 'counter ' .. name .. ' is not a number'} end
      value = format('%d', value + tx[i + 1])
      latest[name], values[tx[i + 2]] = value, value
    end
    at = last + 1
    raised[g], raisedAt[g] = latest, place
  end

  local texts = tx[at]
  at = at + 1
  for _ = 1, texts do
    local first, last = at + 2, at + 1 + tx[at + 1]
    for i = first + 1, last, 2 do tx[i] = values[tx[i]] end
    values[tx[at]] = concat(tx, '', first, last)
    at = last + 1
  end

  local written, firstWrite = tx[at], at + 1
  at = firstWrite
  for i = 1, written do
    local last = at + 1 + ARGUMENTS[tx[at]]
    for a = at + 2, last do
      local value = tx[a]
      if type(value) == 'number' then
        value = values[value]
        if not value then return {'refused', 'write ' .. i} end
        tx[a] = value
      end
    end
    at = last + 1
  end
  local updates = tx[at]
  at = at + 1
  for i = at + 3, at + 4 * updates, 4 do
    if type(tx[i]) == 'number' then tx[i] = values[tx[i]] end
    if not tx[i] then return {'refused', 'update'} end
  end
  if type(reply) == 'number' then reply = values[reply] end
  if not reply then return {'refused', 'result'} end

  local txid = tonumber(tx[5])
  if written > 0 or updates > 0 or groups > 0 or not txid then
    txid = math.max(newest + 1, now * 2048)
    newest, heads.txid = txid, format('%d', txid)
  end
  local id = format('%d', txid)
  for g = 1, groups do
    local place = raisedAt[g]
    if gathered[place] then
      local fields = fieldsOf(place)
      for name, value in next, raised[g] do fields[name] = value end
    else setFields(KEYS[place], raised[g]) end
  end
  local write = firstWrite
  for _ = 1, written do
    local op, place, a, b = tx[write], tx[11 + tx[write + 1]], tx[write + 2], tx[write + 3]
    local command, size = WRITES[op], ARGUMENTS[op]
    write = write + 2 + size
    if size == 2 and not gathered[place] then call(command, KEYS[place], a, b)
    elseif command == 'HSET' then fieldsOf(place)[a] = b
    elseif command == 'ZADD' then
      local scores = zsets[place] or {}
      zsets[place] = scores
      scores[#scores + 1], scores[#scores + 2] = a, b
    else
      settle(place)
      if size == 1 then call(command, KEYS[place], a)
      else call(command, KEYS[place]) end
    end
  end
  local stream = tx[9]
  for i = 1, updates do
    local kind, account, user, json = tx[at], tx[at + 1], tx[at + 2], tx[at + 3]
    if user == '' then call('XADD', KEYS[stream], id .. '-' .. i, 'k', kind, 'a', account, 'u', json)
    else call('XADD', KEYS[stream], id .. '-' .. i, 'k', kind, 'a', account, 's', user, 'u', json) end
    at = at + 4
  end

  if updates > 0 then
    tails[stream] = format('%016d_%016d', txid, updates)
    heads[workspaces[stream]] = tails[stream]
    told[stream] = true
  end
  local frame = reply
  if tx[6] == 'result' then
    local offset = tailOf(stream)
    frame = '200 ' .. (offset == '' and '-' or offset) .. '\\n{"result":' .. reply .. ',"txid":' .. id .. '}'
  end
  local kept = claim == '' and frame or 'done:' .. sub(claim, find(claim, ' ', 1, true) + 1) .. '\\n' .. frame
  outcomes[field], fieldsOf(ledger)[field] = kept, kept
  expiries[ledger] = tx[4]
  return {'committed', frame, id}
end

local asked = {}
for i = 3, #transactions do
  local tx = transactions[i]
  local fields = asked[tx[10]] or {}
  asked[tx[10]] = fields
  fields[#fields + 1] = tx[1]
end
for place, fields in next, asked do
  local found = redis.pcall('HMGET', KEYS[place], unpack(fields))
  local outcomes = {}
  if not found.err then
    for i, field in ipairs(fields) do outcomes[field] = found[i] end
  end
  recorded[place] = found.err or outcomes
end

local answers = {}
for i = 3, #transactions do
  local ok, answer = pcall(commit, transactions[i])
  answers[i - 2] = ok and answer or {'failed', type(answer) == 'table' and answer.err or tostring(answer)}
end
for place in next, hashes do settle(place) end
for place in next, zsets do settle(place) end
for place, expiry in next, expiries do call('PEXPIREAT', KEYS[place], format('%d', expiry)) end
if heads.txid then setFields(KEYS[1], heads) end
for place in next, told do call('SPUBLISH', KEYS[place + 1], tails[place]) end
return answers
`);
