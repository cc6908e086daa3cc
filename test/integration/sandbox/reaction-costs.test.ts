import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { stateKey } from '../../../src/redis/keys.ts';
import { historyKey, messagesKey } from '../../../workers/sandbox/model/boxes/keys.ts';
import { channelBox } from '../../../workers/sandbox/model/common/keys.ts';
import { reactedKey, reactionsKey } from '../../../workers/sandbox/model/reactions/keys.ts';
import { type GivenReactions, viewReactions } from '../../../workers/sandbox/model/reactions/reactions.ts';
import { readingSlices } from '../../../workers/turns/slices.ts';
import { aChannel, type TestChannel } from '../../support/sandbox/a-channel.ts';
import { FILLED_FROM } from '../../support/sandbox/large-account.ts';
import { readCostOf, refusedCostOf } from '../../support/sandbox/read-cost.ts';
import { Sandbox, type SandboxAccount, WHOLE } from '../../support/sandbox/sandbox.ts';

const POSTS = 120;
// Beyond what members can give: 120 posts then have more than a page may have.
const REACTIONS = 600;
const EMOJI = ['👍', '🔥', '🎉'];
const MIB = 1_024 * 1_024;

let sandbox: Sandbox;
let ada: SandboxAccount;
let channel: TestChannel;
let postIds: number[];

beforeAll(async () => {
  sandbox = await Sandbox.open();
  ada = await sandbox.anAccount();
  channel = await aChannel(sandbox, ada, { broadcast: true });
  await sandbox.send(ada, channel.peer, 'Zebra');
  const { id } = await sandbox.newest(ada, channel.peer);
  const key = (name: string) => stateKey(ada.workspaceId, name);
  const messages = key(messagesKey(channelBox(channel.id)));
  const stored = JSON.parse((await sandbox.redis.hget(messages, String(id))) as string);
  postIds = Array.from({ length: POSTS }, (_, i) => FILLED_FROM + i);
  for (const postId of postIds) {
    const post = { ...stored, message: { ...stored.message, id: postId } };
    await sandbox.redis.hset(messages, String(postId), JSON.stringify(post));
    await sandbox.redis.zadd(key(historyKey(0, `c${channel.id}`)), postId, String(postId));
    await sandbox.redis.sadd(key(reactedKey(channel.id)), String(postId));
    await sandbox.redis.hset(key(reactionsKey(`c${channel.id}:${postId}`)), reactionsTo(postId));
  }
});
afterAll(() => sandbox.close());

function reactionsTo(postId: number): Record<string, string> {
  const given = Array.from({ length: REACTIONS }, (_, i): [string, string] => {
    const emoticon = EMOJI[i % EMOJI.length] as string;
    const reactions: GivenReactions = {
      reactions: [{ _: 'reactionEmoji', emoticon }],
      big: false,
      date: postId + i,
    };
    return [String(FILLED_FROM + i), JSON.stringify(reactions)];
  });
  return Object.fromEntries(given);
}

const lengthOfOne = () => Object.values(reactionsTo(FILLED_FROM)).join('').length;
const named = (ids: readonly number[]) => ({
  channel: channel.channel,
  id: ids.map((id) => ({ _: 'inputMessageID', id })),
});

it('the reactions to a post are read once, however often it is asked for, and are charged', async () => {
  const [postId] = postIds as [number];
  const cost = await readCostOf(sandbox, ada, 'channels.getMessages', named(Array(100).fill(postId)));
  expect(cost.values).toBeGreaterThan(REACTIONS);
  expect(cost.values).toBeLessThan(REACTIONS + 1_500);
  const once = await readCostOf(sandbox, ada, 'channels.getMessages', named([postId]));
  expect(once.charged).toBeGreaterThan(lengthOfOne());
  expect(once.charged).toBeLessThan(lengthOfOne() + 2_000);
  // What many users have given alike is not parsed for each.
  expect(once.parsed).toBeLessThan(20_000);
});

it('a page has as many posts as fit with their reactions, and the next goes on behind them', async () => {
  const seen: number[] = [];
  const page = { peer: channel.peer, ...WHOLE, limit: 100 };
  for (let offsetId = 0; ; offsetId = seen.at(-1) as number) {
    const cost = await readCostOf(sandbox, ada, 'messages.getHistory', { ...page, offsetId });
    expect(cost.bytes).toBeLessThan(6 * MIB);
    const found = await sandbox.call(ada, 'messages.getHistory', { ...page, offsetId });
    if (found.messages.length === 0) break;
    if (seen.length === 0) expect(found.messages.length).toBeLessThan(100);
    for (const { id, reactions } of found.messages) {
      seen.push(id);
      if (id < FILLED_FROM) continue;
      expect(reactions.results.map(({ count }: { count: number }) => count)).toEqual([200, 200, 200]);
    }
  }
  expect(seen.filter((id) => id >= FILLED_FROM)).toEqual(postIds.toReversed());
});

