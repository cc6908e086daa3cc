import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { countRead } from '../common/count-read.ts';
import { contactsKey } from './keys.ts';

/** A user's contact. */
export interface ContactRecord {
  /** Whether the other user has this one as a contact too. */
  mutual: boolean;
  /** The names that it gave the contact; none if it was seeded as one. */
  firstName?: string;
  lastName?: string;
  note?: ContactNote;
  closeFriend?: true;
}

export type ContactNote = TlJson<tl.RawTextWithEntities>;

/** The contact records that an account, by default the calling one, has of these users, in one read; null for users who are not contacts. */
export async function findContacts(
  call: CallContext,
  userIds: readonly number[],
  ownerId = call.account.userId,
): Promise<(ContactRecord | null)[]> {
  if (userIds.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(contactsKey(ownerId)), ...userIds.map(String));
  countRead(call, found);
  return found.map((raw) => (raw === null ? null : (JSON.parse(raw) as ContactRecord)));
}

/** Changes a contact; the commit fails if it has changed since it was read. */
export function replaceContact(
  { tx, account }: CallContext,
  userId: number,
  before: ContactRecord,
  after: ContactRecord,
): void {
  tx.expectField(contactsKey(account.userId), userId, JSON.stringify(before));
  tx.hset(contactsKey(account.userId), userId, after);
}
