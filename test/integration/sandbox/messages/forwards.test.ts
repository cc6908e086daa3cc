import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import type { Method } from '../../../../workers/driver.ts';
import { CHANNELS } from '../../../../workers/sandbox/model/chats/keys.ts';
import { forwardsKey } from '../../../../workers/sandbox/model/messages/keys.ts';
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
const SELF = { _: 'inputPeerSelf' };
const peerOf = ({ userId }: SandboxAccount) => ({ _: 'inputPeerUser', userId, accessHash: '0' });
const call = (account: SandboxAccount, method: string, params: object) =>
  sandbox.call(account, method, params);

let randomId = 100n;
const aRandomId = () => {
  randomId += 1n;
  return String(randomId);
};

async function forward(
  account: SandboxAccount,
  fromPeer: object,
  id: number[],
  toPeer: object,
  more: object = {},
) {
  const params = { fromPeer, id, toPeer, randomId: id.map(aRandomId), ...more };
  const result = await call(account, 'messages.forwardMessages', params);
  expect(result).toEqual({ _: 'updatesTooLong' });
  return params.randomId;
}

async function history(account: SandboxAccount, peer: object) {
  return (await call(account, 'messages.getHistory', { peer, ...WHOLE })).messages;
}

async function refusal(
  account: SandboxAccount,
  fromPeer: object,
  id: number[],
  toPeer: object,
  more: object = {},
) {
  const params = { fromPeer, id, toPeer, randomId: id.map(aRandomId), ...more };
  const { status, body } = await sandbox.answer(account, 'messages.forwardMessages', params);
  return [status, body.code];
}

async function send(account: SandboxAccount, peer: object, ...texts: string[]): Promise<number[]> {
  for (const message of texts) await call(account, 'messages.sendMessage', { peer, message });
  const newest = (await history(account, peer)).slice(0, texts.length);
  return newest.map(({ id }: { id: number }) => id).reverse();
}

async function aChannel(account: SandboxAccount, settings: object = { broadcast: true }, username = '') {
  const params = { title: 'Channel', about: '', ...settings };
  const { chats } = await call(account, 'channels.createChannel', params);
  const channel = { channelId: chats[0].id, accessHash: chats[0].accessHash };
  const input = { _: 'inputChannel', ...channel };
  if (username !== '') await call(account, 'channels.updateUsername', { channel: input, username });
  return { input, peer: { _: 'inputPeerChannel', ...channel }, id: chats[0].id as number };
}

it('forwards message 1 of the own chat to the own chat, by the documented request', async () => {
  const own = { _: 'inputPeerEmpty' };
  await forward(ada, own, [1], own);
  const [saved] = await history(ada, SELF);
  const peer = { _: 'peerUser', userId: ada.userId };
  expect(saved.fwdFrom).toMatchObject({ fromId: peer, savedFromPeer: peer, savedFromMsgId: 1 });
});

it('forwards in the order asked for, tells both sides, and says who wrote it', async () => {
  const ids = await send(ada, SELF, 'one', 'two', 'three');
  const order = [ids[2], ids[0], ids[1]] as number[];
  const randomIds = await forward(ada, SELF, order, peerOf(bob));
  const seen = (await history(bob, peerOf(ada))).slice(0, 3).reverse();
  expect(seen.map(({ message }: { message: string }) => message)).toEqual(['three', 'one', 'two']);
  const author = { fromId: { _: 'peerUser', userId: ada.userId } };
  for (const message of seen) expect(message.fwdFrom).toMatchObject(author);
  expect(seen[0].fwdFrom.savedFromPeer).toBeUndefined();
  const own = (await history(ada, peerOf(bob))).slice(0, 3).reverse();
  const updates = await sandbox.updatesOf(ada);
  const assigned = updates.filter(
    ({ _, randomId }) => _ === 'updateMessageID' && randomIds.includes(randomId),
  );
  expect(assigned.map(({ id }) => id)).toEqual(own.map(({ id }: { id: number }) => id));
  const heard = (await sandbox.updatesOf(bob)).filter(({ _ }) => _ === 'updateNewMessage');
  expect(heard.slice(-3).map(({ message }) => message.id)).toEqual(seen.map(({ id }: { id: number }) => id));
});

