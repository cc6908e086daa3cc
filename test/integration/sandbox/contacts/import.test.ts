import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const entry = (clientId: number, phone: string | null, firstName = 'Bobby', lastName = '') => ({
  _: 'inputPhoneContact',
  clientId: String(clientId),
  phone: phone ?? '',
  firstName,
  lastName,
});

it('notes the users of phone numbers, and takes them out again', async () => {
  const contacts = [entry(7, `+${bob.phone}`), entry(8, '99966999999'), entry(9, ada.phone)];
  const { result, updates } = await sandbox.watch(ada, () =>
    sandbox.call(ada, 'contacts.importContacts', { contacts }),
  );
  expect(result).toMatchObject({
    imported: [{ userId: bob.userId, clientId: '7' }],
    retryContacts: [],
    users: [{ id: bob.userId, firstName: 'Bobby', contact: true, mutualContact: false }],
  });
  expect(updates).toMatchObject([{ accountId: ada.id, update: { _: 'updatePeerSettings' } }]);
  await sandbox.call(bob, 'contacts.importContacts', { contacts: [entry(1, ada.phone, '', '')] });
  const seen = await sandbox.call(bob, 'users.getUsers', { id: [userOf(ada)] });
  expect(seen.items).toMatchObject([{ firstName: 'Ada', mutualContact: true }]);

  const id = [userOf(bob), { _: 'inputUser', userId: 5, accessHash: '0' }, userOf(bob)];
  const gone = await sandbox.call(ada, 'contacts.deleteContacts', { id });
  expect(gone).toMatchObject({
    updates: [{ _: 'updatePeerSettings', settings: { addContact: true } }],
    users: [{ id: bob.userId, firstName: 'Bob', contact: false }],
  });
  const after = await sandbox.call(bob, 'users.getUsers', { id: [userOf(ada)] });
  expect(after.items).toMatchObject([{ contact: true, mutualContact: false }]);
  expect((await sandbox.call(ada, 'contacts.deleteContacts', { id })).updates).toEqual([]);
});

it('imports 50 numbers at once, and names the others', async () => {
  const contacts = Array.from({ length: 53 }, (_, n) => entry(n, '99966999999'));
  const { imported, retryContacts } = await sandbox.call(ada, 'contacts.importContacts', { contacts });
  expect(imported).toEqual([]);
  expect(retryContacts).toEqual(['50', '51', '52']);
});

it('finds nobody who lets others not', async () => {
  const key = { _: 'inputPrivacyKeyAddedByPhone' };
  await sandbox.call(bob, 'account.setPrivacy', { key, rules: [{ _: 'inputPrivacyValueDisallowAll' }] });
  const contacts = [entry(1, bob.phone)];
  expect((await sandbox.call(ada, 'contacts.importContacts', { contacts })).imported).toEqual([]);
});
