import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { TlMessage } from './messages.ts';

type Media = TlJson<tl.TypeMessageMedia>;

/** Whether the message is something to be listened to or watched, whose sender hears that it was. */
export function isHeardOrSeen(message: TlMessage): boolean {
  return message._ === 'message' && message.media !== undefined && startsUnread(message.media);
}

/** Whether a medium counts as unread until it is consumed: a voice message, a round or an ordinary video. */
export function startsUnread(media: Media): boolean {
  return (
    media._ === 'messageMediaDocument' &&
    (media.voice === true || media.round === true || media.video === true)
  );
}
