import { expect, test } from 'vitest';
import { Client } from '../../../src/client/index.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { api, useUpdateStream, workspaceId } from '../../support/api/update-stream.ts';

useUpdateStream();

test('a reader of new updates is told of an account that the workspace does not have', async () => {
  const workspace = new Client({ url: api.url, key: api.rootKey }).workspace(workspaceId);
  const { id } = await api.ok('POST', '/v1/messenger-accounts', { name: 'x', workspaceId });
  const signal = AbortSignal.timeout(20_000);
  const mistyped = workspace.updates({ accountIds: [id, 'acc_01h455vb4pex5vsknk084sn02q'], signal });
  await expect(mistyped.next()).rejects.toMatchObject({
    code: 'invalid_query',
    problem: { errors: [{ pointer: '/messengerAccountId/1' }] },
  });
  const offset = await workspace.offset();
  await appendUpdates(api.redis, workspaceId, [
    { accountId: null, value: 1 },
    { accountId: id, value: 2 },
  ]);
  const updates = workspace.updates({ accountIds: [id], offset, signal });
  expect((await updates.next()).value).toMatchObject({ messengerAccountId: id, update: { value: 2 } });
  await updates.return();
});

test('a reader of an account that is deleted goes on also where the end of the stream was lost', async () => {
  const workspace = new Client({ url: api.url, key: api.rootKey }).workspace(workspaceId);
  const { id } = await api.ok('POST', '/v1/messenger-accounts', { name: 'x', workspaceId });
  await appendUpdates(api.redis, workspaceId, [{ accountId: id, value: 1 }]);
  const last = await workspace.offset();
  await api.ok('DELETE', `/v1/messenger-accounts/${id}`);
  const lost = last.replace(/1$/, '2');
  const signal = AbortSignal.timeout(20_000);
  const updates = workspace.updates({ accountIds: [id], offset: lost, signal });
  expect((await updates.next()).value).toEqual({ kind: 'stream.gap', from: lost, to: last });
  await appendUpdates(api.redis, workspaceId, [{ accountId: id, value: 2 }]);
  expect((await updates.next()).value).toMatchObject({ messengerAccountId: id, update: { value: 2 } });
  await updates.return();
});
