import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { stateKey } from '../../../src/redis/keys.ts';
import { COPIES, historyKey, messagesKey } from '../../../workers/sandbox/model/boxes/keys.ts';
import { channelEventsKey } from '../../../workers/sandbox/model/chats/keys.ts';
import {
  type Box,
  channelBox,
  type PeerKey,
  SEQ,
  userBox,
} from '../../../workers/sandbox/model/common/keys.ts';
import { pinnedKey, pollVotesKey, sentKey } from '../../../workers/sandbox/model/conversations/keys.ts';
import { forwardsKey } from '../../../workers/sandbox/model/messages/keys.ts';
import { eventsKey } from '../../../workers/sandbox/model/people/keys.ts';
import { readingSlices } from '../../../workers/turns/slices.ts';
import { aChannel, type TestChannel } from '../../support/sandbox/a-channel.ts';
import { doLater } from '../../support/sandbox/do-later.ts';
import { FILLED_FROM } from '../../support/sandbox/large-account.ts';
import { readCostOf, refusedCostOf } from '../../support/sandbox/read-cost.ts';
import {
  aRandomId,
  channelOf,
  peerOf,
  Sandbox,
  type SandboxAccount,
  userOf,
} from '../../support/sandbox/sandbox.ts';

const COUNT = 40;
// Each message is as large as a rich message may be, and this many fit a page.
const CHARACTERS = 200_000;
const FITTING = 20;
const MIB = 1_024 * 1_024;
const SELF = { _: 'inputPeerSelf' };
const IDS = Array.from({ length: COUNT }, (_, i) => FILLED_FROM + i);
// The messages of a box that are read at once where it is not known how large they are.
const AT_ONCE = 25;

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let channel: TestChannel;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  channel = await aChannel(sandbox, ada, { broadcast: true });
  await sandbox.send(ada, channel.peer, 'Long');
  const key: PeerKey = `c${channel.id}`;
  const lists = [historyKey(0, key), pinnedKey(0, key), pollVotesKey(ada.userId, key)];
  await fill(channelBox(channel.id), (await sandbox.newest(ada, channel.peer)).id, { lists });
  await sandbox.send(bob, peerOf(ada), 'Long');
  const history = historyKey(ada.userId, `u${bob.userId}`);
  await fill(userBox(ada.userId), (await sandbox.newest(ada, peerOf(bob))).id, { lists: [history] });
});
afterAll(() => sandbox.close());

interface Filling {
  of?: SandboxAccount;
  ids?: readonly number[];
  /** The lists that get the ids. */
  lists?: readonly string[];
}

/** Adds large messages to a box, each a mention that is not read, and an answer to the message that they are made of. */
async function fill(box: Box, id: number, { of = ada, ids = IDS, lists = [] }: Filling = {}): Promise<void> {
  const key = stateKey(of.workspaceId, messagesKey(box));
  for (const list of lists)
    await sandbox.redis.zadd(stateKey(of.workspaceId, list), ...ids.flatMap((one) => [one, `${one}`]));
  const stored = JSON.parse((await sandbox.redis.hget(key, String(id))) as string);
  for (const large of ids) {
    const replyTo = { _: 'messageReplyHeader', replyToMsgId: id };
    const more = {
      id: large,
      message: 'x '.repeat(CHARACTERS / 2),
      mentioned: true,
      mediaUnread: true,
      replyTo,
    };
    const message = { ...stored.message, ...more };
    await sandbox.redis.hset(key, String(large), JSON.stringify({ ...stored, message }));
  }
}

const answers = (ids: readonly number[]) => ids.map((id) => ({ _: 'inputMessageReplyTo', id }));

