import type { Registry } from 'prom-client';
import type { CallStatus } from '../../src/async-calls/async-call.ts';
import type { Config } from '../../src/config.ts';
import type { Control } from '../../src/control/control.ts';
import { Accounts } from '../../src/directory/accounts.ts';
import type { Freshness } from '../../src/directory/lookup-cache.ts';
import type { Tenants } from '../../src/directory/tenants.ts';
import type { Logger } from '../../src/logger.ts';
import { AsyncQueue } from '../../src/queue/async-queue.ts';
import { AsyncSlots } from '../../src/queue/consume/async-slots.ts';
import { consumeAsync } from '../../src/queue/consume/consume-async.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { StopSignals } from '../stop-signals.ts';
import { AsyncMetrics } from './async-metrics.ts';
import { AsyncRunner, type AsyncRunnerOptions } from './async-runner.ts';
import { AsyncSurvey } from './async-survey.ts';
import { type AttemptListener, AttemptRunner, type AttemptRunnerOptions } from './attempt-runner.ts';
import { CallSweeper } from './call-sweeper.ts';
import { LoneProcesses } from './lone-processes.ts';

/** The part of this process that runs async calls. */
export interface RunningAsyncCalls {
  /** How many scheduled calls have come due: they have started for the first time. */
  readonly due: number;
  /** How many calls run now, with those in processes of their own. */
  readonly running: number;
  /** Counts a call that another part of this process has ended. */
  countEnded(status: CallStatus): void;
  close(graceMs: number): Promise<void>;
}

type Options = Pick<
  AsyncRunnerOptions & AttemptRunnerOptions,
  'clock' | 'executor' | 'callLog' | 'tracing' | 'retention' | 'deliveries' | 'syncCallsRunning'
> & {
  config: Config;
  control: Control;
  connections: { state: RedisConnection; queue: RedisConnection; subscriber: RedisConnection };
  freshness: Freshness;
  tenants: Tenants;
  registry: Registry;
  log: Logger;
  /** Called for each call that was given up. */
  gaveUp(): void;
};

/** Starts to run async calls and to look after them. */
export async function startAsyncCalls({
  config,
  control,
  connections,
  freshness,
  tenants,
  registry,
  log,
  gaveUp,
  ...shared
}: Options): Promise<RunningAsyncCalls> {
  const { state, queue: connection, subscriber } = connections;
  const { clock } = shared;
  const signals = new StopSignals();
  await signals.listen(subscriber);
  const queue = new AsyncQueue(connection);
  const metrics = new AsyncMetrics(registry);
  let due = 0;
  const listener: AttemptListener = {
    ended: (status) => metrics.ended.inc({ status }),
    retried: () => metrics.retries.inc(),
    scheduledDue: () => {
      due += 1;
    },
    gaveUp,
  };
  const { executor, callLog, tracing, ...others } = shared;
  const loneProcesses = new LoneProcesses(log);
  const runner = new AsyncRunner({
    ...others,
    state,
    queue,
    control,
    tenants,
    accounts: new Accounts(connection, freshness),
    slots: new AsyncSlots(state),
    attempts: new AttemptRunner({
      state,
      clock,
      executor,
      signals,
      callLog,
      tracing,
      listener,
      log,
      settings: config,
    }),
    loneProcesses,
    listener,
    runMs: config.ASYNC_CALL_RUN_MS,
  });
  const sweeper = new CallSweeper({
    redis: connection,
    queue,
    control,
    clock,
    metrics,
    log,
    runMs: config.ASYNC_CALL_RUN_MS,
    limits: config,
  });
  const consumer = consumeAsync({
    connection,
    concurrency: config.ASYNC_CONCURRENCY,
    tenants,
    run: (ref) => runner.run(ref),
    log,
  });
  control.live.follow(() => consumer.resize(config.ASYNC_CONCURRENCY));
  const survey = new AsyncSurvey(connection, (totals) => metrics.show(totals), log);
  sweeper.start();
  survey.start();
  return {
    get due() {
      return due;
    },
    get running() {
      return runner.running;
    },
    countEnded: listener.ended,
    async close(graceMs) {
      signals.stopAll();
      await Promise.all([
        sweeper.stop(),
        survey.stop(),
        consumer.close(graceMs),
        loneProcesses.close(graceMs),
      ]);
      await queue.close();
    },
  };
}
