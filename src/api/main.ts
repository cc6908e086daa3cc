import { setTimeout as sleep } from 'node:timers/promises';
import { readAsyncTotals } from '../async-calls/async-totals.ts';
import { setBytesMax } from '../bytes/byte-budget.ts';
import type { Config } from '../config.ts';
import { Control } from '../control/control.ts';
import { DataWatch } from '../directory/data-watch.ts';
import { openDirectory } from '../directory/directory.ts';
import { Heartbeat } from '../directory/heartbeat.ts';
import { FleetMember } from '../fleet/fleet-member.ts';
import { Scaling } from '../fleet/scaling.ts';
import { explainListenError } from '../listen-error.ts';
import { tellListening } from '../listening-message.ts';
import type { Logger } from '../logger.ts';
import { AsyncCalls } from '../queue/async-calls.ts';
import { AsyncQueue } from '../queue/async-queue.ts';
import { SLOW_PERMITS } from '../queue/queues.ts';
import { CallGateway } from '../queue/submit/call-gateway.ts';
import { HeldCalls } from '../queue/submit/held-calls.ts';
import { WebhookQueue } from '../queue/webhook-queue.ts';
import { checkRedis, startWithRedis } from '../redis/check-redis.ts';
import { RedisClock } from '../redis/clock.ts';
import { type RedisConnection, untilReady } from '../redis/connections.ts';
import { MemoryWatch } from '../redis/memory-watch.ts';
import { RedisWatch } from '../redis/redis-watch.ts';
import { spreadHeads } from '../redis/spread-heads.ts';
import { type RunningProcess, runProcess, StartError } from '../run-process.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import { UpdateFollower } from '../updates/follow-updates.ts';
import { readWebhookTotals } from '../webhooks/webhook-totals.ts';
import { ApiLoad } from './api-load.ts';
import { buildApp } from './app.ts';
import type { ApiDeps } from './deps.ts';
import { KeyClaims } from './limits/key-claims.ts';
import { OrderGate } from './limits/order-gate.ts';
import { RateLimiter } from './limits/rate-limiter.ts';
import { Reads } from './limits/reads.ts';
import { Metrics } from './metrics.ts';
import { readmitLate } from './plugins/principal.ts';
import { openAccountControl } from './records/account-control.ts';

// New connections that may wait to be accepted, as far as the system allows. A system drops further ones, whose clients try again after 1, 3
// or 7 seconds.
const BACKLOG = 4_096;

const LAST_ANSWERS_MS = 1_000;

await runProcess('api', (config, log) => startWithRedis(() => startApi(config, log)));

