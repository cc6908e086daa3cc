import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateKey } from '../../../src/redis/keys.ts';
import { CHATS } from '../../../workers/sandbox/model/chats/keys.ts';
import { channelBox, userBox } from '../../../workers/sandbox/model/common/keys.ts';
import { contactsKey } from '../../../workers/sandbox/model/people/keys.ts';
import { aChannel } from '../../support/sandbox/a-channel.ts';
import { FILLED_FROM } from '../../support/sandbox/large-account.ts';
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
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const KIB = 1_024;
const SELF = { _: 'inputPeerSelf' };

describe('a checksum', () => {
  const params = (file: object) => ({
    peer: SELF,
    media: { _: 'inputMediaUploadedDocument', file, mimeType: 'text/plain', attributes: [] },
    message: '',
    randomId: aRandomId(),
  });
  const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');

  it('is that of the parts as they are now, though it is kept', async () => {
    const [first, second] = [Buffer.alloc(2 * KIB, 'a'), Buffer.alloc(2 * KIB, 'b')];
    const file = { ...(await sandbox.upload(ada, first)), md5Checksum: md5(second) };
    const refuse = () => sandbox.refusal(ada, 'messages.sendMedia', params(file));
    expect(await refuse()).toBe('MD5_CHECKSUM_INVALID');
    expect(await refuse()).toBe('MD5_CHECKSUM_INVALID');
    for (const filePart of [0, 1]) {
      const bytes = second.subarray(filePart * KIB, (filePart + 1) * KIB).toString('base64');
      await sandbox.call(ada, 'upload.saveFilePart', { fileId: file.id, filePart, bytes });
    }
    await sandbox.call(ada, 'messages.sendMedia', params(file));
    await sandbox.call(ada, 'messages.sendMedia', params(file));
  });

  it('is read once, however many calls name it at the same time', async () => {
    const bytes = Buffer.alloc(2 * KIB * KIB, 'c');
    const file = { ...(await sandbox.upload(ada, bytes, 256 * KIB)), md5Checksum: md5(bytes) };
    const before = await outputBytes();
    await Promise.all(
      Array.from({ length: 20 }, () => sandbox.call(ada, 'messages.sendMedia', params(file))),
    );
    expect((await outputBytes()) - before).toBeLessThan(2 * (bytes.length / 3) * 4);
  });

  it('is not taken for more than 10 MiB', async () => {
    const bytes = Buffer.alloc(10 * KIB * KIB + KIB, 'd');
    const file = await sandbox.upload(ada, bytes, 512 * KIB);
    const summed = { ...file, md5Checksum: md5(bytes) };
    expect(await sandbox.refusal(ada, 'messages.sendMedia', params(summed))).toBe('FILE_PARTS_INVALID');
    await sandbox.call(ada, 'messages.sendMedia', params(file));
  });
});

async function outputBytes(): Promise<number> {
  const info = await sandbox.redis.info('stats');
  return Number(/total_net_output_bytes:(\d+)/.exec(info)?.[1]);
}

describe('a list', () => {
  it('of contacts ends at 3,000', async () => {
    const account = await sandbox.anAccount();
    const { friendId } = await sandbox.seeded(account);
    const key = stateKey(account.workspaceId, contactsKey(account.userId));
    const fields = Array.from({ length: 3_000 }, (_, i) => [`${FILLED_FROM + i}`, '{"mutual":false}']).flat();
    await sandbox.redis.hset(key, ...fields);
    const params = { firstName: 'A', lastName: '', phone: '' };
    const friend = { _: 'inputUser', userId: friendId, accessHash: '0' };
    expect(await sandbox.refusal(account, 'contacts.addContact', { ...params, id: friend })).toBe(
      'USERS_TOO_MUCH',
    );
    await sandbox.redis.hset(key, String(friendId), '{"mutual":false}');
    await sandbox.call(account, 'contacts.addContact', { ...params, id: friend });
  });

  it('of users to begin a group with ends at twice its size', async () => {
    const users = Array(181).fill(userOf(bob));
    const params = { title: 'Group', users };
    expect(await sandbox.refusal(ada, 'messages.createChat', params)).toBe('USERS_TOO_MUCH');
    await sandbox.call(ada, 'messages.createChat', { title: 'Group', users: users.slice(1) });
  });

  it('of groups that privacy rules name ends at 100', async () => {
    const ids = Array.from({ length: 101 }, (_, i) => 1_500_000_000 + i);
    const { chatId } = await sandbox.aGroup(ada, bob);
    const chatsKey = stateKey(ada.workspaceId, CHATS);
    const group = (await sandbox.redis.hget(chatsKey, String(chatId))) as string;
    const groups = ids.map((id) => [id, group.replace(String(chatId), String(id))]);
    await sandbox.redis.hset(chatsKey, Object.fromEntries(groups));
    const allow = (chats: number[]) => ({ _: 'inputPrivacyValueAllowChatParticipants', chats });
    const disallow = (chats: number[]) => ({ _: 'inputPrivacyValueDisallowChatParticipants', chats });
    const key = { _: 'inputPrivacyKeyChatInvite' };
    const rules = [allow(ids.slice(0, 60)), disallow(ids.slice(60))];
    expect(await sandbox.refusal(ada, 'account.setPrivacy', { key, rules })).toBe('PRIVACY_TOO_LONG');
    await sandbox.call(ada, 'account.setPrivacy', {
      key,
      rules: [allow(ids.slice(0, 60)), disallow(ids.slice(60, 100))],
    });
  });

  it('of words to search for ends at 250 characters', async () => {
    const search = (q: string) => ({
      peer: SELF,
      q,
      filter: { _: 'inputMessagesFilterEmpty' },
      minDate: 0,
      maxDate: 0,
      ...WHOLE,
    });
    const { offsetDate: _, ...longest } = search('x'.repeat(250)) as Record<string, unknown>;
    await sandbox.call(ada, 'messages.search', longest);
    expect(await sandbox.refusal(ada, 'messages.search', { ...longest, q: 'x'.repeat(251) })).toBe(
      'MESSAGE_TOO_LONG',
    );
  });
});

