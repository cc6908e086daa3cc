import type { Transaction } from '../../src/state/transaction.ts';
import type { CallContext, ControlOrder } from '../driver.ts';
import { endBan } from './model/chats/bans.ts';
import { DUE } from './model/common/due.ts';
import { continueForgetting } from './model/conversations/forgetting/forget-user.ts';
import { findUser } from './model/people/users.ts';
import { scheduledDatesKey, scheduledKey } from './model/scheduled/keys.ts';
import { removeScheduled, SCHEDULED_MAX } from './model/scheduled/scheduled-messages.ts';
import { findSendable, sendScheduled } from './model/scheduled/send-scheduled.ts';
import { continueClosing } from './reset/close-channel.ts';
import { continueForgettingDeleted } from './reset/forget-deleted.ts';

const POSTPONED_S = 10;

/**
 * Does the work that is due first, as much as fits one commit: sends scheduled messages of an account to one conversation, removes what is
 * left of a deleted account or of a channel that was deleted or left, or lifts a ban that has ended. `next` says when there is more to do,
 * in seconds like TL dates; null for never. With `hasFailed`, postpones the first piece of work instead, so that the rest has its turn.
 */
export const doDueWork: ControlOrder = async (payload, call) => {
  const { tx, date } = call;
  const name = tx.key(DUE);
  const [first] = await tx.read.zrange(name, '0', '0');
  if (first === undefined) return { next: null };
  const due = Number(await tx.read.zscore(name, first));
  if (due > date) return { next: due };
  if ((payload as { hasFailed?: boolean }).hasFailed) {
    tx.expectScore(DUE, first, due);
    tx.zadd(DUE, date + POSTPONED_S, first);
  } else if (first.startsWith('left:')) await continueForgetting(call, first);
  else if (first.startsWith('closed:')) await continueClosing(call, first);
  else if (first.startsWith('deleted:')) await continueForgettingDeleted(call, first);
  else if (first.startsWith('ban:')) await endBan(call, first);
  else await sendDue(call, Number(first));
  return { next: date };
};

/** When the first work of a transaction's workspace is due, in ms since the epoch; null if there is none. */
export async function findDueWork(tx: Transaction): Promise<number | null> {
  const [, due] = await tx.read.zrange(tx.key(DUE), '0', '0', 'WITHSCORES');
  return due === undefined ? null : Number(due) * 1_000;
}

async function sendDue(order: CallContext, userId: number): Promise<void> {
  const { tx } = order;
  const user = await findUser(order, userId);
  if (!user?.accountId) {
    tx.zrem(DUE, userId);
    tx.del(scheduledKey(userId), 'h');
    tx.del(scheduledDatesKey(userId), 'z');
    return;
  }
  const account = { ...order.account, id: user.accountId, userId, bot: user.bot };
  const call = { ...order, account };
  const fields = await listDue(call);
  const records = await findSendable(call, fields);
  if (records.length > 0) await sendScheduled(call, records, { areDue: true });
  else await removeScheduled(call, fields);
}

// The due messages of one conversation, ordered by time; within a second, in order of creation.
async function listDue({ tx, account, date }: CallContext): Promise<string[]> {
  const dates = tx.key(scheduledDatesKey(account.userId));
  // All of them: those of one second are in alphabetical order here.
  const found = await tx.read.zrangebyscore(dates, '-inf', date, 'WITHSCORES', 'LIMIT', 0, SCHEDULED_MAX.all);
  const all = found.flatMap((field, i) => {
    const [peer, id] = field.split(':');
    return i % 2 === 0 ? [{ field, peer, id: Number(id), at: Number(found[i + 1]) }] : [];
  });
  return all
    .filter(({ peer }) => peer === all[0]?.peer)
    .sort((a, b) => a.at - b.at || a.id - b.id)
    .map(({ field }) => field);
}
