import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateKey } from '../../../src/redis/keys.ts';
import { messagesKey } from '../../../workers/sandbox/model/boxes/keys.ts';
import { channelOf, peerOf, Sandbox, type SandboxAccount, WHOLE } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

const MESSAGES = 25;

interface Window {
  offsetId: number;
  addOffset: number;
  limit: number;
  maxId: number;
  minId: number;
}

/** A conversation of 25 messages, with notes to oneself between so that ids have gaps. */
async function aConversation() {
  const [ada, bob] = await sandbox.twoAccounts();
  for (let i = 0; i < MESSAGES; i += 1) {
    await sandbox.send(bob, peerOf(ada), `${i}`);
    if (i % 3 === 0) await sandbox.send(ada, { _: 'inputPeerSelf' }, 'A note');
  }
  const ids: number[] = (await sandbox.history(ada, peerOf(bob))).map(({ id }) => id);
  return { ada, bob, ids };
}

/** The window as core.telegram.org/api/offsets describes it, over the whole list. */
function windowOf(ids: number[], { offsetId, addOffset, limit, maxId, minId }: Window): number[] {
  const origin = offsetId > 0 ? ids.filter((id) => id >= offsetId).length : 0;
  const start = origin + addOffset;
  const sliced = ids.filter((_, place) => place >= start && place < start + Math.min(limit, 100));
  return sliced.filter((id) => (maxId <= 0 || id < maxId) && id > minId);
}

async function setDates(account: SandboxAccount, ids: number[], dateOf: (place: number) => number) {
  const key = stateKey(account.workspaceId, messagesKey(`u${account.userId}`));
  for (const [place, id] of ids.entries()) {
    const stored = JSON.parse((await sandbox.redis.hget(key, String(id))) ?? '');
    stored.message.date = dateOf(place);
    await sandbox.redis.hset(key, String(id), JSON.stringify(stored));
  }
}

