import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import type { TlMessage } from '../../model/boxes/messages.ts';
import { findChannels } from '../../model/chats/chats.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { type ChannelPost, toChannelPost } from '../../model/messages/channel-forwards.ts';
import { forwardsKey } from '../../model/messages/keys.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { getOwnPost } from '../../model/stats/own-post.ts';

const READ_AT_ONCE = 20;
const SCANNED_MAX = 1_000;
const OFFSET = /^(\d{1,12})_(\d{1,12}:\d{1,12})$/;

/** A forward: its member of the sorted set, and its score there. */
interface Forward {
  member: string;
  date: string;
  post: ChannelPost;
}

/**
 * The messages of channels that are public now to which a post was forwarded, newest first; `nextOffset` is present while there may be more,
 * also on an empty page. A call looks at 1,000 forwards, hidden ones included, and `count` is of the newest 1,000. Error: `OFFSET_INVALID`
 * for an offset that was not returned by a page.
 */
export const getMessagePublicForwards = defineMethod(
  'stats.getMessagePublicForwards',
  async (params, call) => {
    const { msgId, offset } = params;
    const limit = readLimit(params.limit);
    const { channel } = await getOwnPost(call, params.channel, msgId);
    const key = call.tx.key(forwardsKey({ channelId: channel.id, msgId }));
    const start = await findStart(call, key, offset);
    const newest = await findPublic(call, key, 0);
    const { forwards, end } = start === 0 ? newest : await findPublic(call, key, start);
    const found = await readForwards(call, forwards.slice(0, limit));
    const { messages, users, chats } = await toMessageList(
      call,
      found.filter((message) => message?._ === 'message'),
    );
    const last = found.length < forwards.length ? forwards[found.length - 1] : end;
    return {
      _: 'stats.publicForwards',
      count: newest.forwards.length,
      forwards: messages.map((message) => ({ _: 'publicForwardMessage', message })),
      ...(last && limit > 0 ? { nextOffset: `${last.date}_${last.member}` } : {}),
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

// The forwards to channels that are public now, of so many from a rank on; `end` is the last that was looked at, if there may be more.
async function findPublic(
  call: CallContext,
  key: string,
  start: number,
): Promise<{ forwards: Forward[]; end: Forward | undefined }> {
  const found = await call.tx.read.zrevrange(key, start, start + SCANNED_MAX - 1, 'WITHSCORES');
  const recorded = found.flatMap((member, i): Forward[] =>
    i % 2 === 0 ? [{ member, date: found[i + 1] as string, post: toChannelPost(member) }] : [],
  );
  const ids = [...new Set(recorded.map(({ post }) => post.channelId))];
  const channels = await findChannels(call, ids);
  const isPublic = new Set(ids.filter((_, i) => channels[i]?.username != null));
  return {
    forwards: recorded.filter(({ post }) => isPublic.has(post.channelId)),
    end: recorded.length < SCANNED_MAX ? undefined : recorded.at(-1),
  };
}

// The messages before the first that exceeds the budget of a page; null for those that are gone.
async function readForwards(call: CallContext, forwards: readonly Forward[]) {
  const found: (TlMessage | null)[] = [];
  let { left } = pageBudget();
  for (let start = 0; start < forwards.length; start += READ_AT_ONCE) {
    const read = await Promise.all(
      forwards.slice(start, start + READ_AT_ONCE).map(({ post }) => readForward(call, post)),
    );
    for (const { message, size } of read) {
      left -= size;
      if (left < 0) return found;
      found.push(message);
    }
  }
  return found;
}

async function readForward(call: CallContext, { channelId, msgId }: ChannelPost) {
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

export const difference =
  '`count` is of the newest 1,000 forwards. A page may be empty and have a `nextOffset`.';
