import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { DUE } from '../../../../workers/sandbox/model/common/due.ts';
import { draftDatesKey, draftsKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import { scheduledDatesKey } from '../../../../workers/sandbox/model/scheduled/keys.ts';
import { aChannel, type TestChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { doAllDue } from '../../../support/sandbox/do-later.ts';
import { peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  // A new account has reminders.
  const reminders = { peer: { _: 'inputPeerSelf' }, id: [1, 2] };
  await sandbox.call(bob, 'messages.deleteScheduledMessages', reminders);
});
afterAll(() => sandbox.close());

const ME = { _: 'inputUserSelf' };
const now = () => Math.floor(Date.now() / 1_000);
const later = (peer: object, message = 'Later') =>
  sandbox.send(bob, peer, message, { scheduleDate: now() + 3_600 });
const leaveChat = ({ chatId }: { chatId: number }, userId: object = ME, by = bob) =>
  sandbox.call(by, 'messages.deleteChatUser', { chatId, userId });
const kick = ({ channel }: TestChannel) =>
  sandbox.call(ada, 'channels.editBanned', {
    channel,
    participant: peerOf(bob),
    bannedRights: { _: 'chatBannedRights', viewMessages: true, untilDate: 0 },
  });
const save = (peer: object, more: object = {}) =>
  sandbox.call(bob, 'messages.saveDraft', { peer, message: 'Begun', ...more });

async function drafted(account = bob): Promise<object[]> {
  const { updates } = await sandbox.call(account, 'messages.getAllDrafts');
  return updates.map(({ peer, topMsgId }: { peer: object; topMsgId?: number }) => ({ ...peer, topMsgId }));
}

async function openToAll({ channel }: TestChannel): Promise<void> {
  await sandbox.call(ada, 'channels.updateUsername', { channel, username: `open_${channel.channelId}` });
}

/** Sends what Bob has scheduled, as if the time had come. */
async function sendDue(): Promise<void> {
  const key = (name: string) => stateKey(bob.workspaceId, name);
  const dates = key(scheduledDatesKey(bob.userId));
  for (const field of await sandbox.redis.zrange(dates, '0', '-1')) await sandbox.redis.zadd(dates, 1, field);
  await sandbox.redis.zadd(key(DUE), 1, String(bob.userId));
  await doAllDue(sandbox, bob);
}

it('posts nothing of what was scheduled for groups and channels that were left or that ban the account', async () => {
  const [left, removed] = [await sandbox.aGroup(ada, bob), await sandbox.aGroup(ada, bob)];
  const [open, banning, muting] = [
    await aChannel(sandbox, ada, { megagroup: true }, bob),
    await aChannel(sandbox, ada, { megagroup: true }, bob),
    await aChannel(sandbox, ada, { megagroup: true }, bob),
  ];
  for (const one of [open, banning]) await openToAll(one);
  const all = [left, removed, open.peer, banning.peer, muting.peer];
  for (const peer of all) await later(peer);
  await leaveChat(left);
  await leaveChat(removed, userOf(bob), ada);
  await sandbox.call(bob, 'channels.leaveChannel', { channel: open.channel });
  await kick(banning);
  await sandbox.call(ada, 'channels.editBanned', {
    channel: muting.channel,
    participant: peerOf(bob),
    bannedRights: { _: 'chatBannedRights', sendMessages: true, untilDate: 0 },
  });
  const { updates } = await sandbox.watch(ada, sendDue);
  expect(updates.map(({ accountId }) => accountId)).toEqual(all.map(() => bob.id));
  expect(updates.map(({ update }) => update)).toMatchObject(
    all.map(() => ({ _: 'updateDeleteScheduledMessages' })),
  );
  for (const { update } of updates) expect(update).not.toHaveProperty('sentMessages');
  for (const peer of all)
    expect((await sandbox.history(ada, peer)).map(({ message }) => message)).not.toContain('Later');
});

it('forgets what was begun in a channel or group that was left, or that has removed the account', async () => {
  const forum = await aChannel(sandbox, ada, { megagroup: true, forum: true }, bob);
  const banning = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const [left, removed] = [await sandbox.aGroup(ada, bob), await sandbox.aGroup(ada, bob)];
  const ended = await sandbox.aGroup(ada, bob);
  const { updates } = await sandbox.call(ada, 'messages.createForumTopic', {
    peer: forum.peer,
    title: 'Topic',
    randomId: '17',
  });
  const topMsgId = updates[0].id;
  for (const peer of [peerOf(ada), forum.peer, banning.peer, left, removed, ended]) await save(peer);
  await save(forum.peer, { replyTo: { _: 'inputReplyToMessage', replyToMsgId: topMsgId, topMsgId } });
  expect(await drafted()).toHaveLength(7);
  await sandbox.call(bob, 'channels.leaveChannel', { channel: forum.channel });
  await kick(banning);
  await leaveChat(left);
  await leaveChat(removed, userOf(bob), ada);
  await sandbox.call(ada, 'messages.deleteChat', { chatId: ended.chatId });
  expect(await drafted()).toEqual([{ _: 'peerUser', userId: ada.userId }]);
  const again = { peer: left, message: 'Begun' };
  expect(await sandbox.refusal(bob, 'messages.saveDraft', again)).toBe('CHAT_ID_INVALID');
  expect(await sandbox.call(bob, 'messages.saveDraft', { ...again, message: '' })).toEqual({ _: 'boolTrue' });
  await sandbox.call(ada, 'channels.inviteToChannel', { channel: forum.channel, users: [userOf(bob)] });
  const dialogs = await sandbox.call(bob, 'messages.getPeerDialogs', {
    peers: [{ _: 'inputDialogPeer', peer: forum.peer }],
  });
  expect(dialogs.dialogs[0]).not.toHaveProperty('draft');
});

it('keeps nothing that is begun while the account leaves', async () => {
  const { peer, channel } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const group = await sandbox.aGroup(ada, bob);
  const before = await drafted();
  const ways: [peer: object, method: string, params: object, refusal: string][] = [
    [peer, 'channels.leaveChannel', { channel }, 'CHANNEL_PRIVATE'],
    [group, 'messages.deleteChatUser', { chatId: group.chatId, userId: ME }, 'CHAT_ID_INVALID'],
  ];
  for (const [where, leave, params, refusal] of ways) {
    beforeCommitOf(sandbox, 'messages.saveDraft', () => sandbox.call(bob, leave, params));
    const draft = { peer: where, message: 'Begun' };
    expect([leave, await sandbox.refusal(bob, 'messages.saveDraft', draft)]).toEqual([leave, refusal]);
  }
  await sandbox.call(ada, 'channels.inviteToChannel', { channel, users: [userOf(bob)] });
  await sandbox.call(ada, 'messages.addChatUser', { chatId: group.chatId, userId: userOf(bob), fwdLimit: 0 });
  for (const [where, leave, params] of ways) {
    beforeCommitOf(sandbox, leave, () => save(where));
    await sandbox.call(bob, leave, params);
  }
  expect(await drafted()).toEqual(before);
});

it('forgets a hundred drafts of each member of a forum that is deleted, in some commits', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const { id, channel } = await aChannel(sandbox, ada, { megagroup: true, forum: true }, bob, cleo);
  const all = async () => (await Promise.all([ada, bob, cleo].map(drafted))).flat();
  const key = (name: string) => stateKey(bob.workspaceId, name);
  for (const { userId } of [ada, bob, cleo]) {
    await sandbox.redis.del(key(draftsKey(userId)), key(draftDatesKey(userId)));
    for (let topic = 2; topic <= 101; topic += 1) {
      const draft = { _: 'draftMessage', message: 'Begun', date: topic };
      await sandbox.redis.hset(key(draftsKey(userId)), `c${id}:t${topic}`, JSON.stringify(draft));
      await sandbox.redis.zadd(key(draftDatesKey(userId)), topic, `c${id}:t${topic}`);
    }
  }
  await sandbox.call(ada, 'channels.deleteChannel', { channel });
  expect(await all()).not.toEqual([]);
  await sandbox.redis.zadd(key(DUE), 1, `closed:${id}`);
  await doAllDue(sandbox, bob);
  expect(await all()).toEqual([]);
});
