import type { CallContext } from '../../../driver.ts';
import { isHeardOrSeen } from '../boxes/media.ts';
import { findMessages, type StoredMessage, type TlMessage } from '../boxes/messages.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { type Box, channelBox, consumedKey, mentionsKey, userBox } from '../common/state-keys.ts';
import type { Peer } from '../peers/peers.ts';
import { addPostCounts } from '../reactions/post-counts.ts';

/** The box in which the calling account finds a conversation's messages. */
export function boxOf(call: CallContext, peer: Pick<Peer, 'kind' | 'id'>): Box {
  return peer.kind === 'channel' ? channelBox(peer.id) : userBox(call.account.userId);
}

/**
 * The messages of these ids in a conversation as the calling account sees them; null for those that are not there, and for those that
 * go beyond a budget.
 */
export async function viewMessages(
  call: CallContext,
  peer: Pick<Peer, 'kind' | 'id' | 'key'>,
  ids: readonly number[],
  budget?: ReadBudget,
): Promise<(TlMessage | null)[]> {
  if (ids.length === 0) return [];
  const viewer = call.account.userId;
  if (peer.kind !== 'channel') {
    const found = await findMessages(call, userBox(viewer), ids, budget);
    return found.map((one) => one?.message ?? null);
  }
  const { read } = call.tx;
  const [found, mentions, consumed] = await Promise.all([
    findMessages(call, channelBox(peer.id), ids, budget),
    read.zmscore(call.tx.key(mentionsKey(viewer, peer.key)), ...ids.map(String)),
    read.smismember(call.tx.key(consumedKey(peer.id)), ...ids.map((id) => consumedMember(viewer, id))),
  ]);
  const views = found.map(
    (one, i) =>
      one &&
      viewOf(one, viewer, {
        mentionUnread: mentions[i] !== null,
        consumed: consumed[i] === 1,
      }),
  );
  return addPostCounts(call, peer.id, views);
}

/** What stands in the set of consumed messages of a channel once this user has heard or seen one. */
export function consumedMember(userId: number, messageId: number): string {
  return `${userId}:${messageId}`;
}

/** A channel's message as one of its readers sees it: it lies there once, and what depends on the reader is added. */
export function viewOf(
  { message, mentions, authorId }: StoredMessage,
  viewerId: number,
  { mentionUnread, consumed }: { mentionUnread: boolean; consumed: boolean },
): TlMessage {
  const own =
    authorId === viewerId || (message.fromId?._ === 'peerUser' && message.fromId.userId === viewerId);
  const unheard = !consumed && message.post !== true && isHeardOrSeen(message);
  return {
    ...message,
    ...(own ? { out: true } : {}),
    ...(mentions?.includes(viewerId) ? { mentioned: true } : {}),
    ...(mentionUnread || unheard ? { mediaUnread: true } : {}),
  };
}
