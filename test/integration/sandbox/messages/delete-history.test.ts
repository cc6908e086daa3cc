import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { messagesKey } from '../../../../workers/sandbox/model/boxes/keys.ts';
import { userBox } from '../../../../workers/sandbox/model/common/keys.ts';
import { channelOf, peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

const forget = (account: SandboxAccount, peer: object, params: object = {}) =>
  sandbox.call(account, 'messages.deleteHistory', { peer, maxId: 0, ...params });

async function dialogWith(account: SandboxAccount, other: SandboxAccount) {
  const page = { offsetDate: 0, offsetId: 0, offsetPeer: { _: 'inputPeerEmpty' }, limit: 100, hash: '0' };
  const { dialogs } = await sandbox.call(account, 'messages.getDialogs', page);
  return dialogs.find(({ peer }: { peer: { userId?: number } }) => peer.userId === other.userId);
}

it('deletes a chat on one side, up to a message or whole, and with it the dialog', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  for (const text of ['One', 'Two', 'Three']) await sandbox.send(ada, peerOf(bob), text);
  const [, two] = await sandbox.history(ada, peerOf(bob));
  expect(await forget(ada, peerOf(bob), { maxId: two.id })).toMatchObject({ ptsCount: 2, offset: 0 });
  expect(await sandbox.history(ada, peerOf(bob))).toMatchObject([{ message: 'Three' }]);
  await forget(ada, peerOf(bob));
  expect(await dialogWith(ada, bob)).toBeUndefined();
  expect(await sandbox.history(bob, peerOf(ada))).toHaveLength(3);
  const { pts } = await sandbox.call(ada, 'updates.getState');
  expect(await forget(ada, peerOf(bob))).toMatchObject({ pts, ptsCount: 0, offset: 0 });
});

it('deletes it for both sides, and tells the other one', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(ada, peerOf(bob), 'Mine');
  await sandbox.send(bob, peerOf(ada), 'Yours');
  const ids = (await sandbox.history(bob, peerOf(ada))).map(({ id }) => id);
  const { updates } = await sandbox.watch(ada, () => forget(ada, peerOf(bob), { revoke: true }));
  expect(updates.filter(({ accountId }) => accountId === bob.id).map(({ update }) => update)).toMatchObject([
    { _: 'updateDeleteMessages', messages: ids, ptsCount: 2 },
  ]);
  expect(await sandbox.history(bob, peerOf(ada))).toEqual([]);
});

it('clears a chat and keeps its dialog where it was', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(bob, peerOf(ada), 'Hello');
  const { result, updates } = await sandbox.watch(ada, () => forget(ada, peerOf(bob), { justClear: true }));
  expect(await sandbox.history(ada, peerOf(bob))).toMatchObject([
    { _: 'messageService', action: { _: 'messageActionHistoryClear' } },
  ]);
  expect(await dialogWith(ada, bob)).toMatchObject({ unreadCount: 0 });
  expect(updates.at(-1)?.update).toMatchObject({ _: 'updateNewMessage', pts: result.pts + 1 });
  await sandbox.send(bob, peerOf(ada), 'Again');
  expect(await dialogWith(ada, bob)).toMatchObject({ unreadCount: 1 });
});

it('keeps the dialog where it was also if a chat is cleared in parts', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  for (let n = 0; n < 70; n += 1) await sandbox.send(ada, peerOf(bob), `Number ${n}`);
  const { id, date } = await sandbox.newest(ada, peerOf(bob));
  const key = stateKey(ada.workspaceId, messagesKey(userBox(ada.userId)));
  const raw = (await sandbox.redis.hget(key, String(id))) ?? '';
  await sandbox.redis.hset(key, String(id), raw.replace(String(date), String(date + 100)));
  while ((await forget(ada, peerOf(bob), { justClear: true })).offset > 0);
  expect(await sandbox.history(ada, peerOf(bob))).toMatchObject([
    { date: date + 100, action: { _: 'messageActionHistoryClear' } },
  ]);
});

