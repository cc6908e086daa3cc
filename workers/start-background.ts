import type { Registry } from 'prom-client';
import type { Config } from '../src/config.ts';
import type { Logger } from '../src/logger.ts';
import { BackgroundQueue } from '../src/queue/background-queue.ts';
import { BackgroundSlots } from '../src/queue/background-slots.ts';
import { consumeBackground } from '../src/queue/consume-background.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { Accounts } from '../src/store/accounts.ts';
import type { Freshness } from '../src/store/lookup-cache.ts';
import { BackgroundMetrics } from './background-metrics.ts';
import { BackgroundRunner, type BackgroundRunnerOptions } from './background-runner.ts';
import { CallSweeper } from './call-sweeper.ts';
import { StopSignals } from './stop-signals.ts';

type Options = Pick<
  BackgroundRunnerOptions,
  'clock' | 'drivers' | 'callLog' | 'retention' | 'courier' | 'callersRunning'
> & {
  config: Config;
  connections: { state: RedisConnection; queue: RedisConnection; subscriber: RedisConnection };
  freshness: Freshness;
  registry: Registry;
  log: Logger;
};

/** Starts to run the calls that nobody waits for, and to look after them. */
export async function startBackground({
  config,
  connections,
  freshness,
  registry,
  log,
  ...shared
}: Options): Promise<{ close(graceMs: number): Promise<void> }> {
  const { state, queue: connection, subscriber } = connections;
  const { clock } = shared;
  const signals = new StopSignals();
  await signals.listen(subscriber);
  const queue = new BackgroundQueue(connection);
  const metrics = new BackgroundMetrics(registry);
  const runner = new BackgroundRunner({
    ...shared,
    state,
    queue,
    accounts: new Accounts(connection, freshness),
    slots: new BackgroundSlots(state),
    signals,
    metrics,
    settings: config,
  });
  const sweeper = new CallSweeper({
    redis: connection,
    queue,
    clock,
    metrics,
    log,
    runMs: config.ASYNC_CALL_RUN_MS,
    keptMax: config.ASYNC_CALLS_PER_WORKSPACE,
  });
  const consumer = consumeBackground({
    connection,
    concurrency: config.ASYNC_CONCURRENCY,
    run: (place) => runner.run(place),
    log,
  });
  sweeper.start();
  return {
    async close(graceMs) {
      signals.stopAll();
      await Promise.all([sweeper.stop(), consumer.close(graceMs)]);
      await queue.close();
    },
  };
}
