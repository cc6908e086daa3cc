import { afterAll, beforeAll, expect, it } from 'vitest';
import { Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const LIMIT = 50;
const WINDOW_SECONDS = 60;

let service: Service;
let victim: Victim;

beforeAll(async () => {
  service = await Service.start({ env: { KEY_RATE_LIMIT: `${LIMIT * 100}/${WINDOW_SECONDS}` } });
  victim = await Victim.create(service);
});

afterAll(() => service.stop());

it('gives a limited key and twenty that it makes for itself no more requests than the one', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const account = await service.anAccount(workspaceId);
  const rateLimit = { limit: LIMIT, windowSeconds: WINDOW_SECONDS };
  const wanted = { name: 'Limited', workspaceId, scopes: ['keys:write', 'calls:write'], rateLimit };
  const { secret } = await service.ok('POST', '/v1/api-keys', wanted);
  const harm = await victim.during(async () => {
    const startedAt = performance.now();
    const keys = [secret];
    for (let i = 0; i < 20; i += 1) {
      const made = await service.request('POST', '/v1/api-keys', wanted, { key: secret });
      expect(made.status).toBe(201);
      keys.push(made.body.secret);
    }
    let admitted = keys.length - 1;
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(
        keys.map((key) => service.call(account, 'help.getSupport', {}, { key })),
      );
      admitted += answers.filter(({ status }) => status !== 429).length;
    }
    return { admitted, seconds: (performance.now() - startedAt) / 1_000 };
  });
  const { admitted, seconds } = harm.result;
  process.stderr.write(`${admitted} of 440 requests admitted in ${seconds.toFixed(1)} s\n`);
  expectUnhurt('minted keys', harm);
  expect(admitted).toBeLessThanOrEqual(LIMIT + ((seconds + 1) * LIMIT) / WINDOW_SECONDS);
});

it('lets a key without a limit make none that is looser than the setting', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const wanted = { name: 'Unlimited', workspaceId, scopes: ['keys:write'] };
  const { secret: key } = await service.ok('POST', '/v1/api-keys', wanted);
  const rateLimit = { limit: 1_000_000, windowSeconds: 1 };
  expect((await service.request('POST', '/v1/api-keys', { ...wanted, rateLimit }, { key })).status).toBe(403);
});
