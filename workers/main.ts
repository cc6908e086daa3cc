import { startWithRedis } from '../src/redis/check-redis.ts';
import { runProcess } from '../src/run-process.ts';
import { startWorker } from './start-worker.ts';

await runProcess('worker', (config, log, stop) => startWithRedis(() => startWorker(config, log, stop)));
