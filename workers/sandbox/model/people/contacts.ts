import type { CallContext } from '../../../driver.ts';
import { contactsKey } from '../common/state-keys.ts';
import { findUsers, type TlUser, toTlUser } from './users.ts';

/** What a user has noted of another one in its contacts. */
export interface ContactRecord {
  /** Whether the other one has it in its contacts too. */
  mutual: boolean;
  /** The names it gave the other one, where not those the other one goes by. */
  firstName?: string;
  lastName?: string;
}

/** What the calling account has noted of these users, null for those that are not its contacts, in one read. */
export async function findContacts(
  call: CallContext,
  userIds: readonly number[],
): Promise<(ContactRecord | null)[]> {
  if (userIds.length === 0) return [];
  const found = await call.tx.read.hmget(
    call.tx.key(contactsKey(call.account.userId)),
    ...userIds.map(String),
  );
  return found.map((raw) => (raw === null ? null : (JSON.parse(raw) as ContactRecord)));
}

/** The users of these ids as the calling account sees them; a `userEmpty` for each that does not exist. */
export async function viewUsers(call: CallContext, userIds: readonly number[]): Promise<TlUser[]> {
  const [users, contacts] = await Promise.all([findUsers(call, userIds), findContacts(call, userIds)]);
  return users.map((user, i) =>
    user
      ? toTlUser(user, call.account.userId, contacts[i] ?? null)
      : { _: 'userEmpty', id: userIds[i] as number },
  );
}
