import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import type { TlMessage } from '../../model/boxes/messages.ts';
import { type ChannelRecord, findChannels } from '../../model/chats/chats.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { forwardsKey } from '../../model/messages/keys.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { type ChannelPost, toChannelPost } from '../../model/messages/public-forwards.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { getOwnPost } from '../../model/stats/own-post.ts';

const READ_AT_ONCE = 20;
const OFFSET = /^(\d{1,12})_(\d{1,12}:\d{1,12})$/;

/**
 * The messages of public channels that a post was forwarded to, newest first; `nextOffset` is present while there are more. Error:
 * `OFFSET_INVALID` for an offset that was not returned by a page.
 */
export const getMessagePublicForwards = defineMethod(
  'stats.getMessagePublicForwards',
  async (params, call) => {
    const { msgId, offset } = params;
    const limit = readLimit(params.limit);
    const { channel } = await getOwnPost(call, params.channel, msgId);
    const key = call.tx.key(forwardsKey({ channelId: channel.id, msgId }));
    const [count, start] = await Promise.all([call.tx.read.zcard(key), findStart(call, key, offset)]);
    const page = limit === 0 ? [] : await call.tx.read.zrevrange(key, start, start + limit - 1, 'WITHSCORES');
    const asked = page.filter((_, i) => i % 2 === 0);
    const found = await readForwards(call, asked.map(toChannelPost));
    const members = asked.slice(0, found.length);
    const { messages, users, chats } = await toMessageList(
      call,
      found.filter((message) => message?._ === 'message'),
    );
    const hasMore = members.length > 0 && start + members.length < count;
    return {
      _: 'stats.publicForwards',
      count,
      forwards: messages.map((message) => ({ _: 'publicForwardMessage', message })),
      ...(hasMore ? { nextOffset: `${page[2 * members.length - 1]}_${members.at(-1)}` } : {}),
      chats,
      users,
    };
  },
);

// The offset identifies the last forward of the page before; if that was deleted, the page starts by its date.
async function findStart(call: CallContext, key: string, offset: string): Promise<number> {
  if (offset === '') return 0;
  const [, date, member] = OFFSET.exec(offset) ?? [];
  if (date === undefined || member === undefined) throw new MessengerError('OFFSET_INVALID');
  const rank = await call.tx.read.zrevrank(key, member);
  return rank === null ? call.tx.read.zcount(key, `(${date}`, '+inf') : rank + 1;
}

// The messages before the first that exceeds the budget of a page; null for those that are not shown.
async function readForwards(call: CallContext, posts: readonly ChannelPost[]) {
  const channels = await findChannels(
    call,
    posts.map(({ channelId }) => channelId),
  );
  const found: (TlMessage | null)[] = [];
  let { left } = pageBudget();
  for (let start = 0; start < posts.length; start += READ_AT_ONCE) {
    const read = await Promise.all(
      posts.slice(start, start + READ_AT_ONCE).map((post, i) => readForward(call, post, channels[start + i])),
    );
    for (const { message, size } of read) {
      left -= size;
      if (left < 0) return found;
      found.push(message);
    }
  }
  return found;
}

async function readForward(
  call: CallContext,
  { channelId, msgId }: ChannelPost,
  channel: ChannelRecord | null | undefined,
) {
  // Forwards to channels that have become private are not shown.
  if (channel?.username == null) return { message: null, size: 0 };
  const budget = pageBudget();
  const { left } = budget;
  const peer = { kind: 'channel', id: channelId, key: `c${channelId}` } as const;
  const [message = null] = await viewMessages(call, peer, [msgId], budget);
  return { message, size: left - budget.left };
}

export const example: Example<'stats.getMessagePublicForwards'> = async (context) => ({
  channel: await inputChannel(context, 'channelId'),
  msgId: 1,
  offset: '',
  limit: 20,
});
