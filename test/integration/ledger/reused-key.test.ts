import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { claimIdempotencyKey } from '../../../src/ledger/claim.ts';
import { callEntry } from '../../../src/ledger/entry.ts';
import { ledgerKey } from '../../../src/redis/keys.ts';
import { reserveTxids } from '../../../src/state/reserve.ts';
import { CallExecutor } from '../../../workers/executor/call-executor.ts';
import { aRandomId, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

const METHOD = 'messages.sendMessage';
const HOUR_MS = 3_600_000;

let sandbox: Sandbox;
let executor: CallExecutor;
let ada: SandboxAccount;
let peer: object;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  const { redis, driver } = sandbox;
  const drivers = new Map([[driver.name, driver]]);
  executor = new CallExecutor({ state: redis, clock: Date, drivers, crashFaults: false });
  const [account, bob] = await sandbox.twoAccounts();
  ada = account;
  // All members of a group are told the ids of its messages.
  peer = await sandbox.aGroup(ada, bob);
});
afterAll(() => sandbox.close());

async function run(
  params: object,
  seeds: { key: { ledger: string; claim: string; seed: string } } | { seed: string },
) {
  const { redis } = sandbox;
  const { workspaceId } = ada;
  const acceptedAt = Date.now();
  const notAfter = acceptedAt + 30_000;
  const more = { id: newId('call'), number: 0, driver: 'sandbox', method: METHOD, kind: 'method' } as const;
  const call = { ...more, workspaceId, account: ada, params, acceptedAt, notAfter, ...seeds };
  const { frame } = await executor.run(call, {
    entry: callEntry(redis, call, { id: call.id, ledgerExpiresAt: notAfter }),
    reservation: reserveTxids(redis, workspaceId, 1),
    index: 0,
    signal: new AbortController().signal,
    mayWait: true,
    again: false,
  });
  return frame;
}

async function sendUnderKey(key: string, params: object) {
  const { id: accountId, workspaceId } = ada;
  const notAfter = Date.now() + HOUR_MS;
  const attempt = { callId: newId('call'), processName: 'api', notAfter };
  const call = { workspaceId, accountId, key, method: METHOD, params };
  const claimed = await claimIdempotencyKey(sandbox.redis, { ...call, ...attempt });
  if ('replay' in claimed) return { replay: claimed.replay };
  const expire = () => sandbox.redis.del(ledgerKey(workspaceId, claimed.ledger));
  return { frame: await run(params, { key: claimed }), expire };
}

const sentTexts = async (text: string) =>
  (await sandbox.history(ada, peer)).filter(({ message }) => message === text).length;

it('sends again under a key once its first answer is no longer kept', async () => {
  const params = { peer, message: 'Weekly' };
  const first = await sendUnderKey('weekly', params);
  expect(first.frame).toMatch(/^200 /);
  expect(await sendUnderKey('weekly', params)).toEqual({ replay: first.frame });
  expect(await sentTexts('Weekly')).toBe(1);
  await first.expire?.();
  expect((await sendUnderKey('weekly', params)).frame).toMatch(/^200 /);
  expect(await sentTexts('Weekly')).toBe(2);
});

it('refuses an id under a key that the caller gave and has used', async () => {
  const params = { peer, message: 'Once', randomId: aRandomId() };
  await sandbox.call(ada, METHOD, params);
  expect((await sendUnderKey('once', params)).frame).toContain('RANDOM_ID_DUPLICATE');
});

it('recognizes the replay of an async call by its seed', async () => {
  const params = { peer, message: 'Replayed' };
  expect(await run(params, { seed: 'seed' })).toMatch(/^200 /);
  expect(await run(params, { seed: 'seed' })).toContain('RANDOM_ID_DUPLICATE');
});
