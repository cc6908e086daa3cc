import type { CallContext } from '../../../driver.ts';
import { type FoundMessage, findMessages, replaceMessage, type TlMessage } from '../boxes/messages.ts';
import { userBox } from '../common/keys.ts';
import { listMessageReaders, type MessageReader } from '../conversations/message-readers.ts';
import type { Peer } from '../peers/peer.ts';
import { targetOf } from '../people/users.ts';
import { type Reactions, viewReactions } from './reactions.ts';

/** Notifies everybody else who has a message of its reactions, and stores them in the copies of accounts. */
export async function notifyOfReactions(
  call: CallContext,
  peer: Peer,
  found: FoundMessage,
  all: Reactions,
): Promise<void> {
  const isPost = found.message._ === 'message' && found.message.post === true;
  const readers = await listMessageReaders(call, peer, found);
  if (peer.kind !== 'channel') await Promise.all(readers.map((reader) => replaceCopy(call, reader, all)));
  for (const { user, peer: known, msgId } of readers) {
    if (user.id === call.account.userId) continue;
    call.tx.update(targetOf(user), {
      _: 'updateMessageReactions',
      peer: known,
      msgId,
      reactions: viewReactions(all, user.id, { isPost }),
    });
  }
}

async function replaceCopy(call: CallContext, { user, msgId }: MessageReader, all: Reactions): Promise<void> {
  const box = userBox(user.id);
  const [copy] = await findMessages(call, box, [msgId]);
  if (!copy) return;
  const { reactions: _, ...message } = copy.message;
  const reactions = viewReactions(all, user.id, { isPost: false });
  const shown = all.size === 0 ? message : { ...message, reactions };
  replaceMessage(call, box, copy, shown as TlMessage);
}
