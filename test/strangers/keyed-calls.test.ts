import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const ATTACK_MS = 12_000;
const CONNECTIONS = 100;
const CALLS = 100;
const PARAMS = { peer: { _: 'inputPeerSelf' }, message: 'x' };

let service: Service;
let victim: Victim;
let account: Account;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  account = await service.anAccount((await service.aWorkspace()).id);
});
afterAll(() => service.stop());

/** Sends one bulk after another over many connections, and returns how often each status of a call was answered. */
async function sendBulks(query: string, more: (index: number) => object): Promise<Map<number, number>> {
  const until = performance.now() + ATTACK_MS;
  const statuses = new Map<number, number>();
  const method = 'messages.sendMessage';
  const calls = Array.from({ length: CALLS }, (_, index) => ({
    ...{ accountId: account.id, method, params: PARAMS },
    ...more(index),
  }));
  const sendAgain = async () => {
    while (performance.now() < until) {
      const { status, body } = await service.request(
        'POST',
        `/workspaces/${account.workspaceId}/calls${query}`,
        {
          calls,
        },
      );
      const all: number[] = body.results?.map((result: { status: number }) => result.status) ?? [status];
      for (const one of all) statuses.set(one, (statuses.get(one) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendAgain));
  return statuses;
}

it('serves others while calls with keys that were used before come by the ten thousand', async () => {
  const harm = await victim.during(() => sendBulks('', (index) => ({ idempotencyKey: `again-${index}` })));
  expectUnhurt('used Idempotency-Keys', harm);
  expect(harm.result.get(200)).toBeGreaterThan(CALLS);
});

it('serves others while calls are only validated by the ten thousand', async () => {
  const harm = await victim.during(() => sendBulks('?validate=only', () => ({})));
  expectUnhurt('validated bulks', harm);
  expect([...harm.result.keys()]).toEqual([200]);
});
