import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import type { Method } from '../../../../workers/driver.ts';
import { messagesKey } from '../../../../workers/sandbox/model/boxes/keys.ts';
import { userBox } from '../../../../workers/sandbox/model/common/keys.ts';
import { eventsKey } from '../../../../workers/sandbox/model/people/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { channelOf, peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

// Seeded channels are as old as the account: what has happened to them is asked for since later.
const LATER_S = 60;

async function stateOf(account: SandboxAccount) {
  const { pts, date } = await sandbox.call(account, 'updates.getState');
  return { pts, date: date + LATER_S, qts: 0 };
}

const differenceFor = (account: SandboxAccount, since: object) =>
  sandbox.call(account, 'updates.getDifference', since);

it('goes on although a message is deleted that had arrived', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const since = await stateOf(bob);
  for (const text of ['Kept', 'Deleted']) await sandbox.send(ada, peerOf(bob), text);
  const { id } = await sandbox.newest(ada, peerOf(bob));
  const theirs = await sandbox.newest(bob, peerOf(ada));
  await sandbox.call(ada, 'messages.deleteMessages', { id: [id], revoke: true });
  expect(await differenceFor(bob, since)).toMatchObject({
    _: 'updates.difference',
    newMessages: [{ message: 'Kept' }],
    otherUpdates: [{ _: 'updateDeleteMessages', messages: [theirs.id] }],
    state: { pts: since.pts + 3 },
    users: [{ id: ada.userId }],
  });
});

it('tells what was heard, to both sides', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  await sandbox.sendFile(bob, peerOf(ada), 'voice');
  const [heard, sent] = [await sandbox.newest(ada, peerOf(bob)), await sandbox.newest(bob, peerOf(ada))];
  const [sinceOfAda, sinceOfBob] = [await stateOf(ada), await stateOf(bob)];
  await sandbox.call(ada, 'messages.readMessageContents', { id: [heard.id] });
  const read = (id: number) => [{ _: 'updateReadMessagesContents', messages: [id], ptsCount: 1 }];
  expect(await differenceFor(ada, sinceOfAda)).toMatchObject({ otherUpdates: read(heard.id) });
  expect(await differenceFor(bob, sinceOfBob)).toMatchObject({ otherUpdates: read(sent.id) });
});

/** Two accounts, of which Ada has edited a message that Bob had, and Bob's state before that. */
async function anEdit() {
  const [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(ada, peerOf(bob), 'Draft');
  const since = await stateOf(bob);
  const { id } = await sandbox.newest(ada, peerOf(bob));
  await sandbox.call(ada, 'messages.editMessage', { peer: peerOf(bob), id, message: 'Final' });
  return { ada, bob, since };
}

it('names who is spoken of in an edit alone', async () => {
  const { ada, bob, since } = await anEdit();
  expect(await differenceFor(bob, since)).toMatchObject({
    otherUpdates: [{ _: 'updateEditMessage', message: { message: 'Final' } }],
    users: expect.arrayContaining([expect.objectContaining({ id: ada.userId })]),
  });
});

const thumb = { _: 'reactionEmoji', emoticon: '👍' };

it('gives a message that arrived, was edited and got a reaction only as it is now', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const since = await stateOf(bob);
  await sandbox.send(ada, peerOf(bob), 'Draft');
  const { id } = await sandbox.newest(ada, peerOf(bob));
  await sandbox.call(ada, 'messages.editMessage', { peer: peerOf(bob), id, message: 'Final' });
  await sandbox.call(ada, 'messages.sendReaction', { peer: peerOf(bob), msgId: id, reaction: [thumb] });
  expect(await differenceFor(bob, since)).toMatchObject({
    newMessages: [{ message: 'Final', reactions: { results: [{ count: 1 }] } }],
    otherUpdates: [],
    state: { pts: since.pts + 2 },
  });
});

it('gives an older message that was edited twice once, as it is now', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(ada, peerOf(bob), 'Draft');
  const since = await stateOf(bob);
  const { id } = await sandbox.newest(ada, peerOf(bob));
  for (const message of ['Better', 'Final'])
    await sandbox.call(ada, 'messages.editMessage', { peer: peerOf(bob), id, message });
  await sandbox.call(ada, 'messages.sendReaction', { peer: peerOf(bob), msgId: id, reaction: [thumb] });
  expect(await differenceFor(bob, since)).toMatchObject({
    newMessages: [],
    otherUpdates: [
      {
        _: 'updateEditMessage',
        message: { message: 'Final', reactions: { results: [{ count: 1 }] } },
        pts: since.pts + 2,
        ptsCount: 1,
      },
    ],
    state: { pts: since.pts + 2 },
  });
});

