import { DUE } from '../model/common/due.ts';
import { SEQ, userBox } from '../model/common/keys.ts';
import { toTlPeer } from '../model/peers/tl-peer.ts';
import { scheduledDatesKey, scheduledKey, scheduledSeq } from '../model/scheduled/keys.ts';
import { type ScheduledRecord, scheduledField } from '../model/scheduled/scheduled-messages.ts';
import type { Seeding } from './seeding.ts';

// Within the limit of a year.
const LATER_S = 360 * 24 * 60 * 60;
const REMINDERS = ['A reminder', 'Another reminder'];

/** Two reminders that the account has scheduled in its own chat, one to delete and one to send; a bot schedules nothing. */
export async function seedScheduled({ call, self }: Seeding): Promise<void> {
  if (self.bot) return;
  const { tx } = call;
  const date = call.date + LATER_S;
  const peerId = toTlPeer({ kind: 'user', id: self.id });
  for (const [index, text] of REMINDERS.entries()) {
    const id = index + 1;
    const field = scheduledField(userBox(self.id), id);
    tx.hset(scheduledKey(self.id), field, {
      message: { _: 'message', id, fromId: peerId, peerId, date, message: text },
      peer: { _: 'inputPeerUser', userId: self.id, accessHash: self.accessHash },
      mentions: [],
    } satisfies ScheduledRecord);
    tx.zadd(scheduledDatesKey(self.id), date, field);
  }
  tx.hset(SEQ, scheduledSeq(self.id), String(REMINDERS.length));
  tx.zadd(DUE, date, self.id);
  await call.wakeAt?.(date);
}
