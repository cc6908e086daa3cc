import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { ownEntry } from '../../../../src/ledger/entry.ts';
import { stateKey } from '../../../../src/redis/keys.ts';
import { batchReads } from '../../../../src/state/batch-reads.ts';
import { commit } from '../../../../src/state/commit.ts';
import { Transaction } from '../../../../src/state/transaction.ts';
import type { CallContext } from '../../../../workers/driver.ts';
import { messagesKey } from '../../../../workers/sandbox/model/boxes/keys.ts';
import { DUE } from '../../../../workers/sandbox/model/common/due.ts';
import { channelBox, SEQ } from '../../../../workers/sandbox/model/common/keys.ts';
import {
  scheduledDatesKey,
  scheduledKey,
  scheduledSeq,
} from '../../../../workers/sandbox/model/scheduled/keys.ts';
import {
  removeScheduled,
  scheduledField,
} from '../../../../workers/sandbox/model/scheduled/scheduled-messages.ts';
import { aChannel, inputOf } from '../../../support/sandbox/a-channel.ts';
import { doAllDue } from '../../../support/sandbox/do-later.ts';
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
  ada = await anAccount('Ada');
  bob = await anAccount('Bob', ada);
});
afterAll(() => sandbox.close());

const SELF = { _: 'inputPeerSelf' };
const HOUR = 3_600;
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
const schedule = (peer: object, message: string, more: object = {}) =>
  sandbox.send(ada, peer, message, { scheduleDate: inSeconds(HOUR), ...more });
const refuse = (params: object, account = ada) =>
  sandbox.refusal(account, 'messages.sendMessage', {
    peer: peerOf(bob),
    message: 'Later',
    randomId: aRandomId(),
    ...params,
  });
const listed = async (peer: object) =>
  (await sandbox.call(ada, 'messages.getScheduledHistory', { peer, hash: '0' })).messages;
const idOf = (result: { updates: { id: number }[] }) => result.updates[0]?.id as number;

/** An account that has scheduled nothing; a new one has reminders. */
async function anAccount(name = 'Ada', { workspaceId }: { workspaceId?: string } = {}) {
  const account = await sandbox.anAccount(name, workspaceId === undefined ? {} : { workspaceId });
  const { messages } = await sandbox.call(account, 'messages.getScheduledHistory', { peer: SELF, hash: '0' });
  expect(messages).toHaveLength(2);
  const id = messages.map((message: { id: number }) => message.id);
  await sandbox.call(account, 'messages.deleteScheduledMessages', { peer: SELF, id });
  return account;
}

/** Lets the time come for what the account has scheduled. */
async function makeDue({ workspaceId, userId }: SandboxAccount): Promise<void> {
  const { redis } = sandbox;
  const dates = stateKey(workspaceId, scheduledDatesKey(userId));
  for (const field of await redis.zrange(dates, '0', '-1')) await redis.zadd(dates, 1, field);
  await redis.zadd(stateKey(workspaceId, DUE), 1, String(userId));
}

const doDueWork = (account = ada) => doAllDue(sandbox, account);

it('keeps a message for later, and shows it to its author alone', async () => {
  const { result, updates } = await sandbox.watch(ada, () => schedule(peerOf(bob), 'Later'));
  expect(result.updates).toMatchObject([
    { _: 'updateMessageID' },
    {
      _: 'updateNewScheduledMessage',
      message: { message: 'Later', out: true, peerId: { userId: bob.userId } },
    },
  ]);
  const id = idOf(result);
  expect(updates).toMatchObject([
    {
      accountId: ada.id,
      update: { _: 'updateNewScheduledMessage', message: { id, date: expect.any(Number) } },
    },
  ]);
  expect(await sandbox.history(bob, peerOf(ada))).toEqual([]);
  expect(await listed(peerOf(bob))).toMatchObject([{ id, message: 'Later' }]);
  const some = { peer: peerOf(bob), id: [id, 999] };
  expect((await sandbox.call(ada, 'messages.getScheduledMessages', some)).messages).toMatchObject([
    { id, message: 'Later' },
    { _: 'messageEmpty', id: 999 },
  ]);
  const gone = await sandbox.call(ada, 'messages.deleteScheduledMessages', some);
  expect(gone.updates).toMatchObject([{ _: 'updateDeleteScheduledMessages', messages: [id] }]);
  expect(await listed(peerOf(bob))).toEqual([]);
  expect((await sandbox.call(ada, 'messages.deleteScheduledMessages', some)).updates).toEqual([]);
});