it('has a hundred polls at most in a part, which may be long', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
  const answers = [{ _: 'pollAnswer', text: text('Yes'), option: 'MA==' }];
  const media = {
    _: 'inputMediaPoll',
    poll: { _: 'poll', id: '0', hash: '0', question: text('Well?'), answers },
  };
  const since = await stateOf(bob);
  for (let sent = 0; sent < 102; sent += 1)
    await sandbox.call(ada, 'messages.sendMedia', { peer: peerOf(bob), media, message: '' });
  await sandbox.send(ada, peerOf(bob), 'Last');
  const { newMessages, intermediateState } = await differenceFor(bob, since);
  expect(newMessages).toHaveLength(100);
  expect(intermediateState.pts).toBe(since.pts + 100);
  expect(await differenceFor(bob, { ...since, pts: intermediateState.pts })).toMatchObject({
    _: 'updates.difference',
    newMessages: [{ message: '' }, { message: '' }, { message: 'Last' }],
  });
});

it('gives an edited poll with the votes of now', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
  const answers = [{ _: 'pollAnswer', text: text('Yes'), option: 'MA==' }];
  const poll = { _: 'poll', id: '0', hash: '0', question: text('Well?'), answers };
  const media = { _: 'inputMediaPoll', poll };
  await sandbox.call(ada, 'messages.sendMedia', { peer: peerOf(bob), media, message: '' });
  const since = await stateOf(bob);
  const { id } = await sandbox.newest(ada, peerOf(bob));
  await sandbox.call(ada, 'messages.editMessage', { peer: peerOf(bob), id, message: 'Vote' });
  const theirs = await sandbox.newest(bob, peerOf(ada));
  const vote = { peer: peerOf(ada), msgId: theirs.id, options: ['MA=='] };
  await sandbox.call(bob, 'messages.sendVote', vote);
  expect((await differenceFor(bob, since)).otherUpdates).toMatchObject([
    {
      _: 'updateEditMessage',
      message: { message: 'Vote', media: { results: { results: [{ chosen: true, voters: 1 }] } } },
    },
  ]);
});

it('gives an edit that an earlier release kept as an update as the message is now', async () => {
  const { ada, bob, since } = await anEdit();
  const message = { ...(await sandbox.newest(bob, peerOf(ada))), message: 'Stale' };
  const name = stateKey(bob.workspaceId, eventsKey(bob.userId));
  const pts = since.pts + 1;
  const update = { _: 'updateEditMessage', message, pts, ptsCount: 1 };
  await sandbox.redis.zremrangebyscore(name, pts, pts);
  await sandbox.redis.zadd(name, pts, JSON.stringify({ pts, ptsCount: 1, update }));
  expect((await differenceFor(bob, since)).otherUpdates).toMatchObject([
    { _: 'updateEditMessage', message: { message: 'Final' }, pts },
  ]);
});

it('keeps an edit with an update that a worker of an earlier release reads', async () => {
  const { bob, since } = await anEdit();
  const name = stateKey(bob.workspaceId, eventsKey(bob.userId));
  const [raw = ''] = await sandbox.redis.zrangebyscore(name, since.pts + 1, since.pts + 1);
  expect(JSON.parse(raw)).toMatchObject({ pts: since.pts + 1, update: { _: 'updatePtsChanged' } });
  const { otherUpdates } = await differenceFor(bob, since);
  expect(otherUpdates).toMatchObject([{ _: 'updateEditMessage', message: { message: 'Final' } }]);
});

it.each(['post', 'edit', 'deletion'])('names the channels that a %s has changed', async (change) => {
  const ada = await sandbox.anAccount();
  const { channelId } = await sandbox.seeded(ada);
  const peer = channelOf(channelId);
  const { pts, date } = await sandbox.call(ada, 'updates.getState');
  if (change === 'post') await sandbox.send(ada, peer, 'News');
  if (change === 'edit') await sandbox.call(ada, 'messages.editMessage', { peer, id: 1, message: 'News' });
  const channel = { _: 'inputChannel', channelId, accessHash: '0' };
  if (change === 'deletion') await sandbox.call(ada, 'channels.deleteMessages', { channel, id: [1] });
  const found = await differenceFor(ada, { pts, date, qts: 0 });
  expect(found.otherUpdates).toContainEqual({ _: 'updateChannelTooLong', channelId, pts: 2 });
  expect(found.chats).toContainEqual(expect.objectContaining({ id: channelId, broadcast: true }));
  expect(await differenceFor(ada, await stateOf(ada))).toMatchObject({ _: 'updates.differenceEmpty' });
});

it('names a channel whose post or new member is dated a while before what is asked for, as it may have come later', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const old = await aChannel(sandbox, ada, { broadcast: true });
  const { pts, date } = await sandbox.call(bob, 'updates.getState');
  const posts = stateKey(ada.workspaceId, messagesKey(`c${old.id}`));
  const first = JSON.parse((await sandbox.redis.hget(posts, '1')) as string);
  first.message.date = date - LATER_S;
  await sandbox.redis.hset(posts, '1', JSON.stringify(first));
  await sandbox.call(ada, 'channels.inviteToChannel', { channel: old.channel, users: [userOf(bob)] });
  const { id: channelId } = await aChannel(sandbox, ada, { broadcast: true }, bob);
  await sandbox.send(ada, channelOf(channelId), 'News');
  const { otherUpdates } = await differenceFor(bob, { pts, date: date + 20, qts: 0 });
  const named = otherUpdates.map((update: { channelId?: number }) => update.channelId);
  expect(named).toEqual(expect.arrayContaining([old.id, channelId]));
});

