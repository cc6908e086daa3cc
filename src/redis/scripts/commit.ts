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
 *       8 one letter per state key: h hash, z sorted set, s set; `-` for one whose type was looked at before
 *       9 number of checks, each: op, state key, field, expected
 *         (h= field holds, h! field absent, z= score is, z! no score, s= is member, s! is not)
 *       then number of state keys with counters, each: state key, number of counters, each of those: field, by, n
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
  local wanted = types[string.sub(ARGV[8], i, i)]
  if wanted then
    local found = redis.call('TYPE', KEYS[state + i]).ok
    if found ~= 'none' and found ~= wanted then return {'refused', 'key ' .. i .. ' holds a ' .. found} end
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

local counters, values, count = {}, {}, 0
local groups = tonumber(ARGV[at])
at = at + 1
for g = 1, groups do
  local key, size = KEYS[state + ARGV[at]], tonumber(ARGV[at + 1])
  local fields = {}
  for i = 1, size do fields[i] = ARGV[at + i * 3 - 1] end
  local stored = redis.call('HMGET', key, unpack(fields))
  local latest, pairs = {}, {key}
  for i = 1, size do
    local field = fields[i]
    local value = latest[field] or tonumber(stored[i] or 0)
    if not value then return {'refused', 'counter ' .. field .. ' is not a number'} end
    value = value + ARGV[at + i * 3]
    latest[field] = value
    local text = string.format('%.0f', value)
    values[ARGV[at + i * 3 + 1]] = text
    pairs[i * 2] = field
    pairs[i * 2 + 1] = text
  end
  counters[g] = pairs
  count = count + size
  at = at + 2 + size * 3
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
local tail = meta[2] or ''
local updates = tonumber(ARGV[at])
at = at + 1
local changes = written > 0 or updates > 0 or count > 0
if changes or not txid then txid = math.max((tonumber(meta[1]) or 0) + 1, now * 2048) end
local id = string.format('%.0f', txid)

for g = 1, groups do redis.call('HSET', unpack(counters[g])) end
for i = 1, written do redis.call(unpack(writes[i])) end
for i = 1, updates do
  if ARGV[at + 2] == '' then
    redis.call('XADD', KEYS[3], id .. '-' .. i, 'k', ARGV[at], 'a', ARGV[at + 1], 'u', fill(ARGV[at + 3]))
  else
    redis.call('XADD', KEYS[3], id .. '-' .. i, 'k', ARGV[at], 'a', ARGV[at + 1], 's', fill(ARGV[at + 2]), 'u', fill(ARGV[at + 3]))
  end
  at = at + 4
end
if updates > 0 then
  tail = string.format('%016.0f_%016d', txid, updates)
  redis.call('HSET', KEYS[2], 'txid', id, 'tail', tail)
  redis.call('SPUBLISH', KEYS[4], tail)
elseif changes or ARGV[5] == '' then
  redis.call('HSET', KEYS[2], 'txid', id)
end

local frame
if ARGV[6] == 'frame' then frame = ARGV[7]
else frame = '200 ' .. (tail == '' and '-' or tail) .. '\\n{"result":' .. fill(ARGV[7]) .. ',"txid":' .. id .. '}' end
if ARGV[2] ~= '' then
  redis.call('HSET', KEYS[1], ARGV[1], 'done:' .. string.sub(ARGV[2], string.find(ARGV[2], ' ', 1, true) + 1) .. '\\n' .. frame)
  redis.call('PEXPIREAT', KEYS[1], ARGV[4])
elseif redis.call('HSET', KEYS[1], ARGV[1], frame) == 1 and redis.call('HLEN', KEYS[1]) == 1 then
  redis.call('PEXPIREAT', KEYS[1], ARGV[4])
end
return {'committed', frame, id}
`);
