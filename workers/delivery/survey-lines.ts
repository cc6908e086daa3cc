import { commandScope, type RedisConnection } from '../../src/redis/connections.ts';
import { headsKey } from '../../src/redis/keys.ts';
import { Script } from '../../src/redis/script.ts';
import { MOST_QUEUED } from '../../src/webhooks/bounds.ts';
import { type LineOwner, lineKey } from '../../src/webhooks/line-keys.ts';
import { LOG_KEPT, TRIM_LOG } from './trim-log.ts';

const MOST_NAMED = 500;

/**
 * KEYS 1 heads, 2 state, 3 pending, 4 aside, 5 holds, 6 log of queued ones, 7 settled, 8 deliveries, 9 log of all,
 *      10 of succeeded, 11 of failed ones
 * ARGV 1 now, 2 most queued, 3 most lines to name, 4 how long the log is kept (ms), 5 and how many, 6 workspace id
 * Result: 1 if there is more in the stream that may be queued, the lines that are to be sent now, the deliveries aside that are,
 *         how many are queued.
 */
export const survey = new Script(`
local settled, deliveries, logs = KEYS[7], KEYS[8], {KEYS[9], KEYS[10], KEYS[11]}
local now, keepMs, keepCount = ARGV[1], ARGV[4], ARGV[5]
${TRIM_LOG}
local tail = redis.call('HGET', KEYS[1], ARGV[6]) or ''
local position = redis.call('HGET', KEYS[2], 'position')
local queued = redis.call('ZCARD', KEYS[6])
local behind = tail ~= '' and position and tail ~= position and queued < tonumber(ARGV[2])
local lines, most = {}, tonumber(ARGV[3])
-- It begins anywhere, so that every line is named in time, however many there are.
local isPaused = tonumber(redis.call('HGET', KEYS[2], 'pausedUntil') or 0) > tonumber(now)
local anywhere = not isPaused and redis.call('ZRANDMEMBER', KEYS[3])
local function look(from, to)
  while #lines < most do
    local head = redis.call('ZRANGE', KEYS[3], from, to, 'BYLEX', 'LIMIT', 0, 1)[1]
    if not head then return end
    local line = string.match(head, '^%S+')
    local heldUntil = redis.call('ZSCORE', KEYS[5], line)
    if not heldUntil or tonumber(heldUntil) <= tonumber(now) then lines[#lines + 1] = line end
    from = '[' .. line .. '!'
  end
end
if anywhere then
  look('[' .. anywhere, '+')
  look('-', '(' .. anywhere)
end
return {behind and 1 or 0, lines, redis.call('ZRANGE', KEYS[4], '-inf', now, 'BYSCORE', 'LIMIT', 0, most), queued}
`);

/** What there is to do for a webhook now. */
export interface Survey {
  /** Whether there are updates that have not been queued and may be. */
  isBehind: boolean;
  /** Lines whose head is due; not all of them if there are very many. */
  lines: string[];
  /** Ids of due deliveries that were put aside. */
  aside: string[];
  /** How many deliveries are queued, due or not. */
  queued: number;
}

/** Looks at what is to be done for a webhook, and trims its log. */
export async function surveyLines(redis: RedisConnection, owner: LineOwner): Promise<Survey> {
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
  const answer = await survey.run(
    redis,
    [headsKey(commandScope(redis, workspaceId)), ...parts.map((part) => lineKey(owner, part))],
    [Date.now(), MOST_QUEUED, MOST_NAMED, LOG_KEPT.ms, LOG_KEPT.count, workspaceId],
  );
  const [behind, lines, aside, queued] = answer as [number, string[], string[], number];
  return { isBehind: behind === 1, lines, aside, queued };
}
