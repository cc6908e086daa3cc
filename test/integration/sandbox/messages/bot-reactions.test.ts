import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let bot: SandboxAccount;
let idle: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  const more = { workspaceId: ada.workspaceId, bot: true };
  [bot, idle] = [await sandbox.anAccount('Bot', more), await sandbox.anAccount('Idle', more)];
});
afterAll(() => sandbox.close());

const emoji = (emoticon: string) => ({ _: 'reactionEmoji', emoticon });

/** What each bot hears when an account reacts to the newest message of a conversation. */
async function heard(account: SandboxAccount, peer: object, ...reaction: object[]) {
  const { id: msgId } = await sandbox.newest(account, peer);
  const { updates } = await sandbox.watch(account, () =>
    sandbox.call(account, 'messages.sendReaction', { peer, msgId, reaction }),
  );
  const of = (one: SandboxAccount) => updates.filter(({ accountId }) => accountId === one.id);
  return { of, bot: of(bot), idle: of(idle) };
}

const makeAdmin = (channel: object) =>
  sandbox.call(ada, 'channels.editAdmin', {
    channel,
    userId: userOf(bot),
    adminRights: { _: 'chatAdminRights', banUsers: true },
    rank: '',
  });

it('tells a bot of each reaction that a user gives, changes or takes back in their chat', async () => {
  await sandbox.send(bot, peerOf(ada), 'Hello');
  const { id: msgId } = await sandbox.newest(bot, peerOf(ada));
  const user = { _: 'peerUser', userId: ada.userId };
  const changes = [[], [emoji('👍')], [emoji('🔥')], []];
  for (const [i, oldReactions] of changes.slice(0, -1).entries()) {
    const newReactions = changes[i + 1] as object[];
    const told = (await heard(ada, peerOf(bot), ...newReactions)).bot;
    const { qts } = await sandbox.call(bot, 'updates.getState');
    const change = { oldReactions, newReactions, date: expect.any(Number), qts };
    expect(told.map(({ update }) => update)).toEqual([
      { _: 'updateBotMessageReaction', peer: user, msgId, actor: user, ...change },
    ]);
    expect(told[0]?.users).toMatchObject([{ id: ada.userId }]);
  }
});

it('tells no bot of what a bot reacts with', async () => {
  await sandbox.send(ada, peerOf(bot), 'Hello');
  const told = await heard(bot, peerOf(ada), emoji('👍'));
  expect(told.bot).toEqual([]);
  expect(told.of(ada)).toMatchObject([{ update: { _: 'updateMessageReactions' } }]);
});

it('tells a bot in a supergroup only if it is an administrator', async () => {
  const { channel, peer, id } = await aChannel(sandbox, ada, { megagroup: true }, bob, bot, idle);
  await makeAdmin(channel);
  await sandbox.send(bot, peer, 'Hello');
  const told = await heard(bob, peer, emoji('👍'));
  expect(told.bot).toMatchObject([
    {
      update: {
        _: 'updateBotMessageReaction',
        peer: { channelId: id },
        actor: { userId: bob.userId },
        oldReactions: [],
        newReactions: [emoji('👍')],
      },
    },
  ]);
  expect(told.idle).toEqual([]);
  expect(told.of(ada)).toMatchObject([{ update: { _: 'updateMessageReactions' } }]);
});

it('tells no bot in a basic group that it has not created, and shows the reaction to it all the same', async () => {
  const peer = await sandbox.aGroup(ada, bob, bot);
  await sandbox.send(ada, peer, 'Hello');
  expect((await heard(bob, peer, emoji('👍'))).bot).toEqual([]);
  expect((await sandbox.newest(bot, peer)).reactions.results).toMatchObject([{ count: 1 }]);
  const own = await sandbox.aGroup(bot, ada);
  await sandbox.send(ada, own, 'Hello');
  expect((await heard(ada, own, emoji('👍'))).bot).toMatchObject([
    { update: { _: 'updateBotMessageReaction', peer: { chatId: own.chatId } } },
  ]);
});

it('tells no bot of reactions to posts, which do not show who has reacted', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { broadcast: true }, bob);
  await makeAdmin(channel);
  await sandbox.send(ada, peer, 'News');
  const told = await heard(bob, peer, emoji('👍'));
  expect(told.bot).toEqual([]);
  expect(told.of(ada)).toMatchObject([{ update: { _: 'updateMessageReactions' } }]);
});
