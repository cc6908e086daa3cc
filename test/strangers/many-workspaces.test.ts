import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const ATTACK_MS = 12_000;
const PARAMS = { peer: { _: 'inputPeerSelf' }, message: 'x' };

let service: Service;
let victim: Victim;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
});
afterAll(() => service.stop());

/** An account in each of some workspaces of one organization. */
async function accountsOfOneOrganization(workspaces: number): Promise<Account[]> {
  const { id: organizationId } = await service.ok('POST', '/v1/organizations', { name: 'Many' });
  const accounts: Account[] = [];
  const add = async () => {
    const { id } = await service.ok('POST', '/v1/workspaces', { name: 'One of many', organizationId });
    accounts.push(await service.anAccount(id));
  };
  for (let made = 0; made < workspaces; made += 10) await Promise.all(Array.from({ length: 10 }, add));
  return accounts;
}

it.each([
  [300, 2],
  [400, 1],
])(
  'serves others while %i workspaces of one organization always have %i calls each',
  async (workspaces, calls) => {
    const accounts = await accountsOfOneOrganization(workspaces);
    const harm = await victim.during(async () => {
      const until = performance.now() + ATTACK_MS;
      const statuses = new Map<number, number>();
      const sendAgain = async (account: Account) => {
        while (performance.now() < until) {
          const { status } = await service.call(account, 'messages.sendMessage', PARAMS);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      await Promise.all(
        accounts.flatMap((account) => Array.from({ length: calls }, () => sendAgain(account))),
      );
      return statuses;
    });
    expectUnhurt(`${workspaces} workspaces of one organization`, harm);
    expect([200, 429, 503]).toEqual(expect.arrayContaining([...harm.result.keys()]));
  },
);
