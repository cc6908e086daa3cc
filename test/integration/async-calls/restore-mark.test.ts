import { expect, it } from 'vitest';
import { EXPIRING } from '../../../src/async-calls/call-keys.ts';
import {
  isMarkedDue,
  markDue,
  releaseWorkspace,
  takeDueWorkspaces,
} from '../../../src/async-calls/due-workspaces.ts';
import { restoreMark } from '../../../src/async-calls/restore-mark.ts';
import { newId } from '../../../src/ids.ts';
import { stateKey } from '../../../src/redis/keys.ts';
import { redis, useRedis } from '../../support/redis/commits.ts';

const EXPIRES_AT = 1_000;

useRedis();

it('marks a workspace with calls that has lost its mark, and leaves the lease of one that is looked after', async () => {
  const id = newId('workspace');
  await restoreMark(redis, id);
  expect(await isMarkedDue(redis, id)).toBe(false);

  await redis.zadd(stateKey(id, EXPIRING), EXPIRES_AT, 'call');
  await restoreMark(redis, id);
  const { until, ids } = await takeDueWorkspaces(redis, 1, 60_000);
  expect(ids).toEqual([id]);
  await restoreMark(redis, id);
  // Otherwise another process would look after it at the same time.
  expect((await takeDueWorkspaces(redis, 1, 60_000)).ids).toEqual([]);

  await releaseWorkspace(redis, id, until, null);
  expect(await isMarkedDue(redis, id)).toBe(false);
  await markDue(redis, id, EXPIRES_AT);
  expect((await takeDueWorkspaces(redis, 1, 60_000)).ids).toEqual([id]);
});
