import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { readingSlices } from '../../../turns/slices.ts';
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

// Other calls run between the parts of a long list: a page of messages may mention ten thousand users.
const PART = 200;

/**
 * The users of these ids as the calling account sees them; a `userEmpty` for each that does not exist. `known` are the account's records of
 * them, if they were read before.
 */
export async function viewUsers(
  call: CallContext,
  userIds: readonly number[],
  known?: readonly (ContactRecord | null)[],
): Promise<TlUser[]> {
  if (userIds.length <= PART) return viewPart(call, userIds, known);
  const viewed: TlUser[] = [];
  for (let from = 0; from < userIds.length; from += PART) {
    const part = userIds.slice(from, from + PART);
    viewed.push(...(await viewPart(call, part, known?.slice(from, from + PART))));
    if (from + PART < userIds.length) await readingSlices.next(call.workspaceId);
  }
  return viewed;
}

async function viewPart(
  call: CallContext,
  userIds: readonly number[],
  known: readonly (ContactRecord | null)[] | undefined,
): Promise<TlUser[]> {
  const [users, contacts] = await Promise.all([
    findUsers(call, userIds),
    known ?? findContacts(call, userIds),
  ]);
  return users.map((user, i) =>
    user ? toTlUser(call, user, contacts[i] ?? null) : { _: 'userEmpty', id: userIds[i] as number },
  );
}
