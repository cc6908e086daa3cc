import { afterAll, beforeAll, expect, it } from 'vitest';
import { channelOf, peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let group: object;
let seeded: { channelId: number; forumId: number };
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  group = await sandbox.aGroup(ada, bob);
  seeded = await sandbox.seeded(ada);
  await sandbox.send(bob, peerOf(ada), 'A comet in a chat');
  await sandbox.send(ada, group, 'A comet in a group');
  await sandbox.send(ada, channelOf(seeded.channelId), 'A comet in a channel');
  await sandbox.send(ada, channelOf(seeded.forumId), 'A comet in a forum');
});
afterAll(() => sandbox.close());

const QUERY = {
  q: 'comet',
  filter: { _: 'inputMessagesFilterEmpty' },
  minDate: 0,
  maxDate: 0,
  offsetRate: 0,
  offsetPeer: { _: 'inputPeerEmpty' },
  offsetId: 0,
  limit: 100,
};
const find = (params: object = {}, account = ada) =>
  sandbox.call(account, 'messages.searchGlobal', { ...QUERY, ...params });
const textsOf = ({ messages }: { messages: { message: string }[] }) =>
  messages.map(({ message }) => message.slice('A comet in a '.length)).sort();

it('finds messages in chats, groups and channels of the account', async () => {
  const found = await find();
  expect(found._).toBe('messages.messages');
  expect(textsOf(found)).toEqual(['channel', 'chat', 'forum', 'group']);
  expect(found.users.length).toBeGreaterThan(0);
  expect(found.chats).toHaveLength(3);
  expect(textsOf(await find({ usersOnly: true }))).toEqual(['chat']);
  expect(textsOf(await find({ groupsOnly: true }))).toEqual(['forum', 'group']);
  expect(textsOf(await find({ broadcastsOnly: true }))).toEqual(['channel']);
  expect(textsOf(await find({ folderId: 1 }))).toEqual([]);
  expect(textsOf(await find({ maxDate: 1 }))).toEqual([]);
  expect(textsOf(await find({}, bob))).toEqual(['chat', 'group']);
});

it('gives them page by page, each once', async () => {
  const seen: string[] = [];
  let offset: object = {};
  for (let page = 0; page < 10; page += 1) {
    const found = await find({ ...offset, limit: 1 });
    if (found.messages.length === 0) break;
    const [{ id, peerId }] = found.messages;
    seen.push(...textsOf(found));
    const { _, ...ids } = peerId;
    const offsetPeer = {
      ...ids,
      _: _.replace('peer', 'inputPeer'),
      ...(ids.chatId ? {} : { accessHash: '0' }),
    };
    offset = { offsetRate: found.nextRate ?? found.messages[0].date, offsetPeer, offsetId: id };
  }
  expect(seen.sort()).toEqual(['channel', 'chat', 'forum', 'group']);
});

it('refuses to search for nothing, for too much, and in a folder that is not there', async () => {
  const refuse = (params: object) => sandbox.refusal(ada, 'messages.searchGlobal', { ...QUERY, ...params });
  expect(await refuse({ q: ' ' })).toBe('SEARCH_QUERY_EMPTY');
  expect(await refuse({ q: 'x'.repeat(251) })).toBe('MESSAGE_TOO_LONG');
  expect(await refuse({ folderId: 2 })).toBe('FOLDER_ID_INVALID');
});

it('says that it has not looked everywhere', async () => {
  const account = await sandbox.anAccount();
  const { channelId } = await sandbox.seeded(account);
  for (let n = 0; n < 50; n += 1) await sandbox.send(account, channelOf(channelId), `Filler ${n}`);
  expect(await find({ q: 'filler' }, account)).toMatchObject({
    _: 'messages.messagesSlice',
    inexact: true,
    count: 50,
  });
});
