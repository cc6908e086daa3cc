import { Problem } from '../problem.ts';
import { disconnectsOf, type RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { bulkFieldOf, bulkKeysOf } from './bulk/accounts.ts';
import { COLLECTIONS, type Collection, makersOf, type Records, viewsOfRecord } from './collections.ts';
import { DELETIONS, DELETIONS_DUE, type Deletion, deletingKey } from './deletions.ts';
import { DIRECTORY_VERSION } from './directory-watch.ts';
import { API_KEY_INDEX, indexField, newVersion, parseRecord, recordsKey, viewKey } from './records.ts';

/** Hash: id of a deleted API key, while keys that it created exist -> its rate limit as JSON, which still applies to those. */
export const FORMER_RATES = directoryKey('former-rates');

/**
 * KEYS 1 records, 2 index, 3 version of the directory, 4 deletions, 5 due deletions, 6 former rates, 7 deletions of the organization,
 *      8 accounts by Idempotency-Key, 9 when those were made, then views of the records below it, then those that show the record itself
 * ARGV 1 id, 2 field of the index or '', 3 new version or '' for none, 4 number of views of the records below, 5 `refuse` if those
 *      have to be empty, 6 the deletion as JSON or '', 7 `1` to keep its rate limit while the first view of the records below has keys,
 *      8 the record as it was read or '' for any, 9 the Idempotency-Key to free or '', then for an API key the ids of its makers, in the
 *      order of the last views
 * Result: 1, 0 if there is no such record, nil if it has changed, or -n if n records are below it; then nothing was written.
 *
 * It may run when Redis' memory is full: it writes little, and erasing frees memory.
 */
const remove = new Script(`#!lua flags=allow-oom
local record = redis.call('HGET', KEYS[1], ARGV[1])
if not record then return 0 end
if ARGV[8] ~= '' and record ~= ARGV[8] then return nil end
local first, children = 10 + ARGV[4], 0
for i = 10, first - 1 do children = children + redis.call('ZCARD', KEYS[i]) end
if children > 0 and ARGV[5] == 'refuse' then return -children end
redis.call('HDEL', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then redis.call('HDEL', KEYS[2], ARGV[2]) end
for i = first, #KEYS do redis.call('ZREM', KEYS[i], ARGV[1]) end
for i = 10, #ARGV do
  if redis.call('EXISTS', KEYS[#KEYS - #ARGV + i]) == 0 then redis.call('HDEL', KEYS[6], ARGV[i]) end
end
if ARGV[7] == '1' and redis.call('ZCARD', KEYS[10]) > 0 then
  redis.call('HSET', KEYS[6], ARGV[1], cjson.encode(cjson.decode(record).rateLimit))
end
-- The key may have made another account by now.
if ARGV[9] ~= '' and redis.call('HGET', KEYS[8], ARGV[9]) == ARGV[1] then
  redis.call('HDEL', KEYS[8], ARGV[9])
  redis.call('ZREM', KEYS[9], ARGV[9])
end
if ARGV[6] ~= '' then
  local time = redis.call('TIME')
  redis.call('HSET', KEYS[4], ARGV[1], ARGV[6])
  redis.call('ZADD', KEYS[7], 0, ARGV[1])
  redis.call('ZADD', KEYS[5], string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), ARGV[1])
end
if ARGV[3] ~= '' then redis.call('SET', KEYS[3], ARGV[3]) end
return 1
`);

/** The scripts of this file, to be loaded at start. */
export const DELETE_SCRIPTS = [remove];

/** What becomes of the records below a deleted one. */
export type ChildPolicy =
  /** If there are any, nothing is deleted. API keys and webhooks of a workspace or organization do not count, and are erased with it. */
  | 'refuse'
  /** They count as gone at once and are erased. */
  | 'erase'
  /** They stay. */
  | 'keep';

/**
 * Deletes a record and its entries in every list at once. Throws `not_empty` if records below it prevent that. What has to be erased is
 * recorded as a deletion; `overAt` is when no call in flight can add data any more (ms since the epoch). With `erase`, the eraser
 * disconnects an account from its driver. `check` is given the record as it is then, and may throw to prevent the deletion. `bulkKey` is
 * the Idempotency-Key that has created the account, and may then create another one. Returns whether the record existed; true if it may
 * have, because the connection was lost and the deletion sent again.
 */
export async function deleteRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  record: Records[C],
  {
    children = 'refuse',
    overAt = 0,
    check = null,
    bulkKey = null,
  }: {
    children?: ChildPolicy;
    overAt?: number;
    check?: ((record: Records[C]) => void) | null;
    bulkKey?: string | null;
  } = {},
): Promise<boolean> {
  const disconnects = disconnectsOf(redis);
  const stored = check === null ? '' : await redis.hget(recordsKey(collection), record.id);
  if (stored === null) return false;
  check?.(parseRecord(collection, stored));
  const childViews = viewsOfChildren(collection, record.id);
  const deletion = { collection, record, overAt: Math.ceil(overAt) } as Deletion;
  const isLeaf = collection === 'api-keys' || collection === 'messenger-accounts';
  const isErased = !isLeaf || children === 'erase';
  const removed = (await remove.run(
    redis,
    [
      ...commonKeys(collection, record),
      ...childViews,
      ...viewsOfRecord(collection, record).map((view) => viewKey(collection, view)),
    ],
    [
      record.id,
      indexField(record),
      newVersion(),
      childViews.length,
      children,
      isErased ? JSON.stringify(deletion) : '',
      collection === 'api-keys' ? 1 : 0,
      stored,
      bulkKey === null ? '' : bulkFieldOf(bulkKey),
      ...(collection === 'api-keys' ? makersOf(record) : []),
    ],
  )) as number | null;
  if (removed === null) return deleteRecord(redis, collection, record, { children, overAt, check, bulkKey });
  if (removed < 0) throw notEmpty(collection, -removed);
  return removed === 1 || disconnectsOf(redis) !== disconnects;
}

