import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { isKicked } from '../chats/bans.ts';
import { expectOwnMember } from '../chats/channel-members.ts';
import { type ChannelRecord, type ChatRecord, findChannels, findChats, findMember } from '../chats/chats.ts';
import { findInvite, type InviteRecord, isOpenInvite, peerOfHash } from '../chats/invites.ts';
import { CHANNELS, CHATS } from '../chats/keys.ts';
import { isAllowed } from '../chats/rights.ts';
import type { Peer } from './peer.ts';
import { resolvePeer } from './resolve-peer.ts';

type Group = Exclude<Peer, { kind: 'user' }>;

/**
 * The group or channel whose invite links the calling account manages; the commit fails if it may no longer do so. Errors:
 * `PEER_ID_INVALID`, `CHAT_ADMIN_REQUIRED`.
 */
export async function resolveInviting(call: CallContext, input: TlJson<tl.TypeInputPeer>): Promise<Group> {
  const peer = await resolvePeer(call, input);
  if (peer.kind === 'user') throw new MessengerError('PEER_ID_INVALID');
  if (peer.kind === 'channel' && peer.channel.kind === 'monoforum')
    throw new MessengerError('CHANNEL_MONOFORUM_UNSUPPORTED');
  const mayInvite =
    peer.kind === 'chat'
      ? peer.chat.creatorId === call.account.userId
      : isAllowed(peer.member, 'inviteUsers');
  if (!mayInvite) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  if (peer.kind === 'chat') call.tx.expectField(CHATS, peer.id, JSON.stringify(peer.chat));
  else {
    call.tx.expectField(CHANNELS, peer.id, JSON.stringify(peer.channel));
    expectOwnMember(call, peer);
  }
  return peer;
}

/** Refuses links of another administrator, which only the creator sees. Error: `CHAT_ADMIN_REQUIRED`. */
export function requireLinkAccess({ account }: CallContext, peer: Group, adminId: number): void {
  const isCreator = peer.kind === 'chat' || peer.member?.role === 'creator';
  if (!isCreator && adminId !== account.userId) throw new MessengerError('CHAT_ADMIN_REQUIRED');
}

/** The group or channel of an invite link, and whether the calling account is a member. */
export type Invited = { invite: InviteRecord; isIn: boolean } & (
  | { kind: 'chat'; chat: ChatRecord }
  | { kind: 'channel'; channel: ChannelRecord; peer: Extract<Peer, { kind: 'channel' }> }
);

/** The group or channel of the invite link with a hash. Errors: `INVITE_HASH_EMPTY`, `INVITE_HASH_INVALID`, `INVITE_HASH_EXPIRED`. */
export async function resolveInvite(call: CallContext, hash: string): Promise<Invited> {
  const key = peerOfHash(hash);
  const id = Number(key.slice(1));
  const self = call.account.userId;
  const invite = await findInvite(call, key, hash);
  if (key.startsWith('g')) {
    const [chat] = await findChats(call, [id]);
    const isIn = chat?.members.some(({ userId }) => userId === self) === true;
    if (!chat || !isUsable(call, invite, isIn)) throw new MessengerError('INVITE_HASH_EXPIRED');
    return { kind: 'chat', invite, chat, isIn };
  }
  const [[channel], member, isBanned] = await Promise.all([
    findChannels(call, [id]),
    findMember(call, id, self),
    isKicked(call, id),
  ]);
  const isIn = member !== null;
  const isOut = !channel || channel.deleted || (!isIn && isBanned);
  if (isOut || !isUsable(call, invite, isIn)) throw new MessengerError('INVITE_HASH_EXPIRED');
  const peer = { kind: 'channel', id, key, channel, member } as const;
  return { kind: 'channel', invite, channel, peer, isIn };
}

// A member may have joined by a link that has been revoked since.
function isUsable({ date }: CallContext, invite: InviteRecord | null, isIn: boolean): invite is InviteRecord {
  return invite !== null && !invite.revoked && (isIn || isOpenInvite(invite, date));
}
