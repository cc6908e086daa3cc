import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import { AsyncCalls } from '../queue/async-calls.ts';
import { BackgroundQueue } from '../queue/background-queue.ts';
import { CallGateway } from '../queue/call-gateway.ts';
import { WebhookQueue } from '../queue/webhook-queue.ts';
import { checkRedis, startOverRedis } from '../redis/check-redis.ts';
import { RedisClock } from '../redis/clock.ts';
import { openRedis, untilReady } from '../redis/connections.ts';
import { spreadHeads } from '../redis/spread-heads.ts';
import { type RunningProcess, runProcess, StartError } from '../run-process.ts';
import { openDirectory } from '../store/directory.ts';
import { UpdateFollower } from '../updates/follow-updates.ts';
import { openAccountControl } from './account-control.ts';
import { buildApp } from './app.ts';
import type { ApiDeps } from './deps.ts';
import { Metrics } from './metrics.ts';
import { RateLimiter } from './rate-limiter.ts';

const LAST_WORD_MS = 1_000;

await runProcess('api', (config, log) => startOverRedis(() => startApi(config, log)));

async function startApi(config: Config, log: Logger): Promise<RunningProcess> {
  const { REDIS_URL: url, SWITCHBOARD_ROOT_KEY: rootKey } = config;
  if (url === undefined)
    throw new StartError('The setting REDIS_URL is missing: the address of the Redis to use.');
  if (rootKey === undefined) {
    throw new StartError('The setting SWITCHBOARD_ROOT_KEY is missing: the API key that may do everything.');
  }
  const onError = (error: Error) => log.warn({ err: error }, 'Redis connection failed');
  const open = (role: Parameters<typeof openRedis>[1]) => openRedis(url, role, onError);
  const redis = open('request');
  await checkRedis(redis, url, (message) => log.warn(message));
  await spreadHeads(redis);
  const subscriber = open('subscriber');
  const connections = {
    redis,
    blocking: open('blocking'),
    queueConnection: open('submit'),
  };
  await untilReady(connections.queueConnection);
  const clock = new RedisClock(redis);
  await clock.start();
  const directory = await openDirectory(redis, config, rootKey);
  const calls = new CallGateway({
    ...connections,
    subscriber,
    findCaps: async (workspaceId, accountId) => (await directory.accounts.find(workspaceId, accountId))?.caps,
    freshness: directory.freshness,
    clock,
    log,
    maxWaitMs: config.ADMISSION_MAX_WAIT_MS,
    inFlightMax: config.CALLS_IN_FLIGHT_MAX,
    bytesInFlightMax: config.CALL_BYTES_IN_FLIGHT_MAX,
  });
  await calls.start();

  const backgroundQueue = new BackgroundQueue(connections.queueConnection);
  const openMax = config.ASYNC_CALLS_PER_WORKSPACE;
  const asyncCalls = new AsyncCalls({ redis, queue: backgroundQueue, clock, openMax, log });

  const lifecycle = { draining: false };
  const app = buildApp({
    config,
    log,
    directory,
    calls,
    asyncCalls,
    clock,
    updates: new UpdateFollower(redis, subscriber, log),
    webhooks: new WebhookQueue(connections.queueConnection),
    accountControl: openAccountControl(calls),
    metrics: new Metrics(),
    rateLimiter: new RateLimiter(redis),
    lifecycle,
  } satisfies ApiDeps);
  const address = await app.listen({ host: config.HOST, port: config.PORT }).catch((error: Error) => {
    throw new StartError(`Cannot listen on ${config.HOST}:${config.PORT}: ${reason(error)}.`);
  });
  log.info({ address }, 'api listening');

  return {
    async close() {
      lifecycle.draining = true;
      const closed = app.close();
      await calls.close(config.SHUTDOWN_GRACE_MS);
      // Every call has its answer now, and gets a moment to be sent.
      const overdue = setTimeout(() => app.server.closeAllConnections(), LAST_WORD_MS);
      await closed;
      await backgroundQueue.close();
      clearTimeout(overdue);
      clock.stop();
      directory.close();
      for (const connection of [...Object.values(connections), subscriber]) connection.disconnect();
    },
  };
}

function reason(error: Error & { code?: string }): string {
  if (error.code === 'EADDRINUSE') return 'the port is in use';
  if (error.code === 'EACCES') return 'that is not allowed';
  return error.message;
}
