import type { CallContext } from '../../../driver.ts';
import { consumedKey } from '../boxes/keys.ts';
import { isVoiceOrVideo } from '../boxes/media.ts';
import type { TlMessage } from '../boxes/messages.ts';
import { viewDaysKey, viewedKey } from './keys.ts';

/** Removes who has viewed, heard or seen a channel's message, and the views of each day. */
export function forgetViewers(
  { tx }: CallContext,
  post: { channelId: number; msgId: number },
  message: TlMessage,
): void {
  if (hasViews(message)) {
    tx.del(viewedKey(post), 's');
    tx.del(viewDaysKey(post), 'h');
  }
  if (hasListeners(message)) tx.del(consumedKey(post), 's');
}

/** Whether views of a channel's message are counted. */
export function hasViews(message: TlMessage): boolean {
  return message._ === 'message' && message.views !== undefined;
}

/** Whether a channel's message is a voice message or video of which is kept who has heard or seen it. */
export function hasListeners(message: TlMessage): boolean {
  return message.post !== true && isVoiceOrVideo(message);
}
