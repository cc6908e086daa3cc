import { REPLY_KEPT_MAX } from './commit-reply.ts';

// What is kept beside a reply, in bytes (approximate): the overhead of its key, and the payload's hash, offset and txid.
const REPLY_OVERHEAD = 256;

/**
 * Lua of the commit script: `hasRoom(tx, stream, write, written, update, updates, reply)` decides whether a transaction may pass although
 * the workspace has used its byte budget or Redis is out of memory. `write` and `update` are the indexes in `tx` at which its writes and
 * updates begin.
 */
export const WEIGH = `local MAKES = {HSET = true, ZADD = true, ZADDRUN = true, SADD = true}
local REMOVALS = {HDEL = 'HSTRLEN', ZREM = 'ZSCORE', SREM = 'SISMEMBER'}

-- How many bytes a transaction would add, and whether it would remove anything.
local function weigh(tx, write, written, update, updates)
  local bytes, removes, gone, made = 0, false, {}, {}
  for _ = 1, written do
    local op, key, a, b = tx[write], KEYS[tx[11 + tx[write + 1]]], tx[write + 2], tx[write + 3]
    local command = WRITES[op]
    if MAKES[command] and not made[key] then
      made[key] = true
      if gone[key] or call('EXISTS', key) == 0 then bytes, gone[key] = bytes + #key + KEY, true end
    end
    if command == 'HSET' then
      local size = gone[key] and 0 or call('HSTRLEN', key, a)
      bytes = bytes + #b - size + (size == 0 and #a + FIELD or 0)
    elseif command == 'ZADD' then
      if gone[key] or not call('ZSCORE', key, b) then bytes = bytes + #b + MEMBER end
    elseif command == 'ZADDRUN' then bytes = bytes + b * (#a + MEMBER)
    elseif command == 'SADD' then
      if gone[key] or call('SISMEMBER', key, a) == 0 then bytes = bytes + #a + MEMBER end
    elseif command == 'DEL' then
      local size = not gone[key] and call('MEMORY', 'USAGE', key)
      if size then bytes, removes = bytes - size, true end
      gone[key], made[key] = true, nil
    elseif REMOVALS[command] and not gone[key] then
      local found = call(REMOVALS[command], key, a)
      if found and found ~= 0 then
        removes = true
        bytes = bytes - #a - MEMBER - (command == 'HDEL' and found or 0)
      end
    end
    write = write + 2 + ARGUMENTS[op]
  end
  for i = update, update + 5 * updates - 5, 5 do bytes = bytes + #tx[i] + #tx[i + 1] + #tx[i + 3] + #tx[i + 4] + ENTRY end
  return bytes, removes
end

local function hasRoom(tx, stream, write, written, update, updates, reply)
  if tx[6] == 'order' or tx[6] == 'end' then return true end
  local bytes, removes = weigh(tx, write, written, update, updates)
  if tx[2] ~= '' then bytes = bytes + math.min(#reply, ${REPLY_KEPT_MAX}) + ${REPLY_OVERHEAD} end
  if bytes <= 0 or isRedisFull then return bytes <= 0 end
  return removes and used[stream] + bytes < most[stream] * 1.0625 + 1048576
end`;
