import { Redis, type RedisOptions } from 'ioredis';

/**
 * What a connection is for decides how it behaves when Redis is away:
 * - `request`: serves someone who waits; fails within two seconds rather than hang
 * - `submit`: puts calls on the queues; fails as fast when Redis is gone, but gives a busy process time to read the answer
 * - `worker`: carries work already accepted; waits for Redis to come back
 * - `state`: a worker's reads and commits; waits, and sends what gathers in one tick together
 * - `blocking`: sits in one blocking command; never shared
 */
export type ConnectionRole = 'request' | 'submit' | 'worker' | 'state' | 'blocking';

const ROLES = {
  request: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2_000,
  },
  submit: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 8_000 },
  worker: { maxRetriesPerRequest: null },
  state: { maxRetriesPerRequest: null, enableAutoPipelining: true },
  blocking: { maxRetriesPerRequest: null },
} satisfies Record<ConnectionRole, RedisOptions>;

/** Opens a connection; it reconnects by itself, and `onError` hears of every failure. */
export function openRedis(url: string, role: ConnectionRole, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    ...ROLES[role],
    connectTimeout: 5_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000) * (0.5 + Math.random() / 2),
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  });
  redis.on('error', onError);
  return redis;
}

/** Resolves once the connection has been made, or rejects with the first failure. */
export async function untilReady(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const settle = (act: () => void) => () => {
      redis.off('ready', onReady);
      redis.off('error', onError);
      act();
    };
    const onReady = settle(resolve);
    const onError = (error: Error) => settle(() => reject(error))();
    redis.once('ready', onReady);
    redis.once('error', onError);
  });
}
