import { bulkKeysOf } from '../../src/directory/bulk/accounts.ts';
import type { Workspace } from '../../src/directory/collections.ts';
import { addRemains } from '../../src/directory/deletions.ts';
import { commandScope, mastersOf, type RedisConnection } from '../../src/redis/connections.ts';
import {
  byteFields,
  bytesKey,
  floorKey,
  headsKey,
  keyIndexKey,
  slotLineKey,
  slotsKey,
  stateKey,
  updatesKey,
  workspaceKeys,
  workspaceLeasesKey,
} from '../../src/redis/keys.ts';
import { iterateStateKeys } from '../../src/state/workspace-keys.ts';
import { eraseCalls } from './erase-calls.ts';
import { eraseRecords } from './erase-records.ts';
import { eraseWebhooks } from './erase-webhooks.ts';
import type { Pace } from './slices.ts';

const KEYS_PER_SLICE = 100;

/**
 * Erases what belongs to a deleted workspace: its API keys, webhooks, accounts, async calls and the drivers' state. Calls that were under
 * way may still write for a while. Once `isOver` says that they have ended, only ledgers are left, which expire, and count for the
 * organization until then.
 */
export async function eraseWorkspace(
  redis: RedisConnection,
  { id, organizationId, keysNoted = false }: Workspace,
  isOver: boolean,
  pace: Pace,
): Promise<void> {
  await eraseRecords(redis, 'api-keys', `workspace:${id}`, pace);
  await eraseWebhooks(redis, `workspace:${id}`, pace);
  await eraseRecords(redis, 'messenger-accounts', `workspace:${id}`, pace);
  await eraseCalls(redis, id, pace);
  for await (const keys of iterateStateKeys(redis, id)) await unlink(redis, keys, pace);
  const expiring = Object.entries(await redis.hgetall(bytesKey(id))).filter(([part]) => Number(part) > 0);
  await redis.unlink(updatesKey(id), floorKey(id), bytesKey(id), slotsKey(id), slotLineKey(id));
  // Of a workspace that is older than the index, ledgers are erased too. A worker that dies just before leaves them uncounted, which harms
  // nobody else; counted twice, they could keep the organization from creating workspaces.
  if (keysNoted) await addRemains(redis, organizationId, `${id}:${isOver ? 'last' : 'first'}`, expiring);
  await redis.unlink(workspaceLeasesKey(id, 'places'), workspaceLeasesKey(id, 'webhooks'));
  await redis.unlink(...bulkKeysOf(id));
  const { used, max } = byteFields(id);
  await redis.hdel(headsKey(commandScope(redis, id)), id, used, max);
  if (!isOver) return;
  if (!keysNoted) await eraseUnindexed(redis, id, pace);
  await forgetNames(redis, id, pace);
  if (commandScope(redis, id) === id) await redis.unlink(headsKey(id));
}

async function unlink(redis: RedisConnection, keys: string[], pace: Pace): Promise<void> {
  for (let at = 0; at < keys.length; at += KEYS_PER_SLICE) {
    const startedAt = performance.now();
    await redis.unlink(...keys.slice(at, at + KEYS_PER_SLICE));
    await pace.rest(startedAt);
  }
}

// A name is removed after its key: before that, another process may rely on the name being in the index.
async function forgetNames(redis: RedisConnection, id: string, pace: Pace): Promise<void> {
  for (;;) {
    const startedAt = performance.now();
    const names = await redis.zrange(keyIndexKey(id), '0', String(KEYS_PER_SLICE - 1));
    if (names.length === 0) return;
    await redis.unlink(...names.map((name) => stateKey(id, name)));
    await redis.zrem(keyIndexKey(id), ...names);
    await pace.rest(startedAt);
  }
}

// A workspace that is older than the index may have keys that are not in it. Only for such a workspace, all of Redis is scanned.
async function eraseUnindexed(redis: RedisConnection, id: string, pace: Pace): Promise<void> {
  for (const server of mastersOf(redis)) {
    for (let cursor = '0'; ; ) {
      const startedAt = performance.now();
      const [next, keys] = await server.scan(cursor, 'MATCH', workspaceKeys(id), 'COUNT', KEYS_PER_SLICE);
      if (keys.length > 0) await redis.unlink(...keys);
      await pace.rest(startedAt);
      cursor = next;
      if (cursor === '0') break;
    }
  }
}
