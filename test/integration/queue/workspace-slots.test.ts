import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import type { PendingCall } from '../../../src/queue/submit/pending-call.ts';
import { WorkspaceSlots } from '../../../src/queue/submit/workspace-slots.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { slotsKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const CAPS = { workspace: null, account: 1 };

let server: TestRedis;
let redis: RedisConnection;
let operator: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'request', () => undefined);
  operator = openRedis(server.url, 'worker', () => undefined);
  await Promise.all([redis, operator].map(untilReady));
});

afterAll(async () => {
  redis.disconnect();
  operator.disconnect();
  await server.stop();
});

it('gives back what Redis took after nobody waited for its answer any more', async () => {
  const [workspaceId, accountId] = [newId('workspace'), newId('messengerAccount')];
  const admitted: string[] = [];
  const lost: string[] = [];
  const slots = new WorkspaceSlots(workspaceId, {
    redis,
    bootId: 'boot',
    findCaps: async () => CAPS,
    onAdmitted: ({ call }) => admitted.push(call.id),
    onLost: (pending) => {
      pending.done = true;
      lost.push(pending.call.id);
    },
    onGone: () => expect.unreachable(),
  });
  const push = (id: string) => {
    const acceptedAt = Date.now();
    const call = { id, account: { id: accountId }, acceptedAt, notAfter: acceptedAt + 60_000 };
    slots.push({ call, workspaceId, done: false } as PendingCall, CAPS);
  };
  push('before');
  await eventually(() => admitted.includes('before'));
  slots.free({ call: { id: 'before', account: { id: accountId } } } as PendingCall);
  await eventually(async () => (await operator.zcard(slotsKey(workspaceId, accountId))) === 0);

  // Longer than the connection waits for an answer: the command is carried out all the same, then.
  await (operator as { call(...args: string[]): Promise<unknown> }).call('CLIENT', 'PAUSE', '3000', 'ALL');
  push('unanswered');
  await eventually(() => lost.includes('unanswered'));
  push('after');
  await eventually(() => admitted.includes('after') || lost.includes('after'));
  if (lost.includes('after')) push('after that');
  await eventually(() => admitted.some((id) => id.startsWith('after')));
  await slots.close();
});

it('keeps to the cap of the workspace when one of its accounts is gone, and dismisses the calls of that', async () => {
  const workspaceId = newId('workspace');
  const [keptId, goneId] = [newId('messengerAccount'), newId('messengerAccount')];
  const caps = { workspace: 1, account: null };
  const admitted: PendingCall[] = [];
  const gone: string[] = [];
  const slots = new WorkspaceSlots(workspaceId, {
    redis: operator,
    bootId: 'boot',
    findCaps: async (_workspaceId, accountId) => (accountId === goneId ? undefined : caps),
    onAdmitted: (pending) => admitted.push(pending),
    onLost: () => expect.unreachable(),
    onGone: (pending) => {
      pending.done = true;
      gone.push(pending.call.id);
    },
  });
  const push = (id: string, accountId: string) => {
    const acceptedAt = Date.now();
    const call = { id, account: { id: accountId }, acceptedAt, notAfter: acceptedAt + 60_000 };
    slots.push({ call, workspaceId, done: false } as PendingCall, caps);
  };
  for (const id of ['kept 1', 'kept 2', 'kept 3']) push(id, keptId);
  for (const id of ['gone 1', 'gone 2']) push(id, goneId);
  await eventually(() => gone.length === 2);
  // What a cap that was lost would let go goes with the next question, which this one waits for.
  await slots.close();
  expect(admitted.map(({ call }) => call.id)).toEqual(['kept 1']);
  slots.free(admitted[0] as PendingCall);
  await eventually(() => admitted.length === 2);
  expect(admitted[1]?.call.id).toBe('kept 2');
  await slots.close();
});
