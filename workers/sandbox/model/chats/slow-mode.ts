import { type CallContext, MessengerError } from '../../../driver.ts';
import { isAdmin } from './channel-members.ts';
import type { ChannelRecord, MemberRecord } from './chats.ts';
import { slowKey } from './keys.ts';

interface Channel {
  id: number;
  channel: Pick<ChannelRecord, 'slowMode'>;
  member: MemberRecord | null;
}

// The longest wait in slow mode.
const SLOW_MODE_MAX_MS = 3_600_000;

/** How many seconds the calling account waits between two messages to a channel; 0 for none. */
export function slowModeSecondsOf({ channel, member }: Channel): number {
  return isAdmin(member) ? 0 : (channel.slowMode ?? 0);
}

/** When the calling account may post to a channel again, in seconds like TL dates; null if it need not wait. */
export async function findNextPostDate(call: CallContext, peer: Channel): Promise<number | null> {
  const seconds = slowModeSecondsOf(peer);
  if (seconds === 0 || peer.member === null) return null;
  const posted = await call.tx.read.hget(call.tx.key(slowKey(peer.id)), String(call.account.userId));
  const next = Number(posted ?? 0) + seconds;
  return next > call.date ? next : null;
}

/** Throws `SLOWMODE_WAIT_n` where the calling account has posted to a channel less than so many seconds ago. */
export async function refuseTooSoon(
  { tx, account, date }: CallContext,
  channelId: number,
  seconds: number,
): Promise<void> {
  const wait = Number((await tx.observe(slowKey(channelId), account.userId)) ?? 0) + seconds - date;
  if (wait > 0) throw new MessengerError(`SLOWMODE_WAIT_${wait}`);
}

/** Records when the calling account has posted, which stays if the post is deleted. Posts of several members at once do not conflict. */
export function recordPosted({ tx, account, date }: CallContext, channelId: number): void {
  const name = slowKey(channelId);
  tx.hset(name, account.userId, String(date));
  tx.expire(name, 'h', SLOW_MODE_MAX_MS);
}

/** Throws `SLOWMODE_MULTI_MSGS_DISABLED` for several messages at once to a channel in slow mode; an album counts as one message. */
export function refuseSeveral(peer: Channel | { kind: 'user' | 'chat' }, messages: readonly object[]): void {
  if (messages.length < 2 || !('channel' in peer) || slowModeSecondsOf(peer) === 0) return;
  const albums = new Set(messages.map((message) => ('groupedId' in message ? message.groupedId : undefined)));
  if (albums.size > 1 || albums.has(undefined)) throw new MessengerError('SLOWMODE_MULTI_MSGS_DISABLED');
}
