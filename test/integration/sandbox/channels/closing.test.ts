import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { CHANNELS } from '../../../../workers/sandbox/model/chats/keys.ts';
import {
  dialogsKey,
  draftsKey,
  threadsKey,
  unreadKey,
} from '../../../../workers/sandbox/model/conversations/keys.ts';
import { aChannel, inputOf, type TestChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { doLater as doLaterIn } from '../../../support/sandbox/do-later.ts';
import {
  aRandomId,
  channelOf,
  peerOf,
  Sandbox,
  type SandboxAccount,
} from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const doLater = () => doLaterIn(sandbox, ada);

/** Threads in which a member has something, as many as it takes many posts to make. */
async function fillThreads({ id }: TestChannel, { userId }: SandboxAccount, count: number): Promise<void> {
  const threads = Array.from({ length: count }, (_, i) => `t${i + 1_000}`);
  const key = (name: string) => stateKey(ada.workspaceId, name);
  const writes = sandbox.redis.pipeline();
  for (const thread of threads) {
    writes.zadd(key(threadsKey(`c${id}`, `c${id}`)), 1, thread);
    writes.zadd(key(`history:c${id}:${thread}`), 1, 1);
    writes.zadd(key(`sent:${userId}:c${id}:${thread}`), 1, 1);
    writes.hset(key(unreadKey(userId)), `c${id}:${thread}`, '1', `read:c${id}:${thread}`, '1');
  }
  await writes.exec();
}

/** How often it was asked so far whether a key is there. */
async function countLooks(): Promise<number> {
  const stats = await sandbox.redis.info('commandstats');
  return Number(/cmdstat_exists:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

/** Threads in which nobody has anything. */
async function addThreads({ id }: TestChannel, count: number): Promise<void> {
  const name = stateKey(ada.workspaceId, threadsKey(`c${id}`, `c${id}`));
  const threads = Array.from({ length: count }, (_, i) => [1, `t${i + 1_000}`] as const);
  await sandbox.redis.zadd(name, ...threads.flat());
}

/** Newer threads of a monoforum, with users who are no more. */
async function addWriters(id: number, count: number): Promise<void> {
  const name = stateKey(ada.workspaceId, threadsKey(`c${id}`, `c${id}`));
  const threads = Array.from({ length: count }, (_, i) => [4_000_000_000, `u${9_000_000 + i}`] as const);
  await sandbox.redis.zadd(name, ...threads.flat());
}

/** What is kept for a channel: names of keys and, in the hashes that all share, of fields. */
async function leftOf({ id }: TestChannel): Promise<string[]> {
  const own = (await sandbox.redis.keys('*')).filter((key) => key.includes(`${id}`));
  const shared = await Promise.all(
    ['seq', 'closing', 'active-calls', unreadKey(ada.userId), unreadKey(bob.userId)].map((name) =>
      sandbox.redis.hkeys(stateKey(ada.workspaceId, name)),
    ),
  );
  return [...own, ...shared.flat().filter((field) => field.includes(`${id}`))];
}

it('forgets a large channel in several commits, until nothing is left', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true, forum: true }, bob);
  await fillThreads(group, ada, 250);
  await fillThreads(group, bob, 250);
  for (let i = 0; i < 5; i += 1) await sandbox.send(bob, group.peer, `Message ${i}`);
  await sandbox.call(ada, 'channels.deleteChannel', { channel: group.channel });
  expect(await sandbox.refusal(bob, 'messages.sendMessage', { peer: group.peer, message: 'x' })).toBe(
    'CHANNEL_PRIVATE',
  );
  expect(await leftOf(group)).not.toEqual([]);
  expect(await doLater()).toBeGreaterThan(4);
  expect(await leftOf(group)).toEqual([]);
});

it('looks at so many threads at most in one commit, for all members together', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const group = await aChannel(sandbox, ada, { megagroup: true, forum: true }, bob, cleo);
  await addThreads(group, 900);
  const before = await countLooks();
  await sandbox.call(ada, 'channels.deleteChannel', { channel: group.channel });
  expect((await countLooks()) - before).toBeLessThan(1_500);
  await doLater();
  expect(await leftOf(group)).toEqual([]);
});

