import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { forwardsKey } from '../../../../workers/sandbox/model/messages/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { aRandomId, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let owner: SandboxAccount;
let reader: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  [owner, reader] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

/** A post that the reader has forwarded to its own channel, and the forwards that the post's owner sees. */
async function aForward({ username }: { username?: string } = {}) {
  const from = await aChannel(sandbox, owner, { broadcast: true }, reader);
  const { id: channelId, channel, peer: toPeer } = await aChannel(sandbox, reader, { broadcast: true });
  const rename = (name: string) =>
    sandbox.call(reader, 'channels.updateUsername', { channel, username: name });
  if (username !== undefined) await rename(username);
  await sandbox.send(owner, from.peer, 'News');
  const { id: msgId } = await sandbox.newest(owner, from.peer);
  const forward = { fromPeer: from.peer, id: [msgId], randomId: [aRandomId()], toPeer };
  await sandbox.call(reader, 'messages.forwardMessages', forward);
  const asked = { channel: from.channel, msgId, offset: '', limit: 10 };
  const find = (more: object = {}) =>
    sandbox.call(owner, 'stats.getMessagePublicForwards', { ...asked, ...more });
  const key = stateKey(owner.workspaceId, forwardsKey({ channelId: from.id, msgId }));
  const shown = { message: { peerId: { _: 'peerChannel', channelId } } };
  return { channel, toPeer, rename, find, key, shown };
}

it('counts no forward that was deleted while its channel was private', async () => {
  const { channel, toPeer, rename, find } = await aForward({ username: 'news_of_reader' });
  expect((await find()).count).toBe(1);
  await rename('');
  const { id } = await sandbox.newest(reader, toPeer);
  await sandbox.call(reader, 'channels.deleteMessages', { channel, id: [id] });
  await rename('again_of_reader');
  expect((await find()).count).toBe(0);
});

it('shows and counts a forward to a channel while that is public, also if it was not at first', async () => {
  const { rename, find, shown } = await aForward();
  expect(await find()).toMatchObject({ count: 0, forwards: [] });
  await rename('open_of_reader');
  expect(await find()).toMatchObject({ count: 1, forwards: [shown] });
  await rename('');
  expect(await find()).toMatchObject({ count: 0, forwards: [] });
});

it('looks through a thousand forwards at once, of which all may be hidden', async () => {
  const { find, key, shown } = await aForward({ username: 'oldest_of_reader' });
  const { id } = await aChannel(sandbox, reader, { broadcast: true });
  const later = Array.from({ length: 1_000 }, (_, i) => [4_000_000_000 + i, `${id}:${i + 1}`]);
  await sandbox.redis.zadd(key, ...later.flat());
  const nextOffset = `4000000000_${id}:1`;
  expect(await find()).toMatchObject({ count: 0, forwards: [], nextOffset });
  const rest = await find({ offset: nextOffset });
  expect(rest).toMatchObject({ forwards: [shown] });
  expect(rest).not.toHaveProperty('nextOffset');
  await sandbox.redis.zrem(key, `${id}:1`);
  expect(await find()).toMatchObject({ count: 1, forwards: [shown] });
});
