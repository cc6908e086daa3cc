import type { MethodResult, Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { toTlChannel } from '../chats/chats.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import type { ServiceDraft } from './post.ts';
import { postMessage } from './post-message.ts';
import { toPostedUpdates, toUpdates } from './posted-updates.ts';

/**
 * Posts a service message about a change of a channel, and returns the method's result. `memberIds` are the users who are notified; `peer`
 * is the channel as the calling account has it after the call. Nothing is posted if `action` is null.
 */
export async function announce(
  call: CallContext,
  peer: ChannelPeer,
  action: ServiceDraft['action'] | null,
  { memberIds, others = [] }: { memberIds: readonly number[]; others?: readonly number[] },
): Promise<MethodResult<'channels.createChannel'>> {
  const chat = toTlChannel(peer.channel, call.account.userId, peer.member);
  const more: Update[] = [{ _: 'updateChannel', channelId: peer.id }];
  if (action === null) {
    return toUpdates(call, more, { chat, peers: others.map((id) => toTlPeer({ kind: 'user', id })) });
  }
  const posted = await postMessage(call, peer, { _: 'messageService', action }, { memberIds });
  return toPostedUpdates(call, peer, posted, { chat, others, more });
}

/** The service message about members: only in a supergroup. A broadcast channel posts nothing about its readers. */
export function memberAction(
  peer: ChannelPeer,
  action: ServiceDraft['action'],
): ServiceDraft['action'] | null {
  return peer.channel.kind === 'broadcast' ? null : action;
}
