import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateApiKey } from '../../src/directory/key-format.ts';
import { Service } from '../support/service/service.ts';
import { Crowd, getRequest } from '../support/strangers/crowd.ts';
import { Stranger } from '../support/strangers/stranger.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const CONNECTIONS = 1_000;
const EACH = 16;
const OPENED_AT_ONCE = 50;
const ATTACK_MS = 6_000;
const MiB = 1024 * 1024;

let service: Service;
let victim: Victim;
let stranger: Stranger;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  stranger = await Stranger.create(service);
});
afterAll(() => service.stop());

/** Opens many connections; then each asks several things in one write, at the same moment as all others. Leaves after `ms`. */
async function attack(connections: number, textOf: () => string, ms: number): Promise<Crowd> {
  const crowd = new Crowd();
  const sockets: Socket[] = [];
  for (let opened = 0; opened < connections; opened += OPENED_AT_ONCE) {
    const some = Array.from({ length: OPENED_AT_ONCE }, () => crowd.open(service.url));
    sockets.push(...(await Promise.all(some)));
  }
  const texts = sockets.map(textOf);
  for (const [place, socket] of sockets.entries()) socket.write(texts[place] as string);
  await sleep(ms);
  crowd.leave();
  return crowd;
}

it.each([
  ['records', (one: Stranger) => one.requestText(`GET /v1/workspaces/${one.account.workspaceId}`)],
  ['lists', (one: Stranger) => one.requestText('GET /v1/messenger-accounts')],
  [
    'changes',
    (one: Stranger) => one.requestText(`PATCH /v1/messenger-accounts/${one.account.id}`, '{"name":"x"}'),
  ],
  ['nothing', (one: Stranger) => one.requestText('GET /v1/nothing')],
])('serves others while %s are asked for on a thousand connections', async (name, textOf) => {
  const text = textOf(stranger).repeat(EACH);
  const harm = await victim.during(() => attack(CONNECTIONS, () => text, ATTACK_MS));
  expectUnhurt(`${CONNECTIONS} connections that ask for ${name}`, harm);
  expect(harm.result.bytes).toBeGreaterThan(0);
});

it.each([
  ['that are none', () => 'x'.repeat(40)],
  ['that nobody has', () => generateApiKey()],
])('serves others while a thousand connections come with keys %s', async (name, keyOf) => {
  const text = () => Array.from({ length: EACH }, () => getRequest('/v1/workspaces', keyOf())).join('');
  const harm = await victim.during(() => attack(CONNECTIONS, text, ATTACK_MS));
  expectUnhurt(`${CONNECTIONS} connections with keys ${name}`, harm);
  expect(harm.result.statuses.get('401')).toBeGreaterThan(0);
  expect(harm.result.statuses.has('200')).toBe(false);
});

it('holds little for callers that leave at once', async () => {
  const text = stranger.callText('help.getNearestDc', {}).repeat(200);
  const harm = await victim.during(async () => {
    await attack(300, () => text, 0);
    await sleep(ATTACK_MS);
  });
  // What was let in before they left is as many calls as the service can do: how those of others fare then, `load/overload` says.
  expect(harm.during.failures).toEqual([]);
  expect(harm.during.maxMs, 'slowest in ms').toBeLessThan(1_000);
  expect(harm.apiGrowth).toBeLessThan(100 * MiB);
});
