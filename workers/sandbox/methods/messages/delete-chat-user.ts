import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { type FoundMessage, findCopies, findMessages } from '../../model/boxes/messages.ts';
import { toTlChat } from '../../model/chats/chats.ts';
import { changeMembers } from '../../model/chats/group-members.ts';
import { leftKey } from '../../model/chats/keys.ts';
import { type PeerKey, userBox } from '../../model/common/keys.ts';
import { forgetDraftsOf } from '../../model/conversations/drafts.ts';
import { dialogsKey } from '../../model/conversations/keys.ts';
import { type Copied, findLastCopies, forgetLast } from '../../model/dialogs/forget-shared.ts';
import { leaveCallsOf } from '../../model/group-calls/leave-call.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { toPostedUpdates } from '../../model/messages/posted-updates.ts';
import { removeCopies } from '../../model/messages/remove-copies.ts';
import { pollOf } from '../../model/messages/show-polls.ts';
import { resolveChat, resolveUser } from '../../model/peers/resolve-peer.ts';
import { notifyOfDeletion } from '../../model/people/account-events.ts';
import { findUser } from '../../model/people/users.ts';
import { isPinned } from '../../model/pins/set-pinned.ts';

const REVOKED_MAX = 100;
// Of each message: itself, its history, and its mention or what its author sent; beside these its pin, and the votes of an own poll.
const WRITES_EACH = 3;
// Of one that no other account has: what the copies share.
const WRITES_OF_LAST = 2;
const OTHER_WRITES = 20;
// The commit checks that the messages are unchanged, and so contains their texts, besides the members for each member.
const CHARACTERS_MAX = 300_000;

/**
 * Removes a user from a basic group, or leaves it, with a service message. The creator may remove anybody, a member only users whom it
 * added. With `revokeHistory`, the user loses its newest messages of the group: 100, or as many as fit the commit, in a group of 90 about
 * 70. Errors: `USER_NOT_PARTICIPANT`, `CHAT_ADMIN_REQUIRED`.
 */
export const deleteChatUser = defineMethod('messages.deleteChatUser', async (params, call) => {
  const [chat, user] = await Promise.all([
    resolveChat(call, params.chatId),
    resolveUser(call, params.userId),
  ]);
  const self = call.account.userId;
  const member = chat.members.find(({ userId }) => userId === user.id);
  if (!member) throw new MessengerError('USER_NOT_PARTICIPANT');
  const mayRemove = user.id === self || chat.creatorId === self || member.inviterId === self;
  if (!mayRemove || (user.id === chat.creatorId && user.id !== self)) {
    throw new MessengerError('CHAT_ADMIN_REQUIRED');
  }
  // For the user who leaves, this is the last message from the group.
  const peer = { kind: 'chat', id: chat.id, key: `g${chat.id}`, chat } as const;
  const action = { _: 'messageActionChatDeleteUser', userId: user.id } as const;
  const posted = await postMessage(call, peer, { _: 'messageService', action });
  const changed = await changeMembers(
    call,
    chat,
    chat.members.filter((other) => other !== member),
    user.id === self ? undefined : user.id,
  );
  if (user.id === self) call.tx.sadd(leftKey(self), chat.id);
  await leaveCallsOf(call, peer.key, user.id);
  await forgetDraftsOf(call, user.id, { key: peer.key, writes: call.tx.writesLeft });
  if (params.revokeHistory) await forgetHistory(call, peer.key, user.id);
  return toPostedUpdates(call, peer, posted, { chat: toTlChat(changed, self), others: [user.id] });
});

async function forgetHistory(call: CallContext, key: PeerKey, userId: number): Promise<void> {
  const { tx } = call;
  const name = tx.key(historyKey(userId, key));
  const ids = await tx.read.zrevrange(name, 0, REVOKED_MAX - 1);
  const budget = { left: CHARACTERS_MAX };
  const all = (await findMessages(call, userBox(userId), ids, budget)).filter((one) => one !== null);
  const copies = await findCopies(call, all, userId);
  const copied = all.map((one, i) => ({ one, ids: copies[i] ?? {} }));
  const last = new Map((await findLastCopies(call, userId, copied)).map((one) => [one.one, one]));
  const found = takeFitting(call, all, last);
  if (found.length === 0) return;
  await removeCopies(call, userId, found);
  for (const one of found) if (last.has(one)) forgetLast(call, last.get(one) as Copied);
  // The message about its removal stays.
  tx.zadd(dialogsKey(userId), call.date, key);
  const user = await findUser(call, userId);
  if (user) notifyOfDeletion(call, user, found);
}

function takeFitting(
  { tx }: CallContext,
  found: readonly FoundMessage[],
  last: ReadonlyMap<FoundMessage, Copied>,
): FoundMessage[] {
  let writesLeft = tx.writesLeft - OTHER_WRITES;
  return found.filter((one) => {
    const hasVotes = one.message.out === true && pollOf(one.message) !== null;
    writesLeft -= WRITES_EACH + Number(isPinned(one)) + Number(hasVotes);
    if (last.has(one)) writesLeft -= WRITES_OF_LAST;
    return writesLeft >= 0;
  });
}

export const example: Example<'messages.deleteChatUser'> = async (context) => ({
  chatId: context.ids.chatId,
  userId: await inputUser(context, 'friendId'),
});

export const difference =
  'With `revokeHistory`, the user loses its newest 100 messages of the group, or as many as fit the commit.';
