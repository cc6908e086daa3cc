import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { findCall } from '../../../src/async-calls/find-call.ts';
import type { ApiKey } from '../../../src/directory/collections.ts';
import { newId } from '../../../src/ids.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { endCallsOf } from '../../../workers/deletion/end-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const LIMITS = { openMax: 1_000, bytesMax: 2 ** 28 };
const AN_HOUR_MS = 3_600_000;

let server: TestRedis;
let redis: RedisConnection;
let key: ApiKey;
let ids: string[];

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
});

beforeEach(async () => {
  const workspaceId = newId('workspace');
  key = { id: newId('apiKey'), organizationId: 'org_1', workspaceId } as ApiKey;
  ids = [];
  for (let n = 0; n < 25; n += 1) {
    const [id, createdAt] = [newId('call'), Date.now()];
    const call: AsyncCall = {
      ...{ id, workspaceId, organizationId: 'org_1', messengerAccountId: 'acc_1', method: 'help.getSupport' },
      ...{ params: {}, seed: id, createdAt, scheduleAt: createdAt + AN_HOUR_MS, replayOf: null },
      ...{ expiresAt: createdAt + 2 * AN_HOUR_MS, makers: [key.id] },
    };
    await acceptCall(redis, call, null, LIMITS);
    ids.push(id);
  }
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function statuses(): Promise<Set<string | undefined>> {
  const found = await Promise.all(ids.map((id) => findCall(redis, key.workspaceId as string, id)));
  return new Set(found.map((call) => call?.status));
}

it('the open calls of a deleted key are canceled, however long that takes', async () => {
  let [rests, canceled] = [0, 0];
  const rest = async () => {
    rests += 1;
    // Longer than a commit may take.
    if (rests === 1) await sleep(10_500);
  };
  await endCallsOf(redis, key, { now: Date.now, canceled: () => (canceled += 1) }, { rest });
  expect(canceled).toBe(ids.length);
  expect(rests).toBeGreaterThan(1);
  expect(await statuses()).toEqual(new Set(['canceled']));
});

it('a call that could not be ended is not taken for ended', async () => {
  const longAgo = Date.now() - AN_HOUR_MS;
  const how = { now: () => longAgo, canceled: () => expect.unreachable() };
  await expect(endCallsOf(redis, key, how, { rest: async () => undefined })).rejects.toThrow(
    /^The call call_\w+ could not be ended\.$/,
  );
  expect(await statuses()).toEqual(new Set(['queued']));
});
