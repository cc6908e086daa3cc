import { PAUSES, removePauses } from '../../src/control/change-control.ts';
import { recordsKey } from '../../src/directory/records.ts';
import { every, type Repeated } from '../../src/every.ts';
import type { Logger } from '../../src/logger.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';

const COLLECTIONS = [
  ['workspace:', 'workspaces'],
  ['account:', 'messenger-accounts'],
] as const;

// Longer than the longest possible CALL_TIMEOUT_MS: API processes may have another value than this worker.
const AFTER_MS = 15 * 60_000;
const CHECKS = 15;

/**
 * Removes the pauses of workspaces and accounts that were deleted at least `afterMs` ago, as far as this process knows. Not earlier: calls
 * that are still held would be resumed.
 */
export function forgetPauses(redis: RedisConnection, log: Logger, afterMs = AFTER_MS): Repeated {
  let goneSince = new Map<string, number>();
  const check = async () => {
    const fields = await findPausesOfGone(redis);
    const now = performance.now();
    goneSince = new Map(fields.map((field) => [field, goneSince.get(field) ?? now]));
    await removePauses(
      redis,
      fields.filter((field) => now - (goneSince.get(field) ?? now) >= afterMs),
    );
  };
  return every(afterMs / CHECKS, check, {
    onFailure: (err) => log.warn({ err }, 'pauses of what is deleted were not forgotten; trying again'),
    spread: 0.25,
  });
}

async function findPausesOfGone(redis: RedisConnection): Promise<string[]> {
  const paused = await redis.hkeys(PAUSES);
  const gone: string[] = [];
  for (const [kind, collection] of COLLECTIONS) {
    const fields = paused.filter((field) => field.startsWith(kind));
    if (fields.length === 0) continue;
    const ids = fields.map((field) => field.slice(kind.length));
    const records = await redis.hmget(recordsKey(collection), ...ids);
    gone.push(...fields.filter((_, i) => records[i] === null));
  }
  return gone;
}
