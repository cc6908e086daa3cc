import { Registry } from 'prom-client';
import type { CallRef } from '../../src/async-calls/attempt-call.ts';
import { DRIVER_WORK, markDue } from '../../src/async-calls/due-workspaces.ts';
import { setBytesMax } from '../../src/bytes/byte-budget.ts';
import type { Config } from '../../src/config.ts';
import { Control } from '../../src/control/control.ts';
import type { Logger } from '../../src/logger.ts';
import { RedisClock } from '../../src/redis/clock.ts';
import { untilReady } from '../../src/redis/connections.ts';
import { RedisWatch } from '../../src/redis/redis-watch.ts';
import { type RunningProcess, StartError } from '../../src/run-process.ts';
import { openTracing } from '../../src/tracing/open-tracing.ts';
import { CallLog } from '../call-log.ts';
import { CallExecutor } from '../executor/call-executor.ts';
import { openSandboxDriver } from '../sandbox/sandbox-driver.ts';
import { StopSignals } from '../stop-signals.ts';
import { AttemptRunner } from './attempt-runner.ts';
import type { LoneReport } from './lone-report.ts';

const EMPTY_REPORT: LoneReport = { ended: null, retried: false, waits: false };

/** Starts a lone process: it makes attempts at the calls that its worker sends, one at a time, and ends with that worker. */
export async function startLone(config: Config, log: Logger): Promise<RunningProcess> {
  const send = (report: LoneReport) => {
    // The worker may be gone by now.
    if (process.connected) process.send?.(report, undefined, undefined, () => undefined);
  };
  if (config.REDIS_URL === undefined || process.send === undefined)
    throw new StartError('Only a worker starts this process.');
  // Exit at once: other workers take over the calls.
  process.on('disconnect', () => process.exit(0));
  // The worker may have disconnected before the listener was added.
  if (!process.connected) process.exit(0);
  const redis = new RedisWatch(config.REDIS_URL, log);
  const state = redis.open('state');
  const subscriber = redis.open('subscriber');
  await Promise.all([state, subscriber].map(untilReady));
  const control = new Control(state, log, config);
  await control.start();
  control.live.follow(() => {
    log.level = config.LOG_LEVEL;
    setBytesMax(state, config.WORKSPACE_BYTES_MAX);
  });
  const clock = new RedisClock(state);
  await clock.start();
  const tracing = await openTracing(config, 'lone', () => clock.now(), log);
  const signals = new StopSignals();
  await signals.listen(subscriber);
  const driver = openSandboxDriver();
  let report: LoneReport = { ...EMPTY_REPORT };
  const runner = new AttemptRunner({
    state,
    clock,
    executor: new CallExecutor({
      state,
      clock,
      drivers: new Map([[driver.name, driver]]),
      wake: (workspaceId, at) => markDue(state, workspaceId, at, DRIVER_WORK),
      crashFaults: config.SANDBOX_CRASH_FAULTS,
    }),
    signals,
    callLog: new CallLog(log, config, new Registry()),
    tracing,
    listener: {
      ended: (status) => {
        report.ended = status;
      },
      retried: () => {
        report.retried = true;
      },
    },
    log,
    settings: config,
  });
  let running = Promise.resolve();
  process.on('message', (ref) => {
    running = runner
      .run(ref as CallRef, true)
      .then((how) => {
        report.waits = how === 'waits';
      })
      .catch((err) => log.warn({ err }, 'an attempt at a call was given up'))
      .then(() => {
        send(report);
        report = { ...EMPTY_REPORT };
      });
  });
  // The first report says that this process is ready.
  send(report);

  return {
    async close() {
      signals.stopAll();
      await running;
      await tracing.close(config.SHUTDOWN_GRACE_MS);
      clock.stop();
      state.disconnect();
      subscriber.disconnect();
    },
  };
}
