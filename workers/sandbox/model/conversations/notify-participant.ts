import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { isAdmin } from '../chats/channel-members.ts';
import type { MemberRecord } from '../chats/chats.ts';
import type { Ban } from '../chats/rights.ts';
import { SEQ, userBox } from '../common/keys.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { findUsers, targetOf, type UserRecord } from '../people/users.ts';
import { listMembers, toTlParticipant } from './participants.ts';

// Each raises a counter of its own, and a commit has room for 500, of which the members' unread messages take up to 180.
const NOTICES_MAX = 250;

/** How somebody was in a channel, or is once the call is done: a member, or with a ban. */
interface Standing {
  member: MemberRecord | null;
  /** That of the member where it is left out. */
  ban?: Ban | null | undefined;
}

/** Somebody whose standing in a channel changes. */
export interface ChangedParticipant {
  userId: number;
  before: Standing;
  after: Standing;
}

/**
 * Notifies bots of who has come to a channel or gone, and who may do something else there: those that are administrators of it, and the one
 * that it is about. Nobody else gets this update. Source: core.telegram.org/constructor/updateChannelParticipant.
 * Errors: `USERS_TOO_MUCH` for more changes than so many bots can be told of at once.
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
  const hearing = bots.filter(({ id }) => isAdmin(members.get(id) ?? null)).length;
  if (changed.length > 1 && hearing * changed.length > NOTICES_MAX)
    throw new MessengerError('USERS_TOO_MUCH');
  for (const bot of bots) {
    const member = members.get(bot.id) ?? null;
    const told = isAdmin(member) ? changed : changed.filter(({ userId }) => userId === bot.id);
    // Each sees what it may change itself.
    const asBot = { ...call, account: { ...account, userId: bot.id } };
    const view = (userId: number, standing: Standing) => {
      const ban = standing.ban ?? standing.member?.ban ?? null;
      const one = { userId, member: standing.member, ban };
      return one.member || ban ? toTlParticipant(asBot, { ...peer, member }, one) : undefined;
    };
    for (const { userId, before, after } of told) {
      const [prevParticipant, newParticipant] = [view(userId, before), view(userId, after)];
      const update: Update = {
        _: 'updateChannelParticipant',
        channelId: peer.id,
        date,
        actorId: account.userId,
        userId,
        ...(prevParticipant ? { prevParticipant } : {}),
        ...(newParticipant ? { newParticipant } : {}),
        qts: tx.allocate(SEQ, `qts:${userBox(bot.id)}`),
      };
      tx.update(targetOf(bot), update);
    }
  }
}
