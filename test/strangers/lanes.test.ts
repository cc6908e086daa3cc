import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Receiver } from '../support/http/receiver.ts';
import { callAsync, messageTo } from '../support/service/async-calls.ts';
import { type Account, Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const METHOD = 'help.getSupport';
const ATTACK_MS = 10_000;
const HELD_MS = 10_000;
const EVERY_MS = 200;
/** Accounts of each workspace whose receivers hang: each has a line of its own at each of its webhooks. */
const EACH = 20;

let service: Service;
let victim: Victim;

beforeAll(async () => {
  service = await Service.start({ env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  victim = await Victim.create(service);
});

afterAll(() => service.stop());

/** Workspaces of one organization, each with accounts whose calls take long. */
async function slowAccounts(workspaces: number, accountsEach: number): Promise<Account[]> {
  const { id: organizationId } = await service.ok('POST', '/v1/organizations', { name: 'Loud' });
  const accounts: Account[] = [];
  for (let index = 0; index < workspaces; index += 1) {
    const { id } = await service.ok('POST', '/v1/workspaces', { name: 'Loud', organizationId });
    for (let each = 0; each < accountsEach; each += 1) accounts.push(await aSlowAccount(id, HELD_MS));
  }
  return accounts;
}

async function aSlowAccount(workspaceId: string, delayMs: number): Promise<Account> {
  const account = await service.anAccount(workspaceId);
  const faults = [{ method: METHOD, count: 10_000, delayMs }];
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
  return account;
}

/** How long something took, again and again while an attack goes on, in ms. */
async function timesOf(act: () => Promise<unknown>): Promise<number[]> {
  const until = performance.now() + ATTACK_MS;
  const times: number[] = [];
  await sleep(500);
  while (performance.now() < until) {
    const startedAt = performance.now();
    await act();
    times.push(performance.now() - startedAt);
    await sleep(EVERY_MS);
  }
  return times;
}

function expectPrompt(name: string, times: number[], mostMs: number): void {
  const sorted = times.toSorted((a, b) => a - b);
  const slowest = sorted.at(-1) ?? Number.POSITIVE_INFINITY;
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY;
  process.stderr.write(
    `${name}: ${times.length} times, p50 ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms\n`,
  );
  expect(slowest, 'slowest in ms').toBeLessThan(mostMs);
}

it('runs the async calls of others while an organization holds places with slow ones', async () => {
  const loud = await slowAccounts(3, 2);
  const quiet = await service.anAccount((await service.aWorkspace()).id);
  const harm = await victim.during(async () => {
    const taken = [];
    for (let at = 0; at < 120; at += 1)
      taken.push(await callAsync(service, loud[at % loud.length] as Account, METHOD, {}));
    const times = await timesOf(async () => {
      const headers = { prefer: 'respond-async, wait=20' };
      expect((await callAsync(service, quiet, METHOD, {}, { headers })).status).toBe(200);
    });
    for (const { body } of taken) await service.request('DELETE', `/v1/calls/${body.id}`);
    return times;
  });
  expectPrompt('async calls beside slow ones', harm.result, 1_000);
  expectUnhurt('slow async calls', harm);
});

it('runs quick calls of the slow lane beside a workspace that fills it', async () => {
  const loud = await slowAccounts(1, 6);
  const quiet = await aSlowAccount((await service.aWorkspace()).id, 1);
  const stop = new AbortController();
  const harm = await victim.during(async () => {
    const calls: Promise<unknown>[] = [];
    for (let at = 0; at < 96; at += 1) {
      const account = loud[at % loud.length] as Account;
      calls.push(service.call(account, METHOD, {}, { signal: stop.signal }).catch(() => null));
      await sleep(10);
    }
    const times = await timesOf(async () => {
      expect((await service.call(quiet, METHOD, {})).status).toBe(200);
    });
    stop.abort();
    await Promise.all(calls);
    return times;
  });
  expectPrompt('slow lane beside 96 slow calls', harm.result, 1_000);
  expectUnhurt('slow calls', harm);
});

it('delivers to a healthy receiver beside workspaces whose receivers hang', async () => {
  const hanging = await Receiver.start();
  hanging.answer = () => () => undefined;
  const healthy = await Receiver.start();
  const { id: organizationId } = await service.ok('POST', '/v1/organizations', { name: 'Loud' });
  const pairs: Account[] = [];
  for (let index = 0; index < 9; index += 1) {
    const { id: workspaceId } = await service.ok('POST', '/v1/workspaces', { name: 'Loud', organizationId });
    const accounts = await Promise.all(Array.from({ length: EACH }, () => service.anAccount(workspaceId)));
    for (let each = 0; each < 3; each += 1)
      await service.ok('POST', '/v1/webhooks', { workspaceId, url: hanging.url });
    pairs.push(...accounts);
  }
  const { id: workspaceId } = await service.aWorkspace();
  const quiet = await service.anAccount(workspaceId);
  const peer = await service.anAccount(workspaceId);
  await service.ok('POST', '/v1/webhooks', {
    workspaceId,
    url: healthy.url,
    messengerAccountIds: [quiet.id],
  });
  const harm = await victim.during(async () => {
    for (const [index, from] of pairs.entries()) {
      const to = pairs[index - (index % EACH) + ((index + 1) % EACH)] as Account;
      await service.call(from, 'messages.sendMessage', messageTo(to, 'x'));
    }
    return timesOf(async () => {
      const before = healthy.received.length;
      await service.result(quiet, 'messages.sendMessage', messageTo(peer, 'Hello'));
      while (healthy.received.length === before) await sleep(5);
    });
  });
  await Promise.all([hanging.stop(), healthy.stop()]);
  expectPrompt('deliveries beside hanging receivers', harm.result, 1_000);
  expectUnhurt('hanging receivers', harm);
});
