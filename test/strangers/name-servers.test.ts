import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NameServer } from '../support/http/name-server.ts';
import { Receiver } from '../support/http/receiver.ts';
import { messageTo } from '../support/service/async-calls.ts';
import { type Account, type ApiProcess, Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const ATTACK_MS = 8_000;
const EVERY_MS = 200;
const WORKSPACES = 5;
/** Of each workspace, every one with a host of its own. */
const WEBHOOKS = 50;
const ACCOUNTS = 4;

let names: NameServer;
let service: Service;
/** Takes webhooks that lead to this machine; the one before it does not, and so looks up every host. */
let lenient: ApiProcess;
let victim: Victim;

beforeAll(async () => {
  names = await NameServer.start();
  service = await Service.start({
    apis: 0,
    env: { WEBHOOK_DNS_SERVERS: names.address, WEBHOOKS_ALLOW_PRIVATE: '1' },
  });
  await service.startApi({ WEBHOOKS_ALLOW_PRIVATE: '0' });
  lenient = await service.startApi();
  victim = await Victim.create(service);
});

afterAll(async () => {
  await service.stop();
  names.stop();
});

function hangingName(index: number): string {
  names.names.set(`hangs-${index}.test`, 'hangs');
  return `hangs-${index}.test`;
}

async function workspacesOf(count: number): Promise<string[]> {
  const { id: organizationId } = await service.ok('POST', '/v1/organizations', { name: 'Loud' });
  const made = Array.from({ length: count }, () =>
    service.ok('POST', '/v1/workspaces', { name: 'Loud', organizationId }),
  );
  return (await Promise.all(made)).map(({ id }) => id);
}

async function aWebhook(workspaceId: string, url: string, of = service.url): Promise<number> {
  return (await service.request('POST', '/v1/webhooks', { workspaceId, url }, { url: of })).status;
}

/** How long something took, again and again while an attack goes on, in ms. */
async function timesOf(act: () => Promise<unknown>): Promise<number[]> {
  const until = performance.now() + ATTACK_MS;
  const times: number[] = [];
  while (performance.now() < until) {
    const startedAt = performance.now();
    await act();
    times.push(performance.now() - startedAt);
    await sleep(EVERY_MS);
  }
  return times;
}

function expectPrompt(name: string, times: number[]): void {
  const slowest = Math.max(...times);
  process.stderr.write(`${name}: ${times.length} times, slowest ${slowest.toFixed(0)} ms\n`);
  expect(slowest, 'slowest in ms').toBeLessThan(1_000);
  expect(times.length).toBeGreaterThan(5);
}

it('delivers to others beside an organization whose name servers hang', async () => {
  const healthy = await Receiver.start();
  // Each delivery has to look the name up.
  healthy.answer = () => (_, response) => response.writeHead(204, { connection: 'close' }).end();
  names.names.set('healthy.test', '127.0.0.1');
  const loud: Account[] = [];
  for (const [index, workspaceId] of (await workspacesOf(WORKSPACES)).entries()) {
    for (let each = 0; each < WEBHOOKS; each += 1) {
      const url = `http://${hangingName(index * WEBHOOKS + each)}/`;
      expect(await aWebhook(workspaceId, url, lenient.url)).toBe(201);
    }
    for (let each = 0; each < ACCOUNTS; each += 1) loud.push(await service.anAccount(workspaceId));
  }
  const { id: workspaceId } = await service.aWorkspace();
  const quiet = await service.anAccount(workspaceId);
  expect(await aWebhook(workspaceId, `http://healthy.test:${healthy.port}/`, lenient.url)).toBe(201);
  const harm = await victim.during(async () => {
    for (const from of loud)
      await service.call(from, 'messages.sendMessage', { peer: { _: 'inputPeerSelf' }, message: 'x' });
    return timesOf(async () => {
      const before = healthy.received.length;
      await service.result(quiet, 'messages.sendMessage', messageTo(quiet, 'Hello'));
      while (healthy.received.length === before) await sleep(5);
    });
  });
  await healthy.stop();
  expect(names.asked.filter((name) => name.startsWith('hangs-')).length).toBeGreaterThan(50);
  expectPrompt('deliveries beside hanging name servers', harm.result);
  expectUnhurt('hanging name servers', harm);
});

it('takes the webhooks of others while many are made whose hosts hang', async () => {
  const workspaces = await workspacesOf(WORKSPACES);
  names.names.set('public.test', '8.8.8.8');
  const { id: quiet } = await service.aWorkspace();
  const harm = await victim.during(async () => {
    const made = workspaces.flatMap((workspaceId, index) =>
      Array.from({ length: WEBHOOKS }, (_, each) =>
        aWebhook(workspaceId, `https://${hangingName(1_000 + index * WEBHOOKS + each)}/`),
      ),
    );
    const times = await timesOf(async () => {
      expect(await aWebhook(quiet, 'https://public.test/')).toBe(201);
    });
    // What cannot be looked up now may be when it is sent to.
    expect(await Promise.all(made)).toEqual(made.map(() => 201));
    return times;
  });
  expectPrompt('webhooks made beside hanging names', harm.result);
  expectUnhurt('hanging names of new webhooks', harm);
});
