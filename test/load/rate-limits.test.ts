import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, type ApiProcess, Service } from '../support/service/service.ts';

// Tokens a process has drawn count for so long beyond their window.
const LEASE_SECONDS = 1;

let service: Service;
let account: Account;
let urls: string[];

beforeAll(async () => {
  service = await Service.start({ apis: 2 });
  account = await service.anAccount((await service.aWorkspace()).id);
  urls = service.apis.map(({ url }: ApiProcess) => url);
});

afterAll(() => service.stop());

async function aKey(rateLimit: object): Promise<string> {
  const wanted = { name: 'Key', scopes: ['calls:write'], workspaceId: account.workspaceId, rateLimit };
  return (await service.ok('POST', '/v1/api-keys', wanted)).secret;
}

const call = (key: string, url: string) => service.call(account, 'help.getSupport', {}, { key, url });

it('lets through exactly the limit when calls come at once at two API processes', async () => {
  const key = await aKey({ limit: 30, windowSeconds: 3_600 });
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, index) => call(key, urls[index % 2] as string)),
  );
  const passed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect([passed.length, refused.length]).toEqual([30, 50]);
  for (const { headers, body } of refused) {
    expect(body).toMatchObject({ code: 'rate_limited', retryable: true });
    expect(headers.get('call-id')).toMatch(/^call_/);
    expect(headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  for (const { headers } of passed) expect(headers.get('ratelimit-policy')).toBe('"key";q=30;w=3600');
});

it('holds a limit within its bound while two API processes are called without pause', async () => {
  const key = await aKey({ limit: 40, windowSeconds: 2 });
  let passed = 0;
  const startedAt = performance.now();
  const caller = async (url: string) => {
    while (performance.now() - startedAt < 4_000) if ((await call(key, url)).status === 200) passed += 1;
  };
  await Promise.all([...urls, ...urls, ...urls].map(caller));
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(passed).toBeGreaterThan(40);
  expect(passed).toBeLessThanOrEqual(40 + (seconds + LEASE_SECONDS) * 20);
});

it('lets a call through again once the time it was told has passed', async () => {
  // No token comes back while the first calls are made, however slow the machine is.
  const key = await aKey({ limit: 2, windowSeconds: 20 });
  const [url = '', other = ''] = urls;
  await call(key, url);
  await call(key, url);
  const refused = await call(key, other);
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get('retry-after'));
  // Timers may be early by a little, and Redis counts by a clock of its own.
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000 + 20));
  expect((await call(key, other)).status).toBe(200);
});

it('counts each of the calls that are made together, all or none', async () => {
  const key = await aKey({ limit: 10, windowSeconds: 3_600 });
  const together = (calls: number) => {
    const one = { accountId: account.id, method: 'help.getSupport', params: {} };
    const body = { calls: Array.from({ length: calls }, () => one) };
    return service.request('POST', `/workspaces/${account.workspaceId}/calls`, body, { key });
  };
  const passed = await together(6);
  expect(passed.status).toBe(200);
  expect(passed.headers.get('ratelimit')).toMatch(/^"key";r=4;/);
  const refused = await together(6);
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect((await together(3)).status).toBe(200);
  expect((await together(1)).status).toBe(429);
});
