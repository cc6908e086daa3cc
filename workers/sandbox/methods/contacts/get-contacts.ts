import { type CallContext, defineMethod } from '../../../driver.ts';
import { readingSlices } from '../../../turns/slices.ts';
import type { Example } from '../../examples/example.ts';
import { countRead } from '../../model/common/count-read.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import type { ContactRecord } from '../../model/people/contacts.ts';
import { contactsKey } from '../../model/people/keys.ts';
import { type TlUser, viewUsers } from '../../model/people/view-users.ts';

const SAVED_COUNT = 0;

// Other calls run between the parts of a long list.
const PART = 200;

/** The account's contacts, ordered by id; `contactsNotModified` if `hash` shows that the caller already has them. */
export const getContacts = defineMethod('contacts.getContacts', async ({ hash }, call) => {
  const { tx, account } = call;
  const noted = await tx.read.hgetall(tx.key(contactsKey(account.userId)));
  const ids = Object.keys(noted)
    .map(Number)
    .sort((a, b) => a - b);
  countRead(call, Object.values(noted));
  if (hash !== '0' && hash === hashOfIds([SAVED_COUNT, ...ids])) return { _: 'contacts.contactsNotModified' };
  return { _: 'contacts.contacts', savedCount: SAVED_COUNT, ...(await viewContacts(call, ids, noted)) };
});

async function viewContacts(
  call: CallContext,
  ids: readonly number[],
  noted: Readonly<Record<string, string>>,
) {
  const contacts: { _: 'contact'; userId: number; mutual: boolean }[] = [];
  const users: TlUser[] = [];
  for (let from = 0; from < ids.length; from += PART) {
    const part = ids.slice(from, from + PART);
    const records = part.map((id) => JSON.parse(noted[id] ?? '{}') as ContactRecord);
    for (const [i, userId] of part.entries())
      contacts.push({ _: 'contact', userId, mutual: records[i]?.mutual === true });
    users.push(...(await viewUsers(call, part, records)));
    if (from + PART < ids.length) await readingSlices.next(call.workspaceId);
  }
  return { contacts, users };
}

export const example: Example<'contacts.getContacts'> = () => ({ hash: '0' });
