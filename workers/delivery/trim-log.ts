const DAY = 24 * 3_600_000;

/** How long settled deliveries stay in the log, in ms, and how many of one webhook. */
export const LOG_KEPT = { ms: 5 * DAY, count: 5_000 };

/** Lua: removes old deliveries from the log. Needs `settled`, `deliveries` and the `logs`, `now`, `keepMs` and `keepCount`. */
export const TRIM_LOG = `
local function forget(ids)
  for _, id in ipairs(ids) do
    redis.call('ZREM', settled, id)
    redis.call('HDEL', deliveries, id)
    for _, log in ipairs(logs) do redis.call('ZREM', log, id) end
  end
end
forget(redis.call('ZRANGE', settled, '-inf', now - keepMs, 'BYSCORE', 'LIMIT', 0, 50))
local over = redis.call('ZCARD', settled) - keepCount
if over > 0 then forget(redis.call('ZRANGE', settled, 0, math.min(over, 50) - 1)) end
`;
