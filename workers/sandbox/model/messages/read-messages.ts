import type { CallContext } from '../../../driver.ts';
import { consumedKey } from '../boxes/keys.ts';
import { findMessages, type TlMessage } from '../boxes/messages.ts';
import { viewChannelMessage } from '../boxes/view-message.ts';
import { channelBox, userBox } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { mentionsKey } from '../conversations/keys.ts';
import type { Peer } from '../peers/peer.ts';
import { addPostCounts } from '../reactions/post-counts.ts';

/**
 * The messages of these ids in a conversation as the calling account sees them; null for those that do not exist, and for those that exceed
 * a budget.
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
      viewChannelMessage(one, viewer, {
        mentionUnread: mentions[i] !== null,
        consumed: consumed[i] === 1,
      }),
  );
  return addPostCounts(call, peer.id, views);
}

/** The member of a channel's set of consumed messages for a message that this user has heard or seen. */
export function consumedMember(userId: number, messageId: number): string {
  return `${userId}:${messageId}`;
}
