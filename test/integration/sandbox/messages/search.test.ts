import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readingSlices } from '../../../../workers/turns/slices.ts';
import { afterListIn } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});

afterAll(() => sandbox.close());

const peerOf = ({ userId }: SandboxAccount) => ({ _: 'inputPeerUser', userId, accessHash: '0' });
const call = (account: SandboxAccount, method: string, params: object = {}) =>
  sandbox.call(account, method, params);

async function refusal(account: SandboxAccount, method: string, params: object) {
  const { status, body } = await sandbox.answer(account, method, params);
  return [status, body.code];
}

const query = (q: string, more: object = {}) => ({
  peer: peerOf(bob),
  q,
  filter: { _: 'inputMessagesFilterEmpty' },
  minDate: 0,
  maxDate: 0,
  offsetId: 0,
  addOffset: 0,
  limit: 100,
  maxId: 0,
  minId: 0,
  hash: '0',
  ...more,
});

const textsOf = ({ messages }: { messages: { message: string }[] }) => messages.map(({ message }) => message);

it('finds messages by words, authors and kinds', async () => {
  for (const message of ['Green tea', 'Black coffee', 'White tea']) {
    await call(ada, 'messages.sendMessage', { peer: peerOf(bob), message });
  }
  await call(bob, 'messages.sendMessage', { peer: peerOf(ada), message: 'Tea, please' });
  const found = (params: object) => call(ada, 'messages.search', params);
  expect(textsOf(await found(query('TEA')))).toEqual(['Tea, please', 'White tea', 'Green tea']);
  expect(textsOf(await found(query('te gr')))).toEqual(['Green tea']);
  expect(textsOf(await found(query('tea', { fromId: { _: 'inputPeerSelf' } })))).toEqual([
    'White tea',
    'Green tea',
  ]);
  const page = await found(query('tea', { limit: 1, addOffset: 1 }));
  expect(page).toMatchObject({ _: 'messages.messagesSlice', count: 3, inexact: false });
  expect(textsOf(page)).toEqual(['White tea']);
  const below = query('tea', { offsetId: page.messages[0].id });
  expect(textsOf(await found(below))).toEqual(['Green tea']);
  const bytes = Buffer.from('bytes').toString('base64');
  await call(ada, 'upload.saveFilePart', { fileId: '5', filePart: 0, bytes });
  const media = {
    _: 'inputMediaUploadedDocument',
    file: { _: 'inputFile', id: '5', parts: 1, name: 'notes.txt', md5Checksum: '' },
    mimeType: 'text/plain',
    attributes: [],
  };
  await call(ada, 'messages.sendMedia', { peer: peerOf(bob), media, message: 'Notes' });
  const documents = query('', { filter: { _: 'inputMessagesFilterDocument' } });
  expect(textsOf(await found(documents))).toEqual(['Notes']);
  const voices = query('', { filter: { _: 'inputMessagesFilterVoice' } });
  expect(textsOf(await found(voices))).toEqual([]);
});

it('finds signs that are no words as they stand, and words with vowel signs as a whole', async () => {
  const peer = { _: 'inputPeerSelf' };
  for (const message of ['A rocket 🚀', 'हिन्दी भाषा', 'हम नदी देखते']) await sandbox.send(ada, peer, message);
  const found = async (q: string) => textsOf(await call(ada, 'messages.search', query(q, { peer })));
  expect(await found('🚀')).toEqual(['A rocket 🚀']);
  expect(await found('?!')).toEqual([]);
  expect(await found('हिन्दी')).toEqual(['हिन्दी भाषा']);
  expect(await refusal(ada, 'messages.search', query(' ', { peer }))).toEqual([400, 'SEARCH_QUERY_EMPTY']);
});

it('finds stickers neither among the files nor among the videos', async () => {
  const peer = { _: 'inputPeerSelf' };
  const file = await sandbox.upload(ada, Buffer.from('A moving sticker'));
  const kind = { _: 'documentAttributeVideo', duration: 1, w: 512, h: 512 };
  const sticker = { _: 'documentAttributeSticker', alt: '👋', stickerset: { _: 'inputStickerSetEmpty' } };
  for (const attributes of [[kind, sticker], [sticker]]) {
    const media = { _: 'inputMediaUploadedDocument', file, mimeType: 'video/webm', attributes };
    await call(ada, 'messages.sendMedia', { peer, message: '', media });
  }
  for (const filter of ['Document', 'Video', 'PhotoVideo']) {
    const params = { peer, filter: { _: `inputMessagesFilter${filter}` } };
    expect(await call(ada, 'messages.search', query('', params))).toMatchObject({ messages: [] });
  }
});

it('finds what was sent after one date and before another, in one conversation and in all', async () => {
  await sandbox.send(ada, peerOf(bob), 'A dated papaya');
  const { date } = await sandbox.newest(ada, peerOf(bob));
  const { peer, addOffset, maxId, minId, hash, ...words } = query('papaya');
  const here = { peer, addOffset, maxId, minId, hash };
  const everywhere = { offsetRate: 0, offsetPeer: { _: 'inputPeerEmpty' } };
  const searches = { 'messages.search': here, 'messages.searchGlobal': everywhere };
  for (const [method, place] of Object.entries(searches)) {
    const found = async (dates: object) => textsOf(await call(ada, method, { ...words, ...place, ...dates }));
    expect(await found({ minDate: date - 1, maxDate: date + 1 })).toEqual(['A dated papaya']);
    expect(await found({ minDate: date })).toEqual([]);
    expect(await found({ maxDate: date })).toEqual([]);
  }
});

