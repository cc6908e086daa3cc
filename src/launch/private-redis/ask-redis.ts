import { openRedis, untilReady } from '../../redis/connections.ts';

const CONNECT_TIMEOUT_MS = 2_000;

type Redis = ReturnType<typeof openRedis>;

/** Asks a Redis once over a new connection. Rejects with the first failure, or without an answer in time. */
export async function askRedis<T>(
  url: string,
  ask: (redis: Redis) => Promise<T>,
  timeoutMs = CONNECT_TIMEOUT_MS,
): Promise<T> {
  const redis = openRedis(url, 'request', () => {});
  const timeout = rejectAfter(timeoutMs);
  try {
    return await Promise.race([untilReady(redis).then(() => ask(redis)), timeout.rejected]);
  } finally {
    timeout.clear();
    redis.disconnect();
  }
}

function rejectAfter(timeoutMs: number) {
  let timer: NodeJS.Timeout | undefined;
  const rejected = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  return { rejected, clear: () => clearTimeout(timer) };
}