it('are read as far as a page goes, however they are asked for', async () => {
  const { channel: input, peer } = channel;
  const forward = { fromPeer: peer, id: IDS, randomId: IDS.map(aRandomId), toPeer: SELF };
  const asked: [name: string, params: Record<string, unknown>, code: string][] = [
    ['messages.getMessagesViews', { peer, id: IDS, increment: false }, 'RESULTS_TOO_MUCH'],
    ['messages.getMessages', { id: answers(IDS) }, 'RESULTS_TOO_MUCH'],
    ['channels.getMessages', { channel: input, id: answers(IDS) }, 'RESULTS_TOO_MUCH'],
    ['channels.readMessageContents', { channel: input, id: IDS }, 'RESULTS_TOO_MUCH'],
    ['messages.deleteMessages', { id: IDS, revoke: true }, 'RESULTS_TOO_MUCH'],
    ['channels.deleteMessages', { channel: input, id: IDS }, 'RESULTS_TOO_MUCH'],
    ['messages.forwardMessages', forward, 'MESSAGE_TOO_LONG'],
  ];
  for (const [name, params, code] of asked) {
    const cost = await refusedCostOf(sandbox, ada, name, params);
    expect({ name, code: cost.code }).toEqual({ name, code });
    expect(cost.parsed).toBeLessThan(4.5 * MIB);
  }
});

it('are read in part', async () => {
  const { channel: input, peer } = channel;
  const few = IDS.slice(0, 10);
  const { views } = await sandbox.call(ada, 'messages.getMessagesViews', { peer, id: few, increment: true });
  expect(views).toHaveLength(10);
  const found = await sandbox.call(ada, 'channels.getMessages', { channel: input, id: answers(few) });
  expect(found.messages).toHaveLength(10);
  // The same answer is read once.
  const again = { id: answers(Array(100).fill(FILLED_FROM)) };
  expect((await sandbox.call(ada, 'messages.getMessages', again)).messages).toHaveLength(100);
  expect(await sandbox.call(ada, 'channels.readMessageContents', { channel: input, id: few })).toEqual({
    _: 'boolTrue',
  });
});

it('are marked as read in as many calls as it takes, and those behind a page when they are asked for', async () => {
  const read = (id: number[]) => sandbox.call(ada, 'messages.readMessageContents', { id });
  let marked = 0;
  while (marked < FITTING) marked += (await read(IDS)).ptsCount;
  expect(marked).toBe(FITTING);
  const refused = await refusedCostOf(sandbox, ada, 'messages.readMessageContents', { id: IDS });
  expect(refused.code).toBe('RESULTS_TOO_MUCH');
  expect(refused.parsed).toBeLessThan(4.5 * MIB);
  expect((await read(IDS.slice(FITTING))).ptsCount).toBeGreaterThan(0);
});

it('are read as far as a page goes when a conversation is read, and when votes or pins are gone through', async () => {
  const { channel: input, peer } = channel;
  const asked: [name: string, params: Record<string, unknown>][] = [
    ['messages.readHistory', { peer: peerOf(bob), maxId: 0 }],
    ['channels.readHistory', { channel: input, maxId: 0 }],
    ['messages.readPollVotes', { peer }],
    ['messages.unpinAllMessages', { peer }],
  ];
  for (const [name, params] of asked) {
    const { parsed } = await readCostOf(sandbox, ada, name, params);
    expect(parsed, name).toBeGreaterThan(3.5 * MIB);
    expect(parsed, name).toBeLessThan(4.5 * MIB);
  }
});

it('are gone through in as many steps as it takes', async () => {
  const { peer } = channel;
  const step = async (name: string) => (await sandbox.call(ada, name, { peer })).offset;
  expect(await step('messages.readPollVotes')).toBe(COUNT - FITTING);
  expect(await step('messages.readPollVotes')).toBe(0);
  // A commit has each message twice.
  expect(await step('messages.unpinAllMessages')).toBe(COUNT - 1);
  expect(await step('messages.unpinAllMessages')).toBe(COUNT - 2);
});

