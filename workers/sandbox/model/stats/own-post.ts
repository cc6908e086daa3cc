import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import { getMessage } from '../messages/get-message.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { resolveChannel } from '../peers/resolve-peer.ts';

/** A post of a channel that the calling account administers. */
export interface OwnPost {
  channel: ChannelPeer;
  found: FoundMessage;
}

/**
 * The post whose statistics the account asks for. Errors: `CHAT_ADMIN_REQUIRED` if the account does not administer the channel,
 * `PEER_ID_INVALID` for a group, whose messages have no statistics, `MESSAGE_ID_INVALID`.
 */
export async function getOwnPost(
  call: CallContext,
  input: MethodParams<'stats.getMessageStats'>['channel'],
  msgId: number,
): Promise<OwnPost> {
  const channel = await resolveChannel(call, input);
  if (channel.channel.kind !== 'broadcast') throw new MessengerError('PEER_ID_INVALID');
  if (!channel.member || channel.member.role === 'member') throw new MessengerError('CHAT_ADMIN_REQUIRED');
  const found = await getMessage(call, channel, msgId);
  if (found.message._ !== 'message') throw new MessengerError('MESSAGE_ID_INVALID');
  return { channel, found };
}
