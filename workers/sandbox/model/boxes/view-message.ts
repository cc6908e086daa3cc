import { showsUnread } from './media.ts';
import type { StoredMessage, TlMessage } from './messages.ts';

/** A channel's message as a reader sees it: the stored message, with the reader's own flags added. */
export function viewChannelMessage(
  { message, mentions, authorId }: StoredMessage,
  viewerId: number,
  { mentionUnread, consumed }: { mentionUnread: boolean; consumed: boolean },
): TlMessage {
  const own =
    authorId === viewerId || (message.fromId?._ === 'peerUser' && message.fromId.userId === viewerId);
  const unheard = !consumed && message.post !== true && showsUnread(message);
  return {
    ...message,
    ...(own ? { out: true } : {}),
    ...(mentions?.includes(viewerId) ? { mentioned: true } : {}),
    ...(mentionUnread || unheard ? { mediaUnread: true } : {}),
  };
}
