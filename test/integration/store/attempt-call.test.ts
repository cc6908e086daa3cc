import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { acceptCall } from '../../../src/store/async-calls/accept-call.ts';
import { beginAttempt } from '../../../src/store/async-calls/attempt-call.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it('takes an attempt whose beginning is sent twice by its connection for one', async () => {
  const [id, workspaceId] = [newId('call'), newId('workspace')];
  const createdAt = Date.now();
  const call = {
    ...{ id, workspaceId, organizationId: 'org_1', messengerAccountId: 'acc_1', method: 'help.getSupport' },
    ...{ params: {}, seed: id, createdAt, scheduleAt: null, expiresAt: createdAt + 60_000, replayOf: null },
  };
  await acceptCall(redis, call, null, 100);
  const place = { workspaceId, callId: id, accountId: 'acc_1' };
  const repeating = new Proxy(redis, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'evalsha') return value;
      return async (...args: unknown[]) => {
        await value.apply(target, args);
        return value.apply(target, args);
      };
    },
  });
  expect(await beginAttempt(redis, place)).toMatchObject({ attempts: 1, interrupted: 0 });
  expect(await beginAttempt(repeating, place)).toMatchObject({ attempts: 2, interrupted: 1 });
});
