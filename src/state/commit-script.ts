import { KEY_BYTES } from '../bytes/count-bytes.ts';
import { LEDGER_CODEC, VOID } from '../ledger/codec.ts';
import { Script } from '../redis/script.ts';
import { TXIDS_PER_MS } from '../txid.ts';
import { KEEP_REPLY, READ_RECORDED } from './commit-reply.ts';
import { APPEND_UPDATES, FIND_TRACES, FIRST_ENDS } from './commit-updates.ts';
import { FIND_VALUES } from './commit-values.ts';
import { WEIGH } from './commit-weigh.ts';
import { APPLY_CHANGES, COMBINE_WRITES } from './commit-writes.ts';

/**
 * Commits transactions one after the other, each of them atomically.
 *
 * KEYS  1 heads, then the keys that transactions refer to by index: of each workspace its updates stream, directly followed by its wake
 *       channel and its bytes; ledger hashes; state keys
 * ARGV  1 the transactions, in MessagePack (thousands of arguments would cost more than their execution): an array of the indexes of
 *         keys that are written more than once, an array of the indexes of updates streams, each followed by the workspace's id, and
 *         then for each transaction an array:
 *       1 ledger field, 2 claim (`''`: the field must be absent; else it must hold exactly this)
 *       3 notAfter, 4 ledger expiry (both ms since the epoch, by Redis' clock)
 *       5 txid reserved before the call read state, used if nothing is written; `''` for a new one, as of a call that has committed something
 *         ahead
 *       6 kind of 7: `frame`, or a result: `result` | `read` of a method that only reads | `order`, which may exceed the byte budget |
 *         `kept` of an async call | `end` of an async call, which may exceed the byte budget
 *       7 the result's JSON, `''` for a read that is not recorded, or a whole reply frame (of a call that failed for good)
 *       8 one letter per state key: h hash, z sorted set, s set, `-` if its type was checked before; `''` if all were
 *       9 indexes in KEYS: of the workspace's updates stream, 10 of the ledger hash, 11 number of state keys, then of each of them
 *       then number of checks, each: check, state key, field or member, expected
 *       then number of state keys with counters, each: state key, number of counters, their fields, then of each counter: the sum
 *         of its field's increments up to it, and its n (0: not used elsewhere)
 *       then number of texts, each: n, number of pieces, the pieces: strings alternating with the n of the value between them
 *       then number of writes, each: write, state key, arguments
 *       then number of updates, each: kind, messenger account, user, update JSON, index in ARGV of the JSON of its users and chats
 *       ZADDRUN adds consecutive integers, each as its own score. Its arguments are the highest one and their count.
 *       ZKEEP keeps the highest members of a sorted set for some time. Its arguments are their count and the milliseconds.
 *       A state key is its index among the transaction's keys; checks and writes are numbered as in CHECKS and WRITES.
 *       A number in place of a result, an argument of a write or the JSON of an update is an n: it stands for the new value of that
 *       counter, or for that text. 0 in place of an argument of a write stands for the time that the txid tells, in ms.
 *       2 byte budget of a workspace that has none of its own (0: unlimited)
 *       3 indexes of transactions in 1, alternating with the `traceparent` kept with their updates; `''` if none is traced
 *       then the JSON texts of users and chats that updates mention
 * Result three values for each transaction, padded with `''`: 'committed', frame, txid | 'recorded', frame | 'void' | 'expired' |
 *       'conflict', n | 'full' | 'refused', why | 'failed', Redis' error. An error that begins with OOM says that nothing was written.
 *
 * Everything that could fail is checked before a transaction's first write: an error after it would leave half a commit. `Transaction`
 * makes sure that scores and expiries are numbers.
 *
 * The bytes that a workspace keeps are counted as they are written, approximately as Redis counts them; `measureBytes` corrects the count.
 * A workspace that has used its budget may still commit what removes at least as much as it adds. What removes anything at all may use a
 * reserve beyond that. The reply kept for an Idempotency-Key counts as added. None is kept there of a call that has changed nothing: such
 * calls are not refused, and would fill Redis.
 */
