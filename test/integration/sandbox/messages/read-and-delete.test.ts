import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { hashOfIds } from '../../../../workers/sandbox/model/common/list-hash.ts';
import { threadsKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
});

afterAll(() => sandbox.close());

const WHOLE = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0, hash: '0' };
const SELF = { _: 'inputPeerSelf' };
const PAGE = { offsetDate: 0, offsetId: 0, offsetPeer: { _: 'inputPeerEmpty' }, limit: 100, hash: '0' };
const peerOf = ({ userId }: SandboxAccount) => ({ _: 'inputPeerUser', userId, accessHash: '0' });
const call = (account: SandboxAccount, method: string, params: object = {}) =>
  sandbox.call(account, method, params);

beforeAll(async () => {
  [ada, bob] = await sandbox.twoAccounts();
});

async function history(account: SandboxAccount, peer: object) {
  return (await call(account, 'messages.getHistory', { peer, ...WHOLE })).messages;
}

async function send(account: SandboxAccount, peer: object, ...texts: string[]): Promise<number[]> {
  for (const message of texts) await call(account, 'messages.sendMessage', { peer, message });
  const newest = (await history(account, peer)).slice(0, texts.length);
  return newest.map(({ id }: { id: number }) => id).reverse();
}

async function refusal(account: SandboxAccount, method: string, params: object) {
  const { status, body } = await sandbox.answer(account, method, params);
  return [status, body.code];
}

async function dialogWith(account: SandboxAccount, peerKey: object) {
  const { dialogs } = await call(account, 'messages.getDialogs', PAGE);
  return dialogs.find(({ peer }: { peer: object }) => JSON.stringify(peer) === JSON.stringify(peerKey));
}

it('lists what was furnished as dialogs', async () => {
  const { _, dialogs, messages } = await call(ada, 'messages.getDialogs', PAGE);
  expect(_).toBe('messages.dialogs');
  expect(dialogs.length).toBeGreaterThanOrEqual(4);
  expect(messages).toHaveLength(dialogs.length);
  for (const { topMessage, unreadCount } of dialogs) expect([topMessage > 0, unreadCount]).toEqual([true, 0]);
});

it('pages through dialogs', async () => {
  const all = (await call(ada, 'messages.getDialogs', PAGE)).dialogs;
  const seen: object[] = [];
  let page: object = { ...PAGE, limit: 2 };
  for (let round = 0; round < 10; round += 1) {
    const { dialogs, messages } = await call(ada, 'messages.getDialogs', page);
    if (dialogs.length === 0) break;
    seen.push(...dialogs.map(({ peer }: { peer: object }) => peer));
    const last = dialogs[dialogs.length - 1];
    const top = messages[messages.length - 1];
    page = { ...page, offsetDate: top.date, offsetId: last.topMessage, offsetPeer: toInput(last.peer) };
  }
  expect(seen).toEqual(all.map(({ peer }: { peer: object }) => peer));
  expect(await refusal(ada, 'messages.getDialogs', { ...PAGE, folderId: 7 })).toEqual([
    400,
    'FOLDER_ID_INVALID',
  ]);
  const nobody = { ...peerOf(bob), userId: 5 };
  expect(await refusal(ada, 'messages.getDialogs', { ...PAGE, offsetPeer: nobody })).toEqual([
    400,
    'OFFSET_PEER_ID_INVALID',
  ]);
});

function toInput(peer: { _: string; userId?: number; chatId?: number; channelId?: number }) {
  if (peer._ === 'peerUser') return { _: 'inputPeerUser', userId: peer.userId, accessHash: '0' };
  if (peer._ === 'peerChat') return { _: 'inputPeerChat', chatId: peer.chatId };
  return { _: 'inputPeerChannel', channelId: peer.channelId, accessHash: '0' };
}