it('sends what is due in order, to everybody concerned', async () => {
  const group = await sandbox.aGroup(ada, bob);
  const ids = [idOf(await schedule(group, `First @${bob.username}`)), idOf(await schedule(group, 'Second'))];
  const poll = {
    _: 'poll',
    id: '0',
    hash: '0',
    question: text('Really?'),
    answers: [answer('Yes'), answer('No')],
  };
  const media = { _: 'inputMediaPoll', poll };
  const scheduleDate = inSeconds(2 * HOUR);
  const asked = { peer: group, media, message: '', randomId: aRandomId(), scheduleDate };
  ids.push(idOf(await sandbox.call(ada, 'messages.sendMedia', asked)));
  await makeDue(ada);
  const { updates } = await sandbox.watch(ada, () => doDueWork());
  const [question, second, first] = await sandbox.history(bob, group);
  expect([first, second]).toMatchObject([
    { message: `First @${bob.username}`, mentioned: true, fromScheduled: true, out: false },
    { message: 'Second', fromScheduled: true },
  ]);
  expect(question.media).toMatchObject({ _: 'messageMediaPoll', poll: { question: text('Really?') } });
  await sandbox.call(bob, 'messages.sendVote', { peer: group, msgId: question.id, options: ['MA=='] });
  const told = updates.filter(({ update }) => update._ === 'updateDeleteScheduledMessages');
  expect(told.flatMap(({ update }) => update.messages)).toEqual(ids);
  const own = (await sandbox.history(ada, group)).slice(0, 3).map(({ id }) => id);
  expect(told.flatMap(({ update }) => update.sentMessages)).toEqual(own.reverse());
  expect(await listed(group)).toEqual([]);
  await doDueWork();
  expect(await sandbox.redis.zcard(stateKey(ada.workspaceId, DUE))).toBe(0);
});

it('sends the messages of one second in order, also behind many others', async () => {
  const eve = await anAccount('Eve', ada);
  const ids: number[] = [];
  for (let n = 0; n < 10; n += 1) await schedule(peerOf(bob), 'First');
  const id = Array.from({ length: 80 }, () => 1);
  const copies = { fromPeer: SELF, toPeer: peerOf(eve), id, randomId: id.map(aRandomId) };
  await sandbox.call(ada, 'messages.forwardMessages', { ...copies, scheduleDate: inSeconds(HOUR) });
  await sandbox.redis.hset(stateKey(ada.workspaceId, SEQ), scheduledSeq(ada.userId), 990);
  for (let n = 0; n < 30; n += 1) ids.push(idOf(await schedule(peerOf(bob), 'Last')));
  await makeDue(ada);
  const dates = stateKey(ada.workspaceId, scheduledDatesKey(ada.userId));
  for (const last of ids) await sandbox.redis.zadd(dates, 2, `u${bob.userId}:${last}`);
  const { updates } = await sandbox.watch(ada, () => doDueWork());
  const told = updates.filter(({ update }) => update._ === 'updateDeleteScheduledMessages');
  const sent = told.flatMap(({ update }) => update.messages);
  expect(sent.filter((one) => ids.includes(one))).toEqual(ids);
});

