import { afterAll, beforeAll, expect, it } from 'vitest';
import { mapConcurrently } from '../../src/api/limits/map-concurrently.ts';
import { type Account, Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

// As many as may have jobs of their own when a call of theirs comes, with the victim.
const SPARSE = 15;
// So many that a share for each would leave the victim one call at a time.
const MANY = 300;
const ATTACK_MS = 10_000;

let service: Service;
let victim: Victim;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
});
afterAll(() => service.stop());

/** An account in each of as many workspaces of one organization. */
async function accountsOf(workspaces: number): Promise<Account[]> {
  const { id: organizationId } = await service.ok('POST', '/v1/organizations', { name: 'Many' });
  return mapConcurrently(Array.from({ length: workspaces }), 16, async () => {
    const { id } = await service.ok('POST', '/v1/workspaces', { name: 'Sparse', organizationId });
    return service.anAccount(id);
  });
}

/** Makes one call after another with each of the accounts. Returns the statuses of the answers. */
async function callWith(accounts: Account[]): Promise<number[]> {
  const params = { peer: { _: 'inputPeerSelf' }, message: 'x' };
  const until = performance.now() + ATTACK_MS;
  const statuses = new Set<number>();
  await Promise.all(
    accounts.map(async (account) => {
      while (performance.now() < until)
        statuses.add((await service.call(account, 'messages.sendMessage', params)).status);
    }),
  );
  return [...statuses];
}

it('serves others while many workspaces make one call after another', async () => {
  const accounts = await accountsOf(SPARSE);
  const harm = await victim.during(() => callWith(accounts));
  expectUnhurt(`${SPARSE} sparse workspaces`, harm);
  expect(harm.result).toEqual([200]);
});

it('gives an organization no larger share for having hundreds of workspaces', async () => {
  const accounts = await accountsOf(MANY);
  // Two callers each: a workspace always has a call that waits.
  const harm = await victim.during(() => callWith([...accounts, ...accounts]));
  expectUnhurt(`${MANY} workspaces of one organization`, harm);
});
