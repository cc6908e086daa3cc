import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import type { ContactRecord } from '../../model/people/contacts.ts';
import { contactsKey } from '../../model/people/keys.ts';
import { viewUsers } from '../../model/people/view-users.ts';

const SAVED_COUNT = 0;

/** The account's contacts, ordered by id; `contactsNotModified` if `hash` shows that the caller already has them. */
export const getContacts = defineMethod('contacts.getContacts', async ({ hash }, call) => {
  const { tx, account } = call;
  const noted = await tx.read.hgetall(tx.key(contactsKey(account.userId)));
  const ids = Object.keys(noted)
    .map(Number)
    .sort((a, b) => a - b);
  if (hash !== '0' && hash === hashOfIds([SAVED_COUNT, ...ids])) return { _: 'contacts.contactsNotModified' };
  const contacts = ids.map((userId) => {
    const { mutual } = JSON.parse(noted[userId] ?? '{}') as ContactRecord;
    return { _: 'contact' as const, userId, mutual };
  });
  return { _: 'contacts.contacts', contacts, savedCount: SAVED_COUNT, users: await viewUsers(call, ids) };
});

export const example: Example<'contacts.getContacts'> = () => ({ hash: '0' });
