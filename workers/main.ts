import { startOverRedis } from '../src/redis/check-redis.ts';
import { runProcess } from '../src/run-process.ts';
import { startWorker } from './start-worker.ts';

await runProcess('worker', (config, log, stop) => startOverRedis(() => startWorker(config, log, stop)));
