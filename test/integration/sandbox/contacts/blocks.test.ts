import { afterAll, beforeAll, expect, it } from 'vitest';
import { peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let bot: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  bot = await sandbox.anAccount('Bot', { workspaceId: ada.workspaceId, bot: true });
});
afterAll(() => sandbox.close());

it('tells a bot that a user stops and starts it again, each time once', async () => {
  const block = (who: SandboxAccount) => sandbox.call(ada, 'contacts.block', { id: peerOf(who) });
  const unblock = (who: SandboxAccount) => sandbox.call(ada, 'contacts.unblock', { id: peerOf(who) });
  const { updates } = await sandbox.watch(ada, async () => {
    await unblock(bot);
    for (const change of [block, block, unblock]) await change(bot);
    for (const change of [block, unblock]) await change(bob);
  });
  const told = updates.filter(({ accountId }) => accountId !== ada.id);
  expect(told.map(({ accountId }) => accountId)).toEqual([bot.id, bot.id]);
  const stopped = { _: 'updateBotStopped', userId: ada.userId };
  expect(told.map(({ update }) => update)).toMatchObject([
    { ...stopped, stopped: true, qts: 1 },
    { ...stopped, stopped: false, qts: 2 },
  ]);
  expect(told[0]?.users).toMatchObject([{ id: ada.userId }]);
  expect(await sandbox.call(bot, 'updates.getState')).toMatchObject({ qts: 2 });
});
