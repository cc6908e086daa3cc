import { afterAll, beforeAll, expect, it } from 'vitest';
import { Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

// As many as may have jobs of their own when a call of theirs comes, with the victim.
const WORKSPACES = 15;
const ATTACK_MS = 10_000;

let service: Service;
let victim: Victim;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
});
afterAll(() => service.stop());

it('serves others while many workspaces make one call after another', async () => {
  const { id: organizationId } = await service.ok('POST', '/v1/organizations', { name: 'Many' });
  const accounts = await Promise.all(
    Array.from({ length: WORKSPACES }, async () => {
      const { id } = await service.ok('POST', '/v1/workspaces', { name: 'Sparse', organizationId });
      return service.anAccount(id);
    }),
  );
  const params = { peer: { _: 'inputPeerSelf' }, message: 'x' };
  const harm = await victim.during(async () => {
    const until = performance.now() + ATTACK_MS;
    const statuses = new Set<number>();
    await Promise.all(
      accounts.map(async (account) => {
        while (performance.now() < until)
          statuses.add((await service.call(account, 'messages.sendMessage', params)).status);
      }),
    );
    return [...statuses];
  });
  expectUnhurt(`${WORKSPACES} sparse workspaces`, harm);
  expect(harm.result).toEqual([200]);
});
