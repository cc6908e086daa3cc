import { byteKeys, bytesMaxOf, workspaceFull } from '../bytes/byte-budget.ts';
import { notFound } from '../directory/records.ts';
import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { PINGS_MAX, QUEUED_MAX } from './bounds.ts';
import type { Delivery } from './delivery.ts';
import { COUNT_DELIVERIES } from './delivery-bytes.ts';
import { DUE_AT_ONCE, type LineOwner, lineKey } from './line-keys.ts';

/**
 * KEYS 1 state, 2 deliveries, 3 aside, 4 leases, 5 log of all, 6 log of queued ones, 7 heads, 8 the workspace's bytes
 * ARGV 1 id, 2 record, 3 when it is due, 4 most queued deliveries, 5 workspace, 6 byte budget of a workspace that has none of its own (0:
 *      unlimited)
 * Result: `added`; or `gone` if the webhook was deleted, `many` if too much is queued, `full` if the workspace has used its budget, or
 *      `waits` and the record of a ping that has not been attempted: then nothing was written.
 */
export const add = new Script(`${COUNT_DELIVERIES}
if redis.call('HEXISTS', KEYS[1], 'position') == 0 then return {'gone'} end
local known = redis.call('HGET', KEYS[1], 'ping')
-- A script that is resent after the connection was cut finds its own ping, which may be under way already.
if known == ARGV[1] then return {'added'} end
if known and redis.call('ZSCORE', KEYS[3], known) and not redis.call('ZSCORE', KEYS[4], known) then
  local record = redis.call('HGET', KEYS[2], known)
  if record then return {'waits', record} end
end
if redis.call('ZCARD', KEYS[6]) >= tonumber(ARGV[4]) then return {'many'} end
if isFull(KEYS[7], KEYS[8], ARGV[5], ARGV[6]) then return {'full'} end
redis.call('HSET', KEYS[1], 'ping', ARGV[1])
countDeliveries(KEYS[7], KEYS[8], ARGV[5], put(KEYS[2], ARGV[1], ARGV[2]))
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[5], 0, ARGV[1])
redis.call('ZADD', KEYS[6], 0, ARGV[1])
return {'added'}
`);

/**
 * Queues a ping outside all lines, to be attempted at once. Returns it, or a ping that already waits. Throws `not_found` if the webhook is
 * being deleted, `conflict` if too much is queued, and `workspace_full`.
 */
export async function addPing(redis: RedisConnection, owner: LineOwner, ping: Delivery): Promise<Delivery> {
  const parts = ['state', 'deliveries', 'aside', 'places', 'log:all', 'log:queued'] as const;
  const { workspaceId } = owner;
  const [what, record = ''] = (await add.run(
    redis,
    [...parts.map((part) => lineKey(owner, part)), ...byteKeys(redis, workspaceId)],
    [ping.id, JSON.stringify(ping), DUE_AT_ONCE, QUEUED_MAX + PINGS_MAX, workspaceId, bytesMaxOf(redis)],
  )) as [string, string?];
  if (what === 'gone') throw notFound('webhooks');
  if (what === 'full') throw await workspaceFull(redis, workspaceId);
  if (what === 'many') {
    const detail = 'Too many deliveries of this webhook are queued: try again when some have been sent.';
    throw new Problem('conflict', { detail });
  }
  return what === 'added' ? ping : JSON.parse(record);
}
