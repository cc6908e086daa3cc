import type { RedisConnection } from '../../redis/connections.ts';
import { untilReconnected } from '../../redis/until-reconnected.ts';
import type { Guard, RequestCheck } from './guards.ts';

/**
 * Lets requests that need Redis wait while a lost connection is reopened, for two seconds at most. After that, requests are answered with
 * `unavailable`.
 */
export function redisGuard(connections: readonly RedisConnection[]): Guard {
  const isConnected = (redis: RedisConnection) => redis.status === 'ready';
  const waitForRedis: RequestCheck = () => {
    if (connections.every(isConnected)) return undefined;
    // A connection that stays lost is reported by the code that uses it.
    return Promise.all(connections.map(untilReconnected)).then(() => undefined);
  };
  return (route) => (route?.config?.public === true ? null : waitForRedis);
}
