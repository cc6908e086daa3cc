import type { Cluster, Redis } from 'ioredis';

type Connection = Redis | Cluster;

const PATIENCE_MS = 2_000;

const lostAt = new WeakMap<Connection, number>();
const waits = new WeakMap<Connection, Promise<boolean>>();

/** Records from now on when the connection was lost. */
export function trackLosses(redis: Connection): void {
  redis.on('close', () => {
    if (!lostAt.has(redis)) lostAt.set(redis, performance.now());
  });
  redis.on('ready', () => lostAt.delete(redis));
}

/**
 * Holds new commands while a lost connection is made again: for two seconds at most, or until an attempt to reconnect has failed. They have
 * not been sent, so writing commands can be held as well.
 */
export function holdCommands(redis: Redis): void {
  redis.on('ready', () => {
    redis.options.enableOfflineQueue = true;
  });
  redis.on('close', async () => {
    if (await untilReconnected(redis)) return;
    redis.options.enableOfflineQueue = false;
    // biome-ignore lint/complexity/useLiteralKeys: ioredis has no public way to give up what it has not sent
    redis['flushQueue'](new Error('Connection is closed.'), { commandQueue: false });
  });
}

/**
 * Whether a connection for waiting callers is up, or is up again within two seconds of its loss: callers can wait that long. After that
 * Redis counts as away, and the result is false at once.
 */
export function untilReconnected(redis: Connection): true | Promise<boolean> {
  if (redis.status === 'ready') return true;
  const known = waits.get(redis);
  if (known !== undefined) return known;
  const wait = waitFor(redis).finally(() => waits.delete(redis));
  waits.set(redis, wait);
  return wait;
}

async function waitFor(redis: Connection): Promise<boolean> {
  const leftMs = (lostAt.get(redis) ?? performance.now()) + PATIENCE_MS - performance.now();
  if (leftMs <= 0) return false;
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      redis.off('ready', settle);
      redis.off('end', settle);
      resolve(redis.status === 'ready');
    };
    const timer = setTimeout(settle, leftMs);
    redis.once('ready', settle);
    redis.once('end', settle);
  });
}