it('marks a history read step by step and tells the sender', async () => {
  await send(ada, peerOf(bob), 'one', 'two', 'three');
  const sender = { _: 'peerUser', userId: ada.userId };
  const [third, second] = await history(bob, peerOf(ada));
  expect(await dialogWith(bob, sender)).toMatchObject({ unreadCount: 3, readInboxMaxId: 0 });
  const read = { peer: peerOf(ada), maxId: second.id };
  expect(await call(bob, 'messages.readHistory', read)).toMatchObject({ ptsCount: 1 });
  expect(await dialogWith(bob, sender)).toMatchObject({ unreadCount: 1, readInboxMaxId: second.id });
  expect(await call(bob, 'messages.readHistory', read)).toMatchObject({ ptsCount: 0 });
  await call(bob, 'messages.readHistory', { peer: peerOf(ada), maxId: 0 });
  expect(await dialogWith(bob, sender)).toMatchObject({ unreadCount: 0, readInboxMaxId: third.id });
  const own = await history(ada, peerOf(bob));
  const heard = (await sandbox.updatesOf(ada)).filter(({ _ }) => _ === 'updateReadHistoryOutbox');
  expect(heard.map(({ maxId }) => maxId)).toEqual([own[1].id, own[0].id]);
  const seen = await dialogWith(ada, { _: 'peerUser', userId: bob.userId });
  expect(seen).toMatchObject({ readOutboxMaxId: own[0].id });
  expect(await refusal(bob, 'messages.readHistory', { ...read, maxId: -1 })).toEqual([400, 'MSG_ID_INVALID']);
  const channel = { _: 'inputPeerChannel', channelId: 5, accessHash: '0' };
  expect((await refusal(bob, 'messages.readHistory', { peer: channel, maxId: 0 }))[0]).toBe(400);
});

it('edits a message for everybody who has it', async () => {
  const [id] = (await send(ada, peerOf(bob), 'Draft')) as [number];
  const edit = { peer: peerOf(bob), id, message: 'Final' };
  expect((await call(ada, 'messages.editMessage', edit)).updates[0].message).toMatchObject({
    message: 'Final',
  });
  const [received] = await history(bob, peerOf(ada));
  expect(received).toMatchObject({ message: 'Final', editDate: expect.any(Number) });
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({
    _: 'updateEditMessage',
    message: { id: received.id },
  });
  const refused = (account: SandboxAccount, params: object) =>
    refusal(account, 'messages.editMessage', params);
  expect(await refused(ada, edit)).toEqual([400, 'MESSAGE_NOT_MODIFIED']);
  expect(await refused(ada, { ...edit, message: '' })).toEqual([400, 'MESSAGE_EMPTY']);
  expect(await refused(ada, { ...edit, message: 'x'.repeat(5_000) })).toEqual([400, 'MESSAGE_TOO_LONG']);
  expect(await refused(ada, { ...edit, id: 9_999 })).toEqual([400, 'MESSAGE_ID_INVALID']);
  expect(await refused(bob, { peer: peerOf(ada), id: received.id, message: 'Mine' })).toEqual([
    403,
    'MESSAGE_AUTHOR_REQUIRED',
  ]);
  expect(await refused(ada, { ...edit, scheduleDate: 2_000_000_000 })).toEqual([
    400,
    'SCHEDULE_DATE_INVALID',
  ]);
});

it('deletes messages for the account alone, or for everybody', async () => {
  const ids = await send(ada, peerOf(bob), 'first', 'second');
  const before = (await history(bob, peerOf(ada))).length;
  expect(await call(ada, 'messages.deleteMessages', { id: [ids[0], 9_999] })).toMatchObject({ ptsCount: 1 });
  expect(await history(bob, peerOf(ada))).toHaveLength(before);
  expect(await call(ada, 'messages.deleteMessages', { id: [ids[1]], revoke: true })).toMatchObject({
    ptsCount: 1,
  });
  const left = await history(bob, peerOf(ada));
  expect(left.map(({ message }: { message: string }) => message)).not.toContain('second');
  expect(await dialogWith(bob, { _: 'peerUser', userId: ada.userId })).toMatchObject({
    topMessage: left[0].id,
    unreadCount: 2,
  });
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({
    _: 'updateDeleteMessages',
    ptsCount: 1,
  });
  expect(await call(ada, 'messages.deleteMessages', { id: [ids[1]] })).toMatchObject({ ptsCount: 0 });
});

it("refuses to delete others' messages in a group for everybody, but to its creator", async () => {
  const users = [{ _: 'inputUser', userId: bob.userId, accessHash: '0' }];
  const { updates } = await call(ada, 'messages.createChat', { title: 'Group', users });
  const peer = { _: 'inputPeerChat', chatId: updates.chats[0].id };
  await send(ada, peer, 'Of Ada');
  const [theirs] = await history(bob, peer);
  const params = { id: [theirs.id], revoke: true };
  expect(await refusal(bob, 'messages.deleteMessages', params)).toEqual([403, 'MESSAGE_DELETE_FORBIDDEN']);
  await call(bob, 'messages.sendMessage', { peer, message: 'Of Bob' });
  const [ofBob] = await history(ada, peer);
  await call(ada, 'messages.deleteMessages', { id: [ofBob.id], revoke: true });
  const rest = await history(bob, peer);
  expect(rest.map(({ message }: { message?: string }) => message)).toEqual(['Of Ada', undefined]);
});

