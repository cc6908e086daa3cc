import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../support/service/service.ts';
import { Crowd } from '../support/strangers/crowd.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const ATTACK_MS = 12_000;
const FIRST_MS = 2_000;
const CONNECTIONS = 40;
const CALLS = 100;
const GONE_AFTER_MS = 50;
const LEAVERS = 10;
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

/** The calls of a bulk. */
function callsWith(more: (index: number) => object): object[] {
  const one = { accountId: account.id, method: 'messages.sendMessage', params: PARAMS };
  return Array.from({ length: CALLS }, (_, index) => ({ ...one, ...more(index) }));
}

/** Sends one bulk after another over many connections, and returns how often each status of a call was answered. */
async function sendBulks(
  query: string,
  more: (index: number) => object,
  ms = ATTACK_MS,
): Promise<Map<number, number>> {
  const until = performance.now() + ms;
  const statuses = new Map<number, number>();
  const calls = callsWith(more);
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

it('serves others while calls with keys that were used before come by the thousand', async () => {
  const more = (index: number) => ({ idempotencyKey: `again-${index}` });
  await sendBulks('', more, FIRST_MS);
  const harm = await victim.during(() => sendBulks('', more));
  expectUnhurt('used Idempotency-Keys', harm);
  expect(harm.result.get(200)).toBeGreaterThan(CALLS);
});

it('forgets the calls of callers who are gone', async () => {
  const body = JSON.stringify({ calls: callsWith((index) => ({ idempotencyKey: `again-${index}` })) });
  const head = [
    `POST /workspaces/${account.workspaceId}/calls HTTP/1.1`,
    ...['Host: a', `Authorization: Bearer ${service.rootKey}`, 'Content-Type: application/json'],
    `Content-Length: ${body.length}`,
  ];
  const request = `${head.join('\r\n')}\r\n\r\n${body}`;
  const harm = await victim.during(async () => {
    const until = performance.now() + ATTACK_MS;
    const sendAndLeave = async () => {
      while (performance.now() < until) {
        const crowd = new Crowd();
        await crowd.send(service.url, request);
        await sleep(GONE_AFTER_MS);
        crowd.leave();
      }
    };
    await Promise.all(Array.from({ length: LEAVERS }, sendAndLeave));
    const startedAt = performance.now();
    const headers = { 'idempotency-key': 'again-0' };
    await service.call(account, 'messages.sendMessage', PARAMS, { headers });
    return performance.now() - startedAt;
  });
  expectUnhurt('used Idempotency-Keys of callers who are gone', harm);
  expect(harm.result, 'answered in ms').toBeLessThan(3_000);
});

it('serves others while calls are only validated by the thousand', async () => {
  const harm = await victim.during(() => sendBulks('?validate=only', () => ({})));
  expectUnhurt('validated bulks', harm);
  expect([...harm.result.keys()]).toEqual([200]);
});
