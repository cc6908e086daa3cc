import type { CallContext, ControlOrder } from '../driver.ts';
import { SEQ } from './model/common/keys.ts';
import { takeIds } from './model/common/take-ids.ts';
import { ACCOUNTS, USER_IDS, USERS } from './model/people/keys.ts';
import type { UserRecord } from './model/people/users.ts';
import { seedAccount, takeSeededIds, toConnected } from './seed/seed-account.ts';
import type { Seeding } from './seed/seeding.ts';
import { newUser } from './seed/users.ts';

// Redis stores a small hash as a list, and searches it from the start. A value of more than 64 bytes makes it a hash table. A message reads
// and writes five counters of this hash: the table saves a tenth of its time in Redis.
const LONG_VALUE = '-'.repeat(65);

/**
 * Makes an account a user of its workspace's messenger and seeds it, so that every method has something to act on. An account that is
 * already connected is not changed.
 */
export const connectAccount: ControlOrder = async (payload, call) => {
  const { name, bot } = payload as { name: string; bot: boolean };
  const known = await call.tx.observe(ACCOUNTS, call.account.id);
  if (known !== null) {
    const raw = await call.tx.read.hget(call.tx.key(USERS), known);
    return toConnected(JSON.parse(raw ?? '{}') as UserRecord);
  }
  const seeding = await newSeeding(call, name, bot);
  await seedAccount(seeding);
  call.tx.hset(SEQ, 'layout', LONG_VALUE);
  return toConnected(seeding.self);
};

async function newSeeding(call: CallContext, name: string, bot: boolean): Promise<Seeding> {
  const [users, chatIds] = await Promise.all([takeIds(call, USER_IDS, 4), takeSeededIds(call)]);
  const [userId, contactId, friendId, botId] = users as [number, number, number, number];
  const self = newUser(userId, call.account.id, name, bot);
  return { call, self, ids: { contactId, friendId, botId, ...chatIds }, again: false };
}
