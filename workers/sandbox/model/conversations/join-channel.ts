import type { CallContext } from '../../../driver.ts';
import { MessengerError } from '../../../driver.ts';
import type { ChannelRecord, MemberRecord } from '../chats/chats.ts';
import { joinedKey, membersKey } from '../chats/keys.ts';
import { SEQ } from '../common/keys.ts';
import { getSelf, targetOf } from '../people/users.ts';
import { dialogsKey, unreadKey } from './keys.ts';

/** Every member hears of every post in the commit that makes it. */
export const CHANNEL_MEMBERS_MAX = 90;

const JOINED_MAX = 500;

/** Makes the calling account a member of a channel, which has been read up to now. Errors: `CHANNELS_TOO_MUCH`. */
export async function joinAs(
  call: CallContext,
  channel: ChannelRecord,
  role: MemberRecord['role'],
): Promise<MemberRecord> {
  const { tx, account, date } = call;
  const joined = joinedKey(account.userId);
  const [count, self] = await Promise.all([tx.read.scard(tx.key(joined)), getSelf(call)]);
  if (count >= JOINED_MAX) throw new MessengerError('CHANNELS_TOO_MUCH');
  const member: MemberRecord = { role, date };
  tx.expectField(membersKey(channel.id), account.userId, null);
  tx.hset(membersKey(channel.id), account.userId, member);
  tx.sadd(joined, channel.id);
  tx.zadd(dialogsKey(account.userId), date, `c${channel.id}`);
  const newest = tx.allocate(SEQ, `msg:c${channel.id}`, 0);
  tx.hset(unreadKey(account.userId), `read:c${channel.id}`, newest);
  tx.update(targetOf(self), { _: 'updateChannel', channelId: channel.id });
  return member;
}
