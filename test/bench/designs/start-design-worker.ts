import type { Config } from '../../../src/config.ts';
import type { Logger } from '../../../src/logger.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { type RunningProcess, StartError } from '../../../src/run-process.ts';
import { FrameRunner } from './frame-runner.ts';

/** What a design's worker is built from; `connection` is for its queue alone. */
export interface WorkerParts {
  connection: RedisConnection;
  state: RedisConnection;
  runner: FrameRunner;
  onError(error: unknown): void;
}

// More was not faster: a worker process is out of CPU before it is out of jobs.
export const CONCURRENCY = 100;

/** Starts a worker process whose queue hands each call to `runner`; `openWorker` gives what closes it. */
export async function startDesignWorker(
  config: Config,
  log: Logger,
  openWorker: (parts: WorkerParts) => { close(): Promise<unknown> },
): Promise<RunningProcess> {
  const { REDIS_URL: url } = config;
  if (url === undefined) throw new StartError('REDIS_URL must be set.');
  const onError = (err: unknown) => log.warn({ err }, 'the worker failed');
  const state = openRedis(url, 'state', onError);
  const connection = openRedis(url, 'worker', onError);
  const clock = new RedisClock(connection);
  await clock.start();
  const runner = new FrameRunner(state, clock);
  await runner.load();
  const worker = openWorker({ connection, state, runner, onError });
  return {
    async close() {
      await worker.close();
      clock.stop();
      state.disconnect();
      connection.disconnect();
    },
  };
}
