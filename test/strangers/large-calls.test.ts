import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const METHOD = 'messages.sendMessage';
const HELD_MS = 30_000;
const ATTACK_MS = 5_000;
/** Lengths of the calls: what large ones leave of a budget is filled by small ones. */
const LENGTHS = [1_000_000, 100_000, 10_000, 1_000, 1].flatMap((length) =>
  Array.from({ length: length === 1_000_000 ? 140 : 12 }, () => length),
);

let service: Service;
let victim: Victim;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
});

afterAll(() => service.stop());

/** Accounts of as many workspaces of one organization; each has one call under way at a time, which takes long. */
async function slowAccounts(count: number): Promise<Account[]> {
  const { id: organizationId } = await service.ok('POST', '/v1/organizations', { name: 'Loud' });
  const accounts: Account[] = [];
  for (let at = 0; at < count; at += 1) {
    const { id } = await service.ok('POST', '/v1/workspaces', { name: 'Loud', organizationId });
    const account = await service.anAccount(id);
    const faults = [{ method: '*', count: 10_000, delayMs: HELD_MS }];
    await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
    await service.ok('PATCH', `/v1/messenger-accounts/${account.id}`, { maxConcurrentCalls: 1 });
    accounts.push(account);
  }
  return accounts;
}

/** Has large calls wait for the slots of the accounts; how those were refused that were. */
async function fill(accounts: Account[]): Promise<string[]> {
  const stop = new AbortController();
  const refused: string[] = [];
  const calls: Promise<unknown>[] = [];
  for (const [at, length] of LENGTHS.entries()) {
    const account = accounts[at % accounts.length] as Account;
    const params = { peer: { _: 'inputPeerSelf' }, message: 'x'.repeat(length) };
    const call = service.call(account, METHOD, params, { signal: stop.signal });
    calls.push(call.then(({ status, body }) => refused.push(`${status} ${body.code}`)).catch(() => null));
    await sleep(10);
  }
  await sleep(ATTACK_MS);
  stop.abort();
  await Promise.all(calls);
  return refused;
}

it.each([1, 5])('takes the calls of others while large ones of %i workspaces wait', async (workspaces) => {
  const accounts = await slowAccounts(workspaces);
  const harm = await victim.during(() => fill(accounts));
  expectUnhurt(`large calls of ${workspaces} workspaces`, harm);
  expect(harm.result.length).toBeGreaterThan(20);
  for (const refusal of harm.result) expect(refusal).toMatch(/^(429 rate_limited|503 overloaded)$/);
});
