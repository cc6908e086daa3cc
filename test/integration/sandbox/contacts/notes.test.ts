import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const fullOf = async (by: SandboxAccount, of: SandboxAccount) =>
  (await sandbox.call(by, 'users.getFullUser', { id: userOf(of) })).fullUser;
const add = (firstName: string) =>
  sandbox.call(ada, 'contacts.addContact', { id: userOf(bob), firstName, lastName: '', phone: '' });
const noteOf = (text: string) => ({ id: userOf(bob), note: { _: 'textWithEntities', text, entities: [] } });

it('keeps a note of a contact for the account alone', async () => {
  const write = (text: string) => sandbox.call(ada, 'contacts.updateContactNote', noteOf(text));
  expect(await sandbox.refusal(ada, 'contacts.updateContactNote', noteOf('A note'))).toBe(
    'CONTACT_ID_INVALID',
  );
  await add('Bob');
  await write('Met in Turin');
  await add('Robert');
  expect((await fullOf(ada, bob)).note).toMatchObject({ text: 'Met in Turin' });
  expect(await fullOf(bob, ada)).not.toHaveProperty('note');
  await write('');
  expect(await fullOf(ada, bob)).not.toHaveProperty('note');
  const long = noteOf('x'.repeat(129));
  expect(await sandbox.refusal(ada, 'contacts.updateContactNote', long)).toBe('MESSAGE_TOO_LONG');
});

it('takes a note with a contact that is added or imported', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const note = (text: string) => ({ _: 'textWithEntities', text, entities: [] });
  const person = { id: userOf(cleo), firstName: 'Cleo', lastName: '', phone: '' };
  await sandbox.call(ada, 'contacts.addContact', { ...person, note: note('Met in Rome') });
  expect((await fullOf(ada, cleo)).note).toMatchObject({ text: 'Met in Rome' });
  const entry = { _: 'inputPhoneContact', clientId: '1', phone: cleo.phone, firstName: 'C', lastName: '' };
  const importAs = (text: string) => ({ contacts: [{ ...entry, note: note(text) }] });
  await sandbox.call(ada, 'contacts.importContacts', importAs('Met in Bari'));
  expect((await fullOf(ada, cleo)).note).toMatchObject({ text: 'Met in Bari' });
  await sandbox.call(ada, 'contacts.addContact', { ...person, note: note('') });
  expect(await fullOf(ada, cleo)).not.toHaveProperty('note');
  const long = 'x'.repeat(129);
  const refusals = [
    await sandbox.refusal(ada, 'contacts.addContact', { ...person, note: note(long) }),
    await sandbox.refusal(ada, 'contacts.importContacts', importAs(long)),
  ];
  expect(refusals).toEqual(['MESSAGE_TOO_LONG', 'MESSAGE_TOO_LONG']);
});

it('refuses a note whose links are long, since all notes of those who are shown are read', async () => {
  const links = (length: number) =>
    Array.from({ length: 5 }, (_, offset) => ({
      _: 'messageEntityTextUrl',
      offset,
      length: 1,
      url: 'https://example.com/'.padEnd(length, 'x'),
    }));
  const write = (length: number) => {
    const note = { _: 'textWithEntities', text: 'x'.repeat(128), entities: links(length) };
    return { id: userOf(bob), note };
  };
  await add('Bob');
  await sandbox.call(ada, 'contacts.updateContactNote', write(200));
  expect((await fullOf(ada, bob)).note.entities).toHaveLength(5);
  const refused = (length: number) => sandbox.refusal(ada, 'contacts.updateContactNote', write(length));
  expect([await refused(400), await refused(2_049)]).toEqual(['ENTITIES_TOO_LONG', 'ENTITY_BOUNDS_INVALID']);
});

it('marks close friends among the contacts', async () => {
  const edit = (...id: number[]) => sandbox.call(ada, 'contacts.editCloseFriends', { id });
  const isFriend = async () =>
    (await sandbox.call(ada, 'users.getUsers', { id: [userOf(bob)] })).items[0].closeFriend;
  await add('Bob');
  // Beyond the first hundred nobody is looked at.
  await edit(...Array.from({ length: 100 }, (_, i) => 900_000 + i), bob.userId);
  expect(await isFriend()).toBe(false);
  await edit(bob.userId, 999_999);
  expect(await isFriend()).toBe(true);
  expect((await sandbox.updatesOf(ada)).at(-1)).toEqual({ _: 'updateUser', userId: bob.userId });
  await edit();
  expect(await isFriend()).toBe(false);
  await edit(bob.userId);
  await sandbox.call(ada, 'contacts.deleteContacts', { id: [userOf(bob)] });
  await add('Bob');
  expect(await isFriend()).toBe(false);
  await edit(bob.userId);
  expect(await isFriend()).toBe(true);
});

