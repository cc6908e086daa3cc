import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { archivedKey, dialogsKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { channelOf, peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const PAGE = { offsetDate: 0, offsetId: 0, offsetPeer: { _: 'inputPeerEmpty' }, limit: 100, hash: '0' };
const SELF = { _: 'inputPeerSelf' };

const filterOf = (id: number, more: object = {}) => ({
  _: 'dialogFilter',
  id,
  title: { _: 'textWithEntities', text: 'Friends', entities: [] },
  pinnedPeers: [],
  includePeers: [],
  excludePeers: [],
  ...more,
});
const put = (id: number, more: object = {}) =>
  sandbox.call(ada, 'messages.updateDialogFilter', { id, filter: filterOf(id, more) });
const listFolders = async (by = ada) => (await sandbox.call(by, 'messages.getDialogFilters')).filters;
const idsOf = (filters: { id?: number }[]) => filters.map(({ id }) => id ?? 0);

it('keeps folders of dialogs in an order, and tells other sessions of them', async () => {
  expect(await listFolders()).toEqual([{ _: 'dialogFilterDefault' }]);
  await put(2, { contacts: true, emoticon: '🐱', pinnedPeers: [peerOf(bob), peerOf(bob)] });
  await put(3, { groups: true });
  const peer = { _: 'inputPeerUser', userId: bob.userId };
  const [, friends] = await listFolders();
  expect(friends).toMatchObject({ id: 2, contacts: true, emoticon: '🐱', pinnedPeers: [peer] });
  expect(friends.pinnedPeers).toHaveLength(1);
  expect((await sandbox.updatesOf(ada)).at(-1)).toMatchObject({ _: 'updateDialogFilter', filter: { id: 3 } });
  await sandbox.call(ada, 'messages.updateDialogFiltersOrder', { order: [3, 0] });
  expect(idsOf(await listFolders())).toEqual([3, 0, 2]);
  expect((await sandbox.updatesOf(ada)).at(-1)).toEqual({ _: 'updateDialogFilterOrder', order: [3, 0, 2] });
  await put(2, { bots: true });
  expect(idsOf(await listFolders())).toEqual([3, 0, 2]);
  await sandbox.call(ada, 'messages.updateDialogFilter', { id: 3 });
  expect((await sandbox.updatesOf(ada)).at(-1)).toEqual({ _: 'updateDialogFilter', id: 3 });
  expect(idsOf(await listFolders())).toEqual([0, 2]);
  expect(idsOf(await listFolders(bob))).toEqual([0]);
});

it('keeps a folder that was deleted while it was edited in the order', async () => {
  const dan = await sandbox.anAccount('Dan');
  const edit = (params: object) => sandbox.call(dan, 'messages.updateDialogFilter', { id: 2, ...params });
  await edit({ filter: filterOf(2, { groups: true }) });
  beforeCommitOf(sandbox, 'messages.updateDialogFilter', () => edit({}));
  await edit({ filter: filterOf(2, { bots: true }) });
  expect(idsOf(await listFolders(dan))).toEqual([0, 2]);
});

it('may be edited after the account has left a group that it holds', async () => {
  const group = await sandbox.aGroup(bob, ada);
  await put(2, { includePeers: [group] });
  const left = { chatId: group.chatId, userId: { _: 'inputUserSelf' } };
  await sandbox.call(ada, 'messages.deleteChatUser', left);
  const folder = (await listFolders()).find(({ id }: { id: number }) => id === 2);
  await sandbox.call(ada, 'messages.updateDialogFilter', { id: 2, filter: { ...folder, bots: true } });
  expect(await listFolders()).toContainEqual(expect.objectContaining({ id: 2, bots: true }));
});

it('may be edited also while it holds a group or channel that the account no longer reaches', async () => {
  const group = await sandbox.aGroup(bob, ada);
  const { channel, peer } = await aChannel(sandbox, bob, { megagroup: true }, ada);
  await put(2, { includePeers: [group, peer] });
  const userId = { _: 'inputUserSelf' };
  await sandbox.call(ada, 'messages.deleteChatUser', { chatId: group.chatId, userId });
  await sandbox.call(ada, 'messages.deleteHistory', { peer: group, maxId: 0 });
  await sandbox.call(ada, 'channels.leaveChannel', { channel });
  const folder = (await listFolders()).find(({ id }: { id: number }) => id === 2);
  const edit = (id: number, more: object) =>
    sandbox.call(ada, 'messages.updateDialogFilter', { id, filter: { ...folder, id, ...more } });
  await edit(2, { bots: true, pinnedPeers: [group], includePeers: [peer] });
  expect((await listFolders()).find(({ id }: { id: number }) => id === 2)).toMatchObject({
    bots: true,
    pinnedPeers: [group],
    includePeers: [{ channelId: peer.channelId }],
  });
  const other = { id: 4, filter: { ...folder, id: 4, includePeers: [group] } };
  expect(await sandbox.refusal(ada, 'messages.updateDialogFilter', other)).toBe('CHAT_ID_INVALID');
  await edit(2, { bots: true, pinnedPeers: [], includePeers: [] });
  const back = { id: 2, filter: { ...folder, includePeers: [group] } };
  expect(await sandbox.refusal(ada, 'messages.updateDialogFilter', back)).toBe('CHAT_ID_INVALID');
});

it('names a channel that a strict account no longer reaches by its access hash', async () => {
  const { workspaceId } = ada;
  const eve = await sandbox.anAccount('Eve', { workspaceId, strictPeers: true });
  const { channelId } = (await aChannel(sandbox, bob, { megagroup: true }, eve)).peer;
  const { chats } = await sandbox.call(eve, 'messages.getDialogs', PAGE);
  const { accessHash } = chats.find(({ id }: { id: number }) => id === channelId);
  const naming = (hash: string) => {
    const peer = { _: 'inputPeerChannel', channelId, accessHash: hash };
    return { id: 2, filter: filterOf(2, { bots: true, includePeers: [peer] }) };
  };
  await sandbox.call(eve, 'messages.updateDialogFilter', naming(accessHash));
  const channel = { _: 'inputChannel', channelId, accessHash };
  await sandbox.call(eve, 'channels.leaveChannel', { channel });
  expect(await sandbox.refusal(eve, 'messages.updateDialogFilter', naming('1'))).toBe('CHANNEL_INVALID');
  await sandbox.call(eve, 'messages.updateDialogFilter', naming(accessHash));
});

it('refuses folders that hold nothing, are no folders, or are too many', async () => {
  const cleo = await sandbox.anAccount('Cleo');
  const refused = (id: number, filter?: object) =>
    sandbox.refusal(cleo, 'messages.updateDialogFilter', { id, ...(filter ? { filter } : {}) });
  const title = (text: string) => ({ bots: true, title: { _: 'textWithEntities', text, entities: [] } });
  expect(await refused(2, filterOf(2))).toBe('FILTER_INCLUDE_EMPTY');
  expect(await refused(2, filterOf(2, title(' ')))).toBe('FILTER_TITLE_EMPTY');
  expect(await refused(2, filterOf(2, title('x'.repeat(13))))).toBe('MESSAGE_TOO_LONG');
  expect(await refused(1, filterOf(1, { bots: true }))).toBe('FILTER_ID_INVALID');
  expect(await refused(2)).toBe('FILTER_ID_INVALID');
  expect(await refused(2, { _: 'dialogFilterDefault' })).toBe('FILTER_NOT_SUPPORTED');
  const many = filterOf(2, { includePeers: Array.from({ length: 101 }, () => SELF) });
  expect(await refused(2, many)).toBe('PEER_ID_INVALID');
  for (let id = 2; id < 12; id += 1)
    await sandbox.call(cleo, 'messages.updateDialogFilter', { id, filter: filterOf(id, { bots: true }) });
  expect(await refused(12, filterOf(12, { bots: true }))).toBe('FILTER_ID_INVALID');
  const order = { order: [99] };
  expect(await sandbox.refusal(cleo, 'messages.updateDialogFiltersOrder', order)).toBe('FILTER_ID_INVALID');
});

it('archives dialogs, and shows them in that folder alone', async () => {
  const { channelId } = await sandbox.seeded(ada);
  await sandbox.send(ada, peerOf(bob), 'Hello');
  const move = (folderId: number, ...peers: object[]) =>
    sandbox.call(ada, 'folders.editPeerFolders', {
      folderPeers: peers.map((peer) => ({ _: 'inputFolderPeer', peer, folderId })),
    });
  const list = async (more: object = {}) => {
    const found = await sandbox.call(ada, 'messages.getDialogs', { ...PAGE, ...more });
    return found.dialogs.map(({ peer, folderId = 0 }: { peer: object; folderId?: number }) => [
      JSON.stringify(peer),
      folderId,
    ]);
  };
  const all = await list();
  const { updates } = await move(1, peerOf(bob), channelOf(channelId));
  expect(updates).toMatchObject([
    { _: 'updateFolderPeers', ptsCount: 2, folderPeers: [{ folderId: 1 }, {}] },
  ]);
  expect((await sandbox.updatesOf(ada)).at(-1)).toEqual(updates[0]);
  const archived = await list({ folderId: 1 });
  expect(archived).toHaveLength(2);
  expect(archived.every(([, folderId]: [string, number]) => folderId === 1)).toBe(true);
  const rest = await list({ folderId: 0 });
  expect(rest).toHaveLength(all.length - 2);
  expect([...rest, ...archived].map(([peer]) => peer).sort()).toEqual(
    all.map(([peer]: [string]) => peer).sort(),
  );
  expect(await list()).toHaveLength(all.length);
  const first = await list({ folderId: 1, limit: 1 });
  const next = await list({ folderId: 1, limit: 1, offsetPeer: toInput(first[0][0]) });
  expect([...first, ...next]).toEqual(archived);
  const search = { filter: { _: 'inputMessagesFilterEmpty' }, minDate: 0, maxDate: 0, offsetRate: 0 };
  const find = async (folderId: number) => {
    const page = { ...search, q: 'Hello', offsetPeer: { _: 'inputPeerEmpty' }, offsetId: 0, limit: 10 };
    return (await sandbox.call(ada, 'messages.searchGlobal', { ...page, folderId })).messages.length;
  };
  expect([await find(0), await find(1)]).toEqual([0, 1]);
  await move(0, peerOf(bob), channelOf(channelId));
  expect(await list({ folderId: 1 })).toEqual([]);
  const wrong = { folderPeers: [{ _: 'inputFolderPeer', peer: SELF, folderId: 2 }] };
  expect(await sandbox.refusal(ada, 'folders.editPeerFolders', wrong)).toBe('FOLDER_ID_INVALID');
});

it('counts no move for dialogs that are in the folder already', async () => {
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  for (const peer of [peerOf(bob), peerOf(ada)]) await sandbox.send(eve, peer, 'Hello');
  const move = async (folderId: number, ...peers: object[]) => {
    const folderPeers = peers.map((peer) => ({ _: 'inputFolderPeer', peer, folderId }));
    const params = { folderPeers };
    const { result, updates } = await sandbox.watch(eve, () =>
      sandbox.call(eve, 'folders.editPeerFolders', params),
    );
    expect(updates.map(({ update }) => update)).toEqual(result.updates);
    return result.updates;
  };
  const ptsOf = async () => (await sandbox.call(eve, 'updates.getState')).pts;
  const pts = await ptsOf();
  expect(await move(0, peerOf(bob))).toEqual([]);
  expect(await move(1, peerOf(bob))).toMatchObject([{ pts: pts + 1, ptsCount: 1 }]);
  expect(await move(1, peerOf(bob))).toEqual([]);
  const both = await move(1, peerOf(bob), peerOf(ada));
  expect(both).toMatchObject([
    { pts: pts + 2, ptsCount: 1, folderPeers: [{ peer: { userId: ada.userId }, folderId: 1 }] },
  ]);
  expect(both[0].folderPeers).toHaveLength(1);
  expect(await ptsOf()).toBe(pts + 2);
  // Also without a dialog.
  const unknown = peerOf(await sandbox.anAccount('Fay', { workspaceId: ada.workspaceId }));
  expect(await move(1, unknown)).toMatchObject([{ pts: pts + 3, ptsCount: 1 }]);
  expect(await move(1, unknown)).toEqual([]);
  expect(await move(0, unknown)).toMatchObject([{ pts: pts + 4, folderPeers: [{ folderId: 0 }] }]);
  expect(await move(0, unknown)).toEqual([]);
  expect(await ptsOf()).toBe(pts + 4);
});

function toInput(peer: string): object {
  const { _, ...ids } = JSON.parse(peer);
  const input = { _: _.replace('peer', 'inputPeer'), ...ids };
  return 'chatId' in ids ? input : { ...input, accessHash: '0' };
}

it('pages through the dialogs that are not archived', async () => {
  const eve = await sandbox.anAccount('Eve');
  const { friendId, channelId } = await sandbox.seeded(eve);
  const friend = { _: 'inputPeerUser', userId: friendId, accessHash: '0' };
  await sandbox.send(eve, friend, 'Hello');
  await sandbox.call(eve, 'folders.editPeerFolders', {
    folderPeers: [friend, channelOf(channelId)].map((peer) => ({ _: 'inputFolderPeer', peer, folderId: 1 })),
  });
  const whole = await sandbox.call(eve, 'messages.getDialogs', { ...PAGE, folderId: 0 });
  expect(whole._).toBe('messages.dialogs');
  const seen: object[] = [];
  let page: object = { ...PAGE, folderId: 0, limit: 1 };
  for (let round = 0; round < 20; round += 1) {
    const { dialogs, messages, count } = await sandbox.call(eve, 'messages.getDialogs', page);
    if (dialogs.length === 0) break;
    expect(count).toBe(whole.dialogs.length);
    seen.push(dialogs[0].peer);
    const offsetPeer = toInput(JSON.stringify(dialogs[0].peer));
    page = { ...page, offsetDate: messages[0].date, offsetId: dialogs[0].topMessage, offsetPeer };
  }
  expect(seen).toEqual(whole.dialogs.map(({ peer }: { peer: object }) => peer));
});

it('archives 200 dialogs at most', async () => {
  const dan = await sandbox.anAccount('Dan');
  const others = Array.from({ length: 200 }, (_, i) => `u${i + 1}`);
  const archive = stateKey(dan.workspaceId, archivedKey(dan.userId));
  const dialogs = stateKey(dan.workspaceId, dialogsKey(dan.userId));
  await sandbox.redis.sadd(archive, ...others);
  await sandbox.redis.zadd(dialogs, ...others.flatMap((key) => [1, key]));
  const one = { folderPeers: [{ _: 'inputFolderPeer', peer: SELF, folderId: 1 }] };
  expect(await sandbox.refusal(dan, 'folders.editPeerFolders', one)).toBe('FOLDER_ID_INVALID');
  // What has no messages any more takes no place.
  await sandbox.redis.zrem(dialogs, 'u1', 'u2');
  await sandbox.call(dan, 'folders.editPeerFolders', one);
  expect(await sandbox.redis.scard(archive)).toBe(199);
});

it('takes dialogs out of an archive that has more than 200, as calls at the same time may have left it', async () => {
  const fay = await sandbox.anAccount('Fay');
  const all = [`u${fay.userId}`, ...Array.from({ length: 250 }, (_, i) => `u${i + 1}`)];
  const archive = stateKey(fay.workspaceId, archivedKey(fay.userId));
  await sandbox.redis.sadd(archive, ...all);
  await sandbox.redis.zadd(
    stateKey(fay.workspaceId, dialogsKey(fay.userId)),
    ...all.flatMap((key) => [1, key]),
  );
  const one = { folderPeers: [{ _: 'inputFolderPeer', peer: SELF, folderId: 0 }] };
  await sandbox.call(fay, 'folders.editPeerFolders', one);
  expect(await sandbox.redis.scard(archive)).toBe(250);
});

it('marks a dialog as unread', async () => {
  const mark = (unread: boolean) => ({ peer: { _: 'inputDialogPeer', peer: peerOf(bob) }, unread });
  const dialog = async () => {
    const peers = [{ _: 'inputDialogPeer', peer: peerOf(bob) }];
    return (await sandbox.call(ada, 'messages.getPeerDialogs', { peers })).dialogs[0];
  };
  await sandbox.call(ada, 'messages.markDialogUnread', mark(true));
  expect(await dialog()).toMatchObject({ unreadMark: true, unreadCount: 0 });
  expect((await sandbox.updatesOf(ada)).at(-1)).toEqual({
    _: 'updateDialogUnreadMark',
    unread: true,
    peer: { _: 'dialogPeer', peer: { _: 'peerUser', userId: bob.userId } },
  });
  await sandbox.call(ada, 'messages.markDialogUnread', mark(false));
  expect((await dialog()).unreadMark).toBe(false);
  const talk = { ...mark(true), parentPeer: SELF };
  expect(await sandbox.refusal(ada, 'messages.markDialogUnread', talk)).toBe('PEER_ID_INVALID');
});
