import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messageTo } from '../support/service/async-calls.ts';
import { type Account, Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const ATTACK_MS = 12_000;
const WORKSPACES = 150;
const EACH = 3;
const BURST = 4;
const BURST_EVERY_MS = 200;
const REFUSALS = ['overloaded', 'rate_limited'];
const DATA = Buffer.from('yes').toString('base64');

let service: Service;
let victim: Victim;

beforeAll(async () => {
  // As it is where nothing is set.
  service = await Service.start({ env: { ADMISSION_MAX_WAIT_MS: '1000' } });
  victim = await Victim.create(service);
});

afterAll(() => service.stop());

/** An account, and the params with which it presses a button of a bot that never answers. */
interface Presser {
  account: Account;
  params: object;
}

async function aPresser(organizationId: string): Promise<Presser> {
  const { id } = await service.ok('POST', '/v1/workspaces', { name: 'Loud', organizationId });
  const [account, bot] = [await service.anAccount(id), await service.anAccount(id, { bot: true })];
  await service.result(account, 'messages.sendMessage', messageTo(bot, '/start'));
  const buttons = [{ _: 'keyboardButtonCallback', text: 'Yes', data: DATA }];
  const replyMarkup = { _: 'replyInlineMarkup', rows: [{ _: 'keyboardButtonRow', buttons }] };
  await service.result(bot, 'messages.sendMessage', { ...messageTo(account, 'Really?'), replyMarkup });
  const { peer } = messageTo(bot, '');
  const newest = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 1, maxId: 0, minId: 0, hash: '0' };
  const { messages } = await service.result(account, 'messages.getHistory', { peer, ...newest });
  return { account, params: { peer, msgId: messages[0].id, data: DATA } };
}

it('takes what another organization sends at once, beside hundreds of calls that wait for bots', async () => {
  const { id: organizationId } = await service.ok('POST', '/v1/organizations', { name: 'Loud' });
  const pressers: Presser[] = [];
  for (let made = 0; made < WORKSPACES; made += 10)
    pressers.push(...(await Promise.all(Array.from({ length: 10 }, () => aPresser(organizationId)))));
  const quiet = await service.anAccount((await service.aWorkspace()).id);
  const harm = await victim.during(async () => {
    const stop = new AbortController();
    const press = async ({ account, params }: Presser) => {
      while (!stop.signal.aborted)
        await service
          .call(account, 'messages.getBotCallbackAnswer', params, { signal: stop.signal })
          .catch(() => null);
    };
    const pressing = pressers.flatMap((presser) => Array.from({ length: EACH }, () => press(presser)));
    const failed: { code: string }[] = [];
    for (const until = performance.now() + ATTACK_MS; performance.now() < until; ) {
      const one = () => service.call(quiet, 'help.getSupport', {});
      const answers = await Promise.all(Array.from({ length: BURST }, one));
      failed.push(...answers.filter(({ status }) => status !== 200).map(({ body }) => body));
      await sleep(BURST_EVERY_MS);
    }
    stop.abort();
    await Promise.all(pressing);
    return failed;
  });
  expect(harm.result.filter(({ code }) => !REFUSALS.includes(code))).toEqual([]);
  // A machine that stands still has some refused, too: vitest.config.ts has the test run once more.
  expect(harm.result, 'refused calls').toEqual([]);
  expectUnhurt('calls that wait for bots', harm);
});
