const DAY = 24 * 3_600_000;

/**
 * How long settled deliveries stay in the log, in ms, and how many of one webhook. Of more than `succeeded` that have succeeded the oldest
 * go first, of their updates: the failed ones can still be recovered, and a busy webhook would push them out within minutes.
 */
export const LOG_KEPT = { ms: 5 * DAY, count: 5_000, succeeded: 500 };

/**
 * Lua: removes old deliveries from the log. Needs `COUNT_DELIVERIES`, `settled`, `deliveries`, the logs `all`, `succeeded` and `failed`, and
 * the `now`, `keepMs` and `keepCount`. Then `trimmed` is how many bytes that adds, at most 0.
 */
export const TRIM_LOG = `
local trimmed = 0
local function forget(ids)
  for _, id in ipairs(ids) do
    redis.call('ZREM', settled, id)
    trimmed = trimmed + drop(deliveries, id)
    for _, log in ipairs({all, succeeded, failed}) do redis.call('ZREM', log, id) end
  end
end
local function forgetFirst(set, count)
  if count > 0 then forget(redis.call('ZRANGE', set, 0, math.min(count, 50) - 1)) end
end
forget(redis.call('ZRANGE', settled, '-inf', now - keepMs, 'BYSCORE', 'LIMIT', 0, 50))
local function surplus() return redis.call('ZCARD', settled) - keepCount end
if surplus() > 0 then
  forgetFirst(succeeded, math.min(surplus(), redis.call('ZCARD', succeeded) - ${LOG_KEPT.succeeded}))
  forgetFirst(failed, surplus())
end
`;
