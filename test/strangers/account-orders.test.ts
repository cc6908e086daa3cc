import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Service } from '../support/service/service.ts';
import { Crowd } from '../support/strangers/crowd.ts';
import { Stranger } from '../support/strangers/stranger.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const CONNECTIONS = 100;
const EACH = 20;

let service: Service;
let victim: Victim;
let stranger: Stranger;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  stranger = await Stranger.create(service);
});
afterAll(() => service.stop());

async function accounts(): Promise<{ status: string }[]> {
  const { workspaceId } = stranger.account;
  const { data } = await service.ok('GET', `/v1/messenger-accounts?workspaceId=${workspaceId}&limit=100`);
  return data;
}

it('creates few accounts for callers who ask for thousands and leave', async () => {
  const body = JSON.stringify({ name: 'Left', workspaceId: stranger.account.workspaceId });
  const text = stranger.requestText('POST /v1/messenger-accounts', body).repeat(EACH);
  const harm = await victim.during(async () => {
    const crowd = new Crowd();
    await Promise.all(Array.from({ length: CONNECTIONS }, () => crowd.send(service.url, text)));
    await sleep(300);
    crowd.leave();
    await sleep(3_000);
    const left = await accounts();
    await sleep(1_000);
    // Nothing goes on behind their backs.
    expect((await accounts()).length).toBe(left.length);
    return left;
  });
  expectUnhurt(`${CONNECTIONS * EACH} accounts for callers who leave`, harm);
  expect(harm.result.filter(({ status }) => status !== 'active')).toEqual([]);
});
