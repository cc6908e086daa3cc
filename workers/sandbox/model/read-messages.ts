import type { CallContext } from '../../driver.ts';
import { findMessages, type TlMessage } from './messages.ts';
import type { Peer } from './peers.ts';
import { type Box, channelBox, mentionsKey, userBox } from './state-keys.ts';

/** The box in which the calling account finds a conversation's messages. */
export function boxOf(call: CallContext, peer: Peer): Box {
  return peer.kind === 'channel' ? channelBox(peer.id) : userBox(call.account.userId);
}

/** The messages of these ids in a conversation as the calling account sees them; null for those that are not there. */
export async function viewMessages(
  call: CallContext,
  peer: Pick<Peer, 'kind' | 'id' | 'key'>,
  ids: readonly number[],
): Promise<(TlMessage | null)[]> {
  if (peer.kind !== 'channel') {
    const found = await findMessages(call, userBox(call.account.userId), ids);
    return found.map((one) => one?.message ?? null);
  }
  if (ids.length === 0) return [];
  const mentions = call.tx.key(mentionsKey(call.account.userId, peer.key));
  const [found, mentioned] = await Promise.all([
    findMessages(call, channelBox(peer.id), ids),
    call.tx.read.zmscore(mentions, ...ids.map(String)),
  ]);
  return found.map((one, i) => one && viewOf(one.message, call.account.userId, mentioned[i] !== null));
}

// A channel's message lies there once; what depends on the reader is added for each.
function viewOf(message: TlMessage, viewerId: number, mentioned: boolean): TlMessage {
  const own = message.fromId?._ === 'peerUser' && message.fromId.userId === viewerId;
  return {
    ...message,
    ...(own ? { out: true } : {}),
    ...(mentioned ? { mentioned, mediaUnread: true } : {}),
  };
}
