import type { CallContext } from '../../../driver.ts';
import { type FoundMessage, findMessages, replaceMessage, type TlMessage } from '../boxes/messages.ts';
import { refuseCommit, refuseGrowth } from '../common/commit-size.ts';
import { userBox } from '../common/keys.ts';
import type { MessageReader } from '../conversations/message-readers.ts';
import { expectMembers } from '../peers/expect-members.ts';
import type { Peer } from '../peers/peer.ts';
import { targetOf } from '../people/users.ts';
import { type MessageReactions, partOf, type Reactions, viewReactions } from './reactions.ts';
import { isBotTold, isToldAsBot, type ReactionChange, tellBot } from './tell-bot.ts';

// No user has this id.
const NOBODY = 0;
const MEMBER_LENGTH = ',"reactions":'.length;

interface Reacted {
  /** As it was before its reactions were read. */
  found: FoundMessage;
  all: Reactions;
  change: ReactionChange;
  readers: readonly MessageReader[];
}

/**
 * Notifies everybody who has a message of its reactions, the account's other sessions included, and stores them in the copies of accounts.
 * Bots learn only how the account has changed its own, and not of a post's.
 */
export async function notifyOfReactions(
  call: CallContext,
  peer: Peer,
  { found, all, change, readers }: Reacted,
): Promise<void> {
  // Somebody who is added meanwhile gets a copy, which would lack the reaction.
  expectMembers(call, peer);
  const isPost = found.message._ === 'message' && found.message.post === true;
  if (peer.kind !== 'channel') refuseMany(call, found, all, readers.length);
  const viewFor = shareViews(call, all, isPost);
  const told = await Promise.all(
    readers.map(async (reader) => {
      const shown = all.size === 0 ? null : viewFor(reader.user.id);
      const [has, hears] = await Promise.all([
        peer.kind === 'channel' || replaceCopy(call, reader, found, shown),
        !isToldAsBot(reader.user) || (!isPost && isBotTold(call, peer, reader.user)),
      ]);
      return has && hears;
    }),
  );
  for (const reader of readers.filter((_, i) => told[i])) {
    if (isToldAsBot(reader.user)) {
      tellBot(call, reader, change);
      continue;
    }
    call.tx.update(targetOf(reader.user), {
      _: 'updateMessageReactions',
      peer: reader.peer,
      msgId: reader.msgId,
      ...partOf(found),
      reactions: viewFor(reader.user.id),
    });
  }
}

// A reaction that is given must not make the message too long to be changed again, and one that is taken back makes it shorter.
function refuseMany({ account }: CallContext, found: FoundMessage, all: Reactions, copies: number): void {
  const { reactions } = found.message;
  const plain = found.raw.length - (reactions ? MEMBER_LENGTH + JSON.stringify(reactions).length : 0);
  const shown = all.size === 0 ? 0 : JSON.stringify(viewReactions(all, NOBODY, { isPost: false })).length;
  if (all.has(account.userId)) refuseGrowth(plain + MEMBER_LENGTH + shown, copies);
  const views = Math.min(all.size + 1, copies);
  refuseCommit((found.raw.length + plain) * copies + shown * views);
}

// The reactions as each user sees them: all who have not reacted see the same. A commit has many copies of a message, and each view once.
function shareViews(
  { tx }: CallContext,
  all: Reactions,
  isPost: boolean,
): (userId: number) => MessageReactions {
  const views = new Map<number, MessageReactions>();
  return (userId) => {
    const viewer = all.has(userId) ? userId : NOBODY;
    const view = views.get(viewer) ?? tx.share(viewReactions(all, viewer, { isPost }));
    views.set(viewer, view);
    return view;
  };
}

// Returns false if the user has deleted its copy.
async function replaceCopy(
  call: CallContext,
  { user, msgId }: MessageReader,
  found: FoundMessage,
  reactions: MessageReactions | null,
): Promise<boolean> {
  const box = userBox(user.id);
  // The account's own copy as it was before the reactions were read: whoever reacts meanwhile changes it, and the call runs again.
  const [copy] = user.id === call.account.userId ? [found] : await findMessages(call, box, [msgId]);
  if (!copy) return false;
  const { reactions: _, ...message } = copy.message;
  const shown = reactions === null ? message : { ...message, reactions };
  replaceMessage(call, box, copy, shown as TlMessage);
  return true;
}
