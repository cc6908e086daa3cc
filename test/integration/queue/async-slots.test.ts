import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { AsyncSlots } from '../../../src/queue/consume/async-slots.ts';
import { slotsScript } from '../../../src/queue/slots-script.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { slotLineKey, slotsKey, slotWakeChannel } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
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
const wanted = (runAt = Date.now(), more: { endsAt?: number; pauseMs?: number } = {}) => ({
  ...{ runAt, endsAt: Date.now() + 60_000, pauseMs: 60_000 },
  ...more,
});
const held = (accountId?: string) => redis.zrange(slotsKey(workspaceId, accountId), '0', '-1');

it('holds async calls to the caps of the workspace and of the account', async () => {
  const caps = { workspace: 2, account: 1 };
  const [one, same, other, third] = [aRef(), aRef(), aRef('acc_2'), aRef('acc_3')];
  const taken: boolean[] = [];
  for (const ref of [one, same, other, third]) taken.push(await slots.take(ref, caps, wanted()));
  expect(taken).toEqual([true, false, true, false]);
  expect((await held()).sort()).toEqual([one.callId, other.callId].sort());
  expect(await held('acc_1')).toEqual([one.callId]);
  await slots.free(one, caps);
  expect([await held(), await held('acc_1')]).toEqual([[other.callId], []]);
  expect(await slots.take(same, caps, wanted())).toBe(true);
  expect(await slots.take(third, caps, wanted())).toBe(false);
});

it('takes the slot again that a call left behind with its process, and holds it until the call can run no longer', async () => {
  const caps = { workspace: null, account: 1 };
  const ref = aRef();
  expect(await slots.take(ref, caps, wanted(Date.now(), { endsAt: Date.now() + 5_000 }))).toBe(true);
  const end = Date.now() + 60_000.5;
  expect(await slots.take(ref, caps, wanted(Date.now(), { endsAt: end }))).toBe(true);
  expect(await held('acc_1')).toEqual([ref.callId]);
  expect(await redis.zscore(slotsKey(workspaceId, 'acc_1'), ref.callId)).toBe(String(Math.ceil(end)));
});

it('lets callers go first that came up to half a minute later, and no others', async () => {
  const caps = { workspace: 1, account: null };
  const now = Date.now();
  // An API process waits with a call that was accepted now.
  await redis.hset(slotLineKey(workspaceId), 'api', `${now} ${now}`);
  expect(await slots.take(aRef(), caps, wanted(now))).toBe(false);
  expect(await slots.take(aRef(), caps, wanted(now - 29_000))).toBe(false);
  expect(await slots.take(aRef(), caps, wanted(now - 31_000))).toBe(true);
});

/** Whether an API process gets a slot for a call that it has accepted at a time. */
async function callerTakes(caps: { workspace: number }, acceptedAt: number): Promise<boolean> {
  const keys = [slotWakeChannel(workspaceId)].concat(
    [undefined, 'acc_1'].flatMap((id) => [slotsKey(workspaceId, id), slotLineKey(workspaceId, id)]),
  );
  const times = [acceptedAt, acceptedAt, Date.now() + 60_000];
  const args = ['api', 400, caps.workspace, 1, '', 0, 1, 1, newId('call'), ...times];
  return ((await slotsScript.run(redis, keys, args)) as number[])[0] === 1;
}

it('stands in the line with the call that waits, until that has a slot', async () => {
  const caps = { workspace: 1, account: null };
  const now = Date.now();
  const [first, next] = [aRef(), aRef()];
  expect(await slots.take(first, caps, wanted(now))).toBe(true);
  expect(await slots.take(next, caps, wanted(now))).toBe(false);
  const line = await redis.hgetall(slotLineKey(workspaceId));
  const name = `background:${next.callId}`;
  expect(Object.keys(line)).toEqual([name]);
  expect(line[name]?.split(' ')[0]).toBe(String(now + 30_000));
  const left = await redis.pttl(slotLineKey(workspaceId));
  expect(left).toBeGreaterThan(30_000);
  expect(left).toBeLessThan(65_000);
  await slots.free(first, caps);
  expect(await slots.take(next, caps, wanted(now))).toBe(true);
  expect(await redis.exists(slotLineKey(workspaceId))).toBe(0);
});

it('keeps a slot for a call that has waited for half a minute, whichever others ask after it', async () => {
  const caps = { workspace: 2, account: null };
  const now = Date.now();
  const [one, other, old, young] = [aRef(), aRef(), aRef(), aRef()];
  for (const ref of [one, other]) await slots.take(ref, caps, wanted(now));
  expect(await slots.take(old, caps, wanted(now - 31_000))).toBe(false);
  expect(await slots.take(young, caps, wanted(now))).toBe(false);
  await slots.free(one, caps);
  expect(await callerTakes(caps, now)).toBe(false);
  // Another async call may take it: it asks just as rarely.
  expect(await slots.take(old, caps, wanted(now - 31_000))).toBe(true);
  await slots.free(other, caps);
  expect(await callerTakes(caps, now)).toBe(true);
});

/** Lets time pass for the one that waits in the line of the workspace. */
async function pass(ms: number): Promise<void> {
  const [[name, entry] = ['', '']] = Object.entries(await redis.hgetall(slotLineKey(workspaceId)));
  const [oldest, again] = entry.split(' ').map(Number);
  await redis.hset(slotLineKey(workspaceId), name, `${oldest} ${Number(again) - ms}`);
}

it('keeps the place in the line until the call should have asked again, and hardly longer', async () => {
  const caps = { workspace: 1, account: null };
  const now = Date.now();
  const [holder, old] = [aRef(), aRef()];
  await slots.take(holder, caps, wanted());
  expect(await slots.take(old, caps, wanted(now - 31_000, { pauseMs: 100_000 }))).toBe(false);
  await slots.free(holder, caps);
  await pass(50_000);
  expect(await callerTakes(caps, now)).toBe(false);
  await pass(52_000);
  expect(await callerTakes(caps, now)).toBe(true);
});

it('wakes the caller that waits longest, though an async call waits longer', async () => {
  const caps = { workspace: 1, account: null };
  const now = Date.now();
  const [holder, old] = [aRef(), aRef()];
  await slots.take(holder, caps, wanted(now));
  await slots.take(old, caps, wanted(now - 31_000));
  await redis.hset(slotLineKey(workspaceId), 'api', `${now} ${now}`);
  const subscriber = openRedis(server.url, 'subscriber', () => undefined);
  await untilReady(subscriber);
  const woken: string[] = [];
  subscriber.on('smessage', (_channel: string, name: string) => woken.push(name));
  await subscriber.ssubscribe(slotWakeChannel(workspaceId));
  await slots.free(holder, caps);
  await eventually(() => woken.length > 0);
  expect(woken).toEqual(['api']);
  subscriber.disconnect();
});