/** Removes a record that already counts as gone, because its owner is being deleted. */
export async function eraseRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  record: Records[C],
): Promise<void> {
  const views = viewsOfRecord(collection, record).map((view) => viewKey(collection, view));
  const makers = collection === 'api-keys' ? makersOf(record) : [];
  const args = [record.id, indexField(record), '', 0, 'erase', '', 0, '', '', ...makers];
  await remove.run(redis, [...commonKeys(collection, record), ...views], args);
}

function commonKeys<C extends Collection>(collection: C, record: Records[C]): string[] {
  const { organizationId, workspaceId } = COLLECTIONS[collection].tenancyOf(record);
  return [
    recordsKey(collection),
    API_KEY_INDEX,
    DIRECTORY_VERSION,
    DELETIONS,
    DELETIONS_DUE,
    FORMER_RATES,
    deletingKey(organizationId),
    ...bulkKeysOf(workspaceId ?? ''),
  ];
}

// The records that prevent a deletion. API keys and webhooks of an organization or a workspace do not.
function viewsOfChildren(collection: Collection, id: string): string[] {
  switch (collection) {
    case 'organizations':
      return [viewKey('workspaces', `organization:${id}`)];
    case 'workspaces':
      return [viewKey('messenger-accounts', `workspace:${id}`)];
    case 'api-keys':
      return [viewKey('api-keys', `key:${id}`), viewKey('webhooks', `key:${id}`)];
    default:
      return [];
  }
}

function notEmpty(collection: Collection, count: number): Problem {
  const { noun, children } = COLLECTIONS[collection];
  const detail =
    children === null
      ? `The ${noun} has created ${count} API keys and webhooks: \`?cascade=true\` deletes them too and ends the calls it has scheduled, \`?cascade=false\` leaves them.`
      : `The ${noun} still has ${children}; \`?cascade=true\` deletes them too.`;
  return new Problem('not_empty', { detail });
}
