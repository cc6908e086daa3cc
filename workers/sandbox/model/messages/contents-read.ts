import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { channelBox } from '../common/keys.ts';
import { readPts } from '../common/pts.ts';
import { notifySelf } from '../people/account-events.ts';
import { targetOf } from '../people/users.ts';

/** What says that an account has seen what was new in messages of its private chats and basic groups. */
export function toContentsRead({ date }: CallContext, messages: number[], pts: number): Update {
  return { _: 'updateReadMessagesContents', messages, pts, ptsCount: messages.length, date };
}

/**
 * Tells the calling account's sessions that it has seen what was new in messages of a conversation, and gives the `pts` after it: in a
 * channel that of the channel, which is everybody's and stays as it is.
 */
export async function noteContentsRead(
  call: CallContext,
  peer: { kind: 'user' | 'chat' | 'channel'; id: number },
  messages: number[],
): Promise<number> {
  if (peer.kind !== 'channel') {
    return notifySelf(call, messages.length, (pts) => toContentsRead(call, messages, pts));
  }
  const self = targetOf({ id: call.account.userId, accountId: call.account.id });
  call.tx.update(self, { _: 'updateChannelReadMessagesContents', channelId: peer.id, messages });
  return readPts(call, channelBox(peer.id));
}