it('dates a post when its call goes on after an injected delay', async () => {
  const ada = await sandbox.anAccount();
  const { peer } = await aChannel(sandbox, ada, { broadcast: true });
  const fault = { method: 'messages.sendMessage', count: 1, delayMs: 1_500 };
  await sandbox.order(ada, 'setFaults', { faults: [fault] });
  const before = Date.now();
  await sandbox.send({ ...ada, faults: true }, peer, 'News');
  expect((await sandbox.newest(ada, peer)).date * 1_000).toBeGreaterThan(before + 500);
});

it('tells of no edit of a message that is deleted by now', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(ada, peerOf(bob), 'Secret');
  const since = await stateOf(bob);
  const { id } = await sandbox.newest(ada, peerOf(bob));
  await sandbox.call(ada, 'messages.editMessage', { peer: peerOf(bob), id, message: 'More secret' });
  await sandbox.call(ada, 'messages.deleteMessages', { id: [id], revoke: true });
  expect(await differenceFor(bob, since)).toMatchObject({
    newMessages: [],
    otherUpdates: [{ _: 'updateDeleteMessages' }],
    state: { pts: since.pts + 2 },
  });
});

it('does not take the deletion of an older message for the arrival of one that is gone', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(ada, peerOf(bob), 'Old');
  const { id } = await sandbox.newest(ada, peerOf(bob));
  const since = await stateOf(bob);
  await sandbox.send(ada, peerOf(bob), 'New');
  await sandbox.call(ada, 'messages.deleteMessages', { id: [id], revoke: true });
  expect(await differenceFor(bob, since)).toMatchObject({ _: 'updates.difference' });
  const theirs = await sandbox.newest(bob, peerOf(ada));
  const box = stateKey(bob.workspaceId, messagesKey(userBox(bob.userId)));
  await sandbox.redis.hdel(box, String(theirs.id));
  expect(await differenceFor(bob, since)).toMatchObject({ _: 'updates.differenceTooLong' });
});

it('keeps the last 2,000 changes of an account', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(ada, peerOf(bob), 'Draft');
  const since = await stateOf(bob);
  const { id } = await sandbox.newest(ada, peerOf(bob));
  const name = stateKey(bob.workspaceId, eventsKey(bob.userId));
  const old = Array.from({ length: 2_000 }, (_, i) => [-i, `old ${i}`]).flat();
  await sandbox.redis.zadd(name, ...old);
  await sandbox.call(ada, 'messages.editMessage', { peer: peerOf(bob), id, message: 'Final' });
  expect(await sandbox.redis.zcard(name)).toBe(2_000);
  expect(await sandbox.redis.zscore(name, 'old 1999')).toBeNull();
  expect(await differenceFor(bob, since)).toMatchObject({ otherUpdates: [{ _: 'updateEditMessage' }] });
});

it('names a channel that the account has joined meanwhile, though nothing was posted there', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const { id: channelId, channel } = await aChannel(sandbox, ada, { broadcast: true });
  const posts = stateKey(ada.workspaceId, messagesKey(`c${channelId}`));
  const first = JSON.parse((await sandbox.redis.hget(posts, '1')) as string);
  const { pts, date } = await sandbox.call(bob, 'updates.getState');
  // Older than what is asked for.
  first.message.date = date - LATER_S;
  await sandbox.redis.hset(posts, '1', JSON.stringify(first));
  await sandbox.call(ada, 'channels.inviteToChannel', { channel, users: [userOf(bob)] });
  const found = await differenceFor(bob, { pts, date, qts: 0 });
  expect(found.otherUpdates).toContainEqual({ _: 'updateChannelTooLong', channelId, pts: 1 });
  expect(found.chats.map(({ id }: { id: number }) => id)).toContain(channelId);
});

it('looks up no membership of quiet channels that nobody has joined since', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  for (let i = 0; i < 3; i += 1) await aChannel(sandbox, ada, { broadcast: true }, bob);
  const { pts, date } = await sandbox.call(ada, 'updates.getState');
  const asked: string[] = [];
  const methods = sandbox.driver.methods as Map<string, Method>;
  const method = methods.get('updates.getDifference') as Method;
  methods.set(method.name, {
    ...method,
    run: (params, call) => {
      const { read } = call.tx;
      const hget = (key: string, field: string) => {
        asked.push(key);
        return read.hget(key, field);
      };
      methods.set(method.name, method);
      return method.run(params, { ...call, tx: Object.assign(call.tx, { read: { ...read, hget } }) });
    },
  });
  const found = await differenceFor(ada, { pts, date: date + 60 * LATER_S, qts: 0 });
  expect(found._).toBe('updates.differenceEmpty');
  expect(asked.filter((key) => key.includes('members:'))).toEqual([]);
});
