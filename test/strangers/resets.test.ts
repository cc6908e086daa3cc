import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const CALLERS = 40;
const ATTACK_MS = 5_000;
// A caller who is told to wait is not asked to, but is no flood of refusals either.
const BETWEEN_MS = 50;

let service: Service;
let victim: Victim;
let accounts: Account[];
beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  const { id } = await service.aWorkspace();
  accounts = [await service.anAccount(id), await service.anAccount(id)];
});
afterAll(() => service.stop());

it('resets an account once at a time, however many ask for it', async () => {
  const statuses: number[] = [];
  const ask = async (account: Account, until: number) => {
    while (performance.now() < until) {
      const path = `/v1/messenger-accounts/${account.id}/sandbox/reset`;
      statuses.push((await service.request('POST', path)).status);
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    }
  };
  const harm = await victim.during(async () => {
    const until = performance.now() + ATTACK_MS;
    const callers = Array.from({ length: CALLERS }, (_, index) =>
      ask(accounts[index % accounts.length] as Account, until),
    );
    await Promise.all(callers);
  });
  expectUnhurt('resets', harm);
  expect(new Set(statuses)).toEqual(new Set([204, 429]));
});
