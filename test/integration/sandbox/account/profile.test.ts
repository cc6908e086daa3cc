import { afterAll, beforeAll, expect, it } from 'vitest';
import { afterListIn } from '../../../support/sandbox/before-commit.ts';
import { peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(ada, peerOf(bob), 'Hello');
});
afterAll(() => sandbox.close());

const full = (account: SandboxAccount, of: SandboxAccount) =>
  sandbox.call(account, 'users.getFullUser', { id: userOf(of) });

it('changes name and bio, and tells of the name those who have a chat with the account', async () => {
  const profile = { firstName: ' Augusta ', lastName: 'King', about: 'Countess' };
  const { result, updates } = await sandbox.watch(ada, () =>
    sandbox.call(ada, 'account.updateProfile', profile),
  );
  expect(result).toMatchObject({ self: true, firstName: 'Augusta', lastName: 'King' });
  const told = updates.filter(({ accountId }) => accountId !== null);
  expect(told.map(({ accountId }) => accountId).sort()).toEqual([ada.id, ada.id, bob.id].sort());
  expect(told[0]?.update).toMatchObject({ _: 'updateUserName', firstName: 'Augusta', lastName: 'King' });
  expect(await full(bob, ada)).toMatchObject({
    fullUser: { about: 'Countess' },
    users: [{ firstName: 'Augusta', lastName: 'King' }],
  });
  const again = await sandbox.watch(ada, () =>
    sandbox.call(ada, 'account.updateProfile', { about: '', lastName: '' }),
  );
  expect(again.updates.length).toBeGreaterThan(0);
  expect((await full(bob, ada)).fullUser).not.toHaveProperty('about');
  expect((await full(bob, ada)).users[0]).not.toHaveProperty('lastName');
});

it('tells the account alone of a new bio, once', async () => {
  const change = async (about: string) => {
    const act = () => sandbox.call(ada, 'account.updateProfile', { about });
    return (await sandbox.watch(ada, act)).updates;
  };
  expect(await change('Counts')).toMatchObject([
    { accountId: ada.id, update: { _: 'updateUser', userId: ada.userId } },
  ]);
  expect(await change('Counts')).toEqual([]);
});

it('tells of the name that stays of two that are given at once', async () => {
  const rename = (firstName: string) => sandbox.call(ada, 'account.updateProfile', { firstName });
  await rename('Augusta');
  afterListIn(sandbox, 'account.updateProfile', () => rename('Countess'), 'hget');
  const { updates } = await sandbox.watch(ada, () => rename('Augusta'));
  const told = updates.filter(({ accountId }) => accountId === bob.id);
  const { firstName } = (await full(bob, ada)).users[0];
  expect(told.at(-1)?.update).toMatchObject({ _: 'updateUserName', firstName });
});

it('tells nobody of a new name who sees another one', async () => {
  const names = { firstName: 'Enchantress', lastName: '' };
  await sandbox.call(bob, 'contacts.addContact', { id: userOf(ada), ...names, phone: '' });
  const rename = async (firstName: string) => {
    const act = () => sandbox.call(ada, 'account.updateProfile', { firstName });
    const { updates } = await sandbox.watch(ada, act);
    return updates.flatMap(({ accountId }) => accountId ?? []);
  };
  expect(await rename('Lady')).toEqual([ada.id]);
  await sandbox.call(bob, 'contacts.deleteContacts', { id: [userOf(ada)] });
  expect((await rename('Ada')).sort()).toEqual([ada.id, bob.id].sort());
});

it('refuses a name and a bio that are too long, and no name', async () => {
  const refuse = (profile: object) => sandbox.refusal(ada, 'account.updateProfile', profile);
  expect(await refuse({ firstName: ' ' })).toBe('FIRSTNAME_INVALID');
  expect(await refuse({ firstName: 'x'.repeat(65) })).toBe('FIRSTNAME_INVALID');
  expect(await refuse({ about: 'x'.repeat(71) })).toBe('ABOUT_TOO_LONG');
});

it('shows an account as online, and since when it is not', async () => {
  const set = async (offline: boolean) => {
    const { updates } = await sandbox.watch(ada, () =>
      sandbox.call(ada, 'account.updateStatus', { offline }),
    );
    return updates.filter(({ accountId }) => accountId !== null);
  };
  const online = { _: 'userStatusOnline', expires: expect.any(Number) };
  expect(await set(false)).toMatchObject([
    { accountId: bob.id, update: { _: 'updateUserStatus', userId: ada.userId, status: online } },
  ]);
  expect((await full(bob, ada)).users[0].status).toEqual(online);
  await set(true);
  expect((await full(bob, ada)).users[0].status).toMatchObject({ _: 'userStatusOffline' });
});

it('is as before after a reset, but for the first name', async () => {
  const account = await sandbox.anAccount();
  await sandbox.call(account, 'account.updateProfile', { lastName: 'King', about: 'Countess' });
  await sandbox.call(account, 'account.updateStatus', { offline: false });
  for (let done = false; !done; ) done = (await sandbox.order(account, 'resetAccount')).done;
  const { fullUser, users } = await full(account, account);
  expect(fullUser).not.toHaveProperty('about');
  expect(users[0]).not.toHaveProperty('lastName');
  expect(users[0].status).toEqual({ _: 'userStatusEmpty' });
});
