import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';
import { DRIVER_WORK, markDue } from '../src/async-calls/due-workspaces.ts';
import { atMostEvery } from '../src/at-most-every.ts';
import { setBytesMax } from '../src/bytes/byte-budget.ts';
import type { Config } from '../src/config.ts';
import { Control } from '../src/control/control.ts';
import { DataWatch } from '../src/directory/data-watch.ts';
import { DirectoryWatch } from '../src/directory/directory-watch.ts';
import { publishDriverMethods } from '../src/directory/driver-methods.ts';
import { Heartbeat, WORKERS } from '../src/directory/heartbeat.ts';
import { raiseQueueShards } from '../src/directory/queue-shards.ts';
import { openSecret } from '../src/directory/secret.ts';
import { SecretBox } from '../src/directory/secret-box.ts';
import { Tenants } from '../src/directory/tenants.ts';
import { FleetMember } from '../src/fleet/fleet-member.ts';
import { settleScript } from '../src/ledger/settle.ts';
import { explainListenError } from '../src/listen-error.ts';
import type { Logger } from '../src/logger.ts';
import { countDataLosses } from '../src/metrics/data-losses.ts';
import { ProcessMetrics } from '../src/metrics/process-metrics.ts';
import { CallConsumers } from '../src/queue/consume/call-consumers.ts';
import { ReplyWriter } from '../src/queue/consume/reply-writer.ts';
import { ShardWatch } from '../src/queue/shard-watch.ts';
import { checkRedis } from '../src/redis/check-redis.ts';
import { RedisClock } from '../src/redis/clock.ts';
import { untilReady } from '../src/redis/connections.ts';
import { RedisWatch } from '../src/redis/redis-watch.ts';
import { spreadHeads } from '../src/redis/spread-heads.ts';
import { type RunningProcess, StartError } from '../src/run-process.ts';
import { commitScript } from '../src/state/commit-script.ts';
import { reserveScript } from '../src/state/reserve-script.ts';
import { openTracing } from '../src/tracing/open-tracing.ts';
import { startAsyncCalls } from './async-calls/start-async-calls.ts';
import { CallLog } from './call-log.ts';
import { CallRunner } from './call-runner.ts';
import { Eraser } from './deletion/eraser.ts';
import { DELIVERY_SCRIPTS } from './delivery/delivery-scripts.ts';
import { startDeliveries } from './delivery/start-deliveries.ts';
import { disconnectAccount } from './disconnect-account.ts';
import { DueWork, restoreDueWork } from './due-work.ts';
import { CallExecutor } from './executor/call-executor.ts';
import { RetentionKeeper } from './retention.ts';
import { RunMetrics } from './run-metrics.ts';
import { openSandboxDriver } from './sandbox/sandbox-driver.ts';
import { StopSignals } from './stop-signals.ts';
import { WorkerLoad } from './worker-load.ts';

// Metrics are collected at most this often, however many scrapers ask.
const SCRAPE_MS = 1_000;

