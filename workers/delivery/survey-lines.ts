import { byteKeys, bytesMaxOf } from '../../src/bytes/byte-budget.ts';
import { timeOfId } from '../../src/ids.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { Script } from '../../src/redis/script.ts';
import { QUEUED_MAX } from '../../src/webhooks/bounds.ts';
import { COUNT_DELIVERIES } from '../../src/webhooks/delivery-bytes.ts';
import { type LineOwner, lineKey } from '../../src/webhooks/line-keys.ts';
import { LINE_UP, leaseKeys } from './lease.ts';
import { LOG_KEPT, TRIM_LOG } from './trim-log.ts';

// The script blocks Redis, so it lists no more than this; the next survey begins elsewhere.
const LISTED_MAX = 100;
const SCANNED_MAX = 1_000;

/**
 * KEYS 1 heads, 2 state, 3 pending, 4 aside, 5 holds, 6 log of queued ones, 7 settled, 8 deliveries, 9 log of all,
 *      10 of succeeded, 11 of failed ones, 12 the workspace's bytes, 13 leases, 14 those that wait for one, 15 the workspace's leases,
 *      16 its webhooks of which something waits for one
 * ARGV 1 now, 2 most queued, 3 most lines, and most deliveries aside, to list, 4 how long the log is kept (ms), 5 and how many, 6 workspace id,
 *      7 most lines to look at, 8 `1` to have what is due wait for a lease,
 *      9 byte budget of a workspace that has none of its own (0: unlimited), 10 webhook
 * Result: 1 if there is more in the stream that may be queued, or no position, how many are queued, the id of the oldest or '', 1 if a wake was asked for,
 *      then lines and deliveries that may take a lease now.
 */
export const survey = new Script(`${COUNT_DELIVERIES}
local settled, deliveries, all, succeeded, failed = KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local now, keepMs, keepCount = ARGV[1], ARGV[4], ARGV[5]
${TRIM_LOG}
countDeliveries(KEYS[1], KEYS[12], ARGV[6], trimmed)
local tail = redis.call('HGET', KEYS[1], ARGV[6]) or ''
local position = redis.call('HGET', KEYS[2], 'position')
local queued = redis.call('ZCARD', KEYS[6])
local behind = tail ~= '' and tail ~= position and queued < tonumber(ARGV[2])
if behind and isFull(KEYS[1], KEYS[12], ARGV[6], ARGV[9]) then behind = false end
-- It is lost, and has to be set again.
if not position then behind = true end
local asked = redis.call('HMGET', KEYS[2], 'wake', 'wakeAside')
local isWakeAsked = (asked[1] or asked[2]) and 1 or 0
local answer = {behind and 1 or 0, queued, redis.call('ZRANGE', KEYS[6], 0, 0)[1] or '', isWakeAsked}
if ARGV[8] == '0' then return answer end
local leases, waiters, workspaceLeases, webhooks, webhook = KEYS[13], KEYS[14], KEYS[15], KEYS[16], ARGV[10]
${LINE_UP}
local most, looks, listed, isMore = tonumber(ARGV[3]), tonumber(ARGV[7]), 0, false
local function list(name)
  lineUp(name)
  listed = listed + 1
end
-- It begins anywhere, so that every line is listed in time, however many there are.
local isPaused = tonumber(redis.call('HGET', KEYS[2], 'pausedUntil') or 0) > tonumber(now)
local anywhere = not isPaused and redis.call('ZRANDMEMBER', KEYS[3])
local function look(from, to)
  while true do
    local head = redis.call('ZRANGE', KEYS[3], from, to, 'BYLEX', 'LIMIT', 0, 1)[1]
    if not head then return end
    if listed >= most or looks == 0 then
      isMore = isMore or listed >= most
      return
    end
    looks = looks - 1
    local line = string.match(head, '^%S+')
    local heldUntil = redis.call('ZSCORE', KEYS[5], line)
    if not heldUntil or tonumber(heldUntil) <= tonumber(now) then list(line) end
    from = '[' .. line .. '!'
  end
end
if anywhere then
  look('[' .. anywhere, '+')
  look('-', '(' .. anywhere)
end
local aside = isPaused and {} or redis.call('ZRANGE', KEYS[4], '-inf', now, 'BYSCORE', 'LIMIT', 0, most)
-- A ping is sent nevertheless, because somebody waits for its result.
local ping = isPaused and redis.call('HGET', KEYS[2], 'ping')
if ping and redis.call('ZSCORE', KEYS[4], ping) then aside = {ping} end
for _, id in ipairs(aside) do list(id) end
if isMore or #aside == most then redis.call('HSET', KEYS[2], 'unlisted', 1)
-- Beyond the lines that it has looked at, more may be due.
elseif looks > 0 then redis.call('HDEL', KEYS[2], 'unlisted') end
if listed == 0 then return answer end
return start(answer)
`);

/** The state of a webhook. */
export interface Survey {
  /** Whether there are further updates that may be queued, or the position is lost. */
  isBehind: boolean;
  /** How many deliveries are queued, due or not. */
  queued: number;
  /** The age of the oldest in ms; 0 for none. */
  oldestMs: number;
  /** Whether a wake was asked for that has not begun, or not ended. */
  isWakeAsked: boolean;
  /** Due lines and ids of deliveries that may take a lease now; other due ones wait for a lease. */
  toStart: string[];
}

/**
 * Reads the state of a webhook and trims its log. With `listsDue`, lets due lines and deliveries put aside wait for leases, some at a time;
 * it looks at no more than `scannedMax` lines for them.
 */
export async function surveyLines(
  redis: RedisConnection,
  owner: LineOwner,
  { listsDue, scannedMax = SCANNED_MAX }: { listsDue: boolean; scannedMax?: number | undefined },
): Promise<Survey> {
  const parts = [
    'state',
    'pending',
    'aside',
    'holds',
    'log:queued',
    'settled',
    'deliveries',
    'log:all',
    'log:succeeded',
    'log:failed',
  ] as const;
  const { workspaceId } = owner;
  const [heads, bytes] = byteKeys(redis, workspaceId);
  const answer = await survey.run(
    redis,
    [heads, ...parts.map((part) => lineKey(owner, part)), bytes, ...leaseKeys(owner)],
    [
      Date.now(),
      QUEUED_MAX,
      LISTED_MAX,
      LOG_KEPT.ms,
      LOG_KEPT.count,
      workspaceId,
      scannedMax,
      listsDue ? 1 : 0,
      bytesMaxOf(redis),
      owner.id,
    ],
  );
  const [behind, queued, oldest, asked, ...toStart] = answer as [number, number, string, number, ...string[]];
  const oldestMs = oldest === '' ? 0 : Math.max(0, Date.now() - timeOfId(oldest));
  return { isBehind: behind === 1, queued, oldestMs, isWakeAsked: asked === 1, toStart };
}
