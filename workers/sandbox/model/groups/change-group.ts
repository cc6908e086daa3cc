import type { MethodResult, Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { peersOf } from '../boxes/named-peers.ts';
import { expectOwnMember } from '../chats/channel-members.ts';
import { type ChannelRecord, type ChatRecord, toTlChannel, toTlChat } from '../chats/chats.ts';
import { CHANNELS, CHATS } from '../chats/keys.ts';
import { notifyChannel } from '../chats/notify-channel.ts';
import { type AdminRight, isAllowed } from '../chats/rights.ts';
import { toUpdates } from '../messages/posted-updates.ts';
import type { ChannelPeer, Peer } from '../peers/peer.ts';
import { findUsers, targetOf } from '../people/users.ts';

export type Group = Exclude<Peer, { kind: 'user' }>;

type Change = Partial<ChannelRecord> & Partial<ChatRecord>;

/**
 * Changes the record of a group or channel, and notifies its members with the usual or a given update. The commit fails if the record has
 * changed since it was found.
 */
export async function changeGroup(
  call: CallContext,
  peer: Group,
  change: Change,
  update: Update = changed(peer),
): Promise<MethodResult<'messages.toggleNoForwards'>> {
  const { tx, account } = call;
  const [records, before] = peer.kind === 'chat' ? [CHATS, peer.chat] : [CHANNELS, peer.channel];
  tx.expectField(records, peer.id, JSON.stringify(before));
  tx.hset(records, peer.id, { ...before, ...change });
  const peers = peersOf(update);
  if (peer.kind === 'channel') {
    await notifyChannel(call, peer.id, update);
    const chat = toTlChannel({ ...peer.channel, ...change }, account.userId, peer.member);
    return toUpdates(call, [update], { chat, peers });
  }
  const members = await findUsers(
    call,
    peer.chat.members.map(({ userId }) => userId),
  );
  for (const member of members) if (member && !member.deleted) tx.update(targetOf(member), update);
  return toUpdates(call, [update], { chat: toTlChat({ ...peer.chat, ...change }, account.userId), peers });
}

function changed({ kind, id }: Group): Update {
  return kind === 'chat' ? { _: 'updateChat', chatId: id } : { _: 'updateChannel', channelId: id };
}

/**
 * Returns the group or channel if the calling account may change it, as a basic group's creator or with this right. Errors:
 * `PEER_ID_INVALID`, `CHAT_ADMIN_REQUIRED`.
 */
export function requireRight(call: CallContext, peer: Peer, right: AdminRight): Group {
  if (peer.kind === 'user') throw new MessengerError('PEER_ID_INVALID');
  const mayChange =
    peer.kind === 'chat' ? peer.chat.creatorId === call.account.userId : isAllowed(peer.member, right);
  if (!mayChange) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  if (peer.kind === 'channel') expectOwnMember(call, peer);
  return peer;
}

/** Returns the supergroup if the calling account may change it. Error: `CHANNEL_INVALID` for a channel of another kind. */
export function requireSupergroup(call: CallContext, peer: ChannelPeer, right: AdminRight): ChannelPeer {
  if (peer.channel.kind !== 'megagroup') throw new MessengerError('CHANNEL_INVALID');
  requireRight(call, peer, right);
  return peer;
}
