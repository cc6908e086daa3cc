import { afterAll, beforeAll, expect, it } from 'vitest';
import { DRIVER_WORK, markDue } from '../../../src/async-calls/due-workspaces.ts';
import { viewKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { stateKey } from '../../../src/redis/keys.ts';
import { restoreDueWork } from '../../../workers/due-work.ts';
import { RetentionKeeper } from '../../../workers/retention.ts';
import { DUE } from '../../../workers/sandbox/model/common/due.ts';
import { openSandboxDriver } from '../../../workers/sandbox/sandbox-driver.ts';
import { eventually } from '../../support/eventually.ts';
import { Sandbox } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

it('a sweep finds messages that are scheduled where the mark of their workspace was lost', async () => {
  const { redis } = sandbox;
  // Each new account has scheduled reminders.
  const [lost, marked] = [await sandbox.anAccount('Ada'), await sandbox.anAccount('Bob')];
  const idle = newId('workspace');
  for (const id of [lost.workspaceId, marked.workspaceId, idle])
    await redis.zadd(viewKey('workspaces', 'all'), 0, id);
  await redis.del(DRIVER_WORK);
  await markDue(redis, marked.workspaceId, 1, DRIVER_WORK);
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const driver = openSandboxDriver();
  const keeper = new RetentionKeeper(redis, { maxAgeMs: 86_400_000, maxCount: 1_000 }, log, (id) =>
    restoreDueWork(redis, driver, id),
  );
  const markOf = (id: string) => redis.zscore(DRIVER_WORK, id);
  keeper.start({ trimEveryMs: 20, sweepEveryMs: 100 });
  await eventually(async () => (await markOf(lost.workspaceId)) !== null);
  // Another sweep, so that the first one has gone through all workspaces.
  await redis.zrem(DRIVER_WORK, lost.workspaceId);
  await eventually(async () => (await markOf(lost.workspaceId)) !== null);
  keeper.stop();
  const [, date] = await redis.zrange(stateKey(lost.workspaceId, DUE), '0', '0', 'WITHSCORES');
  expect(await markOf(lost.workspaceId)).toBe(String(Number(date) * 1_000));
  expect(await markOf(marked.workspaceId)).toBe('1');
  expect(await markOf(idle)).toBeNull();
});
