import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  const id = newId('workspace');
  [ada, bob] = (await Promise.all([
    sandbox.anAccount('Account', { workspaceId: id }),
    sandbox.anAccount('Account', { workspaceId: id }),
  ])) as [SandboxAccount, SandboxAccount];
});

afterAll(() => sandbox.close());

const userOf = ({ userId }: SandboxAccount) => ({ _: 'inputUser', userId, accessHash: '0' });
const NAMES = { firstName: ' Bobby ', lastName: 'Tables', phone: '' };

it('notes a user by the names given to it, as mutual once the other one does the same', async () => {
  const { users } = await sandbox.call(ada, 'contacts.addContact', { id: userOf(bob), ...NAMES });
  expect(users).toMatchObject([
    { id: bob.userId, contact: true, mutualContact: false, firstName: 'Bobby', lastName: 'Tables' },
  ]);
  expect((await sandbox.updatesOf(ada)).at(-1)).toMatchObject({
    _: 'updatePeerSettings',
    peer: { userId: bob.userId },
  });
  await sandbox.call(bob, 'contacts.addContact', { ...NAMES, id: userOf(ada), firstName: 'Ada' });
  const seen = await sandbox.call(ada, 'users.getUsers', { id: [userOf(bob)] });
  expect(seen.items).toMatchObject([{ mutualContact: true, firstName: 'Bobby' }]);
});

it('refuses nobody, oneself and a contact without a name', async () => {
  const add = (params: object) =>
    sandbox.refusal(ada, 'contacts.addContact', { id: userOf(bob), ...NAMES, ...params });
  expect(await add({ id: { _: 'inputUser', userId: 5, accessHash: '0' } })).toBe('CONTACT_ID_INVALID');
  expect(await add({ id: { _: 'inputUserSelf' } })).toBe('CONTACT_ID_INVALID');
  expect(await add({ firstName: ' ', lastName: '' })).toBe('CONTACT_NAME_EMPTY');
});
