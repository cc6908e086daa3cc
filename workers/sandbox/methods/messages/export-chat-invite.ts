import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { readInviteLimits } from '../../model/chats/invite-limits.ts';
import {
  addPermanentInvite,
  INVITES_MAX,
  type InviteRecord,
  listInvites,
  newInviteHash,
  putInvite,
  toTlInvite,
} from '../../model/chats/invites.ts';
import { invitesKey } from '../../model/chats/keys.ts';
import { resolveInviting } from '../../model/peers/resolve-invited.ts';

/**
 * Creates an invite link to a group or channel; with `legacyRevokePermanent`, a new permanent link of the account, which revokes the
 * previous one. Errors: `CHAT_ADMIN_REQUIRED`, `EXPIRE_DATE_INVALID`, `USAGE_LIMIT_INVALID`, `PRICING_CHAT_INVALID`, `INVITES_TOO_MUCH`.
 */
export const exportChatInvite = defineMethod('messages.exportChatInvite', async (params, call) => {
  const peer = await resolveInviting(call, params.peer);
  if (params.subscriptionPricing) throw new MessengerError('PRICING_CHAT_INVALID');
  const limits = readInviteLimits(call, params);
  const adminId = call.account.userId;
  const all = await listInvites(call, peer.key);
  if (all.length >= INVITES_MAX) throw new MessengerError('INVITES_TOO_MUCH');
  if (params.legacyRevokePermanent) {
    for (const one of all.filter((other) => other.adminId === adminId && other.permanent && !other.revoked)) {
      // Somebody may join by it meanwhile, which counts.
      call.tx.expectField(invitesKey(peer.key), one.hash, JSON.stringify(one));
      putInvite(call, peer.key, { ...one, revoked: true });
    }
    return toTlInvite(addPermanentInvite(call, peer.key, adminId));
  }
  const hash = newInviteHash(peer.key);
  const invite: InviteRecord = { hash, adminId, date: call.date, usage: 0, ...limits };
  putInvite(call, peer.key, invite);
  return toTlInvite(invite);
});

export const example: Example<'messages.exportChatInvite'> = async (context) => ({
  peer: await peerChannel(context, 'channelId'),
  title: 'For friends',
});

export const difference = 'At most 200 links. `requestNeeded` counts for nothing, and nobody pays.';
