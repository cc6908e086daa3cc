import { type CallContext, type ControlOrder, MessengerError } from '../../driver.ts';
import { clearFaults } from '../faults.ts';
import { SEQ, userBox } from '../model/common/keys.ts';
import { ACCOUNTS, USERS } from '../model/people/keys.ts';
import { type Seeded, seededField } from '../model/people/seeded.ts';
import type { UserRecord } from '../model/people/users.ts';
import { seedAccount, takeSeededIds } from '../seed/seed-account.ts';
import { forgetAccount, forgetOwnKeys, forgetSeeded } from './forget-account.ts';

// The most writes that the seeding takes.
const WRITES_OF_SEEDS = 250;

/**
 * Returns an account to its seeded state: it leaves its groups and channels, loses its messages, contacts and settings, and gets a new
 * group and new channels. Objects seeded before are removed, unless others use them. The account stays the same user; message ids, `pts`
 * and `qts` go on. `done` is false if there was more to remove than fits one commit: the order must then be repeated.
 */
export const resetAccount: ControlOrder = async (_payload, call) => {
  const { tx } = call;
  const [self, seeded] = await findSelf(call);
  const counter = `msg:${userBox(self.id)}`;
  const last = await tx.read.hget(tx.key(SEQ), counter);
  const leaver = { userId: self.id, staysMember: false };
  if (!(await forgetAccount(call, leaver, seeded)) || tx.writesLeft < WRITES_OF_SEEDS) return { done: false };
  // Updates that arrive meanwhile have to be removed too.
  tx.expectField(SEQ, counter, last);
  forgetOwnKeys(call, self.id);
  clearFaults(call);
  const { contactId, friendId, botId } = seeded;
  const taken = await takeSeededIds(call);
  const ids = { contactId, friendId, botId, ...taken, ...(await forgetSeeded(call, self.id, seeded)) };
  await seedAccount({ call, self, ids, again: true });
  return { done: true };
};

async function findSelf({ tx, account }: CallContext): Promise<[UserRecord, Seeded]> {
  const userId = await tx.observe(ACCOUNTS, account.id);
  if (userId === null) throw new MessengerError('USER_ID_INVALID');
  const found = [tx.observe(USERS, userId), tx.observe(USERS, seededField(Number(userId)))];
  const [user, seeded] = await Promise.all(found);
  if (!user || !seeded) throw new MessengerError('USER_ID_INVALID');
  const {
    lastName: _,
    about: __,
    birthday: ___,
    onlineUntil: ____,
    ...self
  } = JSON.parse(user) as UserRecord;
  return [self, JSON.parse(seeded)];
}