const text = (plain: string) => ({ _: 'textWithEntities', text: plain, entities: [] });
const answer = (plain: string) => ({
  _: 'pollAnswer',
  text: text(plain),
  option: Buffer.from(plain === 'Yes' ? '0' : '1').toString('base64'),
});

it('sends now what is scheduled with an answer to a message, an album and a forward', async () => {
  await sandbox.send(bob, peerOf(ada), 'Question');
  const { id: replyToMsgId } = await sandbox.newest(ada, peerOf(bob));
  const replyTo = { _: 'inputReplyToMessage', replyToMsgId };
  const ids = [idOf(await schedule(peerOf(bob), 'Answer', { replyTo }))];
  expect((await listed(peerOf(bob)))[0]).toMatchObject({ replyTo: { replyToMsgId } });
  const file = await sandbox.upload(ada, Buffer.from('Bytes'));
  const uploaded = { _: 'inputMediaUploadedDocument', file, mimeType: 'text/plain', attributes: [] };
  const { document } = await sandbox.call(ada, 'messages.uploadMedia', { peer: SELF, media: uploaded });
  const media = { _: 'inputMediaDocument', id: { ...document, _: 'inputDocument' } };
  const { id: documentId, accessHash, fileReference } = document;
  media.id = { _: 'inputDocument', id: documentId, accessHash, fileReference };
  const item = () => ({ _: 'inputSingleMedia', media, message: '', randomId: aRandomId() });
  const album = { peer: peerOf(bob), multiMedia: [item(), item()], scheduleDate: inSeconds(HOUR) };
  const { updates } = await sandbox.call(ada, 'messages.sendMultiMedia', album);
  ids.push(updates[0].id, updates[1].id);
  const forward = { fromPeer: SELF, id: [1], randomId: [aRandomId()], toPeer: peerOf(bob) };
  const forwarded = await sandbox.watch(ada, () =>
    sandbox.call(ada, 'messages.forwardMessages', { ...forward, scheduleDate: inSeconds(HOUR) }),
  );
  expect(forwarded.result).toEqual({ _: 'updatesTooLong' });
  const [told, shown] = forwarded.updates.map(({ update }) => update);
  expect(told).toEqual({ _: 'updateMessageID', id: shown.message.id, randomId: forward.randomId[0] });
  ids.push(told.id);
  const sent = await sandbox.call(ada, 'messages.sendScheduledMessages', { peer: peerOf(bob), id: ids });
  expect(sent.updates[0]).toMatchObject({ _: 'updateDeleteScheduledMessages', messages: ids });
  const received = (await sandbox.history(bob, peerOf(ada))).slice(0, 4).reverse();
  expect(received).toMatchObject([
    { message: 'Answer', replyTo: { _: 'messageReplyHeader' } },
    { media: { document: { id: documentId } } },
    { groupedId: received[1].groupedId },
    { fwdFrom: { fromId: { userId: ada.userId } } },
  ]);
  const again = { peer: peerOf(bob), id: ids };
  expect(await sandbox.refusal(ada, 'messages.sendScheduledMessages', again)).toBe('MESSAGE_ID_INVALID');
});

it('counts every forward of a post that is sent with others', async () => {
  const { peer: fromPeer } = await aChannel(sandbox, bob, { broadcast: true }, ada);
  await sandbox.send(bob, fromPeer, 'News');
  const { id } = await sandbox.newest(ada, fromPeer);
  const forward = { fromPeer, id: [id], toPeer: peerOf(bob), scheduleDate: inSeconds(HOUR) };
  for (const randomId of [aRandomId(), aRandomId()])
    await sandbox.call(ada, 'messages.forwardMessages', { ...forward, randomId: [randomId] });
  await makeDue(ada);
  await doDueWork();
  expect(await sandbox.newest(ada, fromPeer)).toMatchObject({ id, forwards: 2 });
});

