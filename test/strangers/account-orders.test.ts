import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
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
  const found: { status: string }[] = [];
  const path = `/v1/messenger-accounts?workspaceId=${stranger.account.workspaceId}&limit=100`;
  for (let at = ''; ; ) {
    const { data, cursors } = await service.ok('GET', `${path}${at}`);
    found.push(...data);
    if (cursors.next === null) return found;
    at = `&startingAfter=${cursors.next}`;
  }
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
    // What had begun by then ends soon, or a little later on a busy machine.
    const isOver = async () => {
      const left = await accounts();
      await sleep(1_000);
      // Nothing goes on behind their backs.
      return (await accounts()).length === left.length && left;
    };
    return eventually(isOver, { timeoutMs: 6_000 });
  });
  expectUnhurt(`${CONNECTIONS * EACH} accounts for callers who leave`, harm);
  expect(harm.result.length).toBeLessThan((CONNECTIONS * EACH) / 4);
  expect(harm.result.filter(({ status }) => status !== 'active')).toEqual([]);
});
