import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { consumedKey } from '../../../../workers/sandbox/model/boxes/keys.ts';
import { CHATS } from '../../../../workers/sandbox/model/chats/keys.ts';
import { unreadKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
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

it('who was removed from a group sees it as forbidden until it is added again', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const { chatId } = await sandbox.aGroup(ada, bob, eve);
  const seen = async (account: SandboxAccount) =>
    (await sandbox.call(account, 'messages.getChats', { id: [chatId] })).chats[0];
  const remove = { chatId, userId: userOf(bob) };
  const { updates } = await sandbox.watch(ada, () => sandbox.call(ada, 'messages.deleteChatUser', remove));
  const forbidden = { _: 'chatForbidden', id: chatId, title: 'Group' };
  const told = updates.find(({ accountId, kind }) => accountId === bob.id && kind.includes('Participants'));
  expect(told?.chats).toEqual([forbidden]);
  expect(await seen(bob)).toEqual(forbidden);
  expect(await seen(eve)).toMatchObject({ _: 'chat', left: false, participantsCount: 2 });
  await sandbox.call(ada, 'messages.addChatUser', { ...remove, fwdLimit: 0 });
  expect(await seen(bob)).toMatchObject({ _: 'chat', left: false });
  await sandbox.call(bob, 'messages.deleteChatUser', { chatId, userId: { _: 'inputUserSelf' } });
  expect(await seen(bob)).toMatchObject({ _: 'chat', left: true });
});

it('of those who were removed from a group, the last 200 are kept, and none that is reset', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const { chatId } = await sandbox.aGroup(ada, bob, eve);
  const name = stateKey(ada.workspaceId, CHATS);
  const record = async () => JSON.parse((await sandbox.redis.hget(name, String(chatId))) as string);
  const before = Array.from({ length: 200 }, (_, i) => 1_000_000 + i);
  await sandbox.redis.hset(name, String(chatId), JSON.stringify({ ...(await record()), removed: before }));
  for (const account of [bob, eve])
    await sandbox.call(ada, 'messages.deleteChatUser', { chatId, userId: userOf(account) });
  expect((await record()).removed).toEqual([...before.slice(2), bob.userId, eve.userId]);
  await reset(bob);
  expect((await record()).removed).toEqual([...before.slice(2), eve.userId]);
});

it('who was removed from a group deletes what it has written there for itself alone', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.send(bob, group, 'Among us');
  const id = [(await lastOf(bob)).id];
  await sandbox.call(ada, 'messages.deleteChatUser', { chatId: group.chatId, userId: userOf(bob) });
  expect(await sandbox.refusal(bob, 'messages.deleteMessages', { id, revoke: true })).toBe(
    'MESSAGE_DELETE_FORBIDDEN',
  );
  expect(await sandbox.call(bob, 'messages.deleteMessages', { id })).toMatchObject({ ptsCount: 1 });
  expect((await sandbox.history(ada, group))[1]).toMatchObject({ message: 'Among us' });
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

it('who is removed while it deletes for everybody deletes nothing of others', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.send(bob, group, 'Among us');
  const id = [(await lastOf(bob)).id];
  await sandbox.send(ada, group, 'Later');
  beforeCommitOf(sandbox, 'messages.deleteMessages', () =>
    sandbox.call(ada, 'messages.deleteChatUser', { chatId: group.chatId, userId: userOf(bob) }),
  );
  expect(await sandbox.refusal(bob, 'messages.deleteMessages', { id, revoke: true })).toBe(
    'MESSAGE_DELETE_FORBIDDEN',
  );
  expect((await sandbox.history(ada, group))[2]).toMatchObject({ message: 'Among us' });
});

it('who is added while a message is deleted for everybody keeps no copy of it', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const group = await sandbox.aGroup(ada, bob);
  const add = { chatId: group.chatId, userId: userOf(eve), fwdLimit: 10 };
  const deletions = [
    ['messages.deleteMessages', (id: number) => ({ id: [id], revoke: true })],
    ['messages.deleteHistory', (maxId: number) => ({ peer: group, maxId, revoke: true })],
  ] as const;
  for (const [method, params] of deletions) {
    await sandbox.send(ada, group, 'Not for Eve');
    const { id } = await sandbox.newest(ada, group);
    await sandbox.send(ada, group, 'Later');
    beforeCommitOf(sandbox, method, () => sandbox.call(bob, 'messages.addChatUser', add));
    await sandbox.call(ada, method, params(id));
    const texts = (await sandbox.history(eve, group)).map(({ message }) => message);
    expect([method, texts]).toEqual([method, expect.not.arrayContaining(['Not for Eve'])]);
    await sandbox.call(ada, 'messages.deleteChatUser', { chatId: group.chatId, userId: userOf(eve) });
  }
});

