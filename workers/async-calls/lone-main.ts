import { startWithRedis } from '../../src/redis/check-redis.ts';
import { runProcess } from '../../src/run-process.ts';
import { startLone } from './start-lone.ts';

await runProcess('lone', (config, log) => startWithRedis(() => startLone(config, log)));
