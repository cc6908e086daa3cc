import type { CallContext } from '../../../driver.ts';
import { forwardsKey } from './keys.ts';

/** A message of a channel. The id may be a placeholder where the message is made by this commit. */
export interface ChannelPost {
  channelId: number;
  msgId: number;
}

/** Notes that a channel's post was forwarded to a public channel. */
export function addPublicForward(call: CallContext, post: ChannelPost, copy: ChannelPost): void {
  call.tx.zadd(forwardsKey(post), call.date, toMember(copy));
}

/** Forgets a forward, because the message in the public channel is gone. */
export function removePublicForward(call: CallContext, post: ChannelPost, copy: ChannelPost): void {
  call.tx.zrem(forwardsKey(post), toMember(copy));
}

/** The message of a public channel that a member of the set of a post's forwards names. */
export function toChannelPost(member: string): ChannelPost {
  const [channelId = 0, msgId = 0] = member.split(':').map(Number);
  return { channelId, msgId };
}

function toMember({ channelId, msgId }: ChannelPost): string {
  return `${channelId}:${msgId}`;
}