it('posts that exceed a page with their reactions are refused where they were asked for by ids', async () => {
  const asked = named(postIds.slice(0, 100));
  const cost = await refusedCostOf(sandbox, ada, 'channels.getMessages', asked);
  expect(cost.code).toBe('RESULTS_TOO_MUCH');
  expect(cost.bytes).toBeLessThan(6 * MIB);
  const reactionsOf = { peer: channel.peer, id: postIds.slice(0, 100) };
  expect(await sandbox.refusal(ada, 'messages.getMessagesReactions', reactionsOf)).toBe('RESULTS_TOO_MUCH');
});

it('other calls run between the reactions to two posts', async () => {
  const next = vi.spyOn(readingSlices, 'next');
  try {
    await readCostOf(sandbox, ada, 'channels.getMessages', named(postIds.slice(0, 50)));
    expect(next.mock.calls.length).toBeGreaterThanOrEqual(49);
  } finally {
    next.mockRestore();
  }
});

it('searches and counts of views read only the reactions that they show', async () => {
  const window = { offsetId: 0, addOffset: 0, limit: 2, maxId: 0, minId: 0, hash: '0' };
  const filter = { _: 'inputMessagesFilterEmpty' };
  const dates = { minDate: 0, maxDate: 0 };
  const within = { peer: channel.peer, filter, ...dates, ...window };
  const offset = { offsetRate: 0, offsetPeer: { _: 'inputPeerEmpty' }, offsetId: 0 };
  const everywhere = { filter, ...dates, ...offset, limit: 2 };
  const OTHERS = 2_000;
  for (const [name, params] of [
    ['messages.search', within],
    ['messages.searchGlobal', everywhere],
  ] as const) {
    const nothing = await readCostOf(sandbox, ada, name, { ...params, q: 'nothing' });
    expect(nothing.values).toBeLessThan(OTHERS);
    const two = await readCostOf(sandbox, ada, name, { ...params, q: 'zebra' });
    expect(two.values).toBeGreaterThan(2 * REACTIONS);
    expect(two.values).toBeLessThan(2 * REACTIONS + OTHERS);
    const { messages } = await sandbox.call(ada, name, { ...params, q: 'zebra' });
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(postIds.toReversed().slice(0, 2));
    expect(messages[0].reactions.results).toHaveLength(3);
    expect(messages[0].out).toBe(true);
  }
  const views = { peer: channel.peer, id: postIds.slice(0, 100), increment: false };
  expect((await readCostOf(sandbox, ada, 'messages.getMessagesViews', views)).values).toBeLessThan(OTHERS);
});

it('the own reaction to a post is told from those of others', async () => {
  const [postId] = postIds as [number];
  const key = stateKey(ada.workspaceId, reactionsKey(`c${channel.id}:${postId}`));
  const reaction = { _: 'reactionEmoji', emoticon: EMOJI[1] };
  const own = JSON.stringify({ reactions: [reaction], big: false, date: 1 });
  await sandbox.redis.hset(key, String(ada.userId), own);
  const { messages } = await sandbox.call(ada, 'channels.getMessages', named([postId]));
  const [first, second] = messages[0].reactions.results;
  expect(first).toMatchObject({ reaction, count: REACTIONS / 3 + 1, chosenOrder: 1 });
  expect(second).not.toHaveProperty('chosenOrder');
});

it('the reactions to a post are counted, not listed', () => {
  let listed = 0;
  class Counted extends Map<number, GivenReactions> {
    override [Symbol.iterator]() {
      listed += 1;
      return super[Symbol.iterator]();
    }
  }
  const given = Object.entries(reactionsTo(1)).map(([user, raw]) => [Number(user), JSON.parse(raw)] as const);
  const all = new Counted(given);
  const post = viewReactions(all, 1, { isPost: true });
  expect(listed).toBe(0);
  const message = viewReactions(all, 1, { isPost: false });
  expect(message.recentReactions).toHaveLength(20);
  expect(message.results).toEqual(post.results);
});