const lua = `${LEDGER_CODEC}
local call, find, sub, format, floor, concat = redis.call, string.find, string.sub, string.format, math.floor, table.concat
local KEYS, ARGV, type, tonumber, unpack = KEYS, ARGV, type, tonumber, unpack
local isRedisFull = false
local LARGE, FIELD, MEMBER, ENTRY, KEY = 512, 64, 64, 48, ${KEY_BYTES}
local TYPES = {h = 'hash', z = 'zset', s = 'set'}
local CHECKS = {'h=', 'h!', 'z=', 'z!', 's=', 's!'}
local WRITES = {'HSET', 'ZADD', 'HDEL', 'ZREM', 'SADD', 'SREM', 'PEXPIRE', 'DEL', 'PERSIST', 'ZADDRUN', 'ZKEEP'}
local ARGUMENTS = {2, 2, 1, 1, 1, 1, 1, 0, 0, 2, 2}
${FIRST_ENDS}

local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)
local transactions = cmsgpack.unpack(ARGV[1])
-- All tables are by index in KEYS.
local combined, hashes, zsets, recorded, expiries, workspaces, tails, told = {}, {}, {}, {}, {}, {}, {}, {}
-- By index of the updates stream: bytes used, the budget, whether \`used\` has changed, bytes by part.
local used, most, counted, parts, owners = {}, {}, {}, {}, {}
for _, index in ipairs(transactions[1]) do combined[index] = true end
${FIND_TRACES}
local names = {'txid'}
for i = 1, #transactions[2], 2 do
  local id = transactions[2][i + 1]
  workspaces[transactions[2][i]] = id
  names[i + 1], names[i + 2] = id .. ':used', id .. ':max'
end
local head = call('HMGET', KEYS[1], unpack(names))
-- The newest txid, but at least the one before the first of this millisecond.
local newest = math.max(tonumber(head[1]) or 0, now * ${TXIDS_PER_MS} - 1)
local newestId
for i = 1, #transactions[2], 2 do
  local index, max = transactions[2][i], tonumber(head[i + 2] or ARGV[2])
  used[index], most[index] = tonumber(head[i + 1]) or 0, max == 0 and math.huge or max
end

${COMBINE_WRITES}

local function tailOf(index)
  if not tails[index] then tails[index] = call('HGET', KEYS[1], workspaces[index]) or '' end
  return tails[index]
end

${WEIGH}

-- The bytes that the current transaction has added. They are counted together at its end: it may write to a dozen keys.
local added = 0

local function commit(tx)
  local field, claim, reply, types, ledger = tx[1], tx[2], tx[7], tx[8], tx[10]
  local outcomes, isKept = recorded[ledger], true
  if type(outcomes) == 'string' then return 'failed', outcomes end
  local known = outcomes[field]
  if claim == '' then
    if known == '${VOID}' then return 'void' end
    if known then return 'recorded', known end
  elseif known ~= claim then
    local done, frame = readDone(known)
    -- The claim has expired, and the key was used for another request since.
    if done and done ~= payloadOf(claim) then return 'void' end
    if done and frame ~= '' then return 'recorded', frame end
    -- A read whose reply was not recorded may run again.
    if not done or tx[6] ~= 'read' then return 'void' end
    isKept = false
  end
  if now > tx[3] then return 'expired' end

  for i = 1, #types do
    local wanted = TYPES[sub(types, i, i)]
    if wanted then
      local found = call('TYPE', KEYS[tx[11 + i]]).ok
      if found ~= 'none' and found ~= wanted then return 'refused', 'key ' .. i .. ' holds a ' .. found end
    end
  end

  local at = 12 + tx[11]
  local checks = tx[at]
  at = at + 1
  for i = 1, checks do
    local op, index, name, expected = CHECKS[tx[at]], tx[11 + tx[at + 1]], tx[at + 2], tx[at + 3]
    local key, fields, holds = KEYS[index], hashes[index], nil
    at = at + 4
    if zsets[index] then flush(index) end
    if op == 'h=' then holds = (fields and fields[name] or call('HGET', key, name)) == expected
    elseif op == 'h!' then holds = not (fields and fields[name]) and call('HEXISTS', key, name) == 0
    elseif op == 'z=' then
      local score = call('ZSCORE', key, name)
      holds = score and tonumber(score) == tonumber(expected)
    elseif op == 'z!' then holds = not call('ZSCORE', key, name)
    elseif op == 's=' then holds = call('SISMEMBER', key, name) == 1
    elseif op == 's!' then holds = call('SISMEMBER', key, name) == 0
    else return 'refused', 'check ' .. i end
    if not holds then return 'conflict', i end
  end

${FIND_VALUES}

  local stream, kind = tx[9], tx[6]
  local changes = written > 0 or updates > 0 or groups > 0
  local isFull = isRedisFull or used[stream] >= most[stream]
  if changes and isFull and not hasRoom(tx, stream, firstWrite, written, at, updates, reply) then return 'full' end

  local id = tx[5]
  local isNew = changes or not tonumber(id)
  if isNew then
    newest = newest + 1
    id = format('%d', newest)
    newestId = id
  end
${APPLY_CHANGES}
${APPEND_UPDATES}

  if updates > 0 then
    -- A txid has 16 digits, as an offset needs: it begins with the time.
    tails[stream] = id .. (OFFSET_ENDS[updates] or format('_%016d', updates))
    told[stream] = true
  end
${KEEP_REPLY}
  return 'committed', frame, id
end

${READ_RECORDED}

local answers = {}
for i = 3, #transactions do
  added = 0
  local ok, kind, first, second = pcall(commit, transactions[i])
  count(transactions[i][9], added)
  if not ok then
    local why = type(kind) == 'table' and kind.err or tostring(kind)
    -- Redis reports this only before a script's first write. Give up all: the combined writes of this transaction must not be half-written.
    if sub(why, 1, 4) == 'OOM ' then error({err = why}) end
    kind, first = 'failed', why
  end
  local at = 3 * i - 8
  answers[at], answers[at + 1], answers[at + 2] = kind, first or '', second or ''
end
for index in next, hashes do flush(index) end
for index in next, zsets do flush(index) end
for index, expiry in next, expiries do call('PEXPIREAT', KEYS[index], format('%d', expiry)) end
for stream, ofStream in next, parts do
  for name, bytes in next, ofStream do call('HINCRBY', KEYS[stream + 2], name, bytes) end
end
local heads, size = {'txid', newestId}, newestId and 2 or 0
for i = 1, #transactions[2], 2 do
  local index = transactions[2][i]
  if told[index] then
    heads[size + 1], heads[size + 2] = workspaces[index], tails[index]
    size = size + 2
  end
  if counted[index] then
    heads[size + 1], heads[size + 2] = names[i + 1], format('%d', math.max(0, used[index]))
    size = size + 2
  end
end
inChunks('HSET', KEYS[1], heads, size)
for index in next, told do call('SPUBLISH', KEYS[index + 1], tails[index]) end
return answers
`;

export const commitScript = new Script(lua);

/**
 * The commit script for when Redis is out of memory. Transactions pass that change nothing or remove at least as much as they add, and so
 * do orders and ends of async calls. All others are answered 'full'.
 */
export const commitWhenFullScript = new Script(
  `#!lua flags=allow-oom${lua.replace('isRedisFull = false', 'isRedisFull = true')}`,
);
