import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Account, type ApiProcess, Service } from '../support/service/service.ts';

const MiB = 1024 * 1024;

let service: Service;
let redis: Redis;

beforeAll(async () => {
  service = await Service.start({ redisArgs: ['--maxmemory', String(64 * MiB)] });
  redis = new Redis(service.redis.url);
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

function linesOf(api: ApiProcess, pattern: RegExp): number {
  return api.logs.filter(({ msg }) => pattern.test(String(msg))).length;
}

async function send(account: Account): Promise<string> {
  const { status, body } = await service.call(account, 'messages.sendMessage', {
    peer: { _: 'inputPeerSelf' },
    message: 'Hello',
  });
  return status === 200 ? 'ok' : `${status} ${body.code}`;
}

it('reads, deletes and changes limits while the memory of Redis is full, refuses the rest, and goes on', async () => {
  const { id: workspaceId, organizationId } = await service.aWorkspace();
  const { id: otherId } = await service.aWorkspace();
  const [account, gone] = [await service.anAccount(workspaceId), await service.anAccount(workspaceId)];
  await service.anAccount(otherId);
  const key = await service.ok('POST', '/v1/api-keys', { name: 'k', workspaceId, scopes: ['calls:write'] });
  const webhook = await service.ok('POST', '/v1/webhooks', { workspaceId, url: 'https://1.1.1.1/' });
  const path = `/workspaces/${workspaceId}/messenger-accounts/${account.id}/call/messages.sendMessage`;
  const scheduled = await service.ok('POST', path, {
    params: { peer: { _: 'inputPeerSelf' }, message: 'Later' },
    scheduleAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  expect(await send(account)).toBe('ok');
  const api = service.apis[0] as ApiProcess;

  let isFull = false;
  for (let i = 0; !isFull; i += 1) {
    isFull = await redis.set(`filler:${i}`, 'x'.repeat(MiB / 4)).then(
      () => false,
      () => true,
    );
  }
  // What lapses meanwhile must not make room.
  await redis.config('SET', 'maxmemory', String(48 * MiB));
  const ready = await eventually(async () => {
    const answer = await service.request('GET', '/readyz', undefined, { key: null });
    return answer.body.checks.memory === 'full' ? answer : undefined;
  });
  expect(ready.status).toBe(200);

  const refused = await service.request('POST', '/v1/organizations', { name: 'More' });
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
  expect(refused.body.detail).toMatch(/memory/);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(await send(account)).toBe('503 unavailable');

  for (const what of [`workspaces/${workspaceId}`, `calls/${scheduled.id}`, 'messenger-accounts', 'calls'])
    expect((await service.request('GET', `/v1/${what}`)).status).toBe(200);
  expect(await service.updates(workspaceId)).not.toEqual([]);

  await service.ok('PATCH', `/v1/workspaces/${workspaceId}`, { bytesMax: 10 * MiB });
  expect((await service.ok('GET', `/v1/workspaces/${workspaceId}`)).bytesMax).toBe(10 * MiB);
  await service.ok('PATCH', `/v1/api-keys/${key.id}`, { rateLimit: { limit: 1, windowSeconds: 60 } });
  expect((await service.request('PATCH', `/v1/workspaces/${workspaceId}`, { name: 'x' })).status).toBe(503);

  expect((await service.ok('DELETE', `/v1/calls/${scheduled.id}`)).status).toBe('canceled');
  for (const what of [`webhooks/${webhook.id}`, `api-keys/${key.id}`, `messenger-accounts/${gone.id}`]) {
    await service.ok('DELETE', `/v1/${what}`);
    expect((await service.request('GET', `/v1/${what}`)).status).toBe(404);
  }
  await service.ok('DELETE', `/v1/workspaces/${otherId}?cascade=true`);
  expect((await service.request('GET', `/v1/workspaces/${otherId}`)).status).toBe(404);
  expect(linesOf(api, /memory is full/)).toBe(1);

  await redis.unlink(...(await redis.keys('filler:*')));
  await eventually(async () => (await send(account)) === 'ok', { timeoutMs: 30_000 });
  await eventually(async () => {
    const { checks } = (await service.request('GET', '/readyz', undefined, { key: null })).body;
    return checks.memory === 'ok';
  });
  expect(linesOf(api, /has memory again/)).toBe(1);
  // What could not be done then is done by now or soon: the driver knows that the account is gone.
  const id = [{ _: 'inputUser', userId: gone.userId, accessHash: '0' }];
  const isGone = async () => (await service.result(account, 'users.getUsers', { id })).items[0]?.deleted;
  await eventually(isGone, { timeoutMs: 60_000 });
  expect((await service.request('GET', `/v1/organizations/${organizationId}`)).status).toBe(200);
});
