import type { RedisConnection } from '../../redis/connections.ts';
import { untilBack } from '../../redis/until-back.ts';
import type { Check, Guard } from './guards.ts';

/**
 * Lets requests that need Redis wait while a lost connection is reopened, for two seconds at most. Later requests are answered that Redis
 * is away.
 */
export function redisGuard(connections: readonly RedisConnection[]): Guard {
  const isThere = (redis: RedisConnection) => redis.status === 'ready';
  const waitForRedis: Check = () => {
    if (connections.every(isThere)) return undefined;
    // The code that uses a connection that is not back reports it.
    return Promise.all(connections.map(untilBack)).then(() => undefined);
  };
  return (route) => (route?.config?.public === true ? null : waitForRedis);
}
