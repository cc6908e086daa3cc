import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { contactsKey } from './keys.ts';

/** What a user has noted of another one in its contacts. */
export interface ContactRecord {
  /** Whether the other one has it in its contacts too. */
  mutual: boolean;
  /** The names it gave the other one, where not those the other one goes by. */
  firstName?: string;
  lastName?: string;
  note?: ContactNote;
  closeFriend?: true;
}

export type ContactNote = TlJson<tl.RawTextWithEntities>;

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

/** Notes something else of a contact, if it is noted still as it was. */
export function replaceContact(
  { tx, account }: CallContext,
  userId: number,
  before: ContactRecord,
  after: ContactRecord,
): void {
  tx.expectField(contactsKey(account.userId), userId, JSON.stringify(before));
  tx.hset(contactsKey(account.userId), userId, after);
}