it('a reset looks at the threads of a large forum once for each member, and leaves nothing of it', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const group = await aChannel(sandbox, cleo, { megagroup: true, forum: true });
  await fillThreads(group, cleo, 1_500);
  const before = await countLooks();
  while (!(await sandbox.order(cleo, 'resetAccount')).done);
  // A page is looked at again where it did not fit a commit.
  expect((await countLooks()) - before).toBeLessThan(9_000);
  await doLater();
  expect(await leftOf(group)).toEqual([]);
  expect(await sandbox.redis.hexists(stateKey(ada.workspaceId, CHANNELS), `${group.id}`)).toBe(0);
});

it('lets nobody in who was joining when it was deleted', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const group = await aChannel(sandbox, ada, { megagroup: true, forum: true });
  await fillThreads(group, ada, 250);
  const { channel } = group;
  await sandbox.call(ada, 'channels.updateUsername', { channel, username: `closing_${group.id}` });
  beforeCommitOf(sandbox, 'channels.joinChannel', () =>
    sandbox.call(ada, 'channels.deleteChannel', { channel }),
  );
  expect(await sandbox.refusal(cleo, 'channels.joinChannel', { channel })).toBe('CHANNEL_PRIVATE');
  await doLater();
  expect(await leftOf(group)).toEqual([]);
});

it('takes nothing that was written to its monoforum meanwhile', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const { channelId, monoforumId } = await sandbox.seeded(cleo);
  beforeCommitOf(sandbox, 'messages.sendMessage', () =>
    sandbox.call(cleo, 'channels.deleteChannel', { channel: inputOf(channelId) }),
  );
  const params = { peer: channelOf(monoforumId), message: 'A question', randomId: aRandomId() };
  expect(await sandbox.refusal(bob, 'messages.sendMessage', params)).toBe('CHANNEL_PRIVATE');
  await doLater();
  const { peer, channel } = { peer: channelOf(monoforumId), channel: inputOf(monoforumId) };
  expect(await leftOf({ id: monoforumId, peer, channel })).toEqual([]);
});

it('leaves no draft for its monoforum that a writer saves meanwhile', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const { channelId, monoforumId } = await sandbox.seeded(cleo);
  const peer = channelOf(monoforumId);
  await sandbox.send(bob, peer, 'A question');
  beforeCommitOf(sandbox, 'messages.saveDraft', () =>
    sandbox.call(cleo, 'channels.deleteChannel', { channel: inputOf(channelId) }),
  );
  expect(await sandbox.refusal(bob, 'messages.saveDraft', { peer, message: 'Begun' })).toBe(
    'CHANNEL_PRIVATE',
  );
  await doLater();
  expect(await sandbox.redis.hkeys(stateKey(ada.workspaceId, draftsKey(bob.userId)))).toEqual([]);
});

it('tells all writers of its monoforum, however many, and forgets what they have of it', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const { channelId, monoforumId } = await sandbox.seeded(cleo);
  const peer = channelOf(monoforumId);
  for (const writer of [ada, bob]) {
    await sandbox.send(writer, peer, 'A question');
    const replyTo = { _: 'inputReplyToMonoForum', monoforumPeerId: peerOf(writer) };
    await sandbox.send(cleo, peer, 'An answer', { replyTo });
    for (const more of [{}, { replyTo }])
      await sandbox.call(writer, 'messages.saveDraft', { peer, message: 'Begun', ...more });
  }
  await addWriters(monoforumId, 130);
  const deleted = await sandbox.watch(cleo, async () => {
    await sandbox.call(cleo, 'channels.deleteChannel', { channel: inputOf(channelId) });
    await doLater();
  });
  const told = deleted.updates.filter(({ update }) => update.channelId === monoforumId);
  expect(told.map(({ accountId }) => accountId).sort()).toEqual([ada.id, bob.id, cleo.id].sort());
  for (const writer of [ada, bob]) {
    const dialogs = stateKey(ada.workspaceId, dialogsKey(writer.userId));
    expect(await sandbox.redis.zscore(dialogs, `c${monoforumId}`)).toBeNull();
    expect(await sandbox.redis.hkeys(stateKey(ada.workspaceId, draftsKey(writer.userId)))).toEqual([]);
  }
  expect(await leftOf({ id: monoforumId, peer, channel: inputOf(monoforumId) })).toEqual([]);
});

