import type { CallContext } from '../../../driver.ts';
import { MessengerError } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { findMessages } from '../boxes/messages.ts';
import type { ChannelRecord, MemberRecord } from '../chats/chats.ts';
import { joinedKey, membersKey } from '../chats/keys.ts';
import { channelBox, SEQ } from '../common/keys.ts';
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
  const history = tx.key(historyKey(0, `c${channel.id}`));
  const [count, self, [topId]] = await Promise.all([
    tx.read.scard(tx.key(joined)),
    getSelf(call),
    tx.read.zrevrange(history, 0, 0),
  ]);
  if (count >= JOINED_MAX) throw new MessengerError('CHANNELS_TOO_MUCH');
  const member: MemberRecord = { role, date };
  tx.expectField(membersKey(channel.id), account.userId, null);
  tx.hset(membersKey(channel.id), account.userId, member);
  tx.sadd(joined, channel.id);
  // A dialog has the date of its newest message.
  const [top] = topId === undefined ? [] : await findMessages(call, channelBox(channel.id), [topId]);
  tx.zadd(dialogsKey(account.userId), top?.message.date ?? date, `c${channel.id}`);
  const newest = tx.allocate(SEQ, `msg:c${channel.id}`, 0);
  tx.hset(unreadKey(account.userId), `read:c${channel.id}`, newest);
  tx.update(targetOf(self), { _: 'updateChannel', channelId: channel.id });
  return member;
}