it('does not call a chat cleared that has newer messages', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  for (const text of ['One', 'Two', 'Three']) await sandbox.send(bob, peerOf(ada), text);
  const [, two] = await sandbox.history(ada, peerOf(bob));
  expect(await forget(ada, peerOf(bob), { justClear: true, maxId: two.id })).toMatchObject({ offset: 0 });
  expect(await sandbox.history(ada, peerOf(bob))).toMatchObject([{ message: 'Three' }]);
});

it('deletes what was written between two dates', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const key = stateKey(ada.workspaceId, messagesKey(userBox(ada.userId)));
  for (const date of [1_000, 2_000, 3_000, 4_000]) {
    await sandbox.send(ada, peerOf(bob), `At ${date}`);
    const { id } = await sandbox.newest(ada, peerOf(bob));
    const stored = JSON.parse((await sandbox.redis.hget(key, String(id))) ?? '');
    stored.message.date = date;
    await sandbox.redis.hset(key, String(id), JSON.stringify(stored));
  }
  expect(await forget(ada, peerOf(bob), { minDate: 5_000 })).toMatchObject({ ptsCount: 0 });
  expect(await forget(ada, peerOf(bob), { minDate: 2_000, maxDate: 3_000 })).toMatchObject({ ptsCount: 2 });
  expect((await sandbox.history(ada, peerOf(bob))).map(({ message }) => message)).toEqual([
    'At 4000',
    'At 1000',
  ]);
});

it('deletes a large history in parts, and says how much is left', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  for (let n = 0; n < 70; n += 1) await sandbox.send(ada, peerOf(bob), `Number ${n}`);
  const { ptsCount, offset } = await forget(ada, peerOf(bob));
  expect(ptsCount + offset).toBe(70);
  expect(offset).toBeGreaterThan(0);
  expect(await forget(ada, peerOf(bob))).toMatchObject({ ptsCount: offset, offset: 0 });
});

it('refuses channels, dates of groups, and to revoke in a group of others', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const refuse = (account: SandboxAccount, peer: object, params: object = {}) =>
    sandbox.refusal(account, 'messages.deleteHistory', { peer, maxId: 0, ...params });
  const { channelId } = await sandbox.seeded(ada);
  const group = await sandbox.aGroup(ada, bob);
  expect(await refuse(ada, channelOf(channelId))).toBe('PEER_ID_INVALID');
  expect(await refuse(ada, group, { minDate: 1 })).toBe('CHAT_REVOKE_DATE_UNSUPPORTED');
  expect(await refuse(bob, group, { revoke: true })).toBe('CHAT_ADMIN_REQUIRED');
  expect(await refuse(ada, peerOf(bob), { minDate: -1 })).toBe('MIN_DATE_INVALID');
  expect(await refuse(ada, peerOf(bob), { maxDate: -1 })).toBe('MAX_DATE_INVALID');
});

it('deletes and unpins some of many large messages, and says how many are left', async () => {
  const ada = await sandbox.anAccount();
  const peer = { _: 'inputPeerSelf' };
  const own = (await sandbox.history(ada, peer)).length;
  for (let n = 0; n < 6; n += 1) {
    await sandbox.send(ada, peer, 'Large!');
    const { id } = await sandbox.newest(ada, peer);
    await sandbox.call(ada, 'messages.updatePinnedMessage', { peer, id });
  }
  const messages = stateKey(ada.workspaceId, messagesKey(userBox(ada.userId)));
  for (const [id, raw] of Object.entries(await sandbox.redis.hgetall(messages)))
    await sandbox.redis.hset(messages, id, raw.replace('Large!', '.'.repeat(200_000)));
  const unpinned: number[] = [];
  for (let offset = 1; offset > 0; unpinned.push(offset))
    offset = (await sandbox.call(ada, 'messages.unpinAllMessages', { peer })).offset;
  expect(unpinned).toEqual([5, 4, 3, 2, 1, 0]);
  expect(await forget(ada, peer)).toMatchObject({ ptsCount: 3, offset: 3 + own });
  expect(await forget(ada, peer)).toMatchObject({ ptsCount: 3 + own, offset: 0 });
});
