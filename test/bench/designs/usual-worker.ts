import { Worker } from 'bullmq';
import type { Config } from '../../../src/config.ts';
import type { Logger } from '../../../src/logger.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis } from '../../../src/redis/connections.ts';
import { type RunningProcess, runProcess, StartError } from '../../../src/run-process.ts';
import { CallExecutor } from './call-executor.ts';
import { USUAL_PREFIX, USUAL_QUEUE, type UsualJob } from './usual-queue.ts';

// More was not faster: a worker process is out of CPU before it is out of jobs.
const CONCURRENCY = 100;

await runProcess('usual-worker', startUsualWorker);

async function startUsualWorker(config: Config, log: Logger): Promise<RunningProcess> {
  const { REDIS_URL: url } = config;
  if (url === undefined) throw new StartError('REDIS_URL must be set.');
  const onError = (err: Error) => log.warn({ err }, 'Redis connection failed');
  const state = openRedis(url, 'state', onError);
  const connection = openRedis(url, 'worker', onError);
  const clock = new RedisClock(connection);
  await clock.start();
  const executor = new CallExecutor(state, clock);
  await executor.load();
  const options = {
    connection,
    prefix: USUAL_PREFIX,
    concurrency: CONCURRENCY,
  };
  const worker = new Worker<UsualJob, string>(USUAL_QUEUE, ({ data }) => executor.run(data.call), options);
  worker.on('error', onError);
  return {
    async close() {
      await worker.close();
      clock.stop();
      state.disconnect();
      connection.disconnect();
    },
  };
}