describe('a page of large messages', () => {
  const COUNT = 60;
  let account: SandboxAccount;

  // Each as large as a rich message may be.
  beforeAll(async () => {
    account = await sandbox.anAccount();
    await sandbox.send(account, SELF, 'A message');
    const [{ id }] = await sandbox.history(account, SELF, { limit: 1 });
    const key = stateKey(account.workspaceId, `messages:${userBox(account.userId)}`);
    const history = stateKey(account.workspaceId, `history:${account.userId}:u${account.userId}`);
    const stored = JSON.parse((await sandbox.redis.hget(key, String(id))) as string);
    for (let n = 1; n <= COUNT; n += 1) {
      const message = { ...stored.message, id: FILLED_FROM + n, message: 'x '.repeat(100_000) };
      await sandbox.redis.hset(key, String(message.id), JSON.stringify({ ...stored, message }));
      await sandbox.redis.zadd(history, message.id, message.id);
    }
  });

  it('holds as many as fit, and the next goes on behind them', async () => {
    const seen: number[] = [];
    for (let offsetId = 0; ; offsetId = seen.at(-1) as number) {
      const page = await sandbox.call(account, 'messages.getHistory', { peer: SELF, ...WHOLE, offsetId });
      expect(JSON.stringify(page).length).toBeLessThan(5 * KIB * KIB);
      if (seen.length === 0) expect(page._).toBe('messages.messagesSlice');
      if (page.messages.length === 0) break;
      seen.push(...page.messages.map((message: { id: number }) => message.id));
    }
    expect(seen.length).toBeGreaterThan(COUNT);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('is refused where it was asked for by ids', async () => {
    const id = Array.from({ length: COUNT }, (_, i) => ({ _: 'inputMessageID', id: FILLED_FROM + 1 + i }));
    expect(await sandbox.refusal(account, 'messages.getMessages', { id })).toBe('RESULTS_TOO_MUCH');
    const few = await sandbox.call(account, 'messages.getMessages', { id: id.slice(0, 10) });
    expect(few.messages).toHaveLength(10);
  });

  it('holds as many topics as fit with their newest messages', async () => {
    const { peer, id } = await aChannel(sandbox, account, { megagroup: true, forum: true });
    const topics: number[] = [1];
    for (let n = 0; n < 25; n += 1) {
      const title = `Topic ${n}`;
      topics.push((await sandbox.call(account, 'messages.createForumTopic', { peer, title })).updates[0].id);
    }
    const key = stateKey(account.workspaceId, `messages:${channelBox(id)}`);
    for (const topicId of topics) {
      const replyTo = { _: 'inputReplyToMessage', replyToMsgId: topicId, topMsgId: topicId };
      await sandbox.send(account, peer, 'Long', { replyTo });
    }
    for (const [field, raw] of Object.entries(await sandbox.redis.hgetall(key)))
      await sandbox.redis.hset(key, field, raw.replace('"Long"', `"${'x '.repeat(100_000)}"`));
    const seen: number[] = [];
    const page = { peer, offsetDate: 0, offsetId: 0, offsetTopic: 0, limit: 100 };
    for (let pages = 0; pages < topics.length; pages += 1) {
      const found = await sandbox.call(account, 'messages.getForumTopics', page);
      expect(found.count).toBe(topics.length);
      if (found.topics.length === 0) break;
      const shown = found.messages.map((message: { id: number }) => message.id);
      expect(found.topics.map(({ topMessage }: { topMessage: number }) => topMessage)).toEqual(shown);
      seen.push(...found.topics.map((topic: { id: number }) => topic.id));
      page.offsetDate = found.messages.at(-1).date;
      page.offsetTopic = seen.at(-1) as number;
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual(topics);
    const named = { peer, topics };
    expect(await sandbox.refusal(account, 'messages.getForumTopicsByID', named)).toBe('RESULTS_TOO_MUCH');
  });

  it('is searched as far as 2 MiB go', async () => {
    const { offsetDate: _, ...window } = WHOLE;
    const filter = { _: 'inputMessagesFilterEmpty' };
    const params = { peer: SELF, q: 'nothing', filter, minDate: 0, maxDate: 0, ...window };
    const before = await outputBytes();
    await sandbox.call(account, 'messages.search', params);
    expect((await outputBytes()) - before).toBeLessThan(24 * KIB * KIB);
  });
});

it('windows far away begin where they should', async () => {
  const [one, other] = await sandbox.twoAccounts();
  const texts = Array.from({ length: 230 }, (_, i) => `${i}`);
  for (const text of texts) await sandbox.send(one, peerOf(other), text);
  const asked = async (window: object) =>
    (await sandbox.history(one, peerOf(other), window)).map(({ message }) => message);
  const newest = texts.toReversed();
  const [{ id: newestId }] = await sandbox.history(one, peerOf(other), { limit: 1 });
  expect(await asked({ addOffset: 150, limit: 10 })).toEqual(newest.slice(150, 160));
  const middle = { offsetId: newestId - 20, limit: 10 };
  expect(await asked({ ...middle, addOffset: 150 })).toEqual(newest.slice(171, 181));
  const old = { offsetId: newestId - 200, limit: 10 };
  expect(await asked({ ...old, addOffset: -150 })).toEqual(newest.slice(51, 61));
  expect(await asked({ ...old, addOffset: -2_000 })).toEqual([]);
  expect(await asked({ addOffset: 2 ** 31 - 1 })).toEqual([]);
});

it('reads mentions in long messages in as many calls as it takes', async () => {
  const [one, other] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(one, other);
  const text = `@${one.username} ${'x'.repeat(4_000)}`;
  await Promise.all(Array.from({ length: 120 }, () => sandbox.send(other, group, text)));
  const left: number[] = [];
  do {
    const { offset } = await sandbox.call(one, 'messages.readMentions', { peer: group });
    left.push(offset);
  } while (left.at(-1) !== 0 && left.length < 10);
  expect(left.length).toBeGreaterThan(1);
  expect(left.at(-1)).toBe(0);
});

it('reads the contents of long messages in as many calls as it takes', async () => {
  const [one, other] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(one, other);
  const text = `@${one.username} ${'x'.repeat(4_000)}`;
  const entities = Array.from({ length: 60 }, (_, i) => ({
    _: 'messageEntityBold',
    offset: 60 * i + 30,
    length: 1,
  }));
  await Promise.all(Array.from({ length: 100 }, () => sandbox.send(other, group, text, { entities })));
  const id = (await sandbox.history(one, group)).map((message) => message.id);
  const read: number[] = [];
  do read.push((await sandbox.call(one, 'messages.readMessageContents', { id })).ptsCount);
  while (read.at(-1) !== 0 && read.length < 10);
  expect(read.length).toBeGreaterThan(2);
  expect(read.reduce((sum, count) => sum + count)).toBe(100);
});

it('pages through conversations of one date, and goes on behind one that has moved up', async () => {
  const account = await sandbox.anAccount();
  const key = stateKey(account.workspaceId, `dialogs:${account.userId}`);
  const { contactId } = await sandbox.seeded(account);
  const fillers = Array.from({ length: 30 }, (_, i) => `u${FILLED_FROM + i}`);
  const users = stateKey(account.workspaceId, 'users');
  const contact = JSON.parse((await sandbox.redis.hget(users, String(contactId))) as string);
  for (const [i, peer] of fillers.entries()) {
    await sandbox.redis.zadd(key, 1_000, peer);
    await sandbox.redis.hset(users, peer.slice(1), JSON.stringify({ ...contact, id: FILLED_FROM + i }));
  }
  const page = async (offsetDate: number, offsetPeer: object) =>
    (
      await sandbox.call(account, 'messages.getDialogs', {
        offsetDate,
        offsetId: 0,
        offsetPeer,
        limit: 7,
        hash: '0',
      })
    ).dialogs.map(({ peer }: { peer: { userId?: number } }) => peer.userId ?? 0);
  const seen: number[] = await page(1_001, { _: 'inputPeerEmpty' });
  const start = seen.filter((userId) => userId >= FILLED_FROM);
  expect(start.length).toBeGreaterThan(0);
  for (let behind = start; behind.length > 0; ) {
    const last = behind.at(-1) as number;
    if (start.length < 15) await sandbox.redis.zadd(key, 2_000, `u${last}`);
    behind = await page(1_000, { _: 'inputPeerUser', userId: last, accessHash: '0' });
    start.push(...behind);
  }
  expect(start).toEqual([...new Set(start)]);
  expect(start.toSorted()).toEqual(fillers.map((peer) => Number(peer.slice(1))));
});
