import type { CallContext } from '../../../../driver.ts';
import { consumedKey } from '../../boxes/keys.ts';
import { showsUnread } from '../../boxes/media.ts';
import type { StoredMessage, TlMessage } from '../../boxes/messages.ts';
import { viewChannelMessage } from '../../boxes/view-message.ts';
import type { PeerKey } from '../../common/keys.ts';
import { mentionsKey } from '../../conversations/keys.ts';
import type { ChannelPeer } from '../../peers/peer.ts';
import { observePollFor } from '../../polls/polls.ts';
import { viewsKey } from '../../reactions/keys.ts';
import { addViews } from '../../reactions/post-counts.ts';
import { observePostReactions, viewReactions } from '../../reactions/reactions.ts';
import { pollOf, withPoll } from '../show-polls.ts';

/**
 * A message of a channel as each of several users sees it, in their order: with its views, reactions and poll; nobody has
 * consumed a medium that `isFresh`. The commit fails if one of them reads, reacts or votes meanwhile.
 */
export async function viewPostFor(
  call: CallContext,
  { id: channelId, key }: ChannelPeer,
  stored: StoredMessage,
  userIds: readonly number[],
  { isFresh = false }: { isFresh?: boolean } = {},
): Promise<TlMessage[]> {
  const { read } = call.tx;
  const { message } = stored;
  const id = String(message.id);
  const consumedName = consumedKey({ channelId, msgId: message.id });
  const media = pollOf(message);
  const [views, all, consumed, mentions, polls] = await Promise.all([
    read.hget(call.tx.key(viewsKey(channelId)), id),
    observePostReactions(call, { channelId, msgId: message.id }),
    read.smismember(call.tx.key(consumedName), ...userIds.map(String)),
    Promise.all(userIds.map((userId) => observeMention(call, key, stored, userId))),
    media && observePollFor(call, media.poll.id, userIds),
  ]);
  if (showsUnread(message) && !isFresh)
    for (const [i, userId] of userIds.entries())
      call.tx.expectMember(consumedName, userId, consumed[i] === 1);
  const isPost = message._ === 'message' && message.post === true;
  return userIds.map((userId, i) => {
    const flags = { mentionUnread: mentions[i] !== null, consumed: !isFresh && consumed[i] === 1 };
    const view = addViews(viewChannelMessage(stored, userId, flags), Number(views ?? 0));
    return {
      ...withPoll(view, polls?.[i]),
      ...(all.size > 0 ? { reactions: viewReactions(all, userId, { isPost }) } : {}),
    } as TlMessage;
  });
}

async function observeMention(
  { tx }: CallContext,
  key: PeerKey,
  { message: { id }, mentions }: StoredMessage,
  userId: number,
): Promise<string | null> {
  if (!mentions?.includes(userId)) return null;
  const name = mentionsKey(userId, key);
  const score = await tx.read.zscore(tx.key(name), String(id));
  tx.expectScore(name, id, score);
  return score;
}
