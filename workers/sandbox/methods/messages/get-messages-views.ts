import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import type { TlMessage } from '../../model/boxes/messages.ts';
import { takeTold } from '../../model/chats/notify-channel.ts';
import { dayOf } from '../../model/common/days.ts';
import { pageBudget, refuseOverBudget } from '../../model/common/read-budget.ts';
import { readersOf } from '../../model/conversations/channel-readers.ts';
import { onlyShown } from '../../model/messages/get-message.ts';
import { viewWithoutReactions } from '../../model/messages/read-messages.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { targetOf } from '../../model/people/users.ts';
import { viewDaysKey, viewedKey, viewsKey } from '../../model/reactions/keys.ts';

const IDS_MAX = 100;

/**
 * How often messages were viewed and forwarded. With `increment`, first counts a view by the account; each account counts once for a post.
 * The other members are notified, with more than 4,000 notices only of the first posts. Messages that are not posts of a channel have no
 * views. Errors: `MSG_ID_INVALID`, `RESULTS_TOO_MUCH` for messages of more than 4 MiB.
 */
export const getMessagesViews = defineMethod('messages.getMessagesViews', async (params, call) => {
  const ids = params.id.slice(0, IDS_MAX);
  if (ids.some((id) => id <= 0)) throw new MessengerError('MSG_ID_INVALID');
  const peer = await resolvePeer(call, params.peer, { left: true });
  const budget = pageBudget();
  const viewed = await viewWithoutReactions(call, peer, ids, budget);
  refuseOverBudget(budget);
  const messages = peer.kind === 'channel' ? onlyShown(call, peer, viewed) : viewed;
  const mayCount = params.increment && peer.kind === 'channel';
  const counted = mayCount ? await countViews(call, peer, messages) : new Set<number>();
  return {
    _: 'messages.messageViews',
    views: messages.map((message) => {
      if (message?._ !== 'message') return { _: 'messageViews' };
      const { id, views, forwards } = message;
      return {
        _: 'messageViews',
        ...(views === undefined ? {} : { views: views + Number(counted.has(id)) }),
        ...(forwards === undefined ? {} : { forwards }),
      };
    }),
    ...(await listMentioned(call, [toTlPeer(peer)])),
  };
});

async function countViews(
  call: CallContext,
  peer: ChannelPeer,
  messages: readonly (TlMessage | null)[],
): Promise<Set<number>> {
  const { tx, account } = call;
  const posts = messages.filter((message) => message?._ === 'message' && message.views !== undefined);
  const ids = [...new Set(posts.map((post) => (post as TlMessage).id))];
  if (ids.length === 0) return new Set();
  const viewedKeyOf = (msgId: number) => viewedKey({ channelId: peer.id, msgId });
  const [viewed, readers] = await Promise.all([
    Promise.all(ids.map((id) => tx.read.sismember(tx.key(viewedKeyOf(id)), String(account.userId)))),
    readersOf(call, peer, undefined),
  ]);
  const fresh = ids.filter((_, i) => viewed[i] === 0);
  for (const id of fresh) {
    // A view of a post that is deleted meanwhile would stay behind.
    tx.expectScore(historyKey(0, peer.key), id, id);
    tx.expectMember(viewedKeyOf(id), account.userId, false);
    tx.sadd(viewedKeyOf(id), account.userId);
    tx.hincrby(viewDaysKey({ channelId: peer.id, msgId: id }), dayOf(call.date), 1);
    tx.hincrby(viewsKey(peer.id), id, 1);
  }
  const others = readers.filter(({ id }) => id !== account.userId);
  for (const id of takeTold(call, fresh, () => others.length)) {
    const before = posts.find((post) => post?.id === id);
    const stored = before?._ === 'message' ? (before.views ?? 0) : 0;
    const update = { _: 'updateChannelMessageViews', channelId: peer.id, id, views: stored + 1 } as const;
    for (const reader of others) tx.update(targetOf(reader), update);
  }
  return new Set(fresh);
}

export const example: Example<'messages.getMessagesViews'> = async (context) => ({
  peer: await peerChannel(context, 'channelId'),
  id: [1],
  increment: true,
});

export const difference =
  'Only the first 100 count. A forward has its own count. With more than 4,000 notices of new counts, the members are notified only of the first posts.';