it('keeps the later of two lists of close friends that come at once', async () => {
  const edit = (...id: number[]) => sandbox.call(ada, 'contacts.editCloseFriends', { id });
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  await add('Bob');
  await sandbox.call(ada, 'contacts.addContact', {
    id: userOf(cleo),
    firstName: 'Cleo',
    lastName: '',
    phone: '',
  });
  await edit();
  beforeCommitOf(sandbox, 'contacts.editCloseFriends', () => edit(bob.userId));
  await edit(cleo.userId);
  const { items } = await sandbox.call(ada, 'users.getUsers', { id: [userOf(bob), userOf(cleo)] });
  expect(items.map(({ closeFriend }: { closeFriend: boolean }) => closeFriend)).toEqual([false, true]);
});

it('keeps what is noted of a contact while it is renamed', async () => {
  await add('Bob');
  beforeCommitOf(sandbox, 'contacts.addContact', () =>
    sandbox.call(ada, 'contacts.updateContactNote', noteOf('Meanwhile')),
  );
  await add('Robert');
  expect((await fullOf(ada, bob)).note).toMatchObject({ text: 'Meanwhile' });
});

it('suggests to add a user who is no contact', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const settingsOf = async (peer: object) =>
    (await sandbox.call(ada, 'messages.getPeerSettings', { peer })).settings;
  expect(await settingsOf(peerOf(cleo))).toMatchObject({ addContact: true, blockContact: true });
  expect(await settingsOf(peerOf(bob))).toMatchObject({ addContact: false });
  expect(await settingsOf(await sandbox.aGroup(ada, bob))).toMatchObject({ addContact: false });
});

it('lists the groups and supergroups that are shared with a user', async () => {
  const dan = await sandbox.anAccount('Dan', { workspaceId: ada.workspaceId });
  const { id } = await aChannel(sandbox, ada, { megagroup: true }, dan);
  // Who subscribes to it is told to its administrators alone.
  await aChannel(sandbox, bob, { broadcast: true }, ada, dan);
  const { chatId } = await sandbox.aGroup(ada, dan);
  const find = (params: object = {}) =>
    sandbox.call(ada, 'messages.getCommonChats', { userId: userOf(dan), maxId: 0, limit: 100, ...params });
  const { _, chats } = await find();
  expect(_).toBe('messages.chats');
  expect(chats.map((chat: { id: number }) => chat.id)).toEqual([id, chatId]);
  expect(await find({ limit: 1 })).toMatchObject({ _: 'messages.chatsSlice', count: 2, chats: [{ id }] });
  expect((await find({ maxId: id })).chats).toMatchObject([{ id: chatId }]);
  const own = { userId: { _: 'inputUserSelf' }, maxId: 0, limit: 1 };
  expect(await sandbox.refusal(ada, 'messages.getCommonChats', own)).toBe('USER_ID_INVALID');
  expect((await fullOf(ada, dan)).commonChatsCount).toBe(2);
});

it('keeps a birthday that has been', async () => {
  const set = (birthday?: object) =>
    sandbox.call(ada, 'account.updateBirthday', birthday ? { birthday: { _: 'birthday', ...birthday } } : {});
  await set({ day: 29, month: 2 });
  expect((await fullOf(bob, ada)).birthday).toMatchObject({ day: 29, month: 2 });
  expect((await sandbox.updatesOf(ada)).at(-1)).toEqual({ _: 'updateUser', userId: ada.userId });
  const refused = (birthday: object) =>
    sandbox.refusal(ada, 'account.updateBirthday', { birthday: { _: 'birthday', ...birthday } });
  expect(await refused({ day: 29, month: 2, year: 2023 })).toBe('BIRTHDAY_INVALID');
  expect(await refused({ day: 1, month: 1, year: 2_999 })).toBe('BIRTHDAY_INVALID');
  expect(await refused({ day: 1, month: 13 })).toBe('BIRTHDAY_INVALID');
  while (!(await sandbox.order(ada, 'resetAccount')).done);
  expect(await fullOf(bob, ada)).not.toHaveProperty('birthday');
  await set();
});