it('gives what an account has missed', async () => {
  const state = await call(bob, 'updates.getState');
  expect(
    await call(bob, 'updates.getDifference', { pts: state.pts, date: state.date + 60, qts: 0 }),
  ).toMatchObject({
    _: 'updates.differenceEmpty',
  });
  const [id] = (await send(ada, peerOf(bob), 'Missed')) as [number];
  await call(ada, 'messages.editMessage', { peer: peerOf(bob), id, message: 'Edited' });
  const params = { pts: state.pts, date: state.date, qts: 0 };
  const difference = await call(bob, 'updates.getDifference', params);
  expect(difference).toMatchObject({
    _: 'updates.difference',
    newMessages: [{ message: 'Edited' }],
    state: { pts: state.pts + 2, unreadCount: state.unreadCount + 1 },
  });
  const edits = difference.otherUpdates.filter(({ _ }: { _: string }) => _ === 'updateEditMessage');
  expect(edits).toEqual([]);
  await send(ada, peerOf(bob), 'Later');
  const first = await call(bob, 'updates.getDifference', { ...params, ptsLimit: 1 });
  expect(first).toMatchObject({ _: 'updates.differenceSlice', intermediateState: { pts: state.pts + 1 } });
  await call(ada, 'messages.deleteMessages', { id: [id], revoke: true });
  expect(await call(bob, 'updates.getDifference', params)).toMatchObject({
    _: 'updates.difference',
    newMessages: [{ message: 'Later' }],
    otherUpdates: expect.arrayContaining([expect.objectContaining({ _: 'updateDeleteMessages' })]),
    state: { pts: state.pts + 4 },
  });
  const refused = (more: object) => refusal(bob, 'updates.getDifference', { ...params, ...more });
  expect(await refused({ pts: 0 })).toEqual([400, 'PERSISTENT_TIMESTAMP_EMPTY']);
  expect(await refused({ pts: 999_999 })).toEqual([400, 'PERSISTENT_TIMESTAMP_INVALID']);
  expect(await refused({ date: 0 })).toEqual([400, 'DATE_EMPTY']);
});

it('goes on behind what was saved from a channel that the account has left', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const { id, peer, channel } = await aChannel(sandbox, ada, { megagroup: true }, cleo);
  await send(ada, peer, 'Keep me');
  const [received] = await history(cleo, peer);
  const params = { fromPeer: peer, id: [received.id], toPeer: SELF, randomId: ['4712'] };
  await call(cleo, 'messages.forwardMessages', params);
  await call(cleo, 'channels.leaveChannel', { channel });
  // Later than what was saved before, in the same second.
  const threads = stateKey(cleo.workspaceId, threadsKey(`u${cleo.userId}`, `u${cleo.userId}`));
  await sandbox.redis.zincrby(threads, 10, `c${id}`);
  const first = await call(cleo, 'messages.getSavedDialogs', { ...PAGE, limit: 1 });
  expect(first.dialogs).toMatchObject([{ peer: { channelId: id } }]);
  const second = await call(cleo, 'messages.getSavedDialogs', { ...PAGE, offsetPeer: peer });
  expect(second.dialogs).toMatchObject([{ peer: { userId: cleo.userId } }]);
  const elsewhere = { ...PAGE, offsetPeer: (await aChannel(sandbox, ada, { megagroup: true })).peer };
  expect((await refusal(cleo, 'messages.getSavedDialogs', elsewhere))[1]).toBe('CHANNEL_PRIVATE');
});

