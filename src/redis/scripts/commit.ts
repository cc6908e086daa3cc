import { Script } from '../script.ts';

/**
 * Makes one call's effect happen, whole or not at all.
 *
 * KEYS  1 ledger hash, 2 meta hash, 3 updates stream, 4 wake channel, 5… state keys
 * ARGV  1 ledger field, 2 claim (`''`: the field must be absent; else it must hold exactly this)
 *       3 notAfter, 4 ledger expiry (both ms since the epoch, by Redis' clock)
 *       5 txid taken before the call read state (used when nothing is written), or `''`
 *       6 `result` | `frame`: what 7 is
 *       7 the result's JSON, or a whole reply frame (of a call that failed for good)
 *       8 one letter per state key: h hash, z sorted set, s set
 *       9 number of checks, each: op, state key, field, expected
 *         (h= field holds, h! field absent, z= score is, z! no score, s= is member, s! is not)
 *       then number of counters, each: state key, field, by
 *       then number of writes, each: command, state key, argument count, arguments
 *       then number of updates, each: kind, messenger account, user, update JSON
 *       In writes, updates and the result, \x01<n>\x02 stands for the new value of the n-th counter.
 * Result {'committed', frame, txid} | {'recorded', frame} | {'void'} | {'expired'} | {'conflict', n} | {'refused', why}
 *
 * Everything that could fail is looked at before the first write: an error after it would leave half a commit.
 */
export const commitScript = new Script(`
local recorded = redis.call('HGET', KEYS[1], ARGV[1])
if ARGV[2] == '' then
  if recorded == 'void' then return {'void'} end
  if recorded then return {'recorded', recorded} end
elseif recorded ~= ARGV[2] then
  if recorded and string.sub(recorded, 1, 5) == 'done:' then return {'recorded', string.sub(recorded, string.find(recorded, '\\n', 1, true) + 1)} end
  return {'void'}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now > tonumber(ARGV[3]) then return {'expired'} end

local state = 4
local types = {h = 'hash', z = 'zset', s = 'set'}
for i = 1, #KEYS - state do
  local found = redis.call('TYPE', KEYS[state + i]).ok
  if found ~= 'none' and found ~= types[string.sub(ARGV[8], i, i)] then
    return {'refused', 'key ' .. i .. ' holds a ' .. found}
  end
end

local at = 10
for i = 1, tonumber(ARGV[9]) do
  local op, key, field, expected = ARGV[at], KEYS[state + ARGV[at + 1]], ARGV[at + 2], ARGV[at + 3]
  at = at + 4
  local holds
  if op == 'h=' then holds = redis.call('HGET', key, field) == expected
  elseif op == 'h!' then holds = redis.call('HEXISTS', key, field) == 0
  elseif op == 'z=' then
    local score = redis.call('ZSCORE', key, field)
    holds = score and tonumber(score) == tonumber(expected)
  elseif op == 'z!' then holds = not redis.call('ZSCORE', key, field)
  elseif op == 's=' then holds = redis.call('SISMEMBER', key, field) == 1
  elseif op == 's!' then holds = redis.call('SISMEMBER', key, field) == 0
  else return {'refused', 'check ' .. op} end
  if not holds then return {'conflict', i} end
end

local counters, values, latest = {}, {}, {}
local count = tonumber(ARGV[at])
at = at + 1
for i = 1, count do
  local key, field = KEYS[state + ARGV[at]], ARGV[at + 1]
  local slot = key .. '\\0' .. field
  local value = latest[slot]
  if not value then
    local stored = redis.call('HGET', key, field)
    value = stored and tonumber(stored) or (not stored and 0)
    if not value then return {'refused', 'counter ' .. i .. ' is not a number'} end
  end
  value = value + ARGV[at + 2]
  latest[slot] = value
  counters[i] = {key, field, value}
  values[tostring(i)] = string.format('%.0f', value)
  at = at + 3
end
local function fill(text)
  if count == 0 or not string.find(text, '\\1', 1, true) then return text end
  return (string.gsub(text, '\\1(%d+)\\2', values))
end

local writes = {}
local written = tonumber(ARGV[at])
at = at + 1
for i = 1, written do
  local command, key, argc = ARGV[at], KEYS[state + ARGV[at + 1]], tonumber(ARGV[at + 2])
  local args = {}
  for j = 1, argc do args[j] = fill(ARGV[at + 2 + j]) end
  at = at + 3 + argc
  local known
  if command == 'HSET' then known = argc == 2
  elseif command == 'HINCRBY' then known = argc == 2 and tonumber(args[2]) and tonumber(redis.call('HGET', key, args[1]) or '0')
  elseif command == 'HDEL' or command == 'ZREM' or command == 'SADD' or command == 'SREM' then known = argc == 1
  elseif command == 'ZADD' then known = argc == 2 and tonumber(args[1])
  elseif command == 'DEL' or command == 'PERSIST' then known = argc == 0
  elseif command == 'PEXPIRE' then known = argc == 1 and tonumber(args[1]) end
  if not known then return {'refused', 'write ' .. i .. ' ' .. command} end
  writes[i] = {command, key, args[1], args[2]}
end

local meta = redis.call('HMGET', KEYS[2], 'txid', 'tail')
local txid = tonumber(ARGV[5])
local updates = tonumber(ARGV[at])
at = at + 1
if written > 0 or updates > 0 or count > 0 or not txid then
  txid = math.max((tonumber(meta[1]) or 0) + 1, now * 2048)
  redis.call('HSET', KEYS[2], 'txid', string.format('%.0f', txid))
end
local id = string.format('%.0f', txid)

for i = 1, count do redis.call('HSET', counters[i][1], counters[i][2], string.format('%.0f', counters[i][3])) end
for i = 1, written do
  local w = writes[i]
  if w[4] then redis.call(w[1], w[2], w[3], w[4])
  elseif w[3] then redis.call(w[1], w[2], w[3])
  else redis.call(w[1], w[2]) end
end
local tail = meta[2] or ''
for i = 1, updates do
  if ARGV[at + 2] ~= '' then
    redis.call('XADD', KEYS[3], id .. '-' .. i, 'k', ARGV[at], 'a', ARGV[at + 1], 's', fill(ARGV[at + 2]), 'u', fill(ARGV[at + 3]))
  else
    redis.call('XADD', KEYS[3], id .. '-' .. i, 'k', ARGV[at], 'a', ARGV[at + 1], 'u', fill(ARGV[at + 3]))
  end
  at = at + 4
end
if updates > 0 then
  tail = string.format('%016.0f_%016d', txid, updates)
  redis.call('HSET', KEYS[2], 'tail', tail)
  redis.call('SPUBLISH', KEYS[4], tail)
end

local frame
if ARGV[6] == 'frame' then frame = ARGV[7]
else frame = '200 ' .. (tail == '' and '-' or tail) .. '\\n{"result":' .. fill(ARGV[7]) .. ',"txid":' .. id .. '}' end
if ARGV[2] == '' then redis.call('HSET', KEYS[1], ARGV[1], frame)
else redis.call('HSET', KEYS[1], ARGV[1], 'done:' .. string.sub(ARGV[2], string.find(ARGV[2], ' ', 1, true) + 1) .. '\\n' .. frame) end
redis.call('PEXPIREAT', KEYS[1], ARGV[4])
return {'committed', frame, id}
`);