it('are copied for a new member of a group as far as they fit a commit', async () => {
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const group = await sandbox.aGroup(ada, bob);
  const { id } = await sandbox.newest(ada, group);
  const ids = IDS.map((one) => one + COUNT);
  const lists = [historyKey(ada.userId, `g${group.chatId}`)];
  await fill(userBox(ada.userId), id, { ids, lists });
  const add = { chatId: group.chatId, userId: userOf(eve), fwdLimit: 100 };
  expect((await readCostOf(sandbox, ada, 'messages.addChatUser', add)).parsed).toBeLessThan(1.5 * MIB);
});

it('are deleted with a topic in as many calls as it takes', async () => {
  const { id, peer } = await aChannel(sandbox, ada, { megagroup: true, forum: true });
  const topic = { peer, title: 'Long' };
  const topMsgId = (await sandbox.call(ada, 'messages.createForumTopic', topic)).updates[0].id;
  const replyTo = { _: 'inputReplyToMessage', replyToMsgId: topMsgId, topMsgId };
  await sandbox.send(ada, peer, 'Long', { replyTo });
  const ids = IDS.slice(0, AT_ONCE);
  const lists = [historyKey(0, `c${id}`), historyKey(0, `c${id}`, `t${topMsgId}`)];
  await fill(channelBox(id), (await sandbox.newest(ada, peer)).id, { ids, lists });
  const reading = { peer, msgId: topMsgId, readMaxId: 0 };
  expect((await readCostOf(sandbox, ada, 'messages.readDiscussion', reading)).parsed).toBeLessThan(4.5 * MIB);
  const params = { peer, topMsgId };
  const cost = await readCostOf(sandbox, ada, 'messages.deleteTopicHistory', params);
  expect(cost.parsed).toBeLessThan(4.5 * MIB);
  const offsets: number[] = [];
  do offsets.push((await sandbox.call(ada, 'messages.deleteTopicHistory', params)).offset);
  while (offsets.at(-1) !== 0);
  // A commit has each message once.
  expect(offsets).toEqual([24, 21, 18, 15, 12, 9, 6, 3, 0]);
  expect(await sandbox.refusal(ada, 'messages.deleteTopicHistory', params)).toBe('TOPIC_ID_INVALID');
});

it('are deleted with all that a member has written in as many calls as it takes', async () => {
  const { id, channel: input, peer } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  await sandbox.send(bob, peer, 'Long');
  const ids = IDS.slice(0, 7);
  const lists = [historyKey(0, `c${id}`), sentKey(bob.userId, `c${id}`)];
  await fill(channelBox(id), (await sandbox.newest(ada, peer)).id, { ids, lists });
  const params = { channel: input, participant: peerOf(bob) };
  const offsets: number[] = [];
  do offsets.push((await sandbox.call(ada, 'channels.deleteParticipantHistory', params)).offset);
  while (offsets.at(-1) !== 0);
  expect(offsets).toEqual([5, 2, 0]);
});

it('are forgotten with their channel in as many commits as it takes', async () => {
  const { id, channel: input, peer } = await aChannel(sandbox, ada, { broadcast: true });
  await sandbox.send(ada, peer, 'Long');
  const post = await sandbox.newest(ada, peer);
  const forward = { fromPeer: peer, id: [post.id], randomId: [aRandomId()], toPeer: peerOf(bob) };
  await sandbox.call(ada, 'messages.forwardMessages', forward);
  await fill(channelBox(id), post.id, { lists: [historyKey(0, `c${id}`)] });
  for (const msgId of IDS)
    await sandbox.redis.zadd(stateKey(ada.workspaceId, forwardsKey({ channelId: id, msgId })), 1, '1:1');
  const cost = await readCostOf(sandbox, ada, 'channels.deleteChannel', { channel: input });
  expect(cost.bytes).toBeGreaterThan(3 * MIB);
  expect(cost.bytes).toBeLessThan(4.5 * MIB);
  await sandbox.call(ada, 'channels.deleteChannel', { channel: input });
  expect(await doLater(sandbox, ada)).toBeGreaterThan(0);
  expect((await sandbox.redis.keys('*')).filter((key) => key.includes(`${id}`))).toEqual([]);
});

