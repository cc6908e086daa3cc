import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis } from '../../support/redis/redis.ts';
import { Service, type ServiceProcess } from '../../support/service/service.ts';

const AWAY = 'Redis is away: calls wait or fail until it is back';
const BACK = 'Redis is back';
/** What errors of a lost connection say. */
const LOSS = /ECONN|EPIPE|Connection is closed|timed out|isn't writeable|Socket timeout|max retries/;

it('a lost Redis is one line in the log of each process, and its return another', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lost-redis-'));
  const args = ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', dir];
  let redis = await startTestRedis({ args });
  const { port } = redis;
  const service = await Service.start({ redis: { ...redis, stop: () => redis.stop() } });
  try {
    const account = await service.anAccount((await service.aWorkspace()).id);
    const processes: ServiceProcess[] = [...service.apis, ...service.workers];
    const starts = processes.map(({ logs }) => logs.length);
    const since = () => processes.map(({ logs }, index) => logs.slice(starts[index]));
    process.kill(redis.pid, 'SIGKILL');
    await redis.stop();
    await eventually(() => since().every((logs) => logs.some(({ msg }) => msg === AWAY)));
    for (let count = 0; count < 5; count += 1)
      expect((await service.call(account, 'help.getSupport', {})).status).toBeGreaterThanOrEqual(500);
    redis = await startTestRedis({ args, port });
    await eventually(() => since().every((logs) => logs.some(({ msg }) => msg === BACK)));
    await eventually(async () => (await service.call(account, 'help.getSupport', {})).status === 200);
    for (const logs of since()) {
      expect(logs.filter(({ msg }) => msg === AWAY)).toHaveLength(1);
      expect(logs.filter(({ msg }) => msg === BACK)).toHaveLength(1);
      // A job that was under way may be found to be gone; that is another matter.
      expect(logs.filter(({ err }) => LOSS.test(String((err as Error | undefined)?.message)))).toEqual([]);
    }
  } finally {
    await service.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