it('keeps the first author when forwarded again, and leaves authors out on request', async () => {
  const [id] = await send(bob, peerOf(ada), 'Mine');
  expect(id).toBeGreaterThan(0);
  const [received] = await history(ada, peerOf(bob));
  await forward(ada, peerOf(bob), [received.id], SELF);
  const [saved] = await history(ada, SELF);
  expect(saved.fwdFrom).toMatchObject({
    fromId: { userId: bob.userId },
    savedFromPeer: { userId: bob.userId },
    savedFromMsgId: received.id,
  });
  expect(saved.savedPeerId).toMatchObject({ userId: bob.userId });
  await forward(ada, SELF, [saved.id], peerOf(bob));
  const [back] = await history(bob, peerOf(ada));
  expect(back.fwdFrom).toMatchObject({ fromId: { userId: bob.userId } });
  await forward(ada, SELF, [saved.id], peerOf(bob), { dropAuthor: true });
  const [anonymous] = await history(bob, peerOf(ada));
  expect(anonymous.fwdFrom).toBeUndefined();
  expect(anonymous.message).toBe('Mine');
});

it('names authors who do not want links by name only', async () => {
  const key = { _: 'inputPrivacyKeyForwards' };
  await call(bob, 'account.updateProfile', { firstName: 'Bob', lastName: 'Byrne' });
  await call(bob, 'account.setPrivacy', { key, rules: [{ _: 'inputPrivacyValueDisallowAll' }] });
  await send(bob, peerOf(ada), 'Hidden');
  const [received] = await history(ada, peerOf(bob));
  await forward(ada, peerOf(bob), [received.id], SELF);
  const [{ fwdFrom }] = await history(ada, SELF);
  expect(fwdFrom).toMatchObject({ fromName: 'Bob Byrne' });
  expect(fwdFrom.fromId).toBeUndefined();
  await call(bob, 'account.setPrivacy', { key, rules: [{ _: 'inputPrivacyValueAllowAll' }] });
});

it('names who has forwarded a saved message by name only if it does not want links', async () => {
  const key = { _: 'inputPrivacyKeyForwards' };
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  await call(bob, 'account.updateProfile', { firstName: 'Bob', lastName: 'Byrne' });
  await send(ada, peerOf(bob), 'Passed on');
  const [received] = await history(bob, peerOf(ada));
  await forward(bob, peerOf(ada), [received.id], peerOf(eve));
  const [passedOn] = await history(eve, peerOf(bob));
  await forward(eve, peerOf(bob), [passedOn.id], SELF);
  const shown = { savedFromId: { userId: bob.userId }, savedDate: passedOn.date };
  expect((await history(eve, SELF))[0].fwdFrom).toMatchObject(shown);
  await call(bob, 'account.setPrivacy', { key, rules: [{ _: 'inputPrivacyValueDisallowAll' }] });
  await forward(eve, peerOf(bob), [passedOn.id], SELF);
  const [{ fwdFrom }] = await history(eve, SELF);
  expect(fwdFrom).toMatchObject({ fromId: { userId: ada.userId }, savedFromName: 'Bob Byrne' });
  expect(fwdFrom.savedFromId).toBeUndefined();
  await call(bob, 'account.setPrivacy', { key, rules: [{ _: 'inputPrivacyValueAllowAll' }] });
});

it('leaves captions of media out on request', async () => {
  const bytes = Buffer.from('bytes').toString('base64');
  await call(ada, 'upload.saveFilePart', { fileId: '77', filePart: 0, bytes });
  const media = {
    _: 'inputMediaUploadedDocument',
    file: { _: 'inputFile', id: '77', parts: 1, name: 'notes.txt', md5Checksum: '' },
    mimeType: 'text/plain',
    attributes: [],
  };
  await call(ada, 'messages.sendMedia', { peer: SELF, media, message: 'Caption' });
  const [{ id }] = await history(ada, SELF);
  await forward(ada, SELF, [id], peerOf(bob), { dropMediaCaptions: true });
  const [received] = await history(bob, peerOf(ada));
  expect(received).toMatchObject({ message: '', media: { _: 'messageMediaDocument' } });
});

