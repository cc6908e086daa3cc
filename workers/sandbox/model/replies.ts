import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../driver.ts';
import { findMessages } from './messages.ts';
import type { Peer } from './peers.ts';
import { channelBox, userBox } from './state-keys.ts';

/** The reply header of a message that answers another one of the same conversation. Errors: `REPLY_MESSAGE_ID_INVALID`. */
export async function replyHeader(
  call: CallContext,
  peer: Peer,
  replyTo: TlJson<tl.TypeInputReplyTo> | undefined,
): Promise<TlJson<tl.RawMessageReplyHeader> | undefined> {
  if (replyTo === undefined) return undefined;
  if (replyTo._ !== 'inputReplyToMessage') throw new MessengerError('REPLY_TO_INVALID');
  const box = peer.kind === 'channel' ? channelBox(peer.id) : userBox(call.account.userId);
  const [found] = await findMessages(call, box, [replyTo.replyToMsgId]);
  if (!found) throw new MessengerError('REPLY_MESSAGE_ID_INVALID');
  const topId = replyTo.topMsgId === undefined ? {} : { replyToTopId: replyTo.topMsgId };
  const quote = replyTo.quoteText === undefined ? {} : { quote: true, quoteText: replyTo.quoteText };
  return { _: 'messageReplyHeader', replyToMsgId: replyTo.replyToMsgId, ...topId, ...quote };
}
