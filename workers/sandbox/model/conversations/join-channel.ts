import { untilSent } from '../../../../src/state/batch-reads.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { findMessages } from '../boxes/messages.ts';
import { observeBan, setBan } from '../chats/bans.ts';
import { countMembershipChange } from '../chats/channel-members.ts';
import type { ChannelRecord, MemberRecord } from '../chats/chats.ts';
import { CHANNELS, joinDateField, joinedKey, membersKey } from '../chats/keys.ts';
import { inForce, isForbidden } from '../chats/rights.ts';
import { channelBox, SEQ } from '../common/keys.ts';
import { getSelf, targetOf, type UserRecord } from '../people/users.ts';
import { dialogsKey, unreadKey } from './keys.ts';

/** Every post notifies every member, in one commit. */
export const CHANNEL_MEMBERS_MAX = 90;

const JOINED_MAX = 500;
// A call that has had this many conflicts joins all the same where others post all the time. Its dialog may then have an earlier date.
const CONFLICTS_MAX = 2;

type Newcomer = Pick<UserRecord, 'id' | 'accountId'>;

/** Makes the calling account a member of a channel. Errors: `CHANNELS_TOO_MUCH`, `CHANNEL_PRIVATE` if it is banned. */
export async function joinAs(
  call: CallContext,
  channelId: number,
  role: MemberRecord['role'],
  by: Pick<MemberRecord, 'inviterId' | 'invite'> = {},
): Promise<MemberRecord> {
  const errors = { kicked: 'CHANNEL_PRIVATE', tooMany: 'CHANNELS_TOO_MUCH' };
  const [member] = await admit(call, channelId, [await getSelf(call)], { role, ...by }, errors);
  return member as MemberRecord;
}

/** Makes users members of a channel, with all its messages read. An administrator is restricted no longer. Throws the given errors. */
export async function admit(
  call: CallContext,
  channelId: number,
  users: readonly Newcomer[],
  as: Omit<MemberRecord, 'date' | 'sinceId' | 'ban'>,
  errors: { kicked: string; tooMany: string },
): Promise<MemberRecord[]> {
  const { tx, date } = call;
  // Nobody may post meanwhile: no member would be told of that post whose messages begin after it. So the newest is read after this.
  const counting = call.conflicts < CONFLICTS_MAX && tx.observe(SEQ, `msg:c${channelId}`);
  const [raw, counts, bans, [topId]] = await Promise.all([
    tx.observe(CHANNELS, channelId),
    Promise.all(users.map(({ id }) => tx.read.scard(tx.key(joinedKey(id))))),
    Promise.all(users.map(({ id }) => observeBan(call, channelId, id))),
    untilSent().then(() => tx.read.zrevrange(tx.key(historyKey(0, `c${channelId}`)), 0, 0)),
    counting,
  ]);
  // Null for a channel that this commit creates.
  if (raw !== null && (JSON.parse(raw) as ChannelRecord).deleted) throw new MessengerError('CHANNEL_PRIVATE');
  if (bans.some((ban) => isForbidden(ban, 'viewMessages', date))) throw new MessengerError(errors.kicked);
  if (counts.some((count) => count >= JOINED_MAX)) throw new MessengerError(errors.tooMany);
  // A dialog has the date of its newest message.
  const [top] = topId === undefined ? [] : await findMessages(call, channelBox(channelId), [topId]);
  const isPromoted = as.role === 'admin';
  for (const [i, { id }] of users.entries())
    if (bans[i] && isPromoted) await setBan(call, channelId, id, null);
  const newest = tx.allocate(SEQ, `msg:c${channelId}`, 0);
  countMembershipChange(call, channelId);
  tx.hset(SEQ, joinDateField(channelId), String(date));
  return users.map((user, i) => {
    const ban = isPromoted ? null : inForce(bans[i], date);
    const member: MemberRecord = { ...as, date, sinceId: Number(topId ?? 0), ...(ban ? { ban } : {}) };
    tx.expectField(membersKey(channelId), user.id, null);
    tx.hset(membersKey(channelId), user.id, member);
    tx.sadd(joinedKey(user.id), channelId);
    tx.zadd(dialogsKey(user.id), top?.message.date ?? date, `c${channelId}`);
    tx.hset(unreadKey(user.id), `read:c${channelId}`, newest);
    tx.update(targetOf(user), { _: 'updateChannel', channelId });
    return member;
  });
}
