import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { TooManyNaming } from '../../model/peers/require-named-peer.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import { forgetContacts } from '../../model/people/change-contacts.ts';
import { findContacts } from '../../model/people/contacts.ts';
import type { UserRecord } from '../../model/people/users.ts';
import { toTlUser } from '../../model/people/view-users.ts';

type InputUser = MethodParams<'contacts.deleteContacts'>['id'][number];

// Each takes two writes.
const IDS_MAX = 100;

/** Removes users from the account's contacts; users who are not contacts are ignored. */
export const deleteContacts = defineMethod('contacts.deleteContacts', async ({ id }, call) => {
  const named = await Promise.all(id.slice(0, IDS_MAX).map((user) => findNamed(call, user)));
  const users = [...new Map(named.flat().map((user) => [user.id, user])).values()];
  const contacts = await findContacts(
    call,
    users.map((user) => user.id),
  );
  const gone = users.filter((_, i) => contacts[i]);
  const updates = await forgetContacts(
    call,
    gone.map((user) => user.id),
  );
  return {
    _: 'updates',
    updates,
    users: gone.map((user) => toTlUser(call, user)),
    chats: [],
    date: call.date,
    seq: 0,
  };
});

async function findNamed(call: CallContext, input: InputUser): Promise<UserRecord[]> {
  try {
    return [await resolveUser(call, input)];
  } catch (error) {
    if (error instanceof MessengerError && !(error instanceof TooManyNaming)) return [];
    throw error;
  }
}

export const example: Example<'contacts.deleteContacts'> = async (context) => ({
  id: [await inputUser(context, 'contactId')],
});

export const difference = 'Only the first 100 count; those that are no contacts are ignored.';
