import type { CallContext, ControlOrder } from '../driver.ts';
import { findUser } from './model/people/users.ts';
import { DUE, scheduledDatesKey, scheduledKey } from './model/scheduled/keys.ts';
import { findScheduled } from './model/scheduled/scheduled-messages.ts';
import { sendScheduled } from './model/scheduled/send-scheduled.ts';

const LOOKED_AT = 100;

/**
 * Sends scheduled messages of the account whose turn it is, of one conversation, as many as fit one commit. `next` says when there is more
 * to do, in seconds as TL dates are; null for never.
 */
export const doDueWork: ControlOrder = async (_payload, call) => {
  const { tx, date } = call;
  const name = tx.key(DUE);
  const [first] = await tx.read.zrange(name, '0', '0');
  if (first === undefined) return { next: null };
  const due = Number(await tx.read.zscore(name, first));
  if (due > date) return { next: due };
  await sendDue(call, Number(first));
  return { next: date };
};

async function sendDue(order: CallContext, userId: number): Promise<void> {
  const { tx, date } = order;
  const user = await findUser(order, userId);
  if (!user?.accountId) {
    tx.zrem(DUE, userId);
    tx.del(scheduledKey(userId), 'h');
    tx.del(scheduledDatesKey(userId), 'z');
    return;
  }
  const account = { ...order.account, id: user.accountId, userId, bot: user.bot };
  const call = { ...order, account };
  const dates = tx.key(scheduledDatesKey(userId));
  const fields = await tx.read.zrangebyscore(dates, '-inf', date, 'LIMIT', 0, LOOKED_AT);
  const peer = (field: string) => field.slice(0, field.indexOf(':'));
  const found = await findScheduled(
    call,
    fields.filter((field) => peer(field) === peer(fields[0] as string)),
  );
  const records = found.filter((record) => record !== null);
  // Of the same second the first one made comes first.
  records.sort((a, b) => a.message.date - b.message.date || a.message.id - b.message.id);
  if (records.length > 0) await sendScheduled(call, records);
  else tx.zrem(DUE, userId);
}