/** Makes those messages of a hash long that have three dots. */
async function lengthen(name: string, characters: number): Promise<void> {
  const key = stateKey(ada.workspaceId, name);
  for (const [field, raw] of Object.entries(await sandbox.redis.hgetall(key)))
    await sandbox.redis.hset(key, field, raw.replace('...', '.'.repeat(characters)));
}

it('counts the forwards of posts that have grown meanwhile, fewer at once', async () => {
  const { id: channelId, peer: fromPeer } = await aChannel(sandbox, ada, { broadcast: true });
  for (let n = 0; n < 16; n += 1) await sandbox.send(ada, fromPeer, `${n}...`);
  const posts = (await sandbox.history(ada, fromPeer)).filter(({ _ }) => _ === 'message').reverse();
  const id = posts.map((post) => post.id);
  const forward = { fromPeer, id, randomId: id.map(aRandomId), toPeer: SELF };
  await sandbox.call(ada, 'messages.forwardMessages', { ...forward, scheduleDate: inSeconds(HOUR) });
  const behind = scheduledField(`u${bob.userId}`, idOf(await schedule(peerOf(bob), 'Behind them')));
  await lengthen(messagesKey(channelBox(channelId)), 66_000);
  await makeDue(ada);
  await sandbox.redis.zadd(stateKey(ada.workspaceId, scheduledDatesKey(ada.userId)), 2, behind);
  await doDueWork();
  const sent = (await sandbox.history(ada, SELF)).slice(0, 16).reverse();
  expect(sent.map(({ message }) => message)).toEqual(id.map((_, n) => `${n}...`));
  const counted = (await sandbox.history(ada, fromPeer)).filter(({ _ }) => _ === 'message');
  expect(counted.map(({ forwards }) => forwards)).toEqual(id.map(() => 1));
  expect((await sandbox.newest(bob, peerOf(ada))).message).toBe('Behind them');
});

it('sends a forward also if its post has grown so long that no commit counts it besides', async () => {
  const [from, to] = [
    await aChannel(sandbox, ada, { broadcast: true }),
    await aChannel(sandbox, ada, { broadcast: true }),
  ];
  await sandbox.send(ada, from.peer, 'Long...');
  const { id } = await sandbox.newest(ada, from.peer);
  const forward = { fromPeer: from.peer, id: [id], randomId: [aRandomId()], toPeer: to.peer };
  await sandbox.call(ada, 'messages.forwardMessages', { ...forward, scheduleDate: inSeconds(HOUR) });
  await lengthen(messagesKey(channelBox(from.id)), 270_000);
  await lengthen(scheduledKey(ada.userId), 270_000);
  await makeDue(ada);
  await doDueWork();
  expect((await sandbox.newest(ada, to.peer)).fwdFrom).toMatchObject({ channelPost: id });
  expect((await sandbox.newest(ada, from.peer)).forwards).toBe(0);
  expect(await listed(to.peer)).toEqual([]);
});

it('deletes what cannot be sent any more, and what a disconnected account has scheduled', async () => {
  const account = await anAccount('Cleo', { workspaceId: ada.workspaceId });
  await sandbox.send(account, peerOf(bob), 'Later', { scheduleDate: inSeconds(HOUR) });
  await sandbox.call(bob, 'contacts.block', { id: peerOf(account) });
  await makeDue(account);
  const { updates } = await sandbox.watch(ada, () => doDueWork());
  expect(updates).toMatchObject([
    { accountId: account.id, update: { _: 'updateDeleteScheduledMessages', messages: [3] } },
  ]);
  expect(updates[0]?.update).not.toHaveProperty('sentMessages');
  await sandbox.send(account, SELF, 'Later', { scheduleDate: inSeconds(HOUR) });
  await sandbox.order(account, 'disconnectAccount');
  await makeDue(account);
  await doDueWork();
  expect(await sandbox.redis.exists(stateKey(ada.workspaceId, scheduledKey(account.userId)))).toBe(0);
  expect(await sandbox.redis.zscore(stateKey(ada.workspaceId, DUE), String(account.userId))).toBeNull();
});

