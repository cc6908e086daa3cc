import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { setByteBudget } from '../../../src/bytes/byte-budget.ts';
import { stateKey } from '../../../src/redis/keys.ts';
import { measureBytes } from '../../../workers/measure-bytes.ts';
import { DUE } from '../../../workers/sandbox/model/common/due.ts';
import { emptiedKey } from '../../../workers/sandbox/model/conversations/keys.ts';
import { GROUP_CALLS } from '../../../workers/sandbox/model/group-calls/keys.ts';
import { blocksKey, contactsKey } from '../../../workers/sandbox/model/people/keys.ts';
import { installedKey } from '../../../workers/sandbox/model/themes/keys.ts';
import { aChannel } from '../../support/sandbox/a-channel.ts';
import {
  aRandomId,
  peerOf,
  Sandbox,
  type SandboxAccount,
  userOf,
  WHOLE,
} from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
beforeEach(async () => {
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

/** Deletes an account, and removes its data as workers do a while later. Returns how many commits that took. */
async function deleteAccount(account: SandboxAccount): Promise<number> {
  const due = stateKey(account.workspaceId, DUE);
  const work = `deleted:${account.userId}`;
  await sandbox.order(account, 'disconnectAccount');
  for (let commits = 0; ; commits += 1) {
    expect(commits).toBeLessThan(200);
    if ((await sandbox.redis.zscore(due, work)) === null) return commits;
    await sandbox.redis.zadd(due, 1, work);
    await sandbox.order({ ...account, id: '', userId: 0 }, 'doDueWork');
  }
}

async function resetAccount(account: SandboxAccount): Promise<void> {
  let isDone = false;
  while (!isDone) isDone = (await sandbox.order(account, 'resetAccount')).done;
}

/** Bytes of all state keys of a workspace as Redis dumps them: its memory also depends on when it shrinks a hash table. */
async function bytesOf({ workspaceId }: SandboxAccount): Promise<number> {
  let bytes = 0;
  for (const key of await sandbox.redis.keys(stateKey(workspaceId, '*')))
    bytes += (await sandbox.redis.dumpBuffer(key))?.length ?? 0;
  return bytes;
}

it('leave little behind', async () => {
  const before = await bytesOf(ada);
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  for (let i = 0; i < 20; i += 1) await sandbox.send(cleo, peerOf(cleo), `Note ${i}`);
  const full = await bytesOf(ada);
  expect(full - before).toBeGreaterThan(15_000);
  await deleteAccount(cleo);
  expect((await bytesOf(ada)) - before).toBeLessThan(4_000);
});

it('leave nothing of the calls of a group that is gone with them', async () => {
  const group = await sandbox.aGroup(bob, ada);
  const { updates } = await sandbox.call(bob, 'phone.createGroupCall', { peer: group, randomId: 1 });
  const { id, accessHash } = updates.find(({ _ }: { _: string }) => _ === 'updateGroupCall').call;
  const call = { _: 'inputGroupCall', id, accessHash };
  await sandbox.call(bob, 'phone.discardGroupCall', { call });
  const userId = { _: 'inputUserSelf' };
  await sandbox.call(ada, 'messages.deleteChatUser', { chatId: group.chatId, userId });
  await sandbox.call(ada, 'messages.deleteHistory', { peer: group, maxId: 0 });
  await deleteAccount(bob);
  const record = await sandbox.redis.hget(stateKey(ada.workspaceId, GROUP_CALLS), id);
  expect(record).toBeNull();
});

it('leave no reactions to messages of a group that is gone with them', async () => {
  const group = await sandbox.aGroup(bob, ada);
  await sandbox.send(bob, group, 'Hello');
  const { id: msgId } = await sandbox.newest(ada, group);
  const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
  await sandbox.call(ada, 'messages.sendReaction', { peer: group, msgId, reaction });
  const reactions = stateKey(ada.workspaceId, 'reactions:x*');
  expect(await sandbox.redis.keys(reactions)).toHaveLength(1);
  await resetAccount(ada);
  expect(await sandbox.redis.keys(reactions)).toHaveLength(1);
  await deleteAccount(bob);
  expect(await sandbox.redis.keys(reactions)).toEqual([]);
});

it('leave their furnished group, with its call, to the last account in it', async () => {
  const { chatId, groupCallId } = await sandbox.seeded(ada);
  const calls = stateKey(ada.workspaceId, GROUP_CALLS);
  await sandbox.call(ada, 'messages.addChatUser', { chatId, userId: userOf(bob), fwdLimit: 0 });
  await deleteAccount(ada);
  expect(await sandbox.redis.hexists(calls, groupCallId)).toBe(1);
  await resetAccount(bob);
  expect(await sandbox.redis.hexists(calls, groupCallId)).toBe(0);
  expect(await sandbox.redis.keys(stateKey(ada.workspaceId, `call-*:${groupCallId}`))).toEqual([]);
});

it('leave the furnished call of an account that was reset when its former group ends', async () => {
  const { chatId, groupCallId } = await sandbox.seeded(ada);
  await sandbox.call(ada, 'messages.addChatUser', { chatId, userId: userOf(bob), fwdLimit: 0 });
  await resetAccount(ada);
  const seeded = await sandbox.seeded(ada);
  expect([seeded.chatId === chatId, seeded.groupCallId]).toEqual([false, groupCallId]);
  await deleteAccount(bob);
  const call = { _: 'inputGroupCall', id: groupCallId, accessHash: '0' };
  expect(await sandbox.redis.hexists(stateKey(ada.workspaceId, 'chats'), String(chatId))).toBe(0);
  const { participants } = await sandbox.call(ada, 'phone.getGroupCall', { call, limit: 10 });
  expect(participants).toHaveLength(2);
});

it('stay in the conversations of others, whose messages go on as before', async () => {
  const group = await sandbox.aGroup(ada, bob);
  const { channel, peer } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  for (const where of [peerOf(ada), group, peer]) await sandbox.send(bob, where, 'Goodbye');
  await sandbox.send(ada, peerOf(bob), 'Wait!');
  await deleteAccount(bob);

  for (const where of [peerOf(bob), group, peer]) {
    const { messages, users } = await sandbox.call(ada, 'messages.getHistory', { peer: where, ...WHOLE });
    expect(messages.map(({ message }: { message?: string }) => message)).toContain('Goodbye');
    expect(users).toContainEqual(expect.objectContaining({ id: bob.userId, deleted: true }));
  }
  const { participants } = await sandbox.call(ada, 'channels.getParticipants', {
    channel,
    filter: { _: 'channelParticipantsRecent' },
    offset: 0,
    limit: 10,
    hash: '0',
  });
  expect(participants.map(({ userId }: { userId: number }) => userId)).toContain(bob.userId);
  for (const where of [group, peer]) await sandbox.send(ada, where, 'Still here');

  const { id } = await sandbox.newest(ada, peerOf(bob));
  await sandbox.call(ada, 'messages.readHistory', { peer: peerOf(bob), maxId: id });
  await sandbox.call(ada, 'messages.deleteMessages', { id: [id], revoke: true });
  expect((await sandbox.newest(ada, peerOf(bob))).message).toBe('Goodbye');
});

it('leave the running calls of groups that they stay in', async () => {
  const { peer } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const created = await sandbox.call(ada, 'phone.createGroupCall', { peer, randomId: 1 });
  const call = created.updates.find(({ _: kind }: { _: string }) => kind === 'updateGroupCall').call;
  const input = { _: 'inputGroupCall', id: call.id, accessHash: call.accessHash };
  await sandbox.call(bob, 'phone.joinGroupCall', {
    call: input,
    joinAs: { _: 'inputPeerSelf' },
    params: { _: 'dataJSON', data: JSON.stringify({ ssrc: 7 }) },
  });
  const { updates } = await sandbox.watch(ada, () => deleteAccount(bob));
  const left = updates.filter(({ update }) => update._ === 'updateGroupCallParticipants');
  expect(left).toMatchObject([
    { accountId: ada.id, update: { participants: [{ left: true, peer: { userId: bob.userId } }] } },
  ]);
  const { participants } = await sandbox.call(ada, 'phone.getGroupCall', { call: input, limit: 5 });
  expect(participants).toEqual([]);
});

it('lose what several commits have to remove', async () => {
  const before = await bytesOf(ada);
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  for (let i = 0; i < 60; i += 1)
    await sandbox.call(cleo, 'channels.createChannel', { title: `Channel ${i}`, about: '' });
  const contact = { firstName: 'Ada', lastName: '', phone: '' };
  await sandbox.call(cleo, 'contacts.addContact', { id: userOf(ada), ...contact });
  expect(await deleteAccount(cleo)).toBeGreaterThan(2);
  expect((await bytesOf(ada)) - before).toBeLessThan(4_000);
});

it.each([
  ['contacts', contactsKey, 'hash'],
  ['blocked users', blocksKey, 'hash'],
  ['installed themes', installedKey, 'set'],
  ['emptied groups', emptiedKey, 'set'],
] as const)('lose all of so many %s that Redis has a table for them', async (_, toName, type) => {
  const key = stateKey(bob.workspaceId, toName(bob.userId));
  const ids = Array.from({ length: 600 }, (__, i) => String(8_000_000 + i));
  if (type === 'set') await sandbox.redis.sadd(key, ...ids);
  else await sandbox.redis.hset(key, Object.fromEntries(ids.map((id) => [id, '{"mutual":false}'])));
  expect(await deleteAccount(bob)).toBeGreaterThan(10);
  expect(await sandbox.redis.exists(key)).toBe(0);
});

it('lose them in a full workspace too', async () => {
  const { workspaceId } = ada;
  await sandbox.call(bob, 'messages.sendMessage', {
    peer: peerOf(bob),
    message: 'x'.repeat(4_000),
    randomId: aRandomId(),
  });
  await setByteBudget(sandbox.redis, workspaceId, 10_000);
  await measureBytes(sandbox.redis, workspaceId, { everyMs: 0, soonMs: 0 });
  await expect(sandbox.send(ada, peerOf(ada), 'No room')).rejects.toThrow('workspace_full');
  const before = await bytesOf(ada);
  await deleteAccount(bob);
  expect(await bytesOf(ada)).toBeLessThan(before - 12_000);
});

it('are disconnected though the memory of Redis is full', async () => {
  const about = { id: [userOf(bob)] };
  await sandbox.redis.config('SET', 'maxmemory', '1');
  try {
    const message = { peer: peerOf(bob), message: 'one more', randomId: aRandomId() };
    expect(await sandbox.answer(ada, 'messages.sendMessage', message)).toMatchObject({ status: 503 });
    await sandbox.order(bob, 'disconnectAccount');
  } finally {
    await sandbox.redis.config('SET', 'maxmemory', '0');
  }
  expect(await sandbox.call(ada, 'users.getUsers', about)).toMatchObject({ items: [{ deleted: true }] });
});
