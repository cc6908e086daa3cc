import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import {
  beginAttempt,
  type CallAttempt,
  type CallRef,
  countAttempts,
  leaveOwnProcess,
  postponeCall,
  recordKill,
} from '../../../src/async-calls/attempt-call.ts';
import { findCall } from '../../../src/async-calls/find-call.ts';
import { placeWaitingCalls } from '../../../src/async-calls/place-calls.ts';
import { newId } from '../../../src/ids.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { stateKey } from '../../../src/redis/keys.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function aPlacedCall(): Promise<CallRef> {
  const [id, workspaceId] = [newId('call'), newId('workspace')];
  const createdAt = Date.now();
  const call = {
    ...{ id, workspaceId, organizationId: 'org_1', messengerAccountId: 'acc_1', method: 'help.getSupport' },
    ...{ params: {}, seed: id, createdAt, scheduleAt: null, expiresAt: createdAt + 60_000, replayOf: null },
  };
  await acceptCall(redis, call, null, { openMax: 100, bytesMax: 2 ** 28 });
  return { workspaceId, callId: id, accountId: 'acc_1' };
}

/** A connection that sends each script twice, as after it was cut. Redis must have the script already. */
function aRepeatingConnection(): RedisConnection {
  return new Proxy(redis, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'evalsha') return value;
      return async (...args: unknown[]) => {
        await value.apply(target, args);
        return value.apply(target, args);
      };
    },
  });
}

it('takes an attempt whose beginning is sent twice by its connection for one', async () => {
  const place = await aPlacedCall();
  expect(await beginAttempt(redis, place, false)).toMatchObject({ attempts: 1, killed: 0 });
  expect(await beginAttempt(aRepeatingConnection(), place, true)).toMatchObject({ attempts: 2, killed: 0 });
});

it('counts a killed process once if its connection sends that twice', async () => {
  const place = await aPlacedCall();
  await beginAttempt(redis, place, true);
  // It did not begin in that process: this only loads the script.
  await recordKill(redis, place, 1);
  await recordKill(aRepeatingConnection(), place, 0);
  expect(await beginAttempt(redis, place, true)).toMatchObject({ attempts: 2, killed: 1 });
  await recordKill(redis, place, 1);
  expect(await beginAttempt(redis, place, false)).toMatchObject({ attempts: 3, killed: 2 });
});

it('begins a call whose process has ended with it alone only, and gives it up once it has killed two', async () => {
  const place = await aPlacedCall();
  expect(await beginAttempt(redis, place, false)).toMatchObject({ attempts: 1 });
  expect(await beginAttempt(redis, place, false)).toBe('suspect');
  expect(await beginAttempt(redis, place, true)).toMatchObject({ attempts: 2, killed: 0 });
  await recordKill(redis, place, 1);
  expect(await beginAttempt(redis, place, false)).toBe('suspect');
  expect(await beginAttempt(redis, place, true)).toMatchObject({ attempts: 3, killed: 1 });
  await recordKill(redis, place, 2);
  expect(await beginAttempt(redis, place, false)).toMatchObject({ killed: 2 });
});

it('blames no call for a process that has ended before the call began in it', async () => {
  const place = await aPlacedCall();
  await beginAttempt(redis, place, false);
  const before = await countAttempts(redis, place);
  expect(before).toBe(1);
  await recordKill(redis, place, before);
  expect(await beginAttempt(redis, place, true)).toMatchObject({ attempts: 2, killed: 0 });
});

it('forgets what spoke against a call once an attempt has come to an end', async () => {
  const place = await aPlacedCall();
  await beginAttempt(redis, place, false);
  const alone = await beginAttempt(redis, place, true);
  await recordKill(redis, place, 1);
  await postponeCall(redis, place, alone as CallAttempt, Date.now(), {});
  await placeWaitingCalls(redis, place.workspaceId);
  expect(await beginAttempt(redis, place, false)).toMatchObject({ killed: 0 });
});

it('begins a call that had to wait among others again, once: if that process ends too, it counts as one that it has killed', async () => {
  const place = await aPlacedCall();
  await beginAttempt(redis, place, false);
  const alone = await beginAttempt(redis, place, true);
  expect(alone).toMatchObject({ attempts: 2, isWaiter: false });
  await leaveOwnProcess(redis, place, alone as CallAttempt);
  // As if it was sent twice.
  await leaveOwnProcess(redis, place, alone as CallAttempt);
  expect(await beginAttempt(redis, place, false)).toMatchObject({ attempts: 2, killed: 0, isWaiter: true });
  expect(await beginAttempt(redis, place, false)).toBe('suspect');
  expect(await beginAttempt(redis, place, true)).toMatchObject({ attempts: 3, killed: 1, isWaiter: true });
  await recordKill(redis, place, 2);
  const last = await beginAttempt(redis, place, false);
  expect(last).toMatchObject({ killed: 2 });
  await postponeCall(redis, place, last as CallAttempt, Date.now(), {});
  await placeWaitingCalls(redis, place.workspaceId);
  expect(await beginAttempt(redis, place, false)).toMatchObject({ killed: 0, isWaiter: false });
});

it('begins no attempt at a call that waits for its next one, though a job of it is there', async () => {
  const place = await aPlacedCall();
  const first = await beginAttempt(redis, place, false);
  // Then its worker is killed, and another worker takes the job.
  await postponeCall(redis, place, first as CallAttempt, Date.now() + 60_000, { code: 'x' });
  expect(await beginAttempt(redis, place, false)).toBeNull();
  expect(await findCall(redis, place.workspaceId, place.callId)).toMatchObject({
    status: 'queued',
    attempts: 1,
  });
  await redis.zadd(stateKey(place.workspaceId, 'async:waiting'), 0, `${place.callId} acc_1`);
  expect(await placeWaitingCalls(redis, place.workspaceId)).toEqual([place]);
  expect(await beginAttempt(redis, place, false)).toMatchObject({ attempts: 2 });
});

it('goes on with an attempt although one before it, which was taken for dead, fails meanwhile', async () => {
  const place = await aPlacedCall();
  const before = await beginAttempt(redis, place, false);
  const alone = await beginAttempt(redis, place, true);
  await postponeCall(redis, place, before as CallAttempt, Date.now() + 60_000, { code: 'x' });
  const found = await findCall(redis, place.workspaceId, place.callId);
  expect(found).toMatchObject({ status: 'running', lastError: null });
  expect(await beginAttempt(redis, place, false)).toBe('suspect');
  await postponeCall(redis, place, alone as CallAttempt, Date.now() + 60_000, { code: 'x' });
  expect(await findCall(redis, place.workspaceId, place.callId)).toMatchObject({ status: 'queued' });
});