it('are forgotten with their group in as many commits as it takes', async () => {
  const [carl, dora] = await sandbox.twoAccounts();
  const { chatId } = await sandbox.aGroup(carl, dora);
  const { id } = await sandbox.newest(carl, { _: 'inputPeerChat', chatId });
  const box = userBox(carl.userId);
  await fill(box, id, { of: carl, lists: [historyKey(carl.userId, `g${chatId}`)] });
  const stored = stateKey(carl.workspaceId, messagesKey(box));
  const copies = stateKey(carl.workspaceId, COPIES);
  for (const large of IDS) {
    const message = JSON.parse((await sandbox.redis.hget(stored, `${large}`)) as string);
    await sandbox.redis.hset(stored, `${large}`, JSON.stringify({ ...message, copies: large }));
    await sandbox.redis.hset(copies, `${large}`, '{}');
  }
  await sandbox.order(dora, 'disconnectAccount');
  const cost = await readCostOf(sandbox, carl, 'resetAccount', {});
  expect(cost.bytes).toBeGreaterThan(3 * MIB);
  expect(cost.bytes).toBeLessThan(4.5 * MIB);
  while (!(await sandbox.order(carl, 'resetAccount')).done);
  expect(await sandbox.redis.hmget(copies, ...IDS.map(String))).toEqual(IDS.map(() => null));
});

it('are read as far as a commit can count them when copies of them are forwarded', async () => {
  const [{ id }] = await sandbox.history(ada, channel.peer, { offsetId: FILLED_FROM, limit: 1 });
  const forward = { fromPeer: channel.peer, id: [id], randomId: [aRandomId()], toPeer: SELF };
  await sandbox.call(ada, 'messages.forwardMessages', forward);
  const copy = await sandbox.newest(ada, SELF);
  expect(copy.fwdFrom).toMatchObject({ channelPost: id });
  const box = stateKey(ada.workspaceId, messagesKey(userBox(ada.userId)));
  const stored = JSON.parse((await sandbox.redis.hget(box, `${copy.id}`)) as string);
  const ids = IDS.map((one) => one + 2 * COUNT);
  for (const [i, one] of ids.entries()) {
    const fwdFrom = { ...stored.message.fwdFrom, channelPost: IDS[i] };
    const message = { ...stored.message, id: one, fwdFrom };
    await sandbox.redis.hset(box, `${one}`, JSON.stringify({ ...stored, message }));
  }
  const again = { fromPeer: SELF, id: ids, randomId: ids.map(aRandomId), toPeer: SELF };
  const cost = await refusedCostOf(sandbox, ada, 'messages.forwardMessages', again);
  expect(cost.code).toBe('MESSAGE_TOO_LONG');
  expect(cost.bytes).toBeGreaterThan(1.5 * MIB);
  expect(cost.bytes).toBeLessThan(2.5 * MIB);
});

it('are read a few at once for the difference of an account', async () => {
  const [carl, dora] = await sandbox.twoAccounts();
  await sandbox.send(dora, peerOf(carl), 'Long');
  const box = userBox(carl.userId);
  const { pts, date } = await sandbox.call(carl, 'updates.getState');
  const { id } = await sandbox.newest(carl, peerOf(dora));
  await fill(box, id, { of: carl });
  const counters = stateKey(carl.workspaceId, SEQ);
  await sandbox.redis.hset(counters, `pts:${box}`, pts + COUNT, `msg:${box}`, FILLED_FROM + COUNT - 1);
  const costOf = (since: number) =>
    readCostOf(sandbox, carl, 'updates.getDifference', { pts: since, date: date + 1, qts: 0 });
  const arrived = await costOf(pts - 1);
  expect(arrived.charged).toBeGreaterThan(4 * MIB);
  expect(arrived.charged).toBeLessThan((AT_ONCE + 1) * CHARACTERS);
  // The same messages are edited, and others were deleted again.
  const events = Array.from({ length: COUNT }, (_, i) => ({
    pts: pts + i + 1,
    ptsCount: 1,
    edited: FILLED_FROM + i,
  }));
  const kept = events.flatMap((event) => [event.pts, JSON.stringify(event)]);
  await sandbox.redis.zadd(stateKey(carl.workspaceId, eventsKey(carl.userId)), ...kept);
  await sandbox.redis.hset(counters, `msg:${box}`, FILLED_FROM + 10 * COUNT);
  const next = vi.spyOn(readingSlices, 'next');
  try {
    const edited = await costOf(pts);
    expect(edited.charged).toBeGreaterThan(4 * MIB);
    expect(edited.charged).toBeLessThan((AT_ONCE + 1) * CHARACTERS);
    // Other calls run between two events and two messages.
    expect(next.mock.calls.length).toBeGreaterThanOrEqual(COUNT + FITTING);
  } finally {
    next.mockRestore();
  }
});

