import { afterAll, beforeAll, expect, it } from 'vitest';
import { identifyKey } from '../../../src/ledger/identify-key.ts';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { ledgerKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { type Account, Service } from '../../support/service/service.ts';

const METHOD = 'help.getSupport';
/** As many calls that may take long as one account may have under way. */
const CALLS = 16;
const DELAY_MS = 300_000;
const TIMEOUT_MS = 600_000;
const STOPPED_WITHIN_MS = 20_000;

let service: Service;
let redis: RedisConnection;
let slow: Account;

beforeAll(async () => {
  service = await Service.start({ env: { CALL_TIMEOUT_MS: String(TIMEOUT_MS) } });
  redis = openRedis(service.redis.url, 'worker', () => undefined);
  slow = await service.anAccount((await service.aWorkspace()).id);
  const faults = [{ method: METHOD, delayMs: DELAY_MS, count: 1_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${slow.id}/sandbox/faults`, { faults });
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

/** Calls of the slow lane that workers have in hand. */
async function untilRunning(count: number): Promise<void> {
  const running = () => redis.llen('sb:{queue}:calls-slow:active');
  await eventually(async () => (await running()) === count, { timeoutMs: STOPPED_WITHIN_MS });
}

it('calls that may take long are stopped when their callers go away, and make room for others', async () => {
  const path = `${service.url}/workspaces/${slow.workspaceId}/messenger-accounts/${slow.id}/call/${METHOD}`;
  const headers = { authorization: `Bearer ${service.rootKey}`, 'content-type': 'application/json' };
  for (let round = 0; round < 3; round += 1) {
    const callers = new AbortController();
    const request = { method: 'POST', headers, body: '{"params":{}}', signal: callers.signal };
    const calls = Array.from({ length: CALLS }, () => fetch(path, request).catch(() => null));
    await untilRunning(CALLS);
    callers.abort();
    await Promise.all(calls);
    await untilRunning(0);
  }
});

it('they are stopped at their deadline, and never take effect', async () => {
  const { url } = await service.startApi({ CALL_TIMEOUT_MS: '10000' });
  const answers = Promise.all(Array.from({ length: CALLS }, () => service.call(slow, METHOD, {}, { url })));
  await untilRunning(CALLS);
  expect(new Set((await answers).map(({ body }) => body.code))).toEqual(new Set(['call_timeout']));
  await untilRunning(0);
});

it('the Idempotency-Key of a call that is under way is held until its deadline and no longer', async () => {
  const account = await service.anAccount(slow.workspaceId);
  const path = `/v1/messenger-accounts/${account.id}/sandbox/faults`;
  await service.ok('PUT', path, { faults: [{ method: METHOD, delayMs: DELAY_MS }] });
  const headers = { 'idempotency-key': 'held' };
  const answer = service.call(account, METHOD, {}, { headers }).catch(() => null);
  await eventually(async () => (await service.ok('GET', path)).faults.length === 0);
  const { ledger } = identifyKey({ accountId: account.id, key: 'held', method: METHOD, params: {} });
  const leftMs = await redis.pttl(ledgerKey(account.workspaceId, ledger));
  expect(leftMs).toBeGreaterThan(0);
  expect(leftMs).toBeLessThanOrEqual(TIMEOUT_MS);
  for (const { child } of service.apis) child.kill('SIGKILL');
  expect(await answer).toBeNull();
});
