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

const WHOLE = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0, hash: '0' };
const call = (account: SandboxAccount, method: string, params: object = {}) =>
  sandbox.call(account, method, params);

async function refusal(account: SandboxAccount, method: string, params: object) {
  const { status, body } = await sandbox.answer(account, method, params);
  return [status, body.code];
}

async function aChannel(settings: object, username = '') {
  const { chats } = await call(ada, 'channels.createChannel', { title: 'Channel', about: '', ...settings });
  const channel = { channelId: chats[0].id, accessHash: chats[0].accessHash };
  const input = { _: 'inputChannel', ...channel };
  if (username !== '') await call(ada, 'channels.updateUsername', { channel: input, username });
  return { input, peer: { _: 'inputPeerChannel', ...channel }, id: chats[0].id as number };
}

it('creates channels that begin with a service message', async () => {
  const { peer, id } = await aChannel({ broadcast: true });
  const { messages } = await call(ada, 'messages.getHistory', { peer, ...WHOLE });
  expect(messages).toMatchObject([{ id: 1, action: { _: 'messageActionChannelCreate', title: 'Channel' } }]);
  const updates = await sandbox.updatesOf(ada);
  expect(updates.some(({ _, channelId }) => _ === 'updateChannel' && channelId === id)).toBe(true);
});

it('refuses channels without a title, with a long description, a lifetime of messages, or a place', async () => {
  const refused = (more: object) =>
    refusal(ada, 'channels.createChannel', { title: 'Channel', about: '', broadcast: true, ...more });
  expect(await refused({ title: '' })).toEqual([400, 'CHAT_TITLE_EMPTY']);
  expect(await refused({ about: 'x'.repeat(256) })).toEqual([400, 'CHAT_ABOUT_TOO_LONG']);
  expect(await refused({ ttlPeriod: 5 })).toEqual([400, 'TTL_PERIOD_INVALID']);
  expect(await refused({ geoPoint: { _: 'inputGeoPointEmpty' }, address: '' })).toEqual([
    400,
    'ADDRESS_INVALID',
  ]);
});

it('lets others join a public supergroup, says so in it, and counts from there', async () => {
  const { input, peer } = await aChannel({ megagroup: true }, `public_${ada.userId}`);
  await call(ada, 'messages.sendMessage', { peer, message: 'Before' });
  const joined = await call(bob, 'channels.joinChannel', { channel: input });
  expect(joined.updates.updates.map(({ _ }: { _: string }) => _)).toEqual([
    'updateChannel',
    'updateNewChannelMessage',
  ]);
  expect((await sandbox.updatesOf(ada)).at(-1)).toMatchObject({
    _: 'updateNewChannelMessage',
    message: { action: { _: 'messageActionChatAddUser', users: [bob.userId] } },
  });
  await call(ada, 'messages.sendMessage', { peer, message: 'After' });
  const unread = await unreadOf(bob, input.channelId);
  expect(unread).toBe(1);
  const { messages } = await call(bob, 'messages.getHistory', { peer, ...WHOLE });
  expect(await call(bob, 'channels.readHistory', { channel: input, maxId: 0 })).toEqual({ _: 'boolTrue' });
  expect(await unreadOf(bob, input.channelId)).toBe(0);
  expect((await sandbox.updatesOf(ada)).at(-1)).toMatchObject({
    _: 'updateReadChannelOutbox',
    maxId: messages[0].id,
  });
  expect(await refusal(bob, 'channels.readHistory', { channel: input, maxId: -1 })).toEqual([
    400,
    'MSG_ID_INVALID',
  ]);
});

async function unreadOf(account: SandboxAccount, channelId: number): Promise<number> {
  const { dialogs } = await call(account, 'messages.getDialogs', {
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: { _: 'inputPeerEmpty' },
    limit: 100,
    hash: '0',
  });
  return dialogs.find(({ peer }: { peer: { channelId?: number } }) => peer.channelId === channelId)
    .unreadCount;
}

it('refuses to join twice, private channels, monoforums, and what does not exist', async () => {
  const open = await aChannel({ broadcast: true }, `open_${ada.userId}`);
  await call(bob, 'channels.joinChannel', { channel: open.input });
  const refused = (channel: object) => refusal(bob, 'channels.joinChannel', { channel });
  expect(await refused(open.input)).toEqual([400, 'USER_ALREADY_PARTICIPANT']);
  expect(await refused({ _: 'inputChannelEmpty' })).toEqual([400, 'USER_ALREADY_PARTICIPANT']);
  expect(await refused((await aChannel({ broadcast: true })).input)).toEqual([400, 'CHANNEL_PRIVATE']);
  expect(await refused({ ...open.input, channelId: 5 })).toEqual([400, 'CHANNEL_INVALID']);
  const { chats } = await call(ada, 'messages.getHistory', {
    peer: { _: 'inputPeerChannel', ...(await furnishedChannel()) },
    ...WHOLE,
  });
  const monoforum = { ...open.input, channelId: chats[0].linkedMonoforumId };
  expect(await refused(monoforum)).toEqual([400, 'CHANNEL_MONOFORUM_UNSUPPORTED']);
});

