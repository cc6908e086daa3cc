import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { channelBox } from '../common/keys.ts';
import { readPts } from '../common/pts.ts';
import { notifySelf } from '../people/account-events.ts';
import { targetOf } from '../people/users.ts';

/** The update that says that an account has read the contents of messages of its private chats and basic groups. */
export function toContentsRead({ date }: CallContext, messages: number[], pts: number): Update {
  return { _: 'updateReadMessagesContents', messages, pts, ptsCount: messages.length, date };
}

/**
 * Notifies the calling account's sessions that it has read the contents of messages of a conversation. Returns the new `pts`, and how many
 * changes it counts: none in a channel, whose `pts` stays, so that clients do not ask for a difference.
 */
export async function notifyOfContentsRead(
  call: CallContext,
  peer: { kind: 'user' | 'chat' | 'channel'; id: number },
  messages: number[],
): Promise<{ pts: number; ptsCount: number }> {
  if (peer.kind !== 'channel') {
    const ptsCount = messages.length;
    return { pts: notifySelf(call, ptsCount, (pts) => toContentsRead(call, messages, pts)), ptsCount };
  }
  const self = targetOf({ id: call.account.userId, accountId: call.account.id });
  call.tx.update(self, { _: 'updateChannelReadMessagesContents', channelId: peer.id, messages });
  return { pts: await readPts(call, channelBox(peer.id)), ptsCount: 0 };
}
