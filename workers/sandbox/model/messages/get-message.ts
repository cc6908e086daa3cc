import { type CallContext, MessengerError } from '../../../driver.ts';
import { type FoundMessage, findMessages, type TlMessage } from '../boxes/messages.ts';
import { ownThread } from '../conversations/topics.ts';
import { boxOf, type Peer } from '../peers/peer.ts';
import { peerKeyOf } from '../peers/tl-peer.ts';

/** Whether a message is of a conversation and the caller sees it: in a monoforum, only administrators see messages of others. */
export function isShownIn(
  call: CallContext,
  peer: Peer,
  { message, thread }: Pick<FoundMessage, 'message' | 'thread'>,
): boolean {
  const visible = ownThread(call, peer);
  return peerKeyOf(message.peerId) === peer.key && (visible === undefined || visible === thread);
}

/** The same of messages of a channel as they are viewed; those that the caller does not see are null. */
export function onlyShown(
  call: CallContext,
  peer: Peer,
  viewed: readonly (TlMessage | null)[],
): (TlMessage | null)[] {
  return viewed.map((message) => {
    if (!message) return null;
    const thread = message.savedPeerId && peerKeyOf(message.savedPeerId);
    return isShownIn(call, peer, { message, ...(thread ? { thread } : {}) }) ? message : null;
  });
}

/** The message of a conversation with this id. Errors: `MESSAGE_ID_INVALID`, or the given error, if it does not exist. */
export async function getMessage(
  call: CallContext,
  peer: Peer,
  id: number,
  error = 'MESSAGE_ID_INVALID',
): Promise<FoundMessage> {
  const [found] = await findMessages(call, boxOf(call, peer), [id]);
  if (!found || !isShownIn(call, peer, found)) throw new MessengerError(error);
  return found;
}
