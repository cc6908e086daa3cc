import { type CallContext, MessengerError } from '../../../../driver.ts';
import { consumedKey } from '../../boxes/keys.ts';
import { mediaOf, showsUnread } from '../../boxes/media.ts';
import { type FoundMessage, findMessages, replaceMessage, type TlMessage } from '../../boxes/messages.ts';
import { recordChannelEvent } from '../../chats/channel-events.ts';
import { refuseLargeEdit, refuseTooLarge } from '../../common/commit-size.ts';
import { type Box, channelBox, userBox } from '../../common/keys.ts';
import { readersOf } from '../../conversations/channel-readers.ts';
import { findPresentCopies } from '../../conversations/message-readers.ts';
import { expectMembers } from '../../peers/expect-members.ts';
import type { Peer } from '../../peers/peer.ts';
import { notifyOfEvent } from '../../people/account-events.ts';
import { findUsers, targetOf } from '../../people/users.ts';
import { observePollFor } from '../../polls/polls.ts';
import { pollOf, withPoll } from '../show-polls.ts';
import { viewPostFor } from './view-post.ts';

type Change = (message: TlMessage) => TlMessage;

/** A message as the calling account has it after a change. */
export interface Edited {
  message: TlMessage;
  pts: number;
}

/** Changes a message in the boxes of everybody in the conversation who has it, and notifies each of them. */
export function editEverywhere(
  call: CallContext,
  peer: Peer,
  found: FoundMessage,
  change: Change,
): Promise<Edited> {
  return peer.kind === 'channel'
    ? editPost(call, peer, found, change)
    : editCopies(call, peer, found, change);
}

async function editPost(
  call: CallContext,
  peer: Extract<Peer, { kind: 'channel' }>,
  found: FoundMessage,
  change: Change,
): Promise<Edited> {
  const box = channelBox(peer.id);
  const message = change(found.message);
  const readers = await readersOf(call, peer, found.thread);
  refuseTooLarge(message, readers.length + 1);
  replaceMessage(call, box, found, message);
  const pts = recordChannelEvent(call, peer.id, 1, { edited: message.id });
  const userIds = [...readers.map(({ id }) => id), call.account.userId];
  const isFresh = isOtherMedium(found.message, message);
  // Nobody has heard or seen the new medium.
  if (isFresh) call.tx.del(consumedKey({ channelId: peer.id, msgId: message.id }), 's');
  const views = await viewPostFor(call, peer, { ...found, message }, userIds, { isFresh });
  for (const [i, reader] of readers.entries()) {
    call.tx.update(targetOf(reader), {
      _: 'updateEditChannelMessage',
      message: views[i] as TlMessage,
      pts,
      ptsCount: 1,
    });
  }
  return { message: views.at(-1) as TlMessage, pts };
}

async function editCopies(
  call: CallContext,
  peer: Peer,
  found: FoundMessage,
  change: Change,
): Promise<Edited> {
  expectMembers(call, peer);
  const [copies = {}] = await findPresentCopies(call, peer, [found]);
  const boxes = Object.keys(copies) as Box[];
  refuseLargeEdit(found, change(found.message), boxes.length);
  const ids = boxes.map((box) => Number(box.slice(1)));
  const poll = pollOf(found.message)?.poll;
  const [users, messages, polls] = await Promise.all([
    findUsers(call, ids),
    Promise.all(boxes.map(async (box) => (await findMessages(call, box, [copies[box] as number]))[0])),
    poll && observePollFor(call, poll.id, ids),
  ]);
  const isOwnChat = peer.key === userBox(call.account.userId);
  let own: Edited | undefined;
  for (const [i, box] of boxes.entries()) {
    const [user, one] = [users[i], messages[i]];
    if (!user || user.deleted || !one) continue;
    const after = withChange(one, change, isOwnChat);
    replaceMessage(call, box, after, after.message);
    const message = withPoll(after.message, polls?.[i]);
    const event = (pts: number) => ({ _: 'updateEditMessage', message, pts, ptsCount: 1 }) as const;
    const { pts } = notifyOfEvent(call, user, 1, event);
    if (box === userBox(call.account.userId)) own = { message, pts };
  }
  if (!own) throw new MessengerError('MESSAGE_ID_INVALID');
  return own;
}

function isOtherMedium(before: TlMessage, after: TlMessage): boolean {
  return JSON.stringify(mediaOf(before)) !== JSON.stringify(mediaOf(after));
}

// Its owner has neither heard nor seen a new medium. An unread mention has the same flag, which stays.
function withChange(one: FoundMessage, change: Change, isOwnChat: boolean): FoundMessage {
  const message = change(one.message);
  if (!isOtherMedium(one.message, message)) return { ...one, message };
  const { watched: _, ...unwatched } = one;
  const { mediaUnread, ...plain } = message;
  const isUnread = (showsUnread(message) && !isOwnChat) || (message.mentioned && mediaUnread);
  return { ...unwatched, message: { ...plain, ...(isUnread ? { mediaUnread: true } : {}) } as TlMessage };
}
