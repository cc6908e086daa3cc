import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { channelEventsKey } from '../../../../workers/sandbox/model/chats/keys.ts';
import { aChannel, inputOf, type TestChannel } from '../../../support/sandbox/a-channel.ts';
import { channelOf, peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const EMPTY = { _: 'channelMessagesFilterEmpty' };

const ask = (
  account: SandboxAccount,
  { channel }: Pick<TestChannel, 'channel'>,
  pts: number,
  more: object = {},
) =>
  sandbox.call(account, 'updates.getChannelDifference', { channel, filter: EMPTY, limit: 100, pts, ...more });
const refuse = (account: SandboxAccount, { channel }: TestChannel, params: object) =>
  sandbox.refusal(account, 'updates.getChannelDifference', {
    channel,
    filter: EMPTY,
    limit: 100,
    pts: 1,
    ...params,
  });

async function ptsOf(account: SandboxAccount, { peer }: TestChannel): Promise<number> {
  const peers = [{ _: 'inputDialogPeer', peer }];
  return (await sandbox.call(account, 'messages.getPeerDialogs', { peers })).dialogs[0].pts;
}

const post = async (account: SandboxAccount, { peer }: TestChannel, text: string): Promise<number> =>
  (await sandbox.send(account, peer, text)).updates[0].id;

it('begins at 1 in a channel without messages, so that a client knows where to begin', async () => {
  const owner = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const { monoforumId, spareId = 0, openChannelId } = await sandbox.seeded(owner);
  for (const id of [monoforumId, spareId, openChannelId])
    expect(await ask(owner, { channel: inputOf(id) }, 1)).toMatchObject({
      _: 'updates.channelDifferenceEmpty',
      pts: 1,
    });
  await sandbox.send(ada, channelOf(monoforumId), 'First');
  const { newMessages, pts } = await ask(owner, { channel: inputOf(monoforumId) }, 1);
  expect(newMessages).toMatchObject([{ message: 'First' }]);
  expect(pts).toBe(2);
});

it('tells a member of all that has happened, as it is by then', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const old = await post(ada, group, 'Old');
  const since = await ptsOf(bob, group);
  const [kept, gone] = [await post(ada, group, `Hello @${bob.username}`), await post(bob, group, 'Gone')];
  for (const [id, message] of [
    [kept, 'Hello!'],
    [old, 'Older'],
    [old, 'Oldest'],
    [gone, 'Still gone'],
  ] as const)
    await sandbox.call(id === gone ? bob : ada, 'messages.editMessage', { peer: group.peer, id, message });
  await sandbox.call(ada, 'messages.updatePinnedMessage', { peer: group.peer, id: old });
  await sandbox.call(ada, 'channels.deleteMessages', { channel: group.channel, id: [gone] });
  const difference = await ask(bob, group, since);
  const pts = await ptsOf(bob, group);
  expect(difference).toMatchObject({
    _: 'updates.channelDifference',
    final: true,
    pts,
    timeout: 30,
    users: expect.arrayContaining([expect.objectContaining({ id: ada.userId })]),
    chats: [{ id: group.id }],
  });
  const pinning = difference.newMessages.filter(({ _ }: { _: string }) => _ === 'messageService');
  expect(pinning).toMatchObject([{ action: { _: 'messageActionPinMessage' } }]);
  expect(difference.newMessages).toMatchObject([
    { id: kept, message: 'Hello!', mentioned: true, mediaUnread: true },
    ...pinning,
  ]);
  expect(difference.otherUpdates).toMatchObject([
    { _: 'updateEditChannelMessage', message: { id: old, message: 'Oldest', pinned: true } },
    { _: 'updatePinnedChannelMessages', messages: [old], pinned: true, ptsCount: 1 },
    { _: 'updateDeleteChannelMessages', messages: [gone], pts, ptsCount: 1 },
    { _: 'updateReadChannelInbox', channelId: group.id, pts },
  ]);
  expect(await ask(bob, group, pts)).toEqual({
    _: 'updates.channelDifferenceEmpty',
    final: true,
    pts,
    timeout: 30,
  });
});

it('gives the latest messages where it is too much, or not known any more', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const since = await ptsOf(bob, group);
  const ids = [await post(ada, group, 'First'), await post(ada, group, 'Second')];
  const tooLong = {
    _: 'updates.channelDifferenceTooLong',
    final: true,
    dialog: { _: 'dialog', topMessage: ids[1], pts: since + 2, unreadCount: 3 },
    messages: [{ id: ids[1] }, { id: ids[0] }, { _: 'messageService' }, { _: 'messageService' }],
  };
  expect(await ask(bob, group, since, { limit: 1 })).toMatchObject(tooLong);
  expect(await ask(bob, group, since, { limit: 2 })).toMatchObject({ _: 'updates.channelDifference' });
  await sandbox.call(ada, 'messages.editMessage', { peer: group.peer, id: ids[0], message: 'Changed' });
  await sandbox.redis.del(stateKey(ada.workspaceId, channelEventsKey(group.id)));
  expect(await ask(bob, group, since)).toMatchObject({ _: 'updates.channelDifferenceTooLong' });
});

it('gives more than 200 changes in parts, which make up the whole', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const since = await ptsOf(bob, group);
  const id = await post(ada, group, 'Counter');
  for (let i = 0; i < 120; i += 1)
    await sandbox.call(ada, 'messages.editMessage', { peer: group.peer, id, message: `Counter ${i}` });
  for (let i = 0; i < 120; i += 1) await post(bob, group, `Message ${i}`);
  const first = await ask(bob, group, since, { limit: 1_000 });
  expect(first).toMatchObject({ final: false, pts: since + 200 });
  const second = await ask(bob, group, first.pts, { limit: 1_000 });
  expect(second).toMatchObject({ final: true, pts: since + 241 });
  const texts = [...first.newMessages, ...second.newMessages].map(({ message }) => message);
  expect(texts).toEqual(['Counter 119', ...Array.from({ length: 120 }, (_, i) => `Message ${i}`)]);
});

