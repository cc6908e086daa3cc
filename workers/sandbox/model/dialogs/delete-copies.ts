import type { CallContext } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { type FoundMessage, findCopies, findMessages } from '../boxes/messages.ts';
import type { ChatRecord } from '../chats/chats.ts';
import { CHATS } from '../chats/keys.ts';
import { refuseCopies } from '../common/commit-size.ts';
import { type Box, userBox } from '../common/keys.ts';
import { removeCopies } from '../messages/remove-copies.ts';
import { peerKeyOf } from '../peers/tl-peer.ts';
import { notifyOfDeletion } from '../people/account-events.ts';
import { findUsers } from '../people/users.ts';
import { type Copied, findLastCopies, forgetLast, forgetShared } from './forget-shared.ts';

const WRITES_RESERVED = 60;
// In each box: the message, its two histories, a mention, a pin, and its share of what is written once, such as its reactions.
const WRITES_EACH = 8;
// The commit checks that deleted messages are unchanged, and so contains their texts.
const CHARACTERS_MAX = 700_000;

/** The basic groups of messages that are deleted for everybody, as they were when the right to do so was checked. */
export interface Revoking {
  groups: readonly ChatRecord[];
}

/**
 * Deletes as many of the messages as fit one commit: from the account's box, or with `revoking` from all boxes; then the commit fails if a
 * group has changed. Notifies the owners of the boxes. Returns the ids of the deleted messages; null for none. Error: `MESSAGE_TOO_LONG` if
 * not even one fits.
 */
export async function deleteCopies(
  call: CallContext,
  found: readonly FoundMessage[],
  revoking: Revoking | null,
): Promise<{ pts: number; ids: number[] } | null> {
  const copies = await findCopies(call, found);
  const fitting = takeFitting(call, found, copies, revoking !== null);
  if (fitting.length === 0) return null;
  const { userId: id, id: accountId } = call.account;
  const gone = fitting.map(({ one }) => one);
  await removeCopies(call, id, gone);
  if (revoking) await revokeFrom(call, fitting, revoking);
  else await forgetLastCopies(call, fitting);
  const pts = notifyOfDeletion(call, { id, accountId }, gone);
  return { pts, ids: gone.map(({ message }) => message.id) };
}

function takeFitting(
  call: CallContext,
  found: readonly FoundMessage[],
  copies: Record<Box, number>[],
  revoke: boolean,
): Copied[] {
  let writesLeft = call.tx.writesLeft - WRITES_RESERVED;
  let characters = CHARACTERS_MAX;
  return found
    .map((one, i) => ({ one, ids: copies[i] ?? {} }))
    .filter(({ one, ids }, i) => {
      const boxes = revoke ? Math.max(1, Object.keys(ids).length) : 1;
      writesLeft -= WRITES_EACH * boxes;
      characters -= one.raw.length * boxes;
      if (i === 0) refuseCopies(one, boxes);
      // What is reckoned for each is more than most need.
      return i === 0 || (writesLeft >= 0 && characters >= 0);
    });
}

async function revokeFrom(call: CallContext, deletions: Copied[], { groups }: Revoking): Promise<void> {
  const own = userBox(call.account.userId);
  // A member may be removed meanwhile, and somebody may be added, who gets copies.
  const concerned = new Set(deletions.map(({ one }) => peerKeyOf(one.message.peerId)));
  for (const chat of groups)
    if (concerned.has(`g${chat.id}`)) call.tx.expectField(CHATS, chat.id, JSON.stringify(chat));
  const byBox = new Map<Box, number[]>();
  for (const { one, ids } of deletions) {
    forgetShared(call, one);
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
    if (!user.deleted) notifyOfDeletion(call, user, there);
  }
}

// What the copies share goes with the last of them.
async function forgetLastCopies(call: CallContext, deletions: Copied[]): Promise<void> {
  const [last] = await Promise.all([
    findLastCopies(call, call.account.userId, deletions),
    ...deletions.map(({ one }) => forgetLastPrivate(call, one)),
  ]);
  for (const copied of last) forgetLast(call, copied);
}

async function forgetLastPrivate(call: CallContext, one: FoundMessage): Promise<void> {
  const { peerId, reactions } = one.message;
  if (!reactions || one.twin === undefined || peerId._ !== 'peerUser') return;
  const theirs = historyKey(peerId.userId, userBox(call.account.userId));
  const score = await call.tx.read.zscore(call.tx.key(theirs), String(one.twin));
  call.tx.expectScore(theirs, one.twin, score);
  if (score === null) forgetShared(call, one);
}
