import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { isAdmin } from '../chats/channel-members.ts';
import type { MemberRecord } from '../chats/chats.ts';
import { type InviteRecord, toHiddenInvite, toTlInvite } from '../chats/invites.ts';
import { type Ban, inForce } from '../chats/rights.ts';
import { SEQ, userBox } from '../common/keys.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { findUsers, targetOf, type UserRecord } from '../people/users.ts';
import { listMembers, toTlParticipant } from './participants.ts';

// Each notice raises a counter. A commit has room for 500 counters, of which the members' unread messages take up to 180.
const NOTICES_MAX = 250;

/** A user's standing in a channel before or after the call: membership and ban. */
interface ParticipantState {
  member: MemberRecord | null;
  /** If left out, the member's own ban. */
  ban?: Ban | null | undefined;
}

/** Somebody whose standing in a channel changes. */
export interface ChangedParticipant {
  userId: number;
  before: ParticipantState;
  after: ParticipantState;
  /** The link by which the user has joined. */
  invite?: InviteRecord;
}

/**
 * Notifies bots of users who have joined or left a channel, or whose rights have changed there: bots that are administrators of the
 * channel, and the bot concerned. Nobody else gets this update. Source: core.telegram.org/constructor/updateChannelParticipant. Errors:
 * `USERS_TOO_MUCH` for more changes than so many bots can be notified of at once.
 */
export async function notifyOfParticipants(
  call: CallContext,
  peer: ChannelPeer,
  changed: readonly ChangedParticipant[],
): Promise<void> {
  const { tx, date, account } = call;
  const members = new Map((await listMembers(call, peer.id)).map(({ userId, member }) => [userId, member]));
  const admins = [...members].filter(([, member]) => isAdmin(member)).map(([userId]) => userId);
  const users = await findUsers(call, [...new Set([...admins, ...changed.map(({ userId }) => userId)])]);
  const bots = users.filter((one) => one?.bot && !one.deleted && one.accountId !== null) as UserRecord[];
  const notifiedBots = bots.filter(({ id }) => isAdmin(members.get(id) ?? null)).length;
  if (changed.length > 1 && notifiedBots * changed.length > NOTICES_MAX)
    throw new MessengerError('USERS_TOO_MUCH');
  for (const bot of bots) {
    const member = members.get(bot.id) ?? null;
    const concerned = isAdmin(member) ? changed : changed.filter(({ userId }) => userId === bot.id);
    // Each sees what it may change itself.
    const asBot = { ...call, account: { ...account, userId: bot.id } };
    const view = (userId: number, standing: ParticipantState) => {
      const ban = inForce(standing.ban ?? standing.member?.ban, date);
      const one = { userId, member: standing.member, ban };
      return one.member || ban ? toTlParticipant(asBot, { ...peer, member }, one) : undefined;
    };
    for (const { userId, before, after, invite } of concerned) {
      const [prevParticipant, newParticipant] = [view(userId, before), view(userId, after)];
      const update: Update = {
        _: 'updateChannelParticipant',
        channelId: peer.id,
        date,
        actorId: account.userId,
        userId,
        ...(prevParticipant ? { prevParticipant } : {}),
        ...(newParticipant ? { newParticipant } : {}),
        ...shownInvite(invite, bot),
        qts: tx.allocate(SEQ, `qts:${userBox(bot.id)}`),
      };
      tx.update(targetOf(bot), update);
    }
  }
}

function shownInvite(invite: InviteRecord | undefined, bot: UserRecord) {
  if (!invite) return {};
  return { invite: invite.adminId === bot.id ? toTlInvite(invite) : toHiddenInvite(invite) };
}