it('keeps what was saved from each peer apart', async () => {
  const saved = (peer: object, more: object = {}) =>
    call(ada, 'messages.getSavedHistory', { peer, ...WHOLE, ...more });
  const documented = await saved({ _: 'inputPeerEmpty' });
  expect(documented._).toBe('messages.messages');
  expect(documented.messages.at(-1)).toMatchObject({ id: 1 });
  await send(ada, SELF, 'A note');
  const [{ id: newestId }] = await history(ada, SELF);
  expect(await saved(SELF, { limit: 1, hash: hashOfIds([newestId]) })).toEqual({
    _: 'messages.messagesNotModified',
    count: documented.messages.length + 1,
  });
  await send(bob, peerOf(ada), 'Keep me');
  const [received] = await history(ada, peerOf(bob));
  const params = { fromPeer: peerOf(bob), id: [received.id], toPeer: SELF, randomId: ['4711'] };
  await call(ada, 'messages.forwardMessages', params);
  expect((await saved(peerOf(bob))).messages).toMatchObject([
    { message: 'Keep me', savedPeerId: { userId: bob.userId } },
  ]);
  const { dialogs } = await call(ada, 'messages.getSavedDialogs', PAGE);
  expect(dialogs.map(({ peer }: { peer: { userId: number } }) => peer.userId)).toEqual([
    bob.userId,
    ada.userId,
  ]);
  const first = await call(ada, 'messages.getSavedDialogs', { ...PAGE, limit: 1 });
  expect(first).toMatchObject({ _: 'messages.savedDialogsSlice', count: 2 });
  expect(
    await refusal(ada, 'messages.getSavedHistory', { peer: { ...peerOf(bob), userId: 5 }, ...WHOLE }),
  ).toEqual([400, 'PEER_ID_INVALID']);
});

it('shows an administrator the talks of a monoforum, and a visitor only its own', async () => {
  const { chats } = await call(ada, 'messages.getDialogs', PAGE);
  const channel = chats.find(
    ({ linkedMonoforumId, monoforum }: Record<string, unknown>) => linkedMonoforumId && !monoforum,
  );
  const mono = { _: 'inputPeerChannel', channelId: channel.linkedMonoforumId, accessHash: '0' };
  await call(bob, 'messages.sendMessage', { peer: mono, message: 'A question' });
  const talk = { parentPeer: mono, ...WHOLE };
  const { messages } = await call(ada, 'messages.getSavedHistory', { peer: peerOf(bob), ...talk });
  expect(messages).toMatchObject([{ message: 'A question', savedPeerId: { userId: bob.userId } }]);
  const { dialogs } = await call(ada, 'messages.getSavedDialogs', { ...PAGE, parentPeer: mono });
  expect(dialogs).toMatchObject([{ _: 'monoForumDialog', unreadCount: 1 }]);
  expect((await call(bob, 'messages.getSavedHistory', { peer: SELF, ...talk })).messages).toHaveLength(1);
  expect(await refusal(bob, 'messages.getSavedHistory', { peer: peerOf(ada), ...talk })).toEqual([
    400,
    'PEER_ID_INVALID',
  ]);
  expect((await refusal(bob, 'messages.getSavedDialogs', { ...PAGE, parentPeer: mono }))[1]).toBe(
    'CHAT_ADMIN_REQUIRED',
  );
  // Nor does another visitor get at it by its id.
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const [{ id }] = messages;
  const copied = { fromPeer: mono, toPeer: SELF, id: [id], randomId: ['1'] };
  expect((await refusal(eve, 'messages.forwardMessages', copied))[1]).toBe('MESSAGE_ID_INVALID');
  const replyTo = { _: 'inputReplyToMessage', replyToMsgId: id, replyToPeerId: mono };
  const answered = { peer: SELF, message: 'Hm', replyTo };
  expect((await refusal(eve, 'messages.sendMessage', answered))[1]).toBe('REPLY_MESSAGE_ID_INVALID');
  expect((await refusal(ada, 'messages.getSavedHistory', { peer: SELF, ...talk, parentPeer: SELF }))[1]).toBe(
    'PARENT_PEER_INVALID',
  );
});

it('counts a message that is deleted while it is read once', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const unread = async (peer: object) =>
    (await call(bob, 'messages.getPeerDialogs', { peers: [{ _: 'inputDialogPeer', peer }] })).dialogs[0]
      .unreadCount;
  const [first = 0] = await send(ada, peerOf(bob), 'First', 'Last');
  beforeCommitOf(sandbox, 'messages.deleteMessages', () =>
    call(bob, 'messages.readHistory', { peer: peerOf(ada), maxId: 0 }),
  );
  await call(ada, 'messages.deleteMessages', { id: [first], revoke: true });
  expect(await unread(peerOf(ada))).toBe(0);
  const [post = 0] = await send(ada, group.peer, 'First', 'Last');
  beforeCommitOf(sandbox, 'channels.deleteMessages', () =>
    call(bob, 'channels.readHistory', { channel: group.channel, maxId: 0 }),
  );
  await call(ada, 'channels.deleteMessages', { channel: group.channel, id: [post] });
  expect(await unread(group.peer)).toBe(0);
});
