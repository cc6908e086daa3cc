import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { AsyncSlots } from '../../../src/queue/consume/async-slots.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { slotLineKey, slotsKey } from '../../../src/redis/keys.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let slots: AsyncSlots;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
  slots = new AsyncSlots(redis);
});

beforeEach(() => {
  workspaceId = newId('workspace');
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const aRef = (accountId = 'acc_1') => ({ workspaceId, callId: newId('call'), accountId });
const runAt = () => Date.now();
const endsAt = () => Date.now() + 60_000;
const held = (accountId?: string) => redis.zrange(slotsKey(workspaceId, accountId), '0', '-1');

it('holds async calls to the caps of the workspace and of the account', async () => {
  const caps = { workspace: 2, account: 1 };
  const [one, same, other, third] = [aRef(), aRef(), aRef('acc_2'), aRef('acc_3')];
  const taken: boolean[] = [];
  for (const ref of [one, same, other, third]) taken.push(await slots.take(ref, caps, runAt(), endsAt()));
  expect(taken).toEqual([true, false, true, false]);
  expect((await held()).sort()).toEqual([one.callId, other.callId].sort());
  expect(await held('acc_1')).toEqual([one.callId]);
  await slots.free(one, caps);
  expect([await held(), await held('acc_1')]).toEqual([[other.callId], []]);
  expect(await slots.take(same, caps, runAt(), endsAt())).toBe(true);
  expect(await slots.take(third, caps, runAt(), endsAt())).toBe(false);
});

it('takes the slot again that a call left behind with its process, and holds it until the call can run no longer', async () => {
  const caps = { workspace: null, account: 1 };
  const ref = aRef();
  expect(await slots.take(ref, caps, runAt(), Date.now() + 5_000)).toBe(true);
  const end = Date.now() + 60_000.5;
  expect(await slots.take(ref, caps, runAt(), end)).toBe(true);
  expect(await held('acc_1')).toEqual([ref.callId]);
  expect(await redis.zscore(slotsKey(workspaceId, 'acc_1'), ref.callId)).toBe(String(Math.ceil(end)));
});

it('lets callers go first that came up to half a minute later, and no others', async () => {
  const caps = { workspace: 1, account: null };
  const now = Date.now();
  // An API process waits with a call that was accepted now.
  await redis.hset(slotLineKey(workspaceId), 'api', `${now} ${now}`);
  expect(await slots.take(aRef(), caps, now, endsAt())).toBe(false);
  expect(await slots.take(aRef(), caps, now - 29_000, endsAt())).toBe(false);
  expect(await slots.take(aRef(), caps, now - 31_000, endsAt())).toBe(true);
});

it('stands in the line as one for all workers, with the call that waits', async () => {
  const caps = { workspace: 1, account: null };
  const now = Date.now();
  expect(await slots.take(aRef(), caps, now, endsAt())).toBe(true);
  expect(await slots.take(aRef(), caps, now, endsAt())).toBe(false);
  const line = await redis.hgetall(slotLineKey(workspaceId));
  expect(Object.keys(line)).toEqual(['background']);
  expect(line.background?.split(' ')[0]).toBe(String(now + 30_000));
  const left = await redis.pttl(slotLineKey(workspaceId));
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(1_500);
});
