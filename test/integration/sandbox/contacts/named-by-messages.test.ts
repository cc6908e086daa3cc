import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { messagesKey } from '../../../../workers/sandbox/model/boxes/keys.ts';
import { userBox } from '../../../../workers/sandbox/model/common/keys.ts';
import { FILLED_FROM } from '../../../support/sandbox/large-account.ts';
import { readCostOf, refusedCostOf } from '../../../support/sandbox/read-cost.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

const SELF = { _: 'inputPeerSelf' };
const CHARACTERS = 250_000;
const MIB = 1_024 * 1_024;

let sandbox: Sandbox;
let strict: SandboxAccount;
let bob: SandboxAccount;

// Each message is as large as a rich message may be, and names Bob.
beforeAll(async () => {
  sandbox = await Sandbox.open();
  strict = await sandbox.anAccount('Strict', { strictPeers: true });
  bob = await sandbox.anAccount('Bob', { workspaceId: strict.workspaceId });
  await sandbox.send(strict, SELF, 'Large');
  const [{ id }] = await sandbox.history(strict, SELF);
  const key = stateKey(strict.workspaceId, messagesKey(userBox(strict.userId)));
  const stored = JSON.parse((await sandbox.redis.hget(key, String(id))) as string);
  const names = { message: 'x'.repeat(CHARACTERS), viaBotId: bob.userId };
  for (let n = 1; n <= 120; n += 1) {
    const message = { ...stored.message, ...names, id: FILLED_FROM + n };
    await sandbox.redis.hset(key, String(message.id), JSON.stringify({ ...stored, message }));
  }
});
afterAll(() => sandbox.close());

const named = (userId: number, msgId: number, peer: object = SELF) => ({
  _: 'inputUserFromMessage',
  peer,
  msgId,
  userId,
});

it('a message that names many peers of a call is read once', async () => {
  const id = Array(100).fill(named(bob.userId, FILLED_FROM + 1));
  const cost = await readCostOf(sandbox, strict, 'users.getUsers', { id });
  expect(cost.parsed).toBeLessThan(0.5 * MIB);
  expect(cost.charged).toBeLessThan(0.5 * MIB);
  const { items } = await sandbox.call(strict, 'users.getUsers', { id });
  expect(items.map((user: { id: number }) => user.id)).toContain(bob.userId);
});

it('many messages that name peers are read one after the other, as far as 1 MiB goes', async () => {
  const id = Array.from({ length: 100 }, (_, i) => named(bob.userId, FILLED_FROM + 1 + i));
  for (const name of ['users.getUsers', 'contacts.deleteContacts']) {
    const cost = await refusedCostOf(sandbox, strict, name, { id });
    expect([name, cost.code]).toEqual([name, 'MSG_ID_INVALID']);
    expect(cost.bytes).toBeLessThan(1.5 * MIB);
  }
  expect(await sandbox.refusal(strict, 'messages.createChat', { title: 'Group', users: id })).toBe(
    'MSG_ID_INVALID',
  );
});

it('leaves no participant of a group call out because the messages that name them are more than 1 MiB', async () => {
  const peer = await sandbox.aGroup(bob, strict);
  const { updates } = await sandbox.call(bob, 'phone.createGroupCall', { peer, randomId: 1 });
  const { id, accessHash } = updates.find(({ _: kind }: { _: string }) => kind === 'updateGroupCall').call;
  const call = { _: 'inputGroupCall', id, accessHash };
  const naming = (count: number) => {
    const ids = Array.from({ length: count }, (_, i) => ({
      ...named(bob.userId, FILLED_FROM + 1 + i),
      _: 'inputPeerUserFromMessage',
    }));
    return { call, ids, sources: [], offset: '', limit: 100 };
  };
  const method = 'phone.getGroupParticipants';
  expect(await sandbox.call(strict, method, naming(3))).toMatchObject({ participants: [] });
  expect(await sandbox.refusal(strict, method, naming(100))).toBe('MSG_ID_INVALID');
});

it('no more than 100 messages name the peers of a call', async () => {
  const group = await sandbox.aGroup(bob, strict);
  const ids: number[] = [];
  for (let n = 0; n < 101; n += 1) {
    await sandbox.send(bob, group, `${n}`);
    ids.push((await sandbox.newest(strict, group)).id);
  }
  const users = ids.map((id) => named(bob.userId, id, group));
  const begin = { title: 'Group' };
  expect(await sandbox.refusal(strict, 'messages.createChat', { ...begin, users })).toBe('MSG_ID_INVALID');
  await sandbox.call(strict, 'messages.createChat', { ...begin, users: users.slice(1) });
});

it('the conversation of a message that names a peer is not named by a message itself', async () => {
  const within = { ...named(bob.userId, FILLED_FROM + 1), _: 'inputPeerUserFromMessage' };
  const nested = (depth: number): object => (depth === 0 ? within : { ...within, peer: nested(depth - 1) });
  const id = Array(100).fill(named(bob.userId, 1, nested(60)));
  const cost = await readCostOf(sandbox, strict, 'users.getUsers', { id });
  expect(cost.commands).toBeLessThan(10);
  const users = [named(bob.userId, 1, nested(0))];
  expect(await sandbox.refusal(strict, 'messages.createChat', { title: 'Group', users })).toBe(
    'PEER_ID_INVALID',
  );
  // Whoever is not strict needs no message.
  await sandbox.send(bob, { ...within, userId: strict.userId, peer: within }, 'Hello');
});