it('keeps to the topic, or to the user of a monoforum, when the answered message is gone, and sends nothing to a topic that is gone', async () => {
  const params = { megagroup: true, forum: true };
  const [{ peer, channel }, { channelId }] = await Promise.all([
    aChannel(sandbox, ada, params),
    sandbox.seeded(ada),
  ]);
  const aTopic = async (title: string) =>
    idOf(await sandbox.call(ada, 'messages.createForumTopic', { peer, title, randomId: aRandomId() }));
  const [kept, gone] = [await aTopic('Kept'), await aTopic('Gone')];
  const within = (topMsgId: number, replyToMsgId = topMsgId) => ({
    replyTo: { _: 'inputReplyToMessage', replyToMsgId, topMsgId },
  });
  const asked = idOf(await sandbox.send(ada, peer, 'Question', within(kept)));
  await schedule(peer, 'Answer', within(kept, asked));
  await schedule(peer, 'To a topic that will be gone', within(gone));
  await sandbox.call(ada, 'channels.deleteMessages', { channel, id: [asked] });
  await sandbox.call(ada, 'messages.deleteTopicHistory', { peer, topMsgId: gone });
  const { chats } = await sandbox.call(ada, 'channels.getChannels', { id: [inputOf(channelId)] });
  const mono = channelOf(chats[0].linkedMonoforumId);
  const toBob = { monoforumPeerId: peerOf(bob) };
  const { id } = (await sandbox.send(bob, mono, 'A question')).updates[0];
  await schedule(mono, 'For Bob', {
    replyTo: { _: 'inputReplyToMessage', replyToMsgId: id, ...toBob },
  });
  // Who writes to an administrator need not be named: the message says it.
  await schedule(mono, 'For Bob too', { replyTo: { _: 'inputReplyToMessage', replyToMsgId: id } });
  await sandbox.call(ada, 'channels.deleteMessages', { channel: inputOf(mono.channelId), id: [id] });
  await makeDue(ada);
  await doDueWork();
  const [answer, before] = await sandbox.history(ada, peer);
  expect(answer).toMatchObject({ message: 'Answer', replyTo: { forumTopic: true, replyToMsgId: kept } });
  expect(before).toMatchObject({ _: 'messageService' });
  const received = (await sandbox.history(bob, mono)).map(({ message }) => message);
  expect(received.toSorted()).toEqual(['For Bob', 'For Bob too']);
});

it('takes nothing for later that may not be sent now', async () => {
  const [dan, gone] = await Promise.all(
    ['Dan', 'Gone'].map((name) => sandbox.anAccount(name, { workspaceId: ada.workspaceId })),
  );
  if (!dan || !gone) throw new Error('no accounts');
  await sandbox.call(dan, 'contacts.block', { id: peerOf(ada) });
  const later = { scheduleDate: inSeconds(HOUR) };
  expect(await refuse({ ...later, peer: peerOf(dan) })).toBe('USER_IS_BLOCKED');
  await sandbox.order(gone, 'disconnectAccount');
  expect(await refuse({ ...later, peer: peerOf(gone) })).toBe('INPUT_USER_DEACTIVATED');
  const group = await sandbox.aGroup(bob, ada);
  const bannedRights = { _: 'chatBannedRights', sendPlain: true, untilDate: 0 };
  await sandbox.call(bob, 'messages.editChatDefaultBannedRights', { peer: group, bannedRights });
  expect(await refuse({ ...later, peer: group })).toBe('CHAT_SEND_PLAIN_FORBIDDEN');
});

