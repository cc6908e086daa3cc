import { createHash } from 'node:crypto';
import type { RedisConnection } from '../../redis/connections.ts';
import { directoryKey } from '../../redis/keys.ts';
import { Script } from '../../redis/script.ts';
import type { MessengerAccount, Workspace } from '../collections.ts';
import { DELETIONS, deletingKey, HAS_TOO_MANY, IS_GONE, tooManyDeletions } from '../deletions.ts';
import { DIRECTORY_VERSION } from '../directory-watch.ts';
import { newVersion, notFound, recordsKey, tooManyRecords, viewKey } from '../records.ts';

// Callers repeat a request within minutes.
const KEY_KEPT_MS = 24 * 3_600_000;

// More than a request can add, so that old and surplus keys become fewer with each. Old ones do not count until then.
const FORGOTTEN_AT_ONCE = 200;

/**
 * KEYS 1 accounts, 2 workspaces, 3 version of the directory, 4 deletions, 5 deletions of the organization, 6… 8 views that show the
 *      accounts, that of the workspace last, 9 accounts by Idempotency-Key, 10 when those were made
 * ARGV 1 workspace, 2 organization, 3 new version, 4 most accounts of the workspace, and most keys, 5 how long keys are kept (ms),
 *      6 most keys to remove at once, then of each account its id, its record, and its key or ''
 * Result: for each account its id, or that of the account that its key has created before, or '' if the workspace is full. 0 if the
 *      workspace does not exist, -2 if too much of the organization is being deleted: then nothing was written.
 */
const createMany = new Script(`
${IS_GONE}${HAS_TOO_MANY}
-- A script that is resent after the connection was cut finds its own accounts.
if redis.call('HEXISTS', KEYS[1], ARGV[7]) == 0 then
  if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 or isGone(KEYS[4], ARGV[1], ARGV[2]) then return 0 end
  if hasTooMany(KEYS[5]) then return -2 end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function forget(keys)
  if #keys > 0 then redis.call('HDEL', KEYS[9], unpack(keys)) redis.call('ZREM', KEYS[10], unpack(keys)) end
end
local function madeBy(key)
  local at = key ~= '' and redis.call('ZSCORE', KEYS[10], key)
  return at and tonumber(at) > now - ARGV[5] and redis.call('HGET', KEYS[9], key)
end
forget(redis.call('ZRANGE', KEYS[10], '-inf', now - ARGV[5], 'BYSCORE', 'LIMIT', 0, ARGV[6]))
local room, made = ARGV[4] - redis.call('ZCARD', KEYS[8]), {}
for i = 7, #ARGV, 3 do
  local key = ARGV[i + 2]
  local known = madeBy(key)
  if known then made[#made + 1] = known
  elseif redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then made[#made + 1] = ARGV[i]
  elseif room < 1 then made[#made + 1] = ''
  else
    room = room - 1
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
    for view = 6, 8 do redis.call('ZADD', KEYS[view], 0, ARGV[i]) end
    if key ~= '' then
      redis.call('HSET', KEYS[9], key, ARGV[i])
      redis.call('ZADD', KEYS[10], string.format('%.0f', now), key)
    end
    made[#made + 1] = ARGV[i]
  end
end
local surplus = redis.call('ZCARD', KEYS[10]) - ARGV[4]
if surplus > 0 then forget(redis.call('ZRANGE', KEYS[10], 0, math.min(surplus, ARGV[6]) - 1)) end
for key = 9, 10 do redis.call('PEXPIRE', KEYS[key], ARGV[5]) end
redis.call('SET', KEYS[3], ARGV[3])
return made
`);

/**
 * KEYS 1 accounts, 2 version of the directory
 * ARGV 1 new version, then of each account its id, the record as it was read, the new record
 * Result: for each 1, or 0 if the record has changed since it was read.
 */
const replaceMany = new Script(`
local done = {}
for i = 2, #ARGV, 3 do
  local same = redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1]
  if same then redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 2]) end
  done[#done + 1] = same and 1 or 0
end
redis.call('SET', KEYS[2], ARGV[1])
return done
`);

/** The scripts of this file, to be loaded at start. */
export const BULK_ACCOUNT_SCRIPTS = [createMany, replaceMany];

/** An account to create, and the Idempotency-Key under which it is created once. */
export interface WantedAccount {
  account: MessengerAccount;
  idempotencyKey: string | null;
}

/**
 * Writes accounts of a workspace and their entries in every list at once. Returns for each account its id, the id of the account that its
 * key has created before, or null if the workspace has as many as it may. Throws `not_found` and `rate_limited` like the creation of a
 * single account.
 */
export async function createAccounts(
  redis: RedisConnection,
  { id, organizationId }: Workspace,
  wanted: readonly WantedAccount[],
  max: number,
): Promise<(string | null)[]> {
  const views = ['all', `organization:${organizationId}`, `workspace:${id}`] as const;
  const made = await createMany.run(
    redis,
    [
      recordsKey('messenger-accounts'),
      recordsKey('workspaces'),
      DIRECTORY_VERSION,
      DELETIONS,
      deletingKey(organizationId),
      ...views.map((view) => viewKey('messenger-accounts', view)),
      ...bulkKeysOf(id),
    ],
    [
      ...[id, organizationId, newVersion(), max, KEY_KEPT_MS, FORGOTTEN_AT_ONCE],
      ...wanted.flatMap(({ account, idempotencyKey: key }) => [
        ...[account.id, JSON.stringify(account), key === null ? '' : bulkFieldOf(key)],
      ]),
    ],
  );
  if (made === 0) throw notFound('workspaces');
  if (made === -2) throw await tooManyDeletions(redis, organizationId);
  return (made as string[]).map((one) => (one === '' ? null : one));
}

/** The id of the account that an Idempotency-Key has made; null if it has made none. */
export async function findKeyedAccount(
  redis: RedisConnection,
  workspaceId: string,
  idempotencyKey: string,
): Promise<string | null> {
  return redis.hget(bulkKeysOf(workspaceId)[0], bulkFieldOf(idempotencyKey));
}

/** The problem of an account beyond those that a workspace may have. */
export function tooManyAccounts(max: number) {
  return tooManyRecords('messenger-accounts', 'workspace:', max);
}

/**
 * Replaces accounts that have not changed since they were created; returns for each whether it was replaced. `before` has to be the account
 * as `createAccounts` got it: one that was read from Redis may have its members in another order, and is then not replaced.
 */
export async function replaceAccounts(
  redis: RedisConnection,
  changes: readonly { before: MessengerAccount; after: MessengerAccount }[],
): Promise<boolean[]> {
  if (changes.length === 0) return [];
  const done = await replaceMany.run(
    redis,
    [recordsKey('messenger-accounts'), DIRECTORY_VERSION],
    [
      newVersion(),
      ...changes.flatMap(({ before, after }) => [before.id, JSON.stringify(before), JSON.stringify(after)]),
    ],
  );
  return (done as number[]).map((one) => one === 1);
}

/** The Idempotency-Keys of a workspace's bulks. Hash: key -> id of the account made under it; sorted set: key -> when (ms). */
export function bulkKeysOf(workspaceId: string): [accounts: string, ages: string] {
  return [directoryKey(`account-keys:${workspaceId}`), directoryKey(`account-key-ages:${workspaceId}`)];
}

/** An Idempotency-Key as it is kept: of one length, however long the key is. */
export function bulkFieldOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
