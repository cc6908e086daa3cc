import { Problem } from '../problem.ts';
import { PROBLEMS } from '../problem-table.ts';
import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { byteFields, bytesKey, headsKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { COUNT_BYTES } from './count-bytes.ts';

const maxima = new WeakMap<RedisConnection, number>();

/** Sets the byte budget of workspaces that have none of their own, for writes over a connection; 0 is unlimited. */
export function setBytesMax(redis: RedisConnection, bytes: number): void {
  maxima.set(redis, bytes);
}

/** The byte budget of workspaces that have none of their own; 0 is unlimited. */
export function bytesMaxOf(redis: RedisConnection): number {
  return maxima.get(redis) ?? 0;
}

/** The keys for scripts that count a workspace's bytes: its heads, and its bytes. */
export function byteKeys(redis: RedisConnection, workspaceId: string): [heads: string, bytes: string] {
  return [headsKey(commandScope(redis, workspaceId)), bytesKey(workspaceId)];
}

/**
 * KEYS  1 heads
 * ARGV  1 field, 2 bytes, or '' for the setting
 * Result 1
 *
 * It may run when Redis' memory is full: a larger budget may be what helps.
 */
const set = new Script(`#!lua flags=allow-oom
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
return 1
`);

/** Gives a workspace its own byte budget, or with null that of the setting. Effective at once. */
export async function setByteBudget(
  redis: RedisConnection,
  workspaceId: string,
  bytes: number | null,
): Promise<void> {
  const [heads] = byteKeys(redis, workspaceId);
  await set.run(redis, [heads], [byteFields(workspaceId).max, bytes ?? '']);
}

/** The bytes that workspaces keep (approximate), in the order of the ids. */
export async function readBytesUsed(redis: RedisConnection, workspaceIds: string[]): Promise<number[]> {
  const used = await Promise.all(
    workspaceIds.map((id) => redis.hget(byteKeys(redis, id)[0], byteFields(id).used)),
  );
  return used.map((bytes) => Number(bytes ?? 0));
}

/**
 * KEYS  1 heads, 2 the workspace's bytes
 * ARGV  1 workspace, 2 byte budget of a workspace that has none of its own (0: unlimited)
 * Result 1 if the workspace has used its budget, else 0
 */
const ask = new Script(`#!lua flags=allow-oom
${COUNT_BYTES}
return isFull(KEYS[1], KEYS[2], ARGV[1], ARGV[2]) and 1 or 0
`);

/** Whether a workspace has used its budget. */
export async function isWorkspaceFull(redis: RedisConnection, workspaceId: string): Promise<boolean> {
  return (await ask.run(redis, byteKeys(redis, workspaceId), [workspaceId, bytesMaxOf(redis)])) === 1;
}

/** Throws `workspace_full` for a workspace that has used its budget. */
export async function refuseIfFull(redis: RedisConnection, workspaceId: string): Promise<void> {
  if (await isWorkspaceFull(redis, workspaceId)) throw await workspaceFull(redis, workspaceId);
}

/** The problem of a write to a workspace that has used its budget. */
export async function workspaceFull(redis: RedisConnection, workspaceId: string): Promise<Problem> {
  const [heads] = byteKeys(redis, workspaceId);
  const { used, max } = byteFields(workspaceId);
  const [bytesUsed, ownMax] = await redis.hmget(heads, used, max);
  const bytesMax = Number(ownMax ?? bytesMaxOf(redis));
  return new Problem('workspace_full', {
    detail: `It keeps ${bytesUsed ?? 0} bytes and may keep ${bytesMax}. ${PROBLEMS.workspace_full.next}`,
    members: { bytesUsed: Number(bytesUsed ?? 0), bytesMax },
  });
}
