import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { directoryKey, headsKey, stateKey } from '../../../src/redis/keys.ts';
import { noteDeleted } from '../../../src/store/deleted-workspaces.ts';
import { WorkspaceEraser } from '../../../workers/workspace-eraser.ts';
import { TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

const HOUR_MS = 3_600_000;
const NOTED = directoryKey('deleted-workspaces');

let api: TestApi;
let eraser: WorkspaceEraser;

beforeAll(async () => {
  api = await TestApi.start({ CALL_TIMEOUT_MS: '20000', ASYNC_CALL_RUN_MS: '30000' });
  eraser = new WorkspaceEraser(api.redis, openLogger({ LOG_LEVEL: 'silent' }, 'test'));
});

afterAll(async () => {
  eraser.stop();
  await api.stop();
});

async function write(workspaceId: string): Promise<void> {
  await api.redis.hset(headsKey(''), workspaceId, 'tail');
  await api.redis.hset(stateKey(workspaceId, 'users'), '1', '{}');
}

const left = async (workspaceId: string) =>
  (await api.redis.hexists(headsKey(''), workspaceId)) +
  (await api.redis.exists(stateKey(workspaceId, 'users')));

it('notes a deleted workspace until no call that was under way can write any more', async () => {
  const { workspaceId } = await api.aTenant();
  const before = Date.now();
  const { status } = await api.request('DELETE', `/v1/workspaces/${workspaceId}?cascade=true`);
  expect(status).toBe(204);
  expect(Number(await api.redis.zscore(NOTED, workspaceId))).toBeGreaterThan(before + 30_000);
});

it('erases what was written since a workspace was deleted, in its time, and of no workspace that is there', async () => {
  const { workspaceId: kept } = await api.aTenant();
  const [due, later] = [newId('workspace'), newId('workspace')];
  await Promise.all([kept, due, later].map(write));
  const now = Date.now();
  await Promise.all([
    noteDeleted(api.redis, kept, now - HOUR_MS),
    noteDeleted(api.redis, due, now - HOUR_MS),
    noteDeleted(api.redis, later, now + HOUR_MS),
  ]);
  eraser.start({ everyMs: 20 });
  await eventually(async () => (await api.redis.zscore(NOTED, due)) === null);
  await eventually(async () => (await api.redis.zscore(NOTED, kept)) === null);
  expect(await Promise.all([kept, due, later].map(left))).toEqual([2, 0, 2]);
  expect(await api.redis.zscore(NOTED, later)).not.toBeNull();
});