it('who is added while somebody reacts to a message sees the reaction', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.send(ada, group, 'Among us');
  const { id: msgId } = await sandbox.newest(bob, group);
  const add = { chatId: group.chatId, userId: userOf(eve), fwdLimit: 10 };
  beforeCommitOf(sandbox, 'messages.sendReaction', () => sandbox.call(ada, 'messages.addChatUser', add));
  const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
  await sandbox.call(bob, 'messages.sendReaction', { peer: group, msgId, reaction });
  expect((await sandbox.history(eve, group))[1]).toMatchObject({
    message: 'Among us',
    reactions: { results: [{ count: 1 }] },
  });
});

it('who has left a group or supergroup does not hear who reads what it has written there', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  const { peer, channel } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const ids: number[] = [];
  for (const where of [group, peer]) {
    await sandbox.sendFile(bob, where, 'voice');
    ids.push((await sandbox.newest(ada, where)).id);
  }
  const self = { _: 'inputUserSelf' };
  await sandbox.call(bob, 'messages.deleteChatUser', { chatId: group.chatId, userId: self });
  await sandbox.call(bob, 'channels.leaveChannel', { channel });
  const { updates } = await sandbox.watch(ada, async () => {
    await sandbox.call(ada, 'messages.readMessageContents', { id: [ids[0]] });
    await sandbox.call(ada, 'messages.readHistory', { peer: group, maxId: 0 });
    await sandbox.call(ada, 'channels.readMessageContents', { channel, id: [ids[1]] });
    await sandbox.call(ada, 'channels.readHistory', { channel, maxId: 0 });
  });
  expect(updates.map(({ accountId }) => accountId)).toEqual(Array(4).fill(ada.id));
  const marks = await sandbox.redis.hkeys(stateKey(ada.workspaceId, unreadKey(bob.userId)));
  expect(marks.filter((mark) => mark.startsWith('seen:') && mark.endsWith(`${channel.channelId}`))).toEqual(
    [],
  );
});

it('a member who leaves while its voice message is heard hears nothing of that', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.sendFile(bob, group, 'voice');
  const { id } = await sandbox.newest(ada, group);
  beforeCommitOf(sandbox, 'messages.readMessageContents', () =>
    sandbox.call(bob, 'messages.deleteChatUser', { chatId: group.chatId, userId: { _: 'inputUserSelf' } }),
  );
  const { updates } = await sandbox.watch(ada, () =>
    sandbox.call(ada, 'messages.readMessageContents', { id: [id] }),
  );
  const told = updates.filter(({ kind }) => kind === 'RawUpdateReadMessagesContents');
  expect(told.map(({ accountId }) => accountId)).toEqual([ada.id]);
});

it('nothing is noted of who has left a supergroup when its voice message is heard', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const { id, peer, channel } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  await sandbox.sendFile(bob, peer, 'voice');
  const ids = [(await sandbox.newest(ada, peer)).id];
  await sandbox.call(bob, 'channels.leaveChannel', { channel });
  await sandbox.call(ada, 'channels.readMessageContents', { channel, id: ids });
  const name = consumedKey({ channelId: id, msgId: Number(ids[0]) });
  expect(await sandbox.redis.scard(stateKey(ada.workspaceId, name))).toBe(1);
});

it('who has left a group and is reset no longer returns, also if it had deleted the history', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  const self = { chatId: group.chatId, userId: { _: 'inputUserSelf' } };
  await sandbox.call(bob, 'messages.deleteChatUser', self);
  await sandbox.call(bob, 'messages.deleteHistory', { peer: group, maxId: 0 });
  await reset(bob);
  expect(await sandbox.refusal(bob, 'messages.addChatUser', { ...self, fwdLimit: 0 })).toBe(
    'CHAT_ID_INVALID',
  );
});

it('who is reset while it returns to a group is not in it', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  const self = { chatId: group.chatId, userId: { _: 'inputUserSelf' } };
  await sandbox.call(bob, 'messages.deleteChatUser', self);
  beforeCommitOf(sandbox, 'messages.addChatUser', () => reset(bob));
  expect(await sandbox.refusal(bob, 'messages.addChatUser', { ...self, fwdLimit: 0 })).toBe(
    'CHAT_ID_INVALID',
  );
});

it('the creator of a group that everybody has left returns, unless it has ended the group', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  const self = { chatId: group.chatId, userId: { _: 'inputUserSelf' } };
  const leave = (account: SandboxAccount) => sandbox.call(account, 'messages.deleteChatUser', self);
  const back = { ...self, fwdLimit: 0 };
  await leave(bob);
  await leave(ada);
  await sandbox.call(ada, 'messages.addChatUser', back);
  await leave(ada);
  await sandbox.call(ada, 'messages.deleteChat', { chatId: group.chatId });
  for (const account of [ada, bob])
    expect(await sandbox.refusal(account, 'messages.addChatUser', back)).toBe('CHAT_ID_INVALID');
});

async function reset(account: SandboxAccount): Promise<void> {
  while (!(await sandbox.order(account, 'resetAccount')).done);
}

const inputIdOf = (id: number) => ({ _: 'inputMessageID', id });

async function lastOf(account: SandboxAccount) {
  const updates = await sandbox.updatesOf(account);
  return updates.filter(({ _ }) => _ === 'updateNewMessage').at(-1).message;
}
