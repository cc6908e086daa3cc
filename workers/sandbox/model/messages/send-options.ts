import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { Peer } from '../peers/peer.ts';

interface Premium {
  quickReplyShortcut?: object;
  quickReplyShortcutId?: number;
  scheduleRepeatPeriod?: number;
}

/** Refuses what asks for a quick reply, or to repeat a scheduled message, with `PREMIUM_ACCOUNT_REQUIRED`: nobody has Premium. */
export function refusePremiumOptions(given: Premium): void {
  const isQuickReply = given.quickReplyShortcut !== undefined || given.quickReplyShortcutId !== undefined;
  if (isQuickReply || (given.scheduleRepeatPeriod ?? 0) !== 0)
    throw new MessengerError('PREMIUM_ACCOUNT_REQUIRED');
}

/** Throws `SUGGESTED_POST_PEER_INVALID` for a post that is suggested outside a monoforum. */
export function refuseSuggestedPost(peer: Peer, post: object | undefined): void {
  if (post && !(peer.kind === 'channel' && peer.channel.kind === 'monoforum'))
    throw new MessengerError('SUGGESTED_POST_PEER_INVALID');
}

/** How a message is shown: its effect, which only private chats have, and its caption above its medium. */
export function shownOptions(
  call: CallContext,
  peer: Peer,
  { effect, invertMedia }: { effect?: string; invertMedia?: boolean },
): Pick<TlJson<tl.RawMessage>, 'effect' | 'invertMedia'> {
  const isPrivate = peer.kind === 'user' && peer.id !== call.account.userId;
  return {
    ...(effect !== undefined && isPrivate ? { effect } : {}),
    ...(invertMedia ? { invertMedia } : {}),
  };
}
