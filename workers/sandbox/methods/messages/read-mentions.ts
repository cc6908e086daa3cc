import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChat } from '../../examples/input-peers.ts';
import { showsUnread } from '../../model/boxes/media.ts';
import {
  type FoundMessage,
  findMessages,
  replaceMessage,
  type TlMessage,
} from '../../model/boxes/messages.ts';
import { readPts } from '../../model/common/pts.ts';
import { countShown } from '../../model/common/read-budget.ts';
import { mentionsKey } from '../../model/conversations/keys.ts';
import { threadOfTopic } from '../../model/conversations/topics.ts';
import { notifyOfContentsRead } from '../../model/messages/contents-read.ts';
import { boxOf, type Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

// So many fit the commit, which has two writes for each mention, and the text of its message twice.
const MENTIONS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 400_000;

/**
 * Marks the account's mentions in a conversation, or in a forum's topic, as read: the newest 200 at once, or fewer if they are long;
 * `offset` says how many are left. In a channel, `pts` is the channel's own, which stays, and `ptsCount` is 0. Errors:
 * `CHANNEL_MONOFORUM_UNSUPPORTED`, `MSG_ID_INVALID` for a topic that does not exist.
 */
export const readMentions = defineMethod('messages.readMentions', async (params, call) => {
  const peer = await resolvePeer(call, params.peer, { left: true });
  if (peer.kind === 'channel' && peer.channel.kind === 'monoforum') {
    throw new MessengerError('CHANNEL_MONOFORUM_UNSUPPORTED');
  }
  const thread = await threadOfTopic(call, peer, params.topMsgId);
  const key = call.tx.key(mentionsKey(call.account.userId, peer.key, thread));
  const [newest, total, pts] = await Promise.all([
    call.tx.read.zrevrange(key, 0, MENTIONS_AT_ONCE - 1),
    call.tx.read.zcard(key),
    readPts(call, boxOf(call, peer)),
  ]);
  if (newest.length === 0) return { _: 'messages.affectedHistory', pts, ptsCount: 0, offset: 0 };
  const budget = { left: CHARACTERS_AT_ONCE };
  const found = await findMessages(call, boxOf(call, peer), newest, budget);
  const ids = newest.slice(0, countShown(found, budget)).map(Number);
  markRead(call, peer, ids, found);
  return {
    _: 'messages.affectedHistory',
    ...(await notifyOfContentsRead(call, peer, ids)),
    offset: total - ids.length,
  };
});

function markRead(
  call: CallContext,
  peer: Peer,
  ids: readonly number[],
  found: readonly (FoundMessage | null)[],
): void {
  const { tx, account } = call;
  const mentions = mentionsKey(account.userId, peer.key);
  const box = boxOf(call, peer);
  for (const [index, id] of ids.entries()) {
    const one = found[index];
    tx.expectScore(mentions, id, id);
    tx.zrem(mentions, id);
    if (peer.kind === 'channel') {
      if (one?.thread !== undefined) tx.zrem(mentionsKey(account.userId, peer.key, one.thread), id);
    } else if (one) {
      replaceMessage(call, box, one, asRead(one));
    }
  }
}

// A voice message stays unheard: only its mention is read.
function asRead({ message }: FoundMessage): TlMessage {
  if (showsUnread(message)) return message;
  const { mediaUnread: _, ...read } = message;
  return read as TlMessage;
}

export const example: Example<'messages.readMentions'> = ({ ids }) => ({ peer: peerChat(ids.chatId) });

export const difference = 'The general topic has no mentions from before the supergroup became a forum.';
