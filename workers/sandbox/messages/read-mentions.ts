import { type CallContext, defineMethod, MessengerError } from '../../driver.ts';
import { isHeardOrSeen } from '../model/media.ts';
import { type FoundMessage, findMessages, replaceMessage, type TlMessage } from '../model/messages.ts';
import { type Peer, resolvePeer } from '../model/peers.ts';
import { readPts } from '../model/pts.ts';
import { boxOf } from '../model/read-messages.ts';
import { mentionsKey, SEQ, userBox } from '../model/state-keys.ts';

// Two writes for each mention, within the limit of a commit; the answer's `offset` says whether there is more.
const MENTIONS_AT_ONCE = 200;

/**
 * Marks the mentions of the account in a conversation as read, the newest 200 at once: `offset` is greater than 0 while there
 * are more, as Telegram has it. Errors: `CHANNEL_MONOFORUM_UNSUPPORTED`.
 */
export const readMentions = defineMethod('messages.readMentions', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  if (peer.kind === 'channel' && peer.channel.kind === 'monoforum') {
    throw new MessengerError('CHANNEL_MONOFORUM_UNSUPPORTED');
  }
  const name = mentionsKey(call.account.userId, peer.key);
  const key = call.tx.key(name);
  const [newest, total, pts] = await Promise.all([
    call.tx.read.zrevrange(key, 0, MENTIONS_AT_ONCE - 1),
    call.tx.read.zcard(key),
    readPts(call, boxOf(call, peer)),
  ]);
  const ids = await ofTopic(call, peer, newest.map(Number), params.topMsgId);
  if (ids.length === 0) return { _: 'messages.affectedHistory', pts, ptsCount: 0, offset: 0 };
  for (const id of ids) {
    call.tx.expectScore(name, id, id);
    call.tx.zrem(name, id);
  }
  if (peer.kind === 'channel')
    return { _: 'messages.affectedHistory', pts, ptsCount: 0, offset: total - ids.length };
  await clearFlags(call, ids);
  const newPts = call.tx.allocate(SEQ, `pts:${userBox(call.account.userId)}`, ids.length);
  return { _: 'messages.affectedHistory', pts: newPts, ptsCount: ids.length, offset: total - ids.length };
});

async function ofTopic(
  call: CallContext,
  peer: Peer,
  ids: number[],
  topMsgId: number | undefined,
): Promise<number[]> {
  if (topMsgId === undefined) return ids;
  const found = await findMessages(call, boxOf(call, peer), ids);
  return ids.filter((_, i) => topicOf(found[i]?.message) === topMsgId);
}

function topicOf(message: TlMessage | undefined): number | undefined {
  if (message?.replyTo?._ !== 'messageReplyHeader') return undefined;
  return message.replyTo.replyToTopId ?? message.replyTo.replyToMsgId;
}

async function clearFlags(call: CallContext, ids: number[]): Promise<void> {
  const box = userBox(call.account.userId);
  const found = await findMessages(call, box, ids);
  for (const one of found) if (one) replaceMessage(call, box, one, asRead(one));
}

// A voice message stays unheard: only the mention has been read.
function asRead({ message }: FoundMessage): TlMessage {
  if (isHeardOrSeen(message)) return message;
  const { mediaUnread: _, ...read } = message;
  return read as TlMessage;
}
