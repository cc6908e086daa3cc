import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChannel, inputOf, type TestChannel } from '../../../support/sandbox/a-channel.ts';
import { Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let cleo: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
});
afterAll(() => sandbox.close());

const invite = (by: SandboxAccount, { channel }: TestChannel, ...users: SandboxAccount[]) =>
  sandbox.call(by, 'channels.inviteToChannel', { channel, users: users.map(userOf) });

async function lastOf(account: SandboxAccount, kind: string) {
  return (await sandbox.updatesOf(account)).findLast(({ _ }) => _ === kind);
}

async function hasDialog(account: SandboxAccount, channelId: number): Promise<boolean> {
  const params = { offsetDate: 0, offsetId: 0, offsetPeer: { _: 'inputPeerEmpty' }, limit: 100, hash: '0' };
  const { dialogs } = await sandbox.call(account, 'messages.getDialogs', params);
  return dialogs.some(({ peer }: { peer: { channelId?: number } }) => peer.channelId === channelId);
}

it('adds users to a supergroup, tells everybody, and passes over who is in it', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true });
  const { updates, missingInvitees } = await invite(ada, group, bob, cleo, bob);
  expect(missingInvitees).toEqual([]);
  const action = { _: 'messageActionChatAddUser', users: [bob.userId, cleo.userId] };
  expect(updates.updates).toMatchObject([{ _: 'updateChannel' }, { message: { action } }]);
  for (const account of [ada, bob, cleo])
    expect((await lastOf(account, 'updateNewChannelMessage')).message.action).toMatchObject(action);
  expect(await lastOf(bob, 'updateChannel')).toMatchObject({ channelId: group.id });
  const again = await invite(bob, group, cleo);
  expect(again.updates.updates).toMatchObject([{ _: 'updateChannel' }]);
  await sandbox.send(bob, group.peer, 'Hello');
  expect(await hasDialog(cleo, group.id)).toBe(true);
});

it('names who does not let others add it as missing, and refuses who may not be added', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true });
  const key = { _: 'inputPrivacyKeyChatInvite' };
  await sandbox.call(cleo, 'account.setPrivacy', { key, rules: [{ _: 'inputPrivacyValueDisallowAll' }] });
  const { missingInvitees } = await invite(ada, group, bob, cleo);
  expect(missingInvitees).toMatchObject([{ userId: cleo.userId }]);
  await sandbox.call(cleo, 'account.setPrivacy', { key, rules: [{ _: 'inputPrivacyValueAllowAll' }] });
  const refused = (by: SandboxAccount, { channel }: TestChannel, users: object[]) =>
    sandbox.refusal(by, 'channels.inviteToChannel', { channel, users });
  await sandbox.call(cleo, 'contacts.block', {
    id: { _: 'inputPeerUser', userId: ada.userId, accessHash: '0' },
  });
  expect(await refused(ada, group, [userOf(cleo)])).toBe('USER_BLOCKED');
  await sandbox.call(cleo, 'contacts.unblock', {
    id: { _: 'inputPeerUser', userId: ada.userId, accessHash: '0' },
  });
  const gone = await sandbox.anAccount('Gone', { workspaceId: ada.workspaceId });
  await sandbox.order(gone, 'disconnectAccount');
  expect(await refused(ada, group, [userOf(gone)])).toBe('INPUT_USER_DEACTIVATED');
  expect(await refused(ada, group, Array(101).fill(userOf(cleo)))).toBe('USERS_TOO_MUCH');
  const news = await aChannel(sandbox, ada, { broadcast: true }, bob);
  expect(await refused(bob, news, [userOf(cleo)])).toBe('CHAT_ADMIN_REQUIRED');
  const { botId } = await sandbox.seeded(ada);
  expect(await refused(ada, news, [{ _: 'inputUser', userId: botId, accessHash: '0' }])).toBe('USER_BOT');
  const open = await aChannel(sandbox, ada, { megagroup: true });
  const username = `open_${open.id}`;
  await sandbox.call(ada, 'channels.updateUsername', { channel: open.channel, username });
  expect(await refused(bob, open, [userOf(cleo)])).toBe('CHAT_WRITE_FORBIDDEN');
});

