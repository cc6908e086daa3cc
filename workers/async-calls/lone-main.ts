import { startOverRedis } from '../../src/redis/check-redis.ts';
import { runProcess } from '../../src/run-process.ts';
import { startLone } from './start-lone.ts';

await runProcess('lone', (config, log) => startOverRedis(() => startLone(config, log)));
