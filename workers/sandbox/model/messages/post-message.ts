import type { CallContext } from '../../../driver.ts';
import type { Peer } from '../peers/peer.ts';
import type { MessageDraft, Posted, PostOptions } from './post.ts';
import { postCopies } from './post-copies.ts';
import { postToChannel } from './post-to-channel.ts';

/**
 * Puts a message into the boxes of everybody in a conversation, counts it as unread, and notifies each of them. The sender is the calling
 * account. Errors: `MESSAGE_TOO_LONG` if that many copies do not fit one commit, `CHAT_WRITE_FORBIDDEN`, `CHAT_ADMIN_REQUIRED`,
 * `INPUT_USER_DEACTIVATED`, `USER_IS_BOT` between bots.
 */
export function postMessage(
  call: CallContext,
  peer: Peer,
  draft: MessageDraft,
  options: PostOptions = {},
): Promise<Posted> {
  return peer.kind === 'channel'
    ? postToChannel(call, peer, draft, options)
    : postCopies(call, peer, draft, options);
}