it('sends all that a member of a supergroup in slow mode has scheduled', async () => {
  const { channel, peer } = await aChannel(sandbox, bob, { megagroup: true }, ada);
  await sandbox.call(bob, 'channels.toggleSlowMode', { channel, seconds: 900 });
  for (const text of ['First', 'Second']) await schedule(peer, text);
  await sandbox.send(ada, peer, 'Before');
  await makeDue(ada);
  await doDueWork();
  const said = (await sandbox.history(ada, peer)).slice(0, 3).map(({ message }) => message);
  expect(said).toEqual(['Second', 'First', 'Before']);
});

it('is done at most once, however many do it at the same time', async () => {
  const account = await anAccount();
  await sandbox.send(account, SELF, 'Once', { scheduleDate: inSeconds(HOUR) });
  await makeDue(account);
  await Promise.all([1, 2, 3, 4].map(() => doDueWork(account)));
  const texts = (await sandbox.history(account, SELF)).map(({ message }) => message);
  expect(texts.filter((message) => message === 'Once')).toHaveLength(1);
});

it('loses nothing that is scheduled while the last before it goes', async () => {
  const account = await anAccount();
  const later = async (hours: number) =>
    idOf(await sandbox.send(account, SELF, 'Later', { scheduleDate: inSeconds(hours * HOUR) }));
  const field = scheduledField(`u${account.userId}`, await later(1));
  const tx = new Transaction(batchReads(sandbox.redis), account.workspaceId);
  await removeScheduled({ tx, account } as unknown as CallContext, [field]);
  await later(2);
  const entry = ownEntry({ ...account, id: newId('call'), notAfter: Date.now() + HOUR * 1_000 });
  expect(await commit(sandbox.redis, entry, tx, { result: '{}' }, '1')).toMatchObject({ kind: 'conflict' });
});

it('looks again when a message is due, though it was looked for too early', async () => {
  const account = await anAccount();
  const { updates } = await sandbox.send(account, SELF, 'Later', { scheduleDate: inSeconds(HOUR) });
  const due = stateKey(account.workspaceId, DUE);
  await sandbox.redis.zadd(due, 1, String(account.userId));
  await doDueWork(account);
  expect(Number(await sandbox.redis.zscore(due, String(account.userId)))).toBe(updates[1].message.date);
});

it('puts off an account whose messages cannot be sent now, so that others have their turn', async () => {
  const account = await anAccount();
  const other = await anAccount('Bea', { workspaceId: account.workspaceId });
  for (const one of [account, other]) {
    await sandbox.send(one, SELF, 'Later', { scheduleDate: inSeconds(HOUR) });
    await makeDue(one);
  }
  const nobody = { ...account, id: '', userId: 0 };
  await sandbox.order(nobody, 'doDueWork', { hasFailed: true });
  await doDueWork(account);
  const texts = async (of: SandboxAccount) =>
    (await sandbox.history(of, SELF)).map(({ message }) => message).filter((text) => text === 'Later');
  expect([await texts(account), await texts(other)].flat()).toEqual(['Later']);
  const [, next] = await sandbox.redis.zrange(stateKey(account.workspaceId, DUE), '0', '-1', 'WITHSCORES');
  expect(Number(next)).toBeGreaterThan(1);
});

it('deletes large messages, all at once, and sends them some at a time in order', async () => {
  const account = await anAccount();
  const scheduleDate = inSeconds(HOUR);
  const ids: number[] = [];
  for (let n = 0; n < 20; n += 1)
    ids.push(idOf(await sandbox.send(account, SELF, `${n}!`, { scheduleDate })));
  const records = stateKey(account.workspaceId, scheduledKey(account.userId));
  for (const [field, raw] of Object.entries(await sandbox.redis.hgetall(records)))
    await sandbox.redis.hset(records, field, raw.replace('!"', `!${'.'.repeat(100_000)}"`));
  const some = { peer: SELF, id: ids.slice(0, 12) };
  const { updates } = await sandbox.call(account, 'messages.deleteScheduledMessages', some);
  expect(updates).toMatchObject([{ messages: some.id }]);
  await makeDue(account);
  await doDueWork(account);
  const texts = (await sandbox.history(account, SELF)).map(({ message }) => parseInt(message, 10)).reverse();
  expect(texts.slice(-8)).toEqual([12, 13, 14, 15, 16, 17, 18, 19]);
});

