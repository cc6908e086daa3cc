import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { dialogsKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import { afterListIn } from '../../../support/sandbox/before-commit.ts';
import { Sandbox } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

it('the unread messages of a conversation count once, though one moves while they are counted', async () => {
  const ada = await sandbox.anAccount();
  const dialogs = stateKey(ada.workspaceId, dialogsKey(ada.userId));
  // The latest first; fifty of them are read before the others.
  const keys = Array.from({ length: 60 }, (_, i) => `u${5_000 + i}`);
  for (const [i, key] of keys.entries()) await sandbox.redis.zadd(dialogs, 4_000_000_000 - i, key);
  const [last, moving] = [keys[49], keys[55]] as [string, string];
  const counters = { [`unread:${ada.userId}:${last}`]: 10, [`unread:${ada.userId}:${moving}`]: 1 };
  await sandbox.redis.hset(stateKey(ada.workspaceId, 'seq'), counters);
  afterListIn(sandbox, 'updates.getState', () => sandbox.redis.zadd(dialogs, 4_000_000_001, moving));
  expect(await sandbox.call(ada, 'updates.getState')).toMatchObject({ unreadCount: 11 });
});
