import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { findNextDue } from '../../../src/async-calls/clean-calls.ts';
import { takeDueWorkspaces } from '../../../src/async-calls/due-workspaces.ts';
import { endCall } from '../../../src/async-calls/end-call.ts';
import { findExpiringCalls } from '../../../src/async-calls/expiring-calls.ts';
import { holdCall, isPaused, releaseCalls, wakeCalls } from '../../../src/async-calls/held-calls.ts';
import { placeWaitingCalls } from '../../../src/async-calls/place-calls.ts';
import { type Pause, Pauses } from '../../../src/control/pauses.ts';
import { newId } from '../../../src/ids.ts';
import { Problem } from '../../../src/problem.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
});

beforeEach(async () => {
  await redis.flushall();
  workspaceId = newId('workspace');
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function accept(accountId = 'acc_1', method = 'help.getSupport') {
  const [id, createdAt] = [newId('call'), Date.now()];
  const call: AsyncCall = {
    ...{ id, workspaceId, organizationId: 'org_1', messengerAccountId: accountId, method },
    ...{ params: {}, seed: id, createdAt, scheduleAt: null, expiresAt: createdAt + 60_000, replayOf: null },
  };
  await acceptCall(redis, call, null, { openMax: 1_000, bytesMax: 2 ** 28 });
  return { call, ref: { workspaceId, callId: id, accountId } };
}

const hold = (ref: Parameters<typeof holdCall>[1], round = 0) =>
  holdCall(redis, ref, { round, now: Date.now() });
const pause = (kind: Pause['target']['kind'], id: string): Pause => ({
  ...{ target: { kind, id }, mode: 'wait', reason: null },
  ...{ since: '2026-01-01T00:00:00.000Z', by: { id: null, name: 'root key' } },
});

it('a call that is held stays until something has been resumed since, and then waits for its turn again', async () => {
  const { ref } = await accept();
  await hold(ref, 3);
  expect(await placeWaitingCalls(redis, workspaceId)).toEqual([]);
  expect(await releaseCalls(redis, workspaceId, 3)).toEqual({ isMore: false, isHolding: true });
  expect(await placeWaitingCalls(redis, workspaceId)).toEqual([]);
  expect(await releaseCalls(redis, workspaceId, 4)).toEqual({ isMore: false, isHolding: false });
  expect(await placeWaitingCalls(redis, workspaceId)).toEqual([ref]);
});

it('is released too where Redis has forgotten how often was resumed', async () => {
  const { ref } = await accept();
  await hold(ref, 3);
  expect(await releaseCalls(redis, workspaceId, 1)).toEqual({ isMore: false, isHolding: false });
  expect(await placeWaitingCalls(redis, workspaceId)).toEqual([ref]);
});

it('is looked at soon after it was held, as it may have been resumed meanwhile', async () => {
  const { ref } = await accept();
  await holdCall(redis, ref, { round: 0, now: Date.now() - 1_000 });
  expect((await takeDueWorkspaces(redis, 10, 1_000)).ids).toEqual([workspaceId]);
});

it('expires and is canceled like any other, and is not held once it has ended', async () => {
  const { call, ref } = await accept();
  await hold(ref);
  expect(await findExpiringCalls(redis, workspaceId, call.expiresAt + 1)).toEqual([ref]);
  expect(await endCall(redis, call, 'expired', new Problem('call_expired'), Date.now())).toBe(true);
  expect(await releaseCalls(redis, workspaceId, 1)).toEqual({ isMore: false, isHolding: false });
  await hold(ref);
  expect(await releaseCalls(redis, workspaceId, 1)).toEqual({ isMore: false, isHolding: false });
});

it('a workspace whose calls may not be placed is not due because they wait', async () => {
  const { call, ref } = await accept();
  await hold(ref);
  await releaseCalls(redis, workspaceId, 1);
  expect(await findNextDue(redis, workspaceId)).toBeLessThanOrEqual(Date.now());
  expect(await findNextDue(redis, workspaceId, { mayPlace: false })).toBe(call.expiresAt);
});

it('a call is paused with its workspace, account, method or the lane of async calls', async () => {
  const { ref } = await accept();
  const pauses = new Pauses();
  expect(await isPaused(redis, pauses, ref)).toBe(false);
  for (const [kind, id] of [
    ['workspace', workspaceId],
    ['account', 'acc_1'],
    ['method', 'help.getSupport'],
    ['lane', 'async'],
  ] as const) {
    pauses.replace([pause(kind, id), pause('method', 'help.getConfig')]);
    expect([kind, await isPaused(redis, pauses, ref)]).toEqual([kind, true]);
  }
  pauses.replace([pause('method', 'help.getConfig'), pause('lane', 'shared'), pause('account', 'acc_2')]);
  expect(await isPaused(redis, pauses, ref)).toBe(false);
});

it('whoever resumes has the workspaces looked at that are concerned', async () => {
  const due = async () => (await takeDueWorkspaces(redis, 10, 60_000)).ids;
  await wakeCalls(redis, { kind: 'workspace', id: workspaceId });
  expect(await due()).toEqual([workspaceId]);
  expect(await due()).toEqual([]);
  await wakeCalls(redis, { kind: 'account', id: 'acc_01h455vb4pex5vsknk084sn02q' });
  expect(await due()).toEqual([]);
  await wakeCalls(redis, { kind: 'lane', id: 'async' });
  expect(await due()).toEqual([workspaceId]);
});