it('sends at once what is to be sent within seconds, and refuses wrong dates', async () => {
  await schedule(peerOf(bob), 'Now', { scheduleDate: inSeconds(3) });
  expect((await sandbox.newest(bob, peerOf(ada))).message).toBe('Now');
  expect(await refuse({ scheduleDate: inSeconds(366 * 24 * HOUR) })).toBe('SCHEDULE_DATE_TOO_LATE');
  expect(await refuse({ scheduleDate: -1 })).toBe('SCHEDULE_DATE_INVALID');
  expect(await refuse({ scheduleDate: 0x7ffffffe })).toBe('SCHEDULE_STATUS_PRIVATE');
  const bot = await sandbox.anAccount('Bot', { workspaceId: ada.workspaceId, bot: true });
  expect(await refuse({ scheduleDate: inSeconds(HOUR) }, bot)).toBe('SCHEDULE_BOT_NOT_ALLOWED');
  const { openChannelId } = await sandbox.seeded(ada);
  expect(await refuse({ peer: channelOf(openChannelId), scheduleDate: inSeconds(HOUR) })).toBe(
    'CHAT_WRITE_FORBIDDEN',
  );
});

it('takes 100 messages for a conversation, and 1,000 for all', async () => {
  const account = await anAccount();
  const dates = stateKey(account.workspaceId, scheduledDatesKey(account.userId));
  const params = { scheduleDate: inSeconds(HOUR), randomId: aRandomId(), message: 'Later', peer: SELF };
  const own = `u${account.userId}`;
  for (let n = 0; n < 100; n += 1) await sandbox.redis.zadd(dates, inSeconds(HOUR), `${own}:${n + 1_000}`);
  expect(await sandbox.refusal(account, 'messages.sendMessage', params)).toBe('SCHEDULE_TOO_MUCH');
  await sandbox.redis.zrem(dates, `${own}:1000`);
  await sandbox.call(account, 'messages.sendMessage', params);
  for (let n = 0; n < 900; n += 1) await sandbox.redis.zadd(dates, inSeconds(HOUR), `u7:${n + 1_000}`);
  const { contactId } = await sandbox.seeded(account);
  const peer = { _: 'inputPeerUser', userId: contactId, accessHash: '0' };
  const other = { ...params, peer, randomId: aRandomId() };
  expect(await sandbox.refusal(account, 'messages.sendMessage', other)).toBe('SCHEDULE_TOO_MUCH');
});

it('begins the period of a poll when it is sent', async () => {
  const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
  const answers = ['a', 'b'].map((name) => ({
    _: 'pollAnswer',
    text: text(name),
    option: Buffer.from(name).toString('base64'),
  }));
  const poll = { _: 'poll', id: '0', hash: '0', question: text('Which?'), answers, closePeriod: 600 };
  const media = { _: 'inputMediaPoll', poll };
  const params = {
    peer: peerOf(bob),
    media,
    message: '',
    randomId: aRandomId(),
    scheduleDate: inSeconds(HOUR),
  };
  const id = idOf(await sandbox.call(ada, 'messages.sendMedia', params));
  // By a second later it would have begun with the scheduling.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await sandbox.call(ada, 'messages.sendScheduledMessages', { peer: peerOf(bob), id: [id] });
  const { date, media: shown } = await sandbox.newest(bob, peerOf(ada));
  expect(shown.poll.closeDate).toBe(date + 600);
  const vote = {
    peer: peerOf(ada),
    msgId: (await sandbox.newest(bob, peerOf(ada))).id,
    options: [answers[0]?.option],
  };
  await sandbox.call(bob, 'messages.sendVote', vote);
});
