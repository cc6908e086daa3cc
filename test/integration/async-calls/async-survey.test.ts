import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import type { CallCounts } from '../../../src/async-calls/count-calls.ts';
import { markDue } from '../../../src/async-calls/due-workspaces.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { directoryKey } from '../../../src/redis/keys.ts';
import { AsyncSurvey } from '../../../workers/async-calls/async-survey.ts';
import { storeCall } from '../../support/api/async-calls.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const MINUTE_MS = 60_000;

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

/** A call that can run since then. */
async function aDueCall(workspaceId: string, since: number): Promise<void> {
  const id = newId('call');
  const times = { createdAt: since, scheduleAt: since, expiresAt: since + 60 * MINUTE_MS };
  const names = { id, workspaceId, organizationId: 'org_1', messengerAccountId: 'acc_1', seed: id };
  const call = { ...names, ...times, method: 'help.getSupport', params: {}, replayOf: null };
  await markDue(redis, workspaceId, since);
  await acceptCall(redis, call, null, { openMax: 1_000, bytesMax: 2 ** 28 });
}

it('one process counts the calls of all workspaces, and every process shows the totals', async () => {
  const [first, second] = [newId('workspace'), newId('workspace')];
  await aDueCall(first, Date.now() - 10 * MINUTE_MS);
  await aDueCall(second, Date.now() - MINUTE_MS);
  for (const workspaceId of [first, second]) {
    const place = { organizationId: 'org_1', workspaceId, accountId: 'acc_1' };
    await storeCall(redis, place);
    await storeCall(redis, { ...place, result: 'failed' });
    await storeCall(redis, { ...place, result: {} });
  }
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const shown: CallCounts[] = [];
  const surveys = [0, 1].map((i) => {
    const show = (totals: CallCounts) => {
      shown[i] = totals;
    };
    const survey = new AsyncSurvey(redis, show, log);
    survey.start(50);
    return survey;
  });
  await eventually(() => [0, 1].every((i) => shown[i]?.backlog === 2));
  await Promise.all(surveys.map((survey) => survey.stop()));
  for (const { oldestMs, ...counts } of shown) {
    expect(counts).toEqual({ backlog: 2, later: 2, failed: 2, expired: 0 });
    expect(Math.floor(oldestMs / MINUTE_MS)).toBe(10);
  }
});

it('tells nobody of a survey that was stopped before its end', async () => {
  const totals = directoryKey('async-totals');
  await redis.del(totals, directoryKey('async-survey'));
  const survey = new AsyncSurvey(redis, () => undefined, openLogger({ LOG_LEVEL: 'silent' }, 'test'));
  survey.start();
  await survey.stop();
  expect(await redis.exists(totals)).toBe(0);
});