it('counts the forwards of a post and carries its link along', async () => {
  const source = await aChannel(ada, { broadcast: true }, `source_${ada.userId}`);
  const [postId] = (await send(ada, source.peer, 'News')) as [number];
  const target = await aChannel(bob, { broadcast: true }, `target_${bob.userId}`);
  const joined = await call(bob, 'channels.joinChannel', { channel: source.input });
  expect(joined._).toBe('messages.chatInviteJoinResultOk');
  await forward(bob, source.peer, [postId], target.peer);
  await forward(bob, source.peer, [postId], peerOf(ada));
  const [copy] = await history(bob, target.peer);
  expect(copy).toMatchObject({
    post: true,
    fwdFrom: { fromId: { channelId: source.id }, channelPost: postId },
  });
  expect((await history(ada, source.peer))[0]).toMatchObject({ id: postId, forwards: 2 });
  const counted = (await sandbox.updatesOf(bob)).filter(({ _ }) => _ === 'updateChannelMessageForwards');
  expect(counted).toMatchObject([
    { id: postId, forwards: 1 },
    { id: postId, forwards: 2 },
  ]);
});

it('shows in a forward how often the post was viewed', async () => {
  const source = await aChannel(ada, { broadcast: true }, `viewed_${ada.userId}`);
  const [postId] = (await send(ada, source.peer, 'News')) as [number];
  await call(bob, 'channels.joinChannel', { channel: source.input });
  await call(bob, 'messages.getMessagesViews', { peer: source.peer, id: [postId], increment: true });
  await forward(bob, source.peer, [postId], SELF);
  expect((await history(bob, SELF))[0]).toMatchObject({ views: 2, fwdFrom: { channelPost: postId } });
});

it('keeps nothing of a post that is deleted when a copy of it is forwarded', async () => {
  const source = await aChannel(ada, { broadcast: true }, `gone_${ada.userId}`);
  const [postId] = (await send(ada, source.peer, 'News')) as [number];
  await call(bob, 'channels.joinChannel', { channel: source.input });
  await forward(bob, source.peer, [postId], SELF);
  const [copy] = await history(bob, SELF);
  await call(ada, 'channels.deleteMessages', { channel: source.input, id: [postId] });
  const target = await aChannel(bob, { broadcast: true }, `after_${bob.userId}`);
  await forward(bob, SELF, [copy.id], target.peer);
  expect((await history(bob, target.peer))[0]).toMatchObject({ fwdFrom: { channelPost: postId } });
  const kept = stateKey(ada.workspaceId, forwardsKey({ channelId: source.id, msgId: postId }));
  expect(await sandbox.redis.exists(kept)).toBe(0);
});

it('takes a keyboard along only if its buttons need no bot', async () => {
  const shop = await sandbox.anAccount('Shop', { workspaceId: ada.workspaceId, bot: true });
  const link = { _: 'keyboardButtonUrl', text: 'Open', url: 'https://a.example' };
  const press = { _: 'keyboardButtonCallback', text: 'Press', data: 'MQ==' };
  for (const [buttons, isKept] of [
    [[link], true],
    [[link, press], false],
  ] as const) {
    const replyMarkup = { _: 'replyInlineMarkup', rows: [{ _: 'keyboardButtonRow', buttons }] };
    await call(shop, 'messages.sendMessage', { peer: peerOf(ada), message: 'Choose', replyMarkup });
    const [{ id }] = await history(ada, peerOf(shop));
    await forward(ada, peerOf(shop), [id], peerOf(bob));
    const [received] = await history(bob, peerOf(ada));
    expect([buttons.length, 'replyMarkup' in received]).toEqual([buttons.length, isKept]);
  }
});