it('holds at most 90 members', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true });
  const many = await Promise.all(
    Array.from({ length: 90 }, (_, i) => sandbox.anAccount(`${i}`, { workspaceId: ada.workspaceId })),
  );
  await Promise.all(many.slice(0, 20).map((account) => invite(ada, group, account)));
  await invite(ada, group, ...many.slice(20, 89));
  const params = { channel: group.channel, users: [userOf(many[89] as SandboxAccount)] };
  expect(await sandbox.refusal(ada, 'channels.inviteToChannel', params)).toBe('USERS_TOO_MUCH');
  const { fullChat } = await sandbox.call(ada, 'channels.getFullChannel', { channel: group.channel });
  expect(fullChat.participantsCount).toBe(90);
  const { updates } = await sandbox.watch(ada, () =>
    sandbox.call(ada, 'channels.deleteChannel', { channel: group.channel }),
  );
  expect(updates).toHaveLength(90);
  expect(await hasDialog(many[0] as SandboxAccount, group.id)).toBe(false);
});

it('lets members leave, with their dialog, and come back as if they had never been there', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  await sandbox.send(ada, group.peer, `Unread @${bob.username}`);
  const left = await sandbox.call(bob, 'channels.leaveChannel', { channel: group.channel });
  expect(left).toMatchObject({
    updates: [{ _: 'updateChannel' }, { message: { action: { userId: bob.userId }, out: true } }],
    chats: [{ id: group.id, left: true }],
  });
  expect((await lastOf(ada, 'updateNewChannelMessage')).message.action).toMatchObject({
    _: 'messageActionChatDeleteUser',
    userId: bob.userId,
  });
  expect(await hasDialog(bob, group.id)).toBe(false);
  expect(await sandbox.refusal(bob, 'channels.leaveChannel', { channel: group.channel })).toBe(
    'CHANNEL_PRIVATE',
  );
  expect(await sandbox.refusal(bob, 'channels.getChannels', { id: [group.channel] })).toBe('CHANNEL_PRIVATE');
  expect(await sandbox.refusal(ada, 'channels.leaveChannel', { channel: group.channel })).toBe(
    'USER_CREATOR',
  );
  const before = (await sandbox.updatesOf(bob)).length;
  await sandbox.send(ada, group.peer, 'Without Bob');
  expect((await sandbox.updatesOf(bob)).length).toBe(before);
  await invite(ada, group, bob);
  const { fullChat } = await sandbox.call(bob, 'channels.getFullChannel', { channel: group.channel });
  expect(fullChat).toMatchObject({ participantsCount: 2, unreadCount: 1 });
});

it('says nothing in a channel of who comes and goes', async () => {
  const news = await aChannel(sandbox, ada, { broadcast: true }, bob);
  const { updates } = await sandbox.call(bob, 'channels.leaveChannel', { channel: news.channel });
  expect(updates).toEqual([{ _: 'updateChannel', channelId: news.id }]);
  expect(await sandbox.history(ada, news.peer)).toHaveLength(1);
});

it('renames channels and basic groups, and says so', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const rename = (account: SandboxAccount, title: string) => ({
    account,
    params: { channel: group.channel, title },
  });
  const refused = ({ account, params }: ReturnType<typeof rename>) =>
    sandbox.refusal(account, 'channels.editTitle', params);
  const { chats } = await sandbox.call(ada, 'channels.editTitle', rename(ada, ' New ').params);
  expect(chats).toMatchObject([{ title: 'New' }]);
  expect((await lastOf(bob, 'updateNewChannelMessage')).message.action).toEqual({
    _: 'messageActionChatEditTitle',
    title: 'New',
  });
  expect(await refused(rename(ada, 'New'))).toBe('CHAT_NOT_MODIFIED');
  expect(await refused(rename(ada, ' '))).toBe('CHAT_TITLE_EMPTY');
  expect(await refused(rename(bob, 'Mine'))).toBe('CHAT_ADMIN_REQUIRED');

  const { chatId } = await sandbox.aGroup(ada, bob);
  await sandbox.call(bob, 'messages.editChatTitle', { chatId, title: 'Ours' });
  expect((await lastOf(ada, 'updateNewMessage')).message.action).toMatchObject({ title: 'Ours' });
  const found = await sandbox.call(ada, 'messages.getChats', { id: [chatId, 1] });
  expect(found.chats).toMatchObject([{ title: 'Ours' }, { title: 'Group' }]);
  const editAgain = { chatId, title: 'Ours' };
  expect(await sandbox.refusal(ada, 'messages.editChatTitle', editAgain)).toBe('CHAT_NOT_MODIFIED');
  expect(await sandbox.refusal(cleo, 'messages.editChatTitle', editAgain)).toBe('CHAT_ID_INVALID');
  expect(await sandbox.refusal(cleo, 'messages.getChats', { id: [chatId] })).toBe('CHAT_ID_INVALID');
});