it('ends its calls for everybody', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const params = { peer: group.peer, randomId: 7 };
  const { updates } = await sandbox.call(ada, 'phone.createGroupCall', params);
  const { call } = updates.find(({ _ }: { _: string }) => _ === 'updateGroupCall');
  const deleted = await sandbox.watch(ada, () =>
    sandbox.call(ada, 'channels.deleteChannel', { channel: group.channel }),
  );
  const ended = deleted.updates.filter(({ update }) => update._ === 'updateGroupCall');
  expect(ended.map(({ accountId }) => accountId).sort()).toEqual([ada.id, bob.id].sort());
  for (const { update } of ended) expect(update.call).toMatchObject({ _: 'groupCallDiscarded', id: call.id });
  const input = { _: 'inputGroupCall', id: call.id, accessHash: call.accessHash };
  expect(await sandbox.refusal(ada, 'phone.getGroupCall', { call: input, limit: 1 })).toBe(
    'GROUPCALL_INVALID',
  );
  await doLater();
  expect(await leftOf(group)).toEqual([]);
});

it('forgets what a member had of many threads once it has left, unless it comes back', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true, forum: true }, bob);
  const bobs = async () => (await leftOf(group)).filter((name) => name.includes(`:c${group.id}:t`));
  const seen = async () =>
    (await sandbox.redis.hkeys(stateKey(ada.workspaceId, unreadKey(bob.userId)))).filter((field) =>
      field.includes(`c${group.id}`),
    ).length;
  await fillThreads(group, bob, 250);
  await sandbox.call(bob, 'channels.leaveChannel', { channel: group.channel });
  expect(await seen()).toBeGreaterThan(0);
  expect(await doLater()).toBeGreaterThan(1);
  expect(await seen()).toBe(0);
  expect((await bobs()).filter((name) => name.includes(`sent:${bob.userId}`))).toEqual([]);
  await sandbox.call(ada, 'channels.inviteToChannel', {
    channel: group.channel,
    users: [{ _: 'inputUser', userId: bob.userId, accessHash: '0' }],
  });
  await fillThreads(group, bob, 250);
  await sandbox.call(bob, 'channels.leaveChannel', { channel: group.channel });
  await sandbox.call(ada, 'channels.inviteToChannel', {
    channel: group.channel,
    users: [{ _: 'inputUser', userId: bob.userId, accessHash: '0' }],
  });
  const before = await seen();
  expect(await doLater()).toBe(1);
  expect(await seen()).toBe(before);
  await sandbox.send(ada, group.peer, 'Hello', { randomId: aRandomId() });
});

it.each([
  ['a forum', true],
  ['a group that became a forum, without a thread yet', false],
])('forgets what is noted of a member in threads while it leaves %s', async (_, isMadeForum) => {
  const group = await aChannel(sandbox, ada, { megagroup: true, forum: isMadeForum }, bob);
  const forum = { channel: group.channel, enabled: true, tabs: false };
  if (!isMadeForum) await sandbox.call(ada, 'channels.toggleForum', forum);
  const marks = async () => {
    const fields = await sandbox.redis.hkeys(stateKey(ada.workspaceId, unreadKey(bob.userId)));
    return fields.filter((field) => field.includes(`c${group.id}`));
  };
  beforeCommitOf(sandbox, 'channels.leaveChannel', async () => {
    const topic = { peer: group.peer, title: 'Topic', randomId: aRandomId() };
    const replyToMsgId = (await sandbox.call(ada, 'messages.createForumTopic', topic)).updates[0].id;
    const replyTo = { _: 'inputReplyToMessage', replyToMsgId, topMsgId: replyToMsgId };
    await sandbox.send(ada, group.peer, 'Hello', { replyTo });
  });
  await sandbox.call(bob, 'channels.leaveChannel', { channel: group.channel });
  await doLater();
  expect(await marks()).toEqual([]);
});

it('keeps the draft for a public forum that an account saves after it has left', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true, forum: true }, bob);
  const username = `drafts_${group.id}`;
  await sandbox.call(ada, 'channels.updateUsername', { channel: group.channel, username });
  await sandbox.send(ada, group.peer, 'Hello');
  await sandbox.call(bob, 'channels.leaveChannel', { channel: group.channel });
  await sandbox.call(bob, 'messages.saveDraft', { peer: group.peer, message: 'Let me in again' });
  expect(await doLater()).toBe(1);
  const drafts = await sandbox.redis.hkeys(stateKey(ada.workspaceId, draftsKey(bob.userId)));
  expect(drafts).toContain(`c${group.id}`);
});
