import { cacheNames, cachePairNames } from '../common/cached-names.ts';
import type { Box, PeerKey, Thread } from '../common/keys.ts';

/**
 * The keys of stored messages. The letters are those of `common/keys.ts`.
 *
 *   messages:<box>      hash: message id -> StoredMessage
 *   copies              hash: copy set -> { box: message id } of the copies of one message of a basic group
 *   history:U:<peer>    sorted set: message ids of one dialog in an account's box, by id; `:<thread>` for those of a thread
 *   history:cC          sorted set: message ids of a channel, by id; `:<thread>` for those of a thread
 *   random:U:<day>      hash: randomId of a message the user sent that day -> its id, but for those that nobody else knows; `expires`
 *                       once it is sure to go; kept for 49 hours after that
 *   consumed:cC:N       set: U who has heard or seen the voice message or video N of a channel
 *
 * An earlier release kept `U:<message id>` of all of them in a set `consumed:C`. It is not read any more, so what was heard then counts as
 * unheard, and it goes with the channel.
 */
export const COPIES = 'copies';

export const messagesKey = cacheNames((box: Box) => `messages:${box}`);

const dialogKey = cachePairNames((userId: number, peer: PeerKey) => `history:${userId}:${peer}`);

/** The dialog of a user with a peer, or a thread of it; a channel has one history for all. */
export function historyKey(userId: number, peer: PeerKey, thread?: Thread): string {
  const dialog = peer.startsWith('c') ? `history:${peer}` : dialogKey(userId, peer);
  return thread === undefined ? dialog : `${dialog}:${thread}`;
}

export function randomKey(userId: number, day: number): string {
  return `random:${userId}:${day}`;
}

export function consumedKey({ channelId, msgId }: { channelId: number; msgId: number }): string {
  return `consumed:c${channelId}:${msgId}`;
}

export function formerConsumedKey(channelId: number): string {
  return `consumed:${channelId}`;
}
