import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

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

it('who was removed from a group hears nothing more of its messages, and keeps them as they were', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const group = await sandbox.aGroup(ada, bob, eve);
  await sandbox.send(ada, group, 'Among us');
  const [{ id }, kept] = await Promise.all([sandbox.newest(ada, group), lastOf(eve)]);
  await sandbox.call(ada, 'messages.deleteChatUser', { chatId: group.chatId, userId: userOf(eve) });
  const { updates } = await sandbox.watch(ada, async () => {
    await sandbox.call(ada, 'messages.editMessage', { peer: group, id, message: 'Not for Eve' });
    await sandbox.call(ada, 'messages.updatePinnedMessage', { peer: group, id });
    const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
    await sandbox.call(ada, 'messages.sendReaction', { peer: group, msgId: id, reaction });
  });
  expect(new Set(updates.map(({ accountId }) => accountId))).toEqual(new Set([ada.id, bob.id]));
  expect(await sandbox.newest(bob, group)).toMatchObject({ action: { _: 'messageActionPinMessage' } });
  expect((await sandbox.history(bob, group))[2]).toMatchObject({ message: 'Not for Eve', pinned: true });
  const { messages } = await sandbox.call(eve, 'messages.getMessages', { id: [inputIdOf(kept.id)] });
  expect(messages).toMatchObject([{ message: 'Among us', pinned: false }]);
});

it('a member who is removed while a message is edited hears nothing of that', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.send(ada, group, 'Among us');
  const { id } = await sandbox.newest(ada, group);
  beforeCommitOf(sandbox, 'messages.editMessage', () =>
    sandbox.call(ada, 'messages.deleteChatUser', { chatId: group.chatId, userId: userOf(bob) }),
  );
  const edit = { peer: group, id, message: 'Not for Bob' };
  const { updates } = await sandbox.watch(ada, () => sandbox.call(ada, 'messages.editMessage', edit));
  const told = updates.filter(({ kind }) => kind === 'RawUpdateEditMessage');
  expect(told.map(({ accountId }) => accountId)).toEqual([ada.id]);
});

it('a member who is added while a message is edited gets the message as it is then', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const group = await sandbox.aGroup(ada, eve);
  await sandbox.send(ada, group, 'Among us');
  const { id } = await sandbox.newest(ada, group);
  beforeCommitOf(sandbox, 'messages.addChatUser', () =>
    sandbox.call(ada, 'messages.editMessage', { peer: group, id, message: 'For all' }),
  );
  const added = { chatId: group.chatId, userId: userOf(bob), fwdLimit: 10 };
  await sandbox.call(ada, 'messages.addChatUser', added);
  expect((await sandbox.history(bob, group))[1]).toMatchObject({ message: 'For all' });
});

const inputIdOf = (id: number) => ({ _: 'inputMessageID', id });

async function lastOf(account: SandboxAccount) {
  const updates = await sandbox.updatesOf(account);
  return updates.filter(({ _ }) => _ === 'updateNewMessage').at(-1).message;
}

describe('a basic group that was left', () => {
  const WINDOW = { offsetId: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0 };

  /** A group in which Ada has mentioned Bob before he left it. */
  async function left() {
    const [ada, bob] = await sandbox.twoAccounts();
    const group = await sandbox.aGroup(ada, bob);
    await sandbox.send(ada, group, `Before @${bob.username}`);
    await sandbox.call(bob, 'messages.deleteChatUser', {
      chatId: group.chatId,
      userId: { _: 'inputUserSelf' },
    });
    await sandbox.send(ada, group, 'After');
    const dialogOf = async () => {
      const peers = [{ _: 'inputDialogPeer', peer: group }];
      return (await sandbox.call(bob, 'messages.getPeerDialogs', { peers })).dialogs[0];
    };
    return { ada, bob, group, dialogOf };
  }

  it('is still read and searched, up to then, by who has left it', async () => {
    const { bob, group, dialogOf } = await left();
    const texts = (await sandbox.history(bob, group)).map(({ message }) => message);
    expect(texts).toEqual([undefined, `Before @${bob.username}`, undefined]);
    const filter = { _: 'inputMessagesFilterEmpty' };
    const search = { ...WINDOW, peer: group, q: 'before', filter, minDate: 0, maxDate: 0, hash: '0' };
    expect((await sandbox.call(bob, 'messages.search', search)).messages).toHaveLength(1);
    expect(await dialogOf()).toMatchObject({ unreadCount: 2, unreadMentionsCount: 1 });
    expect(await sandbox.refusal(bob, 'messages.sendMessage', { peer: group, message: 'Me again' })).toBe(
      'CHAT_ID_INVALID',
    );
    expect(await sandbox.refusal(bob, 'messages.getFullChat', { chatId: group.chatId })).toBe(
      'CHAT_ID_INVALID',
    );
  });

  it('is marked as read and deleted for who has left it alone', async () => {
    const { ada, bob, group, dialogOf } = await left();
    const { updates } = await sandbox.watch(ada, async () => {
      await sandbox.call(bob, 'messages.readHistory', { peer: group, maxId: 0 });
      await sandbox.call(bob, 'messages.readMentions', { peer: group });
      expect(await dialogOf()).toMatchObject({ unreadCount: 0, unreadMentionsCount: 0 });
      const everybody = { peer: group, maxId: 0, revoke: true };
      expect(await sandbox.refusal(bob, 'messages.deleteHistory', everybody)).toBe('CHAT_ID_INVALID');
      await sandbox.call(bob, 'messages.deleteHistory', { peer: group, maxId: 0 });
    });
    expect(updates.filter(({ accountId }) => accountId === ada.id)).toEqual([]);
    expect(await sandbox.history(ada, group)).toHaveLength(4);
    expect(
      await sandbox.refusal(bob, 'messages.getHistory', { ...WINDOW, peer: group, offsetDate: 0, hash: '0' }),
    ).toBe('CHAT_ID_INVALID');
    const page = { offsetDate: 0, offsetId: 0, offsetPeer: { _: 'inputPeerEmpty' }, limit: 100, hash: '0' };
    const { dialogs } = await sandbox.call(bob, 'messages.getDialogs', page);
    expect(dialogs.some(({ peer }: { peer: { chatId?: number } }) => peer.chatId === group.chatId)).toBe(
      false,
    );
  });
});
