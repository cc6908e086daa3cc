import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { type ContactRecord, findContacts } from './contacts.ts';
import { statusOf } from './user-status.ts';
import { findUsers, type UserRecord } from './users.ts';

export type TlUser = TlJson<tl.RawUser> | TlJson<tl.RawUserEmpty>;

/** The user in TL, as the calling account sees it; `contact` is the account's record of it. */
export function toTlUser(
  { account, date }: { account: { userId: number }; date: number },
  user: UserRecord,
  contact: ContactRecord | null = null,
): TlUser {
  if (user.deleted)
    return {
      _: 'user',
      id: user.id,
      accessHash: user.accessHash,
      deleted: true,
    };
  // The account's names for a contact replace both of the user's own.
  const { firstName, lastName } =
    contact?.firstName === undefined ? user : { ...contact, firstName: contact.firstName };
  return {
    _: 'user',
    id: user.id,
    accessHash: user.accessHash,
    firstName,
    ...(lastName === undefined || lastName === '' ? {} : { lastName }),
    ...(user.id === account.userId ? { self: true } : {}),
    ...(contact ? { contact: true } : {}),
    ...(contact?.mutual ? { mutualContact: true } : {}),
    ...(contact?.closeFriend ? { closeFriend: true } : {}),
    ...(user.bot ? { bot: true, botInfoVersion: 1 } : {}),
    ...(user.support ? { support: true, verified: true } : {}),
    ...(user.username === null ? {} : { username: user.username }),
    ...(user.phone === null ? {} : { phone: user.phone }),
    status: statusOf(user, date),
  };
}

/** The users of these ids as the calling account sees them; a `userEmpty` for each that does not exist. */
export async function viewUsers(call: CallContext, userIds: readonly number[]): Promise<TlUser[]> {
  const [users, contacts] = await Promise.all([findUsers(call, userIds), findContacts(call, userIds)]);
  return users.map((user, i) =>
    user ? toTlUser(call, user, contacts[i] ?? null) : { _: 'userEmpty', id: userIds[i] as number },
  );
}
