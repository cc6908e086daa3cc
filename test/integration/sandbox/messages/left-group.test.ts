import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Method } from '../../../../workers/driver.ts';
import { Sandbox } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

/** Does something once, between what a method reads and its commit. */
function beforeCommitOf(name: string, act: () => Promise<unknown>): void {
  const methods = sandbox.driver.methods as Map<string, Method>;
  const method = methods.get(name) as Method;
  methods.set(name, {
    ...method,
    run: async (...given: Parameters<typeof method.run>) => {
      const result = await method.run(...given);
      methods.set(name, method);
      await act();
      return result;
    },
  });
}

it('a member who leaves between what a message reads and its commit gets nothing of it', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  beforeCommitOf('messages.sendMessage', () =>
    sandbox.call(bob, 'messages.deleteChatUser', { chatId: group.chatId, userId: { _: 'inputUserSelf' } }),
  );
  const { updates } = await sandbox.watch(ada, () => sandbox.send(ada, group, 'Among us'));
  const told = updates.filter(({ update }) => update.message?.message === 'Among us');
  expect(told.map(({ accountId }) => accountId)).toEqual([ada.id]);
  expect(await sandbox.newest(ada, group)).toMatchObject({ message: 'Among us' });
});