async function furnishedChannel() {
  const { messages } = await call(ada, 'channels.getMessages', {
    channel: { _: 'inputChannelEmpty' },
    id: [{ _: 'inputMessageID', id: 1 }],
  });
  return { channelId: messages[0].peerId.channelId, accessHash: '0' };
}

it('gives a channel a name that nobody else has', async () => {
  const { input, id } = await aChannel({ broadcast: true }, `named_${ada.userId}`);
  const resolved = await call(bob, 'contacts.resolveUsername', { username: `NAMED_${ada.userId}` });
  expect(resolved.peer).toEqual({ _: 'peerChannel', channelId: id });
  const refused = (account: SandboxAccount, username: string) =>
    refusal(account, 'channels.updateUsername', { channel: input, username });
  expect(await refused(ada, `named_${ada.userId}`)).toEqual([400, 'USERNAME_NOT_MODIFIED']);
  expect(await refused(ada, 'x')).toEqual([400, 'USERNAME_INVALID']);
  expect(await refused(ada, bob.username)).toEqual([400, 'USERNAME_OCCUPIED']);
  // Those of accounts that are yet to come.
  expect(await refused(ada, 'Account_999999')).toEqual([400, 'USERNAME_OCCUPIED']);
  expect(await refused(ada, 'channel_2000099999')).toEqual([400, 'USERNAME_OCCUPIED']);
  expect((await refused(bob, 'other_name'))[1]).toBe('CHAT_ADMIN_REQUIRED');
  await call(ada, 'channels.updateUsername', { channel: input, username: '' });
  const gone = { username: `named_${ada.userId}` };
  expect(await refusal(bob, 'contacts.resolveUsername', gone)).toEqual([400, 'USERNAME_NOT_OCCUPIED']);
  expect(await refusal(bob, 'contacts.resolveUsername', { username: '!' })).toEqual([
    400,
    'USERNAME_INVALID',
  ]);
});

it('lets a channel take the name again that it was made with', async () => {
  const { channelId } = await sandbox.seeded(ada);
  const channel = { _: 'inputChannel', channelId, accessHash: '0' };
  for (const username of ['', `channel_${channelId}`])
    expect(await call(ada, 'channels.updateUsername', { channel, username })).toEqual({ _: 'boolTrue' });
});

it('deletes posts for everybody, and refuses it to readers', async () => {
  const { input, peer } = await aChannel({ broadcast: true }, `posts_${ada.userId}`);
  await call(bob, 'channels.joinChannel', { channel: input });
  await call(ada, 'messages.sendMessage', { peer, message: 'Wrong' });
  expect(await unreadOf(bob, input.channelId)).toBe(1);
  expect(await refusal(bob, 'channels.deleteMessages', { channel: input, id: [2] })).toEqual([
    403,
    'MESSAGE_DELETE_FORBIDDEN',
  ]);
  expect(await refusal(ada, 'channels.deleteMessages', { channel: input, id: [1] })).toEqual([
    403,
    'MESSAGE_DELETE_FORBIDDEN',
  ]);
  expect(await call(ada, 'channels.deleteMessages', { channel: input, id: [2, 9_999] })).toMatchObject({
    ptsCount: 1,
  });
  expect(await unreadOf(bob, input.channelId)).toBe(0);
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({
    _: 'updateDeleteChannelMessages',
    messages: [2],
  });
  expect(await call(ada, 'channels.deleteMessages', { channel: input, id: [2] })).toMatchObject({
    ptsCount: 0,
  });
});

it('edits posts for everybody', async () => {
  const { input, peer } = await aChannel({ broadcast: true }, `edits_${ada.userId}`);
  await call(bob, 'channels.joinChannel', { channel: input });
  await call(ada, 'messages.sendMessage', { peer, message: 'Draft' });
  await call(ada, 'messages.editMessage', { peer, id: 2, message: 'Final' });
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({
    _: 'updateEditChannelMessage',
    message: { id: 2, message: 'Final' },
  });
  expect((await refusal(bob, 'messages.editMessage', { peer, id: 2, message: 'Mine' }))[1]).toBe(
    'MESSAGE_AUTHOR_REQUIRED',
  );
});
