import { type CallContext, MessengerError } from '../../../driver.ts';
import { findMessages } from '../boxes/messages.ts';
import { isAdmin } from '../chats/channel-members.ts';
import { channelBox, type Thread } from '../common/keys.ts';
import type { Peer } from '../peers/peer.ts';

/** The topic that every forum has from the start. */
export const GENERAL_TOPIC_ID = 1;

/** The thread a `topMsgId` names, in a forum; nothing elsewhere. Throws `error` for a topic that does not exist. */
export async function threadOfTopic(
  call: CallContext,
  peer: Peer,
  topMsgId: number | undefined,
  error = 'MSG_ID_INVALID',
): Promise<Thread | undefined> {
  if (topMsgId === undefined || peer.kind !== 'channel' || !peer.channel.forum) return undefined;
  if (topMsgId !== GENERAL_TOPIC_ID) {
    const [first] = await findMessages(call, channelBox(peer.id), [topMsgId]);
    if (first?.thread !== `t${topMsgId}`) throw new MessengerError(error);
  }
  return `t${topMsgId}`;
}

/** In a monoforum: the only thread that a user who is not an administrator sees; undefined for administrators, who see all. */
export function ownThread(call: CallContext, peer: Peer): Thread | undefined {
  if (peer.kind !== 'channel' || peer.channel.kind !== 'monoforum') return undefined;
  return isAdmin(peer.member) ? undefined : `u${call.account.userId}`;
}
