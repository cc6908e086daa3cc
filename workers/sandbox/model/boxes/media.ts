import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { StoredMessage, TlMessage } from './messages.ts';

type Media = TlJson<tl.TypeMessageMedia>;

/** Whether the message is a voice message or video, whose sender is notified when it was consumed. */
export function isVoiceOrVideo(message: TlMessage): boolean {
  const media = mediaOf(message);
  return media !== null && (startsUnread(media) || isVideo(media));
}

/** Whether its medium counts as unread in each copy until it is consumed there. */
export function showsUnread(message: TlMessage): boolean {
  const media = mediaOf(message);
  return media !== null && startsUnread(media);
}

/**
 * Whether a medium counts as unread until it is consumed: a voice message, a round video or a self-destructing medium. An ordinary video
 * shows no such mark.
 */
export function startsUnread(media: Media): boolean {
  if (media._ !== 'messageMediaDocument') return false;
  return media.voice === true || media.round === true || isSelfDestructing(media);
}

/** Whether a medium is removed once its recipient has opened it. */
export function isSelfDestructing(media: Media): boolean {
  return media._ === 'messageMediaDocument' && media.ttlSeconds !== undefined;
}

/** A message after its medium was opened: a self-destructing medium is removed. */
export function afterOpening(message: TlMessage): TlMessage {
  const media = mediaOf(message);
  if (message._ !== 'message' || media?._ !== 'messageMediaDocument' || !isSelfDestructing(media))
    return message;
  const { document: _, ...gone } = media;
  return { ...message, media: gone };
}

/** Whether this copy of a message has a medium that its owner has not consumed. */
export function isUnconsumed({ message, watched }: StoredMessage): boolean {
  const media = mediaOf(message);
  return message.mediaUnread === true || (media !== null && isVideo(media) && watched !== true);
}

function isVideo(media: Media): boolean {
  return (
    media._ === 'messageMediaDocument' &&
    media.video === true &&
    media.round !== true &&
    !isSelfDestructing(media)
  );
}

/** The medium of a message, or null. */
export function mediaOf(message: TlMessage): Media | null {
  return message._ === 'message' ? (message.media ?? null) : null;
}