it('does not forward what is protected', async () => {
  const source = await aChannel(ada, { broadcast: true }, `protected_${ada.userId}`);
  const [postId] = (await send(ada, source.peer, 'Secret')) as [number];
  const toggled = await call(ada, 'messages.toggleNoForwards', { peer: source.peer, enabled: true });
  expect(toggled.chats[0]).toMatchObject({ noforwards: true });
  expect(await refusal(bob, source.peer, [postId], SELF)).toEqual([400, 'CHAT_FORWARDS_RESTRICTED']);
  const again = await sandbox.answer(ada, 'messages.toggleNoForwards', { peer: source.peer, enabled: true });
  expect(again.body.code).toBe('CHAT_NOT_MODIFIED');
  const foreign = await sandbox.answer(bob, 'messages.toggleNoForwards', {
    peer: source.peer,
    enabled: false,
  });
  expect(foreign.body.code).toBe('CHAT_ADMIN_REQUIRED');
  const toUser = await sandbox.answer(bob, 'messages.toggleNoForwards', { peer: SELF, enabled: false });
  expect(toUser.body.code).toBe('PEER_ID_INVALID');
  await call(ada, 'messages.toggleNoForwards', { peer: source.peer, enabled: false });
  await forward(bob, source.peer, [postId], SELF);
});

it('refuses what it cannot forward, and then forwards nothing', async () => {
  const [id] = (await send(ada, SELF, 'Only')) as [number];
  const before = (await history(ada, SELF)).length;
  expect(await refusal(ada, SELF, [], SELF)).toEqual([400, 'MESSAGE_IDS_EMPTY']);
  expect(await refusal(ada, SELF, [id, 9_999], SELF)).toEqual([400, 'MESSAGE_ID_INVALID']);
  expect(await refusal(ada, peerOf(bob), [id], SELF)).toEqual([400, 'MESSAGE_ID_INVALID']);
  expect(await refusal(ada, SELF, [2], SELF)).toEqual([400, 'MESSAGE_ID_INVALID']);
  expect(await refusal(ada, SELF, [id], SELF, { randomId: ['1', '2'] })).toEqual([400, 'RANDOM_ID_INVALID']);
  expect(await refusal(ada, SELF, [id, id], SELF, { randomId: ['9', '9'] })).toEqual([
    409,
    'RANDOM_ID_DUPLICATE',
  ]);
  expect(await refusal(ada, SELF, [id], SELF, { scheduleDate: 2_000_000_000 })).toEqual([
    400,
    'SCHEDULE_DATE_TOO_LATE',
  ]);
  expect(await refusal(ada, SELF, [id], SELF, { sendAs: peerOf(bob) })).toEqual([
    400,
    'SEND_AS_PEER_INVALID',
  ]);
  expect((await refusal(ada, SELF, [id], { ...peerOf(bob), userId: 5 }))[1]).toBe('PEER_ID_INVALID');
  const sent = await forward(ada, SELF, [id], SELF);
  expect(await refusal(ada, SELF, [id], SELF, { randomId: sent })).toEqual([409, 'RANDOM_ID_DUPLICATE']);
  expect(await history(ada, SELF)).toHaveLength(before + 1);
});

it('refuses channels where the account may not write, and who was blocked', async () => {
  const source = await aChannel(ada, { broadcast: true }, `readonly_${ada.userId}`);
  const [id] = (await send(bob, SELF, 'Hello')) as [number];
  expect(await refusal(bob, SELF, [id], source.peer)).toEqual([403, 'CHAT_WRITE_FORBIDDEN']);
  await call(bob, 'channels.joinChannel', { channel: source.input });
  expect(await refusal(bob, SELF, [id], source.peer)).toEqual([403, 'CHAT_ADMIN_REQUIRED']);
  const hidden = await aChannel(ada);
  expect(await refusal(bob, SELF, [id], hidden.peer)).toEqual([400, 'CHANNEL_PRIVATE']);
  expect(await refusal(bob, SELF, [id], { ...hidden.peer, channelId: 5 })).toEqual([400, 'CHANNEL_INVALID']);
  expect(await refusal(bob, SELF, [id], { _: 'inputPeerChat', chatId: 5 })).toEqual([400, 'CHAT_ID_INVALID']);
  await call(ada, 'contacts.block', { id: peerOf(bob) });
  expect(await refusal(bob, SELF, [id], peerOf(ada))).toEqual([403, 'USER_IS_BLOCKED']);
  expect((await refusal(ada, SELF, [1], peerOf(bob)))[1]).toBe('YOU_BLOCKED_USER');
  await call(ada, 'contacts.unblock', { id: peerOf(bob) });
});

