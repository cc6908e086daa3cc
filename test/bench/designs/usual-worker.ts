import { Worker } from 'bullmq';
import { runProcess } from '../../../src/run-process.ts';
import { CONCURRENCY, startDesignWorker } from './start-design-worker.ts';
import { USUAL_PREFIX, USUAL_QUEUE, type UsualJob } from './usual-queue.ts';

await runProcess('usual-worker', (config, log) =>
  startDesignWorker(config, log, ({ connection, runner, onError }) => {
    const options = { connection, prefix: USUAL_PREFIX, concurrency: CONCURRENCY };
    const worker = new Worker<UsualJob, string>(USUAL_QUEUE, ({ data }) => runner.run(data.call), options);
    return worker.on('error', onError);
  }),
);
