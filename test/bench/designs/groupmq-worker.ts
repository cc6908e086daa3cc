import { Worker } from 'groupmq';
import { runProcess } from '../../../src/run-process.ts';
import { type GroupmqJob, openGroupmqQueue } from './groupmq-queue.ts';
import { CONCURRENCY, startDesignWorker } from './start-design-worker.ts';

await runProcess('groupmq-worker', (config, log) =>
  startDesignWorker(config, log, ({ connection, state, runner, onError }) => {
    const worker = new Worker<GroupmqJob>({
      queue: openGroupmqQueue(connection),
      concurrency: CONCURRENCY,
      onError,
      handler: async ({ data: { call, replyTo } }) => {
        await state.publish(replyTo, `${call.id} ${await runner.run(call)}`);
      },
    });
    worker.run().catch(onError);
    return worker;
  }),
);
