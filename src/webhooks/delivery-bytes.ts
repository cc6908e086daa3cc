import { COUNT_BYTES } from '../bytes/count-bytes.ts';

// What a delivery takes beside its record, in bytes (approximate): its id in the hash and the logs, and its place in a line or outside.
const DELIVERY_OVERHEAD = 600;

/**
 * Lua for scripts that keep deliveries: beside `COUNT_BYTES`,
 * - `put(deliveries, id, record)` writes a record, `drop(deliveries, id)` removes it; both return how many bytes that adds
 * - `countDeliveries(heads, parts, workspace, bytes)` adds to the bytes that the workspace uses
 */
export const COUNT_DELIVERIES = `${COUNT_BYTES}
local function put(deliveries, id, record)
  local before = redis.call('HSTRLEN', deliveries, id)
  redis.call('HSET', deliveries, id, record)
  return #record - before + (before == 0 and ${DELIVERY_OVERHEAD} or 0)
end

local function drop(deliveries, id)
  local before = redis.call('HSTRLEN', deliveries, id)
  return redis.call('HDEL', deliveries, id) == 0 and 0 or -before - ${DELIVERY_OVERHEAD}
end

local function countDeliveries(heads, parts, workspace, bytes)
  if bytes ~= 0 then countBytes(heads, parts, workspace, nil, string.format('%.0f', bytes)) end
end
`;
