import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { COPIES } from '../../model/boxes/keys.ts';
import { type FoundMessage, findCopies, findMessages } from '../../model/boxes/messages.ts';
import { findChats } from '../../model/chats/chats.ts';
import { type Box, userBox } from '../../model/common/keys.ts';
import { readPts } from '../../model/common/pts.ts';
import { removeCopies } from '../../model/messages/remove-copies.ts';
import { notifyOfEvent, notifySelf } from '../../model/people/account-events.ts';
import { findUsers } from '../../model/people/users.ts';

const IDS_MAX = 100;
const ROOM_KEPT = 60;
// In each box: the message, its two histories, a mention, and its share of what is written once.
const WRITES_EACH = 7;

/**
 * Deletes messages of private chats and basic groups, as many as fit one commit: for the account alone, or with `revoke` for
 * everybody. Ids that do not exist are passed over. Errors: `MESSAGE_DELETE_FORBIDDEN` for revoking others' messages in a group
 * the account did not create.
 */
export const deleteMessages = defineMethod('messages.deleteMessages', async ({ id: asked, revoke }, call) => {
  const own = userBox(call.account.userId);
  const ids = [...new Set(asked)].slice(0, IDS_MAX);
  const found = (await findMessages(call, own, ids)).filter((one) => one !== null);
  if (revoke) await refuseForeign(call, found);
  const copies = await findCopies(call, found);
  const fitting = takeFitting(call, found, copies, revoke === true);
  if (fitting.length === 0) {
    return { _: 'messages.affectedMessages', pts: await readPts(call, own), ptsCount: 0 };
  }
  await removeCopies(
    call,
    call.account.userId,
    fitting.map(({ one }) => one),
  );
  if (revoke) await revokeFrom(call, fitting);
  const messages = fitting.map(({ one }) => one.message.id);
  const ptsCount = messages.length;
  const pts = notifySelf(call, ptsCount, (at) => ({
    _: 'updateDeleteMessages',
    messages,
    pts: at,
    ptsCount,
  }));
  return { _: 'messages.affectedMessages', pts, ptsCount };
});

async function refuseForeign(call: CallContext, found: FoundMessage[]): Promise<void> {
  const foreign = found.flatMap(({ message: { out, peerId } }) =>
    !out && peerId._ === 'peerChat' ? peerId.chatId : [],
  );
  const chats = await findChats(call, [...new Set(foreign)]);
  if (chats.some((chat) => chat?.creatorId !== call.account.userId)) {
    throw new MessengerError('MESSAGE_DELETE_FORBIDDEN');
  }
}

interface Deleted {
  one: FoundMessage;
  /** Ids of its copies, by box. */
  ids: Record<Box, number>;
}

function takeFitting(
  call: CallContext,
  found: FoundMessage[],
  copies: Record<Box, number>[],
  revoke: boolean,
): Deleted[] {
  let room = call.tx.room - ROOM_KEPT;
  return found
    .map((one, i) => ({ one, ids: copies[i] ?? {} }))
    .filter(({ ids }) => {
      room -= WRITES_EACH * (revoke ? Math.max(1, Object.keys(ids).length) : 1);
      return room >= 0;
    });
}

async function revokeFrom(call: CallContext, deleted: Deleted[]): Promise<void> {
  const own = userBox(call.account.userId);
  const byBox = new Map<Box, number[]>();
  for (const { one, ids } of deleted) {
    if (one.copies !== undefined) call.tx.hdel(COPIES, one.copies);
    for (const [box, id] of Object.entries(ids) as [Box, number][]) {
      if (box !== own) byBox.set(box, [...(byBox.get(box) ?? []), id]);
    }
  }
  const users = await findUsers(
    call,
    [...byBox.keys()].map((box) => Number(box.slice(1))),
  );
  for (const user of users) {
    if (!user) continue;
    const box = userBox(user.id);
    const found = await findMessages(call, box, byBox.get(box) ?? []);
    const there = found.filter((one) => one !== null);
    if (there.length === 0) continue;
    await removeCopies(call, user.id, there);
    if (user.deleted) continue;
    const messages = there.map(({ message }) => message.id);
    const ptsCount = messages.length;
    notifyOfEvent(call, user, ptsCount, (pts) => ({ _: 'updateDeleteMessages', messages, pts, ptsCount }));
  }
}

export const example: Example<'messages.deleteMessages'> = () => ({ id: [2] });

export const difference = 'At most 100 messages at once, as many as fit one commit.';
