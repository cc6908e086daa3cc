import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';

/** What says that the calling account has seen what was new in messages of a conversation; in a channel it has no `pts` of the account. */
export function toContentsRead(
  { date }: CallContext,
  peer: { kind: 'user' | 'chat' } | { kind: 'channel'; id: number },
  messages: number[],
  pts: number,
): Update {
  return peer.kind === 'channel'
    ? { _: 'updateChannelReadMessagesContents', channelId: peer.id, messages }
    : { _: 'updateReadMessagesContents', messages, pts, ptsCount: messages.length, date };
}
