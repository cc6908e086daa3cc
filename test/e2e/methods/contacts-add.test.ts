import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkedResult, checkedUpdates, refusal } from '../../support/service/checked-result.ts';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let ada: Account;
let bob: Account;

beforeAll(async () => {
  service = await Service.start();
  const { id } = await service.aWorkspace();
  [ada, bob] = (await Promise.all([service.anAccount(id), service.anAccount(id)])) as [Account, Account];
});

afterAll(() => service.stop());

const userOf = ({ userId }: Account) => ({ _: 'inputUser', userId, accessHash: '0' });
const NAMES = { firstName: ' Bobby ', lastName: 'Tables', phone: '' };

it('notes a user by the names given to it, as mutual once the other one does the same', async () => {
  const { users } = await checkedResult(service, ada, 'contacts.addContact', { id: userOf(bob), ...NAMES });
  expect(users).toMatchObject([
    { id: bob.userId, contact: true, mutualContact: false, firstName: 'Bobby', lastName: 'Tables' },
  ]);
  expect((await checkedUpdates(service, ada)).at(-1)).toMatchObject({
    _: 'updatePeerSettings',
    peer: { userId: bob.userId },
  });
  await checkedResult(service, bob, 'contacts.addContact', { ...NAMES, id: userOf(ada), firstName: 'Ada' });
  const seen = await checkedResult(service, ada, 'users.getUsers', { id: [userOf(bob)] });
  expect(seen.items).toMatchObject([{ mutualContact: true, firstName: 'Bobby' }]);
});

it('refuses nobody, oneself and a contact without a name', async () => {
  const add = (params: object) =>
    refusal(service, ada, 'contacts.addContact', { id: userOf(bob), ...NAMES, ...params });
  expect(await add({ id: { _: 'inputUser', userId: 5, accessHash: '0' } })).toBe('CONTACT_ID_INVALID');
  expect(await add({ id: { _: 'inputUserSelf' } })).toBe('CONTACT_ID_INVALID');
  expect(await add({ firstName: ' ', lastName: '' })).toBe('CONTACT_NAME_EMPTY');
});