it('gives the first 100 of the channels and groups asked for', async () => {
  const { channelId, chatId } = await sandbox.seeded(ada);
  const { chats } = await sandbox.call(ada, 'channels.getChannels', {
    id: Array(101).fill(inputOf(channelId)),
  });
  expect(chats).toHaveLength(100);
  const groups = await sandbox.call(ada, 'messages.getChats', { id: Array(101).fill(chatId) });
  expect(groups.chats).toHaveLength(100);
});

it('deletes a channel for everybody, with all that was kept of it', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true, forum: true }, bob);
  await sandbox.call(ada, 'channels.updateUsername', {
    channel: group.channel,
    username: `gone_${group.id}`,
  });
  await sandbox.send(bob, group.peer, `Hello @${ada.username}`);
  await sandbox.call(ada, 'phone.createGroupCall', { peer: group.peer, randomId: 5 });
  const refused = (account: SandboxAccount) =>
    sandbox.refusal(account, 'channels.deleteChannel', { channel: group.channel });
  expect(await refused(bob)).toBe('CHAT_ADMIN_REQUIRED');
  await sandbox.call(ada, 'channels.deleteChannel', { channel: group.channel });
  for (const account of [ada, bob]) {
    expect(await lastOf(account, 'updateChannel')).toMatchObject({ channelId: group.id });
    expect(await hasDialog(account, group.id)).toBe(false);
    const { chats } = await sandbox.call(account, 'channels.getChannels', { id: [group.channel] });
    expect(chats).toMatchObject([{ _: 'channelForbidden', id: group.id, title: 'Channel', megagroup: true }]);
    expect(await sandbox.refusal(account, 'messages.sendMessage', { peer: group.peer, message: 'x' })).toBe(
      'CHANNEL_PRIVATE',
    );
    expect(await refused(account)).toBe('CHANNEL_PRIVATE');
  }
  const name = { username: `gone_${group.id}` };
  expect(await sandbox.refusal(bob, 'contacts.resolveUsername', name)).toBe('USERNAME_NOT_OCCUPIED');
  const left = (await sandbox.redis.keys('*')).filter((key) => key.includes(String(group.id)));
  expect(left).toEqual([]);
});

it('deletes a channel with its monoforum, whose writers see it go', async () => {
  const { channelId, monoforumId } = await sandbox.seeded(cleo);
  const monoforum = { _: 'inputPeerChannel', channelId: monoforumId, accessHash: '0' };
  await sandbox.send(bob, monoforum, 'A question');
  expect(await hasDialog(bob, monoforumId)).toBe(true);
  expect(await sandbox.refusal(cleo, 'channels.deleteChannel', { channel: inputOf(monoforumId) })).toBe(
    'CHANNEL_INVALID',
  );
  const refused = (method: string, more: object) =>
    sandbox.refusal(cleo, method, { channel: inputOf(monoforumId), ...more });
  expect(await refused('channels.editTitle', { title: 'Alone' })).toBe('CHANNEL_INVALID');
  const bannedRights = { _: 'chatBannedRights', viewMessages: true, untilDate: 0 };
  const participant = { _: 'inputPeerUser', userId: bob.userId, accessHash: '0' };
  expect(await refused('channels.editBanned', { participant, bannedRights })).toBe('CHANNEL_INVALID');
  await sandbox.call(cleo, 'channels.deleteChannel', { channel: inputOf(channelId) });
  expect(await hasDialog(bob, monoforumId)).toBe(false);
  expect(await sandbox.refusal(bob, 'messages.sendMessage', { peer: monoforum, message: 'Hello?' })).toBe(
    'CHANNEL_PRIVATE',
  );
});