/** Starts a worker process, which takes calls from the queues, runs and answers them. Calls `stop` when an operator drains the worker. */
export async function startWorker(
  config: Config,
  log: Logger,
  stop: (reason: string) => void,
): Promise<RunningProcess> {
  const url = config.REDIS_URL;
  if (!url)
    throw new StartError(
      'The setting REDIS_URL is missing: give a worker the Redis of its API processes, such as REDIS_URL=redis://127.0.0.1:6379.',
    );
  const redis = new RedisWatch(url, log);
  const state = redis.open('state');
  const queue = redis.open('worker');
  const subscriber = redis.open('subscriber');
  await checkRedis(queue, url, (message) => log.warn(message));
  await spreadHeads(queue);
  await Promise.all([state, subscriber].map(untilReady));
  const scripts = [commitScript, reserveScript, settleScript, ...DELIVERY_SCRIPTS];
  await Promise.all(scripts.map((script) => script.load(state)));
  const clock = new RedisClock(queue);
  await clock.start();
  const tracing = await openTracing(config, 'worker', () => clock.now(), log);

  const data = new DataWatch(queue, clock, log);
  await data.start();
  const control = new Control(queue, log, config);
  await control.start();
  const registry = new Registry();
  // Before anything is taken from a queue: a process whose port is in use ends, and would interrupt its calls at each restart.
  const { HOST: host, WORKER_METRICS_PORT: port } = config;
  let isReady = false;
  const metrics = port === undefined ? null : await serveMetrics({ host, port }, registry, () => isReady);
  const processMetrics = new ProcessMetrics(registry);
  countDataLosses(registry, data);
  const runMetrics = new RunMetrics(registry);
  const callLog = new CallLog(log, config, registry);
  control.live.follow(() => {
    log.level = config.LOG_LEVEL;
    for (const connection of [state, queue]) setBytesMax(connection, config.WORKSPACE_BYTES_MAX);
  });
  const driver = openSandboxDriver();
  const drivers = new Map([[driver.name, driver]]);
  const retention = new RetentionKeeper(
    queue,
    { maxAgeMs: config.UPDATES_RETENTION_MS, maxCount: config.UPDATES_RETENTION_COUNT },
    log,
    (workspaceId) => restoreDueWork(queue, driver, workspaceId),
  );
  const watch = new DirectoryWatch(queue);
  const tenants = new Tenants(queue, watch);
  const deliveries = startDeliveries({
    connection: queue,
    freshness: watch,
    tenants,
    tracing,
    box: new SecretBox(await openSecret(queue, config.SWITCHBOARD_SECRET, data.publish, log)),
    log,
    allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE,
    dnsServers: config.WEBHOOK_DNS_SERVERS,
    registry,
  });
  const signals = new StopSignals();
  await signals.listen(subscriber);
  const executor = new CallExecutor({
    state,
    clock,
    drivers,
    data,
    tenants,
    wake: (workspaceId, at) => markDue(queue, workspaceId, at, DRIVER_WORK),
    crashFaults: config.SANDBOX_CRASH_FAULTS,
    onConflict: () => runMetrics.conflicts.inc(),
  });
  const replies = new ReplyWriter(queue, (stream) => {
    log.warn({ stream }, 'an API process does not read its replies; they are dropped until it does');
  });
  const runner = new CallRunner({
    state,
    executor,
    replies,
    clock,
    signals,
    callLog,
    tracing,
    metrics: runMetrics,
    retention,
    deliveries,
    log,
  });
  await data.publish(() => publishDriverMethods(queue, driver.name, [...driver.methods.keys()]));
  const consumers = new CallConsumers({ connection: queue, handlers: runner, tenants, log });
  const shardWatch = new ShardWatch(queue, log, (count) => consumers.grow(count));
  // The worker consumes the shards before it announces them, so that no call lands on a shard without a worker.
  consumers.grow(config.QUEUE_SHARDS);
  await data.publish(() => raiseQueueShards(queue, config.QUEUE_SHARDS));
  await shardWatch.start();
  const asyncCalls = await startAsyncCalls({
    config,
    control,
    connections: { state, queue, subscriber },
    clock,
    executor,
    freshness: watch,
    tenants,
    callLog,
    tracing,
    retention,
    deliveries,
    registry,
    log,
    syncCallsRunning: () => runner.running,
    gaveUp: () => runMetrics.givenUp.inc(),
  });
  runMetrics.watch(runner, asyncCalls, replies, retention);
  const heartbeat = new Heartbeat(queue, WORKERS, log);
  await heartbeat.start();
  const load = new WorkerLoad({ runner, callLog, asyncCalls });
  const member = new FleetMember({
    redis: queue,
    name: load.name,
    figures: () => load.figures(),
    log,
    onDrain() {
      log.info({ worker: load.name }, 'an operator drains this worker');
      stop('drained');
    },
  });
  member.start();
  processMetrics.start(queue);
  retention.start();
  const eraser = new Eraser(
    queue,
    log,
    (account) => disconnectAccount(executor, clock, account),
    () => asyncCalls.countEnded('canceled'),
  );
  eraser.start();
  const dueWork = new DueWork({
    redis: queue,
    executor,
    clock,
    driver: driver.name,
    retention,
    deliveries,
    log,
  });
  dueWork.start();
  isReady = true;
  log.info('worker is ready');

  return {
    async close() {
      load.isDraining = true;
      void member.publish().catch(() => undefined);
      retention.stop();
      shardWatch.stop();
      await Promise.all([
        asyncCalls.close(config.SHUTDOWN_GRACE_MS),
        consumers.close(config.SHUTDOWN_GRACE_MS),
        deliveries.close(config.SHUTDOWN_GRACE_MS),
        eraser.stop(),
        dueWork.stop(),
        heartbeat.stop(),
      ]);
      await Promise.all([member.stop(), tracing.close(config.SHUTDOWN_GRACE_MS)]);
      processMetrics.stop();
      metrics?.close();
      callLog.stop();
      watch.stop();
      data.stop();
      control.stop();
      clock.stop();
      state.disconnect();
      queue.disconnect();
      subscriber.disconnect();
    },
  };
}

async function serveMetrics(
  { host, port }: { host: string; port: number },
  registry: Registry,
  isReady: () => boolean,
): Promise<Server> {
  const collect = atMostEvery(SCRAPE_MS, () => registry.metrics());
  const server = createServer(async (request, response) => {
    if (request.url === '/livez') {
      const text = isReady() ? 'ok' : 'starting';
      response.writeHead(isReady() ? 200 : 503).end(`${text}\n`);
    } else if (request.url === '/metrics') {
      response.setHeader('content-type', registry.contentType);
      response.end(await collect());
    } else {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const place = { setting: 'WORKER_METRICS_PORT', host, port };
      reject(new StartError(explainListenError(code ?? message, place)));
    });
    server.listen(port, host, resolve);
  });
  return server;
}
