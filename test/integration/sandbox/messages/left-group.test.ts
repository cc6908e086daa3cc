import { afterAll, beforeAll, expect, it } from 'vitest';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

it('a member who leaves between what a message reads and its commit gets nothing of it', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  beforeCommitOf(sandbox, 'messages.sendMessage', () =>
    sandbox.call(bob, 'messages.deleteChatUser', { chatId: group.chatId, userId: { _: 'inputUserSelf' } }),
  );
  const { updates } = await sandbox.watch(ada, () => sandbox.send(ada, group, 'Among us'));
  const told = updates.filter(({ update }) => update.message?.message === 'Among us');
  expect(told.map(({ accountId }) => accountId)).toEqual([ada.id]);
  expect(await sandbox.newest(ada, group)).toMatchObject({ message: 'Among us' });
});