describe('messages.getHistory', () => {
  it('gives every window as Telegram does', async () => {
    const { ada, bob, ids } = await aConversation();
    const id = fc.integer({ min: 0, max: (ids[0] as number) + 3 });
    const window = fc.record({
      offsetId: id,
      addOffset: fc.integer({ min: -40, max: 40 }),
      limit: fc.integer({ min: 0, max: 40 }),
      maxId: id,
      minId: fc.oneof(fc.constant(0), id),
    });
    await fc.assert(
      fc.asyncProperty(window, async (asked) => {
        const found = await sandbox.history(ada, peerOf(bob), asked);
        expect(found.map((message) => message.id)).toEqual(windowOf(ids, asked));
      }),
      { numRuns: 300 },
    );
  });

  it('says how many messages there are where it does not give all of them', async () => {
    const { ada, bob } = await aConversation();
    const get = (window: object) =>
      sandbox.call(ada, 'messages.getHistory', {
        peer: peerOf(bob),
        ...WHOLE,
        ...window,
      });
    expect(await get({})).toMatchObject({
      _: 'messages.messages',
      users: [{ id: bob.userId }],
    });
    expect(await get({ limit: 3 })).toMatchObject({
      _: 'messages.messagesSlice',
      count: MESSAGES,
    });
    expect(await get({ limit: 0 })).toMatchObject({
      _: 'messages.messagesSlice',
      count: MESSAGES,
      messages: [],
    });
  });

  it('begins at a date', async () => {
    const { ada, bob, ids } = await aConversation();
    await setDates(ada, ids, (place) => 10_000 - place);
    const at = async (window: object) =>
      (await sandbox.history(ada, peerOf(bob), { limit: 3, ...window })).map(({ id }) => ids.indexOf(id));
    expect(await at({ offsetDate: 10_000 })).toEqual([1, 2, 3]);
    expect(await at({ offsetDate: 9_990 })).toEqual([11, 12, 13]);
    expect(await at({ offsetDate: 9_990, addOffset: -2 })).toEqual([9, 10, 11]);
    expect(await at({ offsetDate: 9_990, offsetId: ids[15] })).toEqual([16, 17, 18]);
    expect(await at({ offsetDate: 20_000 })).toEqual([0, 1, 2]);
    expect(await at({ offsetDate: 1 })).toEqual([]);
  });

  it('goes by the id where a date is given too', async () => {
    const { ada, bob, ids } = await aConversation();
    await setDates(ada, ids, () => 10_000);
    const window = { offsetId: ids[15], offsetDate: 10_000, limit: 3 };
    const at = async (more: object) =>
      (await sandbox.history(ada, peerOf(bob), { ...window, ...more })).map(({ id }) => ids.indexOf(id));
    expect(await at({})).toEqual([16, 17, 18]);
    expect(await at({ addOffset: -3 })).toEqual([13, 14, 15]);
    expect(await at({ addOffset: -4, offsetId: (ids[15] as number) + 1 })).toEqual([11, 12, 13]);
    expect(await at({ offsetDate: 1 })).toEqual([16, 17, 18]);
  });

  it('says that nothing changed to who has the list already', async () => {
    const { ada, bob, ids } = await aConversation();
    let hash = 0n;
    for (const id of ids.slice(0, 5)) {
      hash ^= hash >> 21n;
      hash ^= (hash << 35n) & 0xffff_ffff_ffff_ffffn;
      hash ^= hash >> 4n;
      hash = (hash + BigInt(id)) & 0xffff_ffff_ffff_ffffn;
    }
    const window = {
      peer: peerOf(bob),
      ...WHOLE,
      limit: 5,
      hash: BigInt.asIntN(64, hash).toString(),
    };
    expect(await sandbox.call(ada, 'messages.getHistory', window)).toEqual({
      _: 'messages.messagesNotModified',
      count: MESSAGES,
    });
  });

  it("gives a channel's posts with the channel's pts", async () => {
    const ada = await sandbox.anAccount();
    const { channelId } = await sandbox.seeded(ada);
    const result = await sandbox.call(ada, 'messages.getHistory', {
      peer: channelOf(channelId),
      ...WHOLE,
    });
    expect(result).toMatchObject({
      _: 'messages.channelMessages',
      count: 1,
      chats: [{ id: channelId }],
    });
    expect(result.messages).toMatchObject([{ id: 1, post: true, peerId: { channelId } }]);
    await sandbox.send(ada, channelOf(channelId), 'The second post');
    const later = await sandbox.call(ada, 'messages.getHistory', {
      peer: channelOf(channelId),
      ...WHOLE,
    });
    expect(later.pts).toBe(result.pts + 1);
  });

  it('refuses a negative limit, and conversations the account is not in', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { forumId } = await sandbox.seeded(ada);
    const group = await sandbox.aGroup(ada, await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId }));
    const refusal = (peer: object, window: object = {}) =>
      sandbox.refusal(bob, 'messages.getHistory', {
        peer,
        ...WHOLE,
        ...window,
      });
    expect(await refusal(peerOf(ada), { limit: -1 })).toBe('LIMIT_INVALID');
    expect(await refusal(channelOf(forumId))).toBe('CHANNEL_PRIVATE');
    expect(await refusal(group)).toBe('CHAT_ID_INVALID');
  });
});

describe('messages.getMessages', () => {
  it('gives messages in the order asked for, and says which are not there', async () => {
    const { ada, bob, ids } = await aConversation();
    const id = [ids[2], 99_999, ids[0]].map((one) => ({
      _: 'inputMessageID',
      id: one,
    }));
    const result = await sandbox.call(ada, 'messages.getMessages', { id });
    expect(result.messages).toMatchObject([
      { _: 'message', id: ids[2] },
      { _: 'messageEmpty', id: 99_999 },
      { _: 'message', id: ids[0] },
    ]);
    expect(result.users).toMatchObject([{ id: bob.userId }]);
  });

  it('gives the message that another one answers', async () => {
    const { ada, bob, ids } = await aConversation();
    await sandbox.send(ada, peerOf(bob), 'Answer', {
      replyTo: { _: 'inputReplyToMessage', replyToMsgId: ids[4] },
    });
    const answer = await sandbox.newest(ada, peerOf(bob));
    const { messages } = await sandbox.call(ada, 'messages.getMessages', {
      id: [{ _: 'inputMessageReplyTo', id: answer.id }],
    });
    expect(messages).toMatchObject([{ id: ids[4] }]);
  });
});
