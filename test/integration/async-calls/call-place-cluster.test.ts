import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import { findCallWorkspace } from '../../../src/async-calls/call-workspace.ts';
import { readConfig } from '../../../src/config.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { callPlaceKey } from '../../../src/redis/keys.ts';
import { NO_TRACING } from '../../../src/tracing/trace.ts';
import { AttemptRunner } from '../../../workers/async-calls/attempt-runner.ts';
import { StopSignals } from '../../../workers/stop-signals.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestCluster, type TestCluster } from '../../support/redis/redis-cluster.ts';

let cluster: TestCluster;
let redis: RedisConnection;

beforeAll(async () => {
  cluster = await startTestCluster({ replicas: false });
  redis = openRedis(cluster.url, 'state', () => undefined);
  await untilReady(redis);
});
afterAll(async () => {
  redis.disconnect();
  await cluster.stop();
});

it('a call whose place a failover has lost is found by its id again once it runs', async () => {
  const runner = new AttemptRunner({
    ...{ state: redis, signals: new StopSignals(), tracing: NO_TRACING },
    ...{ log: openLogger({ LOG_LEVEL: 'silent' }, 'test'), settings: readConfig({ REDIS_URL: cluster.url }) },
    clock: { now: () => Date.now() } as never,
    // Its account is gone, so nothing is run.
    ...{ executor: {} as never, callLog: {} as never },
    listener: { ended: () => undefined, retried: () => undefined },
  });
  const [id, workspaceId, createdAt] = [newId('call'), newId('workspace'), Date.now()];
  const call = {
    ...{ id, workspaceId, organizationId: 'org_1', messengerAccountId: 'acc_1', method: 'help.getSupport' },
    ...{ params: {}, seed: id, createdAt, scheduleAt: null, expiresAt: createdAt + 60_000, replayOf: null },
  };
  await acceptCall(redis, call, null, { openMax: 10, bytesMax: 2 ** 20 });
  expect(await findCallWorkspace(redis, id)).toBeNull();
  await runner.run({ workspaceId, callId: id, accountId: 'acc_1' }, false);
  expect(await eventually(() => findCallWorkspace(redis, id))).toBe(workspaceId);
  // It goes when the call can no longer be kept.
  expect(await redis.pexpiretime(callPlaceKey(id))).toBe(call.expiresAt + 48 * 3_600_000);
});
