import type { CallContext } from '../../../driver.ts';
import { forwardsKey } from './keys.ts';

/** A message of a channel. The id is a placeholder if this commit creates the message. */
export interface ChannelPost {
  channelId: number;
  msgId: number;
}

/** Notes that a channel's post was forwarded to another channel, public or not. */
export function addForward(call: CallContext, post: ChannelPost, copy: ChannelPost): void {
  call.tx.zadd(forwardsKey(post), call.date, toMember(copy));
}

/** Removes a forward, because the message in the other channel was deleted. */
export function removeForward(call: CallContext, post: ChannelPost, copy: ChannelPost): void {
  call.tx.zrem(forwardsKey(post), toMember(copy));
}

/** Parses a member of the set of a post's forwards: a message of another channel. */
export function toChannelPost(member: string): ChannelPost {
  const [channelId = 0, msgId = 0] = member.split(':').map(Number);
  return { channelId, msgId };
}

function toMember({ channelId, msgId }: ChannelPost): string {
  return `${channelId}:${msgId}`;
}
