import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const resolve = (phone: string) => sandbox.call(ada, 'contacts.resolvePhone', { phone });
const refuse = (phone: string) => sandbox.refusal(ada, 'contacts.resolvePhone', { phone });

it('finds a user by its phone number, in any notation', async () => {
  const phone = bob.phone as string;
  const found = { _: 'contacts.resolvedPeer', peer: { userId: bob.userId }, users: [{ phone }] };
  expect(await resolve(phone)).toMatchObject(found);
  expect(await resolve(`+${phone.slice(0, 3)} (${phone.slice(3, 5)}) ${phone.slice(5)}`)).toMatchObject(
    found,
  );
  expect(await resolve('99966000777')).toMatchObject({ users: [{ support: true }] });
});

it('finds nobody by a number that nobody has, or that is no number', async () => {
  for (const phone of ['', '99966', '99966999999', '49301234567', `0${bob.phone}`, 'bob'])
    expect([phone, await refuse(phone)]).toEqual([phone, 'PHONE_NOT_OCCUPIED']);
});

it('finds nobody who lets others not', async () => {
  const key = { _: 'inputPrivacyKeyAddedByPhone' };
  const rules = [{ _: 'inputPrivacyValueDisallowAll' }];
  await sandbox.call(bob, 'account.setPrivacy', { key, rules });
  expect(await refuse(bob.phone as string)).toBe('PHONE_NOT_OCCUPIED');
  const own = await sandbox.call(bob, 'contacts.resolvePhone', { phone: bob.phone });
  expect(own.users).toMatchObject([{ self: true }]);
});