it('keeps the last 2,000 events of a channel', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true });
  const id = await post(ada, group, 'Counter');
  const name = stateKey(ada.workspaceId, channelEventsKey(group.id));
  const old = Array.from({ length: 2_001 }, (_, i) => [-i, `old ${i}`]).flat();
  await sandbox.redis.zadd(name, ...old);
  await sandbox.call(ada, 'messages.editMessage', { peer: group.peer, id, message: 'Changed' });
  expect(await sandbox.redis.zcard(name)).toBe(2_000);
});

it('shows of new messages those of the ranges asked for', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const since = await ptsOf(bob, group);
  const ids = [await post(ada, group, 'First'), await post(ada, group, 'Second')];
  const range = (minId: number, maxId: number) => ({ _: 'messageRange', minId, maxId });
  const within = async (more: object) =>
    (await ask(bob, group, since, { filter: { _: 'channelMessagesFilter', ...more } })).newMessages;
  const [first = 0] = ids;
  expect(await within({ ranges: [range(first, first)] })).toMatchObject([{ id: first }]);
  expect(await within({ ranges: [range(1, 1_000)], excludeNewMessages: true })).toEqual([]);
  for (const ranges of [[range(2, 1)], Array(101).fill(range(1, 2))])
    expect(await refuse(bob, group, { filter: { _: 'channelMessagesFilter', ranges } })).toBe(
      'RANGES_INVALID',
    );
});

it('is for members, and for everybody where the channel is public', async () => {
  const group = await aChannel(sandbox, ada, { broadcast: true });
  expect(await refuse(bob, group, {})).toBe('CHANNEL_PRIVATE');
  await sandbox.call(ada, 'channels.updateUsername', {
    channel: group.channel,
    username: `open_${group.id}`,
  });
  const since = await ptsOf(ada, group);
  await post(ada, group, 'News');
  const seen = await ask(bob, group, since);
  expect(seen).toMatchObject({ newMessages: [{ message: 'News', post: true }], otherUpdates: [] });
  expect(seen.chats).toMatchObject([{ id: group.id, left: true }]);
  expect(await ask(bob, group, since, { limit: 0 })).toMatchObject({ dialog: { topMessage: 2 } });
  expect(await refuse(ada, group, { pts: 0 })).toBe('PERSISTENT_TIMESTAMP_EMPTY');
  expect(await refuse(ada, group, { pts: 1_000 })).toBe('PERSISTENT_TIMESTAMP_INVALID');
  expect(await refuse(ada, group, { limit: -1 })).toBe('LIMIT_INVALID');
});

it('tells who writes to a monoforum of its own messages alone', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const { monoforumId } = await sandbox.seeded(ada);
  const talks = { id: monoforumId, channel: inputOf(monoforumId), peer: channelOf(monoforumId) };
  const replyTo = (account: SandboxAccount) => ({
    replyTo: { _: 'inputReplyToMonoForum', monoforumPeerId: peerOf(account) },
  });
  for (const account of [bob, cleo])
    await sandbox.send(account, talks.peer, `Question of ${account.username}`);
  const since = await ptsOf(bob, talks);
  const { date, pts } = await sandbox.call(bob, 'updates.getState');
  const answers: number[] = [];
  for (const account of [bob, cleo])
    answers.push(
      (await sandbox.send(ada, talks.peer, `To ${account.username}`, replyTo(account))).updates[0].id,
    );
  const asked = await sandbox.call(bob, 'updates.getDifference', { pts, date, qts: 0 });
  expect(asked.otherUpdates).toContainEqual({
    _: 'updateChannelTooLong',
    channelId: monoforumId,
    pts: since + 2,
  });
  expect((await ask(bob, talks, since)).newMessages).toMatchObject([{ message: `To ${bob.username}` }]);
  const told = async (account: SandboxAccount) =>
    (await sandbox.updatesOf(account)).filter(
      ({ _, channelId }) => _ === 'updateDeleteChannelMessages' && channelId === monoforumId,
    );
  await sandbox.call(ada, 'channels.deleteMessages', { channel: talks.channel, id: answers });
  const gone = { pts: since + 4, ptsCount: 2 };
  expect(await told(bob)).toMatchObject([{ messages: [answers[0]], ...gone }]);
  expect(await told(ada)).toMatchObject([{ messages: answers, ...gone }]);
  const [deletion] = (await ask(bob, talks, since)).otherUpdates;
  expect(deletion).toMatchObject({ _: 'updateDeleteChannelMessages', messages: [answers[0]], ...gone });
});

it('names the channel also where it shows only how far that is read', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const since = await ptsOf(bob, group);
  const id = await post(ada, group, 'Read');
  await sandbox.call(bob, 'channels.readHistory', { channel: group.channel, maxId: id });
  const ranges = [{ _: 'messageRange', minId: 1, maxId: id }];
  const filter = { _: 'channelMessagesFilter', excludeNewMessages: true, ranges };
  expect(await ask(bob, group, since, { filter })).toMatchObject({
    newMessages: [],
    otherUpdates: [{ _: 'updateReadChannelInbox', channelId: group.id }],
    chats: [{ id: group.id }],
  });
});
