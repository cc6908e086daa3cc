import { type CallContext, type ControlOrder, MessengerError } from '../driver.ts';
import { clearFaults } from './faults.ts';
import { ownKeysOf } from './model/common/own-keys.ts';
import { forgetConversations } from './model/conversations/forget-conversations.ts';
import { forgetGifts } from './model/gifts/forget-gifts.ts';
import { forgetSettings } from './model/group-calls/forget-settings.ts';
import { forgetBlocks } from './model/people/blocks.ts';
import { ACCOUNTS, USERS } from './model/people/keys.ts';
import { type Seeded, seededField } from './model/people/seeded.ts';
import type { UserRecord } from './model/people/users.ts';
import { seedAccount, takeSeededIds } from './seed/seed-account.ts';

/**
 * Brings an account back to its seeded state: it leaves its groups and channels, forgets its messages, contacts and settings,
 * and gets a new group and new channels to act on. It stays the same user; message ids and `pts` go on. `done` is false where
 * more was to be forgotten than fits one commit: the order is then to be given again.
 */
export const resetAccount: ControlOrder = async (_payload, call) => {
  const { tx } = call;
  const [self, { contactId, friendId, botId }] = await findSelf(call);
  const isForgotten =
    (await forgetConversations(call, self.id)) &&
    (await forgetGifts(call, self.id)) &&
    (await forgetBlocks(call, self.id));
  if (!isForgotten) return { done: false };
  await forgetSettings(call, self.id);
  for (const [name, type] of ownKeysOf(self.id)) tx.del(name, type);
  clearFaults(call);
  const ids = { contactId, friendId, botId, ...(await takeSeededIds(call)) };
  seedAccount({ call, self, ids, again: true });
  return { done: true };
};

async function findSelf({ tx, account }: CallContext): Promise<[UserRecord, Seeded]> {
  const userId = await tx.observe(ACCOUNTS, account.id);
  if (userId === null) throw new MessengerError('USER_ID_INVALID');
  const found = [tx.observe(USERS, userId), tx.observe(USERS, seededField(Number(userId)))];
  const [user, seeded] = await Promise.all(found);
  if (!user || !seeded) throw new MessengerError('USER_ID_INVALID');
  return [JSON.parse(user), JSON.parse(seeded)];
}
