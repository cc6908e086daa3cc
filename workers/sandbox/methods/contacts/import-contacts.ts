import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { addContacts, type NewContact, toContactName } from '../../model/people/change-contacts.ts';
import { findUsersByPhone, phoneOf } from '../../model/people/phones.ts';
import { getSelf, SUPPORT_USER_ID } from '../../model/people/users.ts';
import { toTlUser } from '../../model/people/view-users.ts';
import { findAllowing } from '../../model/privacy/privacy.ts';
import { toContactNote } from '../../model/text/contact-note.ts';

type Input = Extract<MethodParams<'contacts.importContacts'>['contacts'][number], { _: 'inputPhoneContact' }>;

// Each phone number takes two writes, and its user's privacy rules may name 100 groups.
const AT_ONCE = 50;

/**
 * Adds the users of phone numbers to the account's contacts, if their privacy rules let them be found by their number. Unknown numbers are
 * ignored; numbers beyond the first 50 have to be imported again (`retryContacts`). Error: `MESSAGE_TOO_LONG` for a long note.
 */
export const importContacts = defineMethod('contacts.importContacts', async ({ contacts }, call) => {
  const given = contacts.filter((contact) => contact._ === 'inputPhoneContact');
  const found = await findNamed(call, given.slice(0, AT_ONCE));
  const noted = [...new Map(found.map((one) => [one.user.id, one])).values()];
  const kept = await addContacts(call, noted);
  return {
    _: 'contacts.importedContacts',
    imported: found.map(({ user, clientId }) => ({ _: 'importedContact', userId: user.id, clientId })),
    popularInvites: [],
    retryContacts: given.slice(AT_ONCE).map(({ clientId }) => clientId),
    users: noted.map(({ user }, i) => toTlUser(call, user, kept[i]?.contact)),
  };
});

async function findNamed(
  call: CallContext,
  given: readonly Input[],
): Promise<(NewContact & { clientId: string })[]> {
  const [self, users] = await Promise.all([
    getSelf(call),
    findUsersByPhone(
      call,
      given.map(({ phone }) => phone),
    ),
  ]);
  const others = new Set(users.flatMap((user) => user?.id ?? []));
  others.delete(self.id);
  const allowing = await findAllowing(call, [...others], 'privacyKeyAddedByPhone', self);
  const found = await Promise.all(
    given.map(async ({ clientId, firstName, lastName, note: asked }, i) => {
      const user = users[i] ?? null;
      if (user === null || !allowing.has(user.id)) return [];
      const [first, last] = [toContactName(firstName), toContactName(lastName)];
      const note = asked && (await toContactNote(call, asked));
      const name = first === '' && last === '' ? user.firstName : first;
      return [{ user, clientId, firstName: name, lastName: last, note }];
    }),
  );
  return found.flat();
}

export const example: Example<'contacts.importContacts'> = () => ({
  contacts: [
    {
      _: 'inputPhoneContact',
      clientId: '1',
      phone: `+${phoneOf(SUPPORT_USER_ID)}`,
      firstName: 'Support',
      lastName: '',
    },
  ],
});
