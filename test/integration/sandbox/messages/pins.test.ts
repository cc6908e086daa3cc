import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { channelOf, peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
beforeAll(async () => {
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const SELF = { _: 'inputPeerSelf' };
const pin = (account: SandboxAccount, peer: object, id: number, more: object = {}) =>
  sandbox.call(account, 'messages.updatePinnedMessage', { peer, id, ...more });
const refuse = (account: SandboxAccount, peer: object, id: number, more: object = {}) =>
  sandbox.refusal(account, 'messages.updatePinnedMessage', { peer, id, ...more });
const pinnedWith = async (account: SandboxAccount, other: SandboxAccount) =>
  (await sandbox.call(account, 'users.getFullUser', { id: userOf(other) })).fullUser.pinnedMsgId;

it('pins a message for both sides, who hear of it by an update and a message', async () => {
  await sandbox.send(ada, peerOf(bob), 'Important');
  const [own, theirs] = [await sandbox.newest(ada, peerOf(bob)), await sandbox.newest(bob, peerOf(ada))];
  const { result, updates } = await sandbox.watch(ada, () => pin(ada, peerOf(bob), own.id));
  expect(result.updates).toMatchObject([
    {
      _: 'updatePinnedMessages',
      pinned: true,
      peer: { userId: bob.userId },
      messages: [own.id],
      ptsCount: 1,
    },
    { message: { action: { _: 'messageActionPinMessage' }, replyTo: { replyToMsgId: own.id } } },
  ]);
  expect(updates.filter(({ accountId }) => accountId === bob.id).map(({ update }) => update)).toMatchObject([
    { _: 'updatePinnedMessages', pinned: true, peer: { userId: ada.userId }, messages: [theirs.id] },
    { _: 'updateNewMessage', message: { replyTo: { replyToMsgId: theirs.id } } },
  ]);
  expect((await sandbox.history(bob, peerOf(ada)))[1]).toMatchObject({ id: theirs.id, pinned: true });
  expect([await pinnedWith(ada, bob), await pinnedWith(bob, ada)]).toEqual([own.id, theirs.id]);
  expect(await refuse(ada, peerOf(bob), own.id)).toBe('CHAT_NOT_MODIFIED');

  const gone = await sandbox.watch(ada, () => pin(bob, peerOf(ada), theirs.id, { unpin: true }));
  expect(gone.updates.map(({ update }) => update)).toMatchObject([
    { _: 'updatePinnedMessages', messages: [expect.any(Number)] },
    { _: 'updatePinnedMessages', messages: [expect.any(Number)] },
  ]);
  expect([await pinnedWith(ada, bob), await pinnedWith(bob, ada)]).toEqual([undefined, undefined]);
});

it('pins a message on one side only, and forgets a pin with its message', async () => {
  await sandbox.send(ada, peerOf(bob), 'For me');
  const { id } = await sandbox.newest(ada, peerOf(bob));
  const { result, updates } = await sandbox.watch(ada, () => pin(ada, peerOf(bob), id, { pmOneside: true }));
  expect(result.updates).toHaveLength(1);
  expect(updates.map(({ accountId }) => accountId)).toEqual([ada.id]);
  expect([await pinnedWith(ada, bob), await pinnedWith(bob, ada)]).toEqual([id, undefined]);
  await sandbox.call(ada, 'messages.deleteMessages', { id: [id], revoke: true });
  expect(await pinnedWith(ada, bob)).toBeUndefined();
});

it('pins for everybody in a group, and in a channel by administrators', async () => {
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.send(bob, group, 'Rules');
  const { id } = await sandbox.newest(bob, group);
  await pin(bob, group, id);
  const full = await sandbox.call(ada, 'messages.getFullChat', { chatId: group.chatId });
  expect(full.fullChat.pinnedMsgId).toBe((await sandbox.history(ada, group))[1].id);

  const { channelId } = await sandbox.seeded(ada);
  await sandbox.letIn(bob, channelId);
  const { updates } = await sandbox.watch(ada, () => pin(ada, channelOf(channelId), 1));
  expect(updates.filter(({ accountId }) => accountId === bob.id).map(({ update }) => update)).toMatchObject([
    { _: 'updatePinnedChannelMessages', pinned: true, channelId, messages: [1] },
    { _: 'updateNewChannelMessage', message: { action: { _: 'messageActionPinMessage' } } },
  ]);
  const search = await sandbox.call(bob, 'messages.search', {
    peer: channelOf(channelId),
    q: '',
    filter: { _: 'inputMessagesFilterPinned' },
    minDate: 0,
    maxDate: 0,
    offsetId: 0,
    addOffset: 0,
    limit: 10,
    maxId: 0,
    minId: 0,
    hash: '0',
  });
  expect(search.messages).toMatchObject([{ id: 1, pinned: true }]);
  expect(await refuse(bob, channelOf(channelId), 1, { unpin: true })).toBe('CHAT_ADMIN_REQUIRED');
});

it('lets an administrator of a channel pin who may edit there, though it may not post', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { broadcast: true }, bob);
  await sandbox.send(ada, peer, 'News');
  const { id } = await sandbox.newest(ada, peer);
  const appoint = (rights: object) =>
    sandbox.call(ada, 'channels.editAdmin', {
      channel,
      userId: userOf(bob),
      adminRights: { _: 'chatAdminRights', ...rights },
    });
  await appoint({ postMessages: true, pinMessages: true });
  expect(await refuse(bob, peer, id)).toBe('CHAT_ADMIN_REQUIRED');
  await appoint({ editMessages: true });
  const { updates } = await pin(bob, peer, id);
  expect(updates).toMatchObject([
    { _: 'updatePinnedChannelMessages', pinned: true, messages: [id] },
    { message: { action: { _: 'messageActionPinMessage' } } },
  ]);
  await sandbox.call(bob, 'messages.unpinAllMessages', { peer });
});

it('gives the newest pinned message of a channel to who asks for it', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const pinned = async () =>
    (await sandbox.call(bob, 'channels.getMessages', { channel, id: [{ _: 'inputMessagePinned' }] }))
      .messages;
  expect(await pinned()).toMatchObject([{ _: 'messageEmpty', id: 0 }]);
  for (const text of ['First', 'Second']) {
    await sandbox.send(ada, peer, text);
    await pin(ada, peer, (await sandbox.newest(ada, peer)).id);
  }
  expect(await pinned()).toMatchObject([{ message: 'Second', pinned: true }]);
});

