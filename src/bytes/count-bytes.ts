/** The overhead of a key, in addition to its name and value, in bytes (approximate). */
export const KEY_BYTES = 128;

// A workspace may have hundreds of parts to go through, and while it is full thousands of calls a second may ask for room.
const LAPSE_EVERY_MS = 1_000;

/**
 * Lua for scripts that count a workspace's bytes. `heads` and `parts` are keys: the workspace's heads and its bytes.
 *
 * - `countBytes(heads, parts, workspace, part, bytes)` adds to the bytes used, and to a part of them: `calls`, or the time when the bytes
 *   expire (ms)
 * - `lapseBytes(heads, parts, workspace)` subtracts expired bytes; returns the bytes used, and how many of them are in parts
 * - `isFull(heads, parts, workspace, max)` returns whether the budget is used; `max` is the budget of workspaces without their own. What
 *   has expired in the last second may still count
 */
export const COUNT_BYTES = `
local function countBytes(heads, parts, workspace, part, bytes)
  if redis.call('HINCRBY', heads, workspace .. ':used', bytes) < 0 then redis.call('HSET', heads, workspace .. ':used', 0) end
  if part and redis.call('HINCRBY', parts, part, bytes) <= 0 then redis.call('HDEL', parts, part) end
end

local function lapseBytes(heads, parts, workspace)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  -- Where Redis' memory is full, this may be refused.
  redis.pcall('HSET', parts, 'lapsedAt', string.format('%.0f', now))
  local all, gone, left = redis.call('HGETALL', parts), 0, 0
  for i = 1, #all, 2 do
    local till = tonumber(all[i])
    if till and till < now then
      gone = gone + all[i + 1]
      redis.call('HDEL', parts, all[i])
    elseif till or all[i] == 'calls' then left = left + all[i + 1] end
  end
  if gone > 0 then countBytes(heads, parts, workspace, nil, -gone) end
  return tonumber(redis.call('HGET', heads, workspace .. ':used') or 0), left
end

local function isFull(heads, parts, workspace, max)
  local found = redis.call('HMGET', heads, workspace .. ':used', workspace .. ':max')
  local most = tonumber(found[2] or max)
  if most == 0 or tonumber(found[1] or 0) < most then return false end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local last = tonumber(redis.call('HGET', parts, 'lapsedAt') or 0)
  -- The clock may have been set back.
  if last <= now and now - last < ${LAPSE_EVERY_MS} then return true end
  return lapseBytes(heads, parts, workspace) >= most
end
`;