it('are read as far as a page goes for the difference of a talk with a channel', async () => {
  const [owner, eve] = await sandbox.twoAccounts();
  const { monoforumId } = await sandbox.seeded(owner);
  const peer = channelOf(monoforumId);
  await sandbox.send(eve, peer, 'Long');
  const box = channelBox(monoforumId);
  await fill(box, (await sandbox.newest(eve, peer)).id, { of: owner });
  const counters = stateKey(owner.workspaceId, SEQ);
  const pts = Number(await sandbox.redis.hget(counters, `pts:${box}`));
  const events = IDS.map((edited, i) => ({ pts: pts + i + 1, ptsCount: 1, edited }));
  const kept = events.flatMap((event) => [event.pts, JSON.stringify(event)]);
  await sandbox.redis.zadd(stateKey(owner.workspaceId, channelEventsKey(monoforumId)), ...kept);
  await sandbox.redis.hset(counters, `pts:${box}`, pts + COUNT, `msg:${box}`, FILLED_FROM + 10 * COUNT);
  const channel = { _: 'inputChannel', channelId: monoforumId, accessHash: '0' };
  const filter = { _: 'channelMessagesFilterEmpty' };
  const params = { channel, filter, pts, limit: 100 };
  const { parsed } = await readCostOf(sandbox, eve, 'updates.getChannelDifference', params);
  expect(parsed).toBeLessThan(4.5 * MIB);
  expect(await sandbox.call(eve, 'updates.getChannelDifference', params)).toMatchObject({
    _: 'updates.channelDifferenceTooLong',
  });
});

it('are charged for and parsed in turns, if they are scheduled', async () => {
  const scheduleDate = Math.floor(Date.now() / 1_000) + 3_600;
  for (let i = 0; i < 3; i += 1)
    await sandbox.send(ada, peerOf(bob), 'x'.repeat(4_000), { scheduleDate: scheduleDate + i });
  const next = vi.spyOn(readingSlices, 'next');
  try {
    const params = { peer: peerOf(bob), hash: '0' };
    const { charged } = await readCostOf(sandbox, ada, 'messages.getScheduledHistory', params);
    expect(charged).toBeGreaterThan(12_000);
    expect(next).toHaveBeenCalledTimes(3);
  } finally {
    next.mockRestore();
  }
});

it('are deleted in as many calls as it takes, and one by one', async () => {
  const { channel: input } = channel;
  const few = { channel: input, id: IDS.slice(0, 10) };
  expect((await sandbox.call(ada, 'channels.deleteMessages', few)).ptsCount).toBe(3);
  expect((await sandbox.call(ada, 'channels.deleteMessages', few)).ptsCount).toBe(3);
  const one = [FILLED_FROM + COUNT - 1];
  expect((await sandbox.call(ada, 'channels.deleteMessages', { channel: input, id: one })).ptsCount).toBe(1);
  expect((await sandbox.call(ada, 'messages.deleteMessages', { id: one })).ptsCount).toBe(1);
});
