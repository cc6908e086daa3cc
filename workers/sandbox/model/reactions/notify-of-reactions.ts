import type { CallContext } from '../../../driver.ts';
import { type FoundMessage, findMessages, replaceMessage, type TlMessage } from '../boxes/messages.ts';
import { userBox } from '../common/keys.ts';
import { listMessageReaders, type MessageReader } from '../conversations/message-readers.ts';
import { expectMembers } from '../peers/expect-members.ts';
import type { Peer } from '../peers/peer.ts';
import { targetOf } from '../people/users.ts';
import { partOf, type Reactions, viewReactions } from './reactions.ts';

/**
 * Notifies everybody who has a message of its reactions, the account's other sessions included, and stores them in the copies of accounts.
 */
export async function notifyOfReactions(
  call: CallContext,
  peer: Peer,
  found: FoundMessage,
  all: Reactions,
): Promise<void> {
  // Somebody who is added meanwhile gets a copy, which would lack the reaction.
  expectMembers(call, peer);
  const isPost = found.message._ === 'message' && found.message.post === true;
  const readers = await listMessageReaders(call, peer, found);
  const have = await Promise.all(
    readers.map((reader) => (peer.kind === 'channel' ? true : replaceCopy(call, reader, all))),
  );
  for (const [i, { user, peer: known, msgId }] of readers.entries()) {
    if (!have[i]) continue;
    call.tx.update(targetOf(user), {
      _: 'updateMessageReactions',
      peer: known,
      msgId,
      ...partOf(found),
      reactions: viewReactions(all, user.id, { isPost }),
    });
  }
}

// Returns false if the user has deleted its copy.
async function replaceCopy(
  call: CallContext,
  { user, msgId }: MessageReader,
  all: Reactions,
): Promise<boolean> {
  const box = userBox(user.id);
  const [copy] = await findMessages(call, box, [msgId]);
  if (!copy) return false;
  const { reactions: _, ...message } = copy.message;
  const reactions = viewReactions(all, user.id, { isPost: false });
  const shown = all.size === 0 ? message : { ...message, reactions };
  replaceMessage(call, box, copy, shown as TlMessage);
  return true;
}