async function startApi(config: Config, log: Logger): Promise<RunningProcess> {
  const { REDIS_URL: url, SWITCHBOARD_ROOT_KEY: rootKey } = config;
  if (url === undefined)
    throw new StartError(
      'The setting REDIS_URL is missing: give the address of the Redis to use, such as REDIS_URL=redis://127.0.0.1:6379.',
    );
  if (rootKey === undefined) {
    throw new StartError(
      'The setting SWITCHBOARD_ROOT_KEY is missing: choose the API key that may do everything, of 16 characters or more.',
    );
  }
  const watch = new RedisWatch(url, log);
  const redis = watch.open('request');
  await checkRedis(redis, url, (message) => log.warn(message));
  await spreadHeads(redis);
  const subscriber = watch.open('subscriber');
  const connections = {
    redis,
    blocking: watch.open('blocking'),
    queueConnection: watch.open('submit'),
    reads: watch.open('request'),
  };
  await Promise.all([untilReady(connections.queueConnection), untilReady(connections.reads)]);
  const clock = new RedisClock(redis);
  await clock.start();
  const tracing = await openTracing(config, 'api', () => clock.now(), log);
  const data = new DataWatch(redis, clock, log);
  await data.start();
  const directory = await openDirectory(redis, config, rootKey, data.publish, log);
  const control = new Control(redis, log, config);
  await control.start();
  // Read anew each time: operators change settings at run time.
  const bounds = {
    get maxWaitMs() {
      return config.ADMISSION_MAX_WAIT_MS;
    },
    get inFlightMax() {
      return config.CALLS_IN_FLIGHT_MAX;
    },
    get bytesInFlightMax() {
      return config.CALL_BYTES_IN_FLIGHT_MAX;
    },
  };
  const calls = new CallGateway({
    ...connections,
    subscriber,
    findCaps: async (workspaceId, accountId) => (await directory.accounts.find(workspaceId, accountId))?.caps,
    isLostSince: (moment) => data.isLostSince(moment),
    freshness: directory.freshness,
    clock,
    log,
    timeoutMs: config.CALL_TIMEOUT_MS,
    ...bounds,
  });
  const { admission } = calls;
  const held = new HeldCalls({ bounds, pauses: control.pauses, admission });
  control.live.follow(() => {
    log.level = config.LOG_LEVEL;
    setBytesMax(redis, config.WORKSPACE_BYTES_MAX);
    admission.limit({ ...bounds });
  });
  const heartbeat = new Heartbeat(redis, calls.processName, log);
  await Promise.all([calls.start(), heartbeat.start()]);
  // Runs now too, when there is nothing to end, and then after each loss of data.
  await data.publish(() => calls.beginAnew());

  const asyncQueue = new AsyncQueue(connections.queueConnection);
  const webhooks = new WebhookQueue(connections.queueConnection);
  const limits = {
    get openMax() {
      return config.ASYNC_CALLS_PER_WORKSPACE;
    },
    get bytesMax() {
      return config.ASYNC_CALL_BYTES_PER_WORKSPACE;
    },
  };
  const asyncCalls = new AsyncCalls({ redis, queue: asyncQueue, clock, limits, log });

  const scaling = new Scaling({
    redis,
    readLanes: () => calls.readLanes(),
    readAsyncCalls: () => readAsyncTotals(redis),
    readWebhooks: () => readWebhookTotals(redis),
    config,
    slowPerWorker: SLOW_PERMITS,
  });
  const metrics = new Metrics();
  const apiLoad = new ApiLoad(calls, metrics);
  const member = new FleetMember({ redis, name: calls.processName, figures: () => apiLoad.figures(), log });
  member.start();
  metrics.process.start(redis);

  const lifecycle = { draining: false };
  const forCallers = [redis, connections.queueConnection, connections.reads];
  const memory = new MemoryWatch(redis, log);
  const app = buildApp({
    config,
    log,
    connections: forCallers,
    data,
    directory,
    control,
    calls,
    held,
    admission,
    asyncCalls,
    clock,
    updates: new UpdateFollower(connections.reads, subscriber, log),
    reads: new Reads(connections.reads, config),
    webhooks,
    accountControl: openAccountControl(calls),
    claims: new KeyClaims(),
    orders: new OrderGate(admission, readmitLate(directory)),
    metrics,
    scaling,
    rateLimiter: new RateLimiter(redis, log),
    tracing,
    lifecycle,
    memory,
    workers: calls.workers,
  } satisfies ApiDeps);
  await app.ready();
  await untilAllReady(forCallers);
  const { HOST: host, PORT: port } = config;
  const address = await app
    .listen({ host, port, backlog: BACKLOG })
    .catch(({ code, message }: NodeJS.ErrnoException) => {
      throw new StartError(explainListenError(code ?? message, { setting: 'PORT', host, port }));
    });
  log.info({ address }, 'api listening');
  tellListening();

  return {
    async close() {
      lifecycle.draining = true;
      const closed = app.close();
      held.close();
      await calls.close(config.SHUTDOWN_GRACE_MS);
      await Promise.all([heartbeat.stop(), member.stop()]);
      metrics.process.stop();
      // Every call has been answered: give the answers a moment to be sent.
      const overdue = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
      await closed;
      await Promise.all([asyncQueue.close(), webhooks.close(), tracing.close(config.SHUTDOWN_GRACE_MS)]);
      clearTimeout(overdue);
      clock.stop();
      data.stop();
      memory.stop();
      control.stop();
      directory.close();
      for (const connection of [...Object.values(connections), subscriber]) connection.disconnect();
    },
  };
}

// Making the OpenAPI documents blocks the process for a second, or several on a busy machine. Connections that seemed silent meanwhile are
// reopened.
async function untilAllReady(connections: RedisConnection[]): Promise<void> {
  // Lets the timers that became due run first: they close such connections.
  await sleep(1);
  await Promise.all(connections.map(untilReady));
}
