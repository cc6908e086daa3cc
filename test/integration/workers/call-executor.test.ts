import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import type { WireCall } from '../../../src/queue/wire.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { type Driver, defineMethod, type Method } from '../../../workers/driver.ts';
import { CallExecutor } from '../../../workers/executor/call-executor.ts';
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

it('does not run a call again whose time is over after a conflict', async () => {
  let attempts = 0;
  let passedMs = 0;
  const conflicting: Method = defineMethod('messages.readHistory', async (_, { tx }) => {
    attempts += 1;
    await tx.observe('shared', 'field');
    await redis.hset(tx.key('shared'), 'field', attempts);
    tx.hset('own', 'field', 'changed');
    passedMs = 60_000;
    return { _: 'messages.affectedMessages', pts: 0, ptsCount: 0 };
  });
  const driver: Driver = {
    name: 'test',
    methods: new Map([['messages.readHistory', conflicting]]),
    orders: new Map(),
    findFault: async () => null,
  };
  const executor = new CallExecutor({
    state: redis,
    clock: { now: () => Date.now() + passedMs },
    drivers: new Map([['test', driver]]),
    crashFaults: false,
  });
  const call: WireCall = {
    id: newId('call'),
    number: 1,
    workspaceId: newId('workspace'),
    account: { id: 'acc_1', userId: 1, bot: false, strictPeers: false, faults: false },
    driver: 'test',
    method: 'messages.readHistory',
    kind: 'method',
    params: { peer: { _: 'inputPeerSelf' }, maxId: 0 },
    acceptedAt: Date.now(),
    notAfter: Date.now() + 30_000,
  };
  expect(await executor.runAlone(call, false)).toMatchObject({ status: 504 });
  expect(attempts).toBe(1);
});