it('forwards eighty messages at once to a private chat', async () => {
  const [id] = (await send(ada, SELF, 'Many')) as [number];
  const ids = Array.from({ length: 80 }, () => id);
  await forward(ada, SELF, ids, peerOf(bob));
  const seen = await history(bob, peerOf(ada));
  expect(seen.filter(({ message }: { message: string }) => message === 'Many')).toHaveLength(80);
});

it('checks the rights to write in a channel once for all that is forwarded there', async () => {
  const { id: channelId, peer } = await aChannel(ada, { megagroup: true });
  for (const text of ['One', 'Two', 'Three']) await sandbox.send(ada, SELF, text);
  const ids = (await history(ada, SELF)).slice(0, 3).map(({ id }: { id: number }) => id);
  const channel = await sandbox.redis.hget(stateKey(ada.workspaceId, CHANNELS), String(channelId));
  const methods = sandbox.driver.methods as Map<string, Method>;
  const method = methods.get('messages.forwardMessages') as Method;
  let checks: unknown[] = [];
  methods.set(method.name, {
    ...method,
    run: async (params, call) => {
      methods.set(method.name, method);
      const result = await method.run(params, call);
      checks = call.tx.encode('').args[1] as unknown[];
      return result;
    },
  });
  await forward(ada, SELF, ids, peer);
  expect(checks.filter((one) => one === channel)).toHaveLength(1);
});

/** How often the members of a channel were listed so far. */
async function countListings(): Promise<number> {
  const stats = await sandbox.redis.info('commandstats');
  return Number(/cmdstat_hkeys:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe('where a channel is full', () => {
  let crowd: SandboxAccount[];
  beforeAll(async () => {
    const names = Array.from({ length: 88 }, (_, n) => `M${n}`);
    const { workspaceId } = ada;
    crowd = await Promise.all(names.map((name) => sandbox.anAccount(name, { workspaceId })));
  });

  it('reads the members of a channel once for all its posts, and tells them of as many as may be told', async () => {
    const source = await aChannel(ada, { broadcast: true }, `many_${ada.userId}`);
    const ids = await send(ada, source.peer, ...Array.from({ length: 95 }, (_, n) => `Post ${n}`));
    for (const member of [bob, ...crowd]) await sandbox.letIn(member, source.id);
    const before = await countListings();
    const { updates } = await sandbox.watch(bob, () => forward(bob, source.peer, ids, SELF));
    expect((await countListings()) - before).toBe(1);
    const told = updates.filter(({ update }) => update._ === 'updateChannelMessageForwards');
    expect(told.length).toBeLessThanOrEqual(4_000);
    // Everybody in the channel hears of the same posts, the first.
    const posts = told.filter(({ accountId }) => accountId === ada.id).map(({ update }) => update.id);
    expect(posts).toEqual(ids.slice(0, 44));
    expect(told).toHaveLength(90 * posts.length);
    const counted = (await history(ada, source.peer)).filter(
      ({ forwards }: { forwards?: number }) => forwards === 1,
    );
    expect(counted).toHaveLength(95);
  });

  it('refuses more messages for a full group than one commit may have updates of', async () => {
    const group = await aChannel(ada, { megagroup: true });
    for (const member of [bob, ...crowd]) await sandbox.letIn(member, group.id);
    const [id] = (await send(ada, SELF, 'x')) as [number];
    const options = { dropAuthor: true };
    expect(await refusal(ada, SELF, Array(47).fill(id), group.peer, options)).toEqual([
      400,
      'MESSAGE_TOO_LONG',
    ]);
    await forward(ada, SELF, Array(46).fill(id), group.peer, options);
    const seen = await history(bob, group.peer);
    expect(seen.filter(({ message }: { message: string }) => message === 'x')).toHaveLength(46);
  });
});