it('refuses a search for nothing, and for authors and peers that do not exist', async () => {
  const refused = (params: object) => refusal(ada, 'messages.search', params);
  expect(await refused(query(''))).toEqual([400, 'SEARCH_QUERY_EMPTY']);
  const nobody = { ...peerOf(bob), userId: 5 };
  expect(await refused(query('tea', { fromId: nobody }))).toEqual([400, 'FROM_PEER_INVALID']);
  expect((await refused(query('tea', { peer: nobody })))[1]).toBe('PEER_ID_INVALID');
  expect(await refused(query('tea', { limit: -1 }))).toEqual([400, 'LIMIT_INVALID']);
});

it('shows a user in full, with what both are in', async () => {
  const own = await call(ada, 'users.getFullUser', { id: { _: 'inputUserSelf' } });
  expect(own.fullUser).toMatchObject({ id: ada.userId, commonChatsCount: 0 });
  const id = { _: 'inputUser', userId: bob.userId, accessHash: '0' };
  await call(ada, 'messages.createChat', { title: 'Both', users: [id] });
  await call(ada, 'contacts.block', { id: peerOf(bob) });
  expect((await call(ada, 'users.getFullUser', { id })).fullUser).toMatchObject({
    blocked: true,
    commonChatsCount: 1,
  });
  await call(ada, 'contacts.unblock', { id: peerOf(bob) });
  expect(await refusal(ada, 'users.getFullUser', { id: { ...id, userId: 5 } })).toEqual([
    400,
    'USER_ID_INVALID',
  ]);
});

it('lists contacts, and resolves usernames in any case', async () => {
  const id = { _: 'inputUser', userId: bob.userId, accessHash: '0' };
  await call(ada, 'contacts.addContact', { id, firstName: 'Bobby', lastName: '', phone: '' });
  const { contacts, users } = await call(ada, 'contacts.getContacts', { hash: '0' });
  expect(contacts).toContainEqual({ _: 'contact', userId: bob.userId, mutual: false });
  expect(users.find((user: { id: number }) => user.id === bob.userId)).toMatchObject({ firstName: 'Bobby' });
  const resolved = await call(ada, 'contacts.resolveUsername', { username: bob.username.toUpperCase() });
  expect(resolved).toMatchObject({ peer: { userId: bob.userId }, users: [{ id: bob.userId }] });
});

it('searches all private chats and basic groups at once', async () => {
  const [eve, kim] = await sandbox.twoAccounts();
  for (const from of [{ _: 'inputPeerSelf' }, peerOf(kim)]) await sandbox.send(eve, from, 'Some quince');
  const group = await sandbox.aGroup(eve, kim);
  await sandbox.send(kim, group, 'Quince jam');
  await sandbox.send(eve, peerOf(kim), 'No fruit');
  const { channelId } = await sandbox.seeded(eve);
  await sandbox.send(eve, { _: 'inputPeerChannel', channelId, accessHash: '0' }, 'A quince a day');
  const everywhere = query('quince', { peer: { _: 'inputPeerEmpty' } });
  const found = await sandbox.call({ ...eve, strictPeers: true }, 'messages.search', everywhere);
  expect(textsOf(found)).toEqual(['Quince jam', 'Some quince', 'Some quince']);
  expect(found.chats).toMatchObject([{ id: group.chatId }]);
  const first = { ...everywhere, maxId: found.messages[1].id };
  expect(textsOf(await call(eve, 'messages.search', first))).toEqual(['Some quince']);
  expect(await call(eve, 'messages.search', { ...first, minId: 9_999 })).toMatchObject({ messages: [] });
});

it('lets other calls run while it looks through long messages', async () => {
  const LONG = 20;
  for (let n = 0; n < LONG; n += 1) await sandbox.send(ada, peerOf(bob), 'a b '.repeat(1_023));
  const turns = vi.spyOn(readingSlices, 'next');
  await call(ada, 'messages.search', query('nothing'));
  // Before each but the first is parsed, and before each but the first is searched.
  expect(turns.mock.calls.length).toBeGreaterThanOrEqual(2 * (LONG - 1));
  turns.mockRestore();
});

it('lists each message once when others come or go between what it reads at a time', async () => {
  const [eve, kim] = await sandbox.twoAccounts();
  for (let n = 0; n < 110; n += 1) await sandbox.send(eve, peerOf(kim), `Tea ${n}`);
  const { id } = await sandbox.newest(eve, peerOf(kim));
  const changes = {
    send: () => sandbox.send(kim, peerOf(eve), 'More tea'),
    remove: () => call(eve, 'messages.deleteMessages', { id: [id] }),
  };
  const searchWhile = async (change: () => Promise<unknown>) => {
    afterListIn(sandbox, 'messages.search', change, 'zrevrangebyscore');
    const page = await call(
      eve,
      'messages.search',
      query('tea', { peer: peerOf(kim), addOffset: 98, limit: 4 }),
    );
    return { count: page.count, texts: textsOf(page) };
  };
  expect(await searchWhile(changes.remove)).toEqual({
    count: 109,
    texts: ['Tea 10', 'Tea 9', 'Tea 8', 'Tea 7'],
  });
  expect(await searchWhile(changes.send)).toEqual({
    count: 109,
    texts: ['Tea 10', 'Tea 9', 'Tea 8', 'Tea 7'],
  });
});