it('refuses what cannot be pinned', async () => {
  expect(await refuse(ada, SELF, 999)).toBe('MESSAGE_ID_INVALID');
  const { chatId } = await sandbox.seeded(ada);
  expect(await refuse(ada, { _: 'inputPeerChat', chatId }, 2)).toBe('MESSAGE_ID_INVALID');
  const bot = await sandbox.anAccount('Bot', { workspaceId: ada.workspaceId, bot: true });
  expect(await refuse(bot, peerOf(ada), 1, { pmOneside: true })).toBe('BOT_ONESIDE_NOT_AVAIL');
});

it('unpins all messages, as many as fit one commit', async () => {
  const members = await Promise.all(
    Array.from({ length: 40 }, (_, n) => sandbox.anAccount(`M${n}`, { workspaceId: ada.workspaceId })),
  );
  const group = await sandbox.aGroup(ada, ...members);
  for (const text of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) {
    await sandbox.send(ada, group, text);
    await pin(ada, group, (await sandbox.newest(ada, group)).id);
  }
  const unpin = () => sandbox.call(ada, 'messages.unpinAllMessages', { peer: group });
  const offsets: number[] = [];
  for (let left = 1; left > 0; ) {
    const { ptsCount, offset } = await unpin();
    expect(ptsCount).toBeGreaterThan(0);
    offsets.push(offset);
    left = offset;
  }
  expect(offsets.length).toBeGreaterThan(1);
  const { fullChat } = await sandbox.call(ada, 'messages.getFullChat', { chatId: group.chatId });
  expect(fullChat.pinnedMsgId).toBeUndefined();
  const shown = await sandbox.history(members[0] as SandboxAccount, group);
  expect(shown.filter(({ pinned }) => pinned)).toEqual([]);
  expect(await sandbox.refusal(ada, 'messages.unpinAllMessages', { peer: group })).toBe('CHAT_NOT_MODIFIED');
});

it('says what is left of more than a hundred pins', async () => {
  const account = await sandbox.anAccount();
  for (let n = 0; n < 105; n += 1) {
    await sandbox.send(account, SELF, `${n}`);
    await pin(account, SELF, (await sandbox.newest(account, SELF)).id, { pmOneside: true });
  }
  const unpin = () => sandbox.call(account, 'messages.unpinAllMessages', { peer: SELF });
  expect(await unpin()).toMatchObject({ ptsCount: 100, offset: 5 });
  expect(await unpin()).toMatchObject({ ptsCount: 5, offset: 0 });
  expect(await pinnedWith(account, account)).toBeUndefined();
});

it('unpins the messages of a topic behind many of another one', async () => {
  const { peer } = await aChannel(sandbox, ada, { megagroup: true, forum: true });
  const aTopic = async (title: string): Promise<number> => {
    const { updates } = await sandbox.call(ada, 'messages.createForumTopic', { peer, title });
    return updates[0].id;
  };
  const pinIn = async (topMsgId: number) => {
    const replyTo = { _: 'inputReplyToMessage', replyToMsgId: topMsgId, topMsgId };
    const { updates } = await sandbox.send(ada, peer, 'Pinned', { replyTo });
    await pin(ada, peer, updates[0].id, { silent: true });
  };
  const [old, busy] = [await aTopic('Old'), await aTopic('Busy')];
  await pinIn(old);
  for (let n = 0; n < 101; n += 1) await pinIn(busy);
  const unpin = (topMsgId: number) => sandbox.call(ada, 'messages.unpinAllMessages', { peer, topMsgId });
  expect(await unpin(old)).toMatchObject({ ptsCount: 1, offset: 0 });
  expect(await unpin(busy)).toMatchObject({ ptsCount: 100, offset: 1 });
  expect(await unpin(busy)).toMatchObject({ ptsCount: 1, offset: 0 });
  const refused = { peer, topMsgId: busy };
  expect(await sandbox.refusal(ada, 'messages.unpinAllMessages', refused)).toBe('CHAT_NOT_MODIFIED');
});

it('unpins what was saved from a channel that the account has left', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { broadcast: true }, bob);
  await sandbox.send(ada, peer, 'To keep');
  const { id } = await sandbox.newest(bob, peer);
  const forward = { fromPeer: peer, id: [id], randomId: ['71'], toPeer: SELF };
  await sandbox.call(bob, 'messages.forwardMessages', forward);
  await pin(bob, SELF, (await sandbox.newest(bob, SELF)).id);
  await sandbox.call(bob, 'channels.leaveChannel', { channel });
  const params = { peer: SELF, savedPeerId: peer };
  expect(await sandbox.call(bob, 'messages.unpinAllMessages', params)).toMatchObject({
    ptsCount: 1,
    offset: 0,
  });
});
