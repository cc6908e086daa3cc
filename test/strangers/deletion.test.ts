import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordsKey, viewKey } from '../../src/directory/records.ts';
import { openRedis, type RedisConnection, untilReady } from '../../src/redis/connections.ts';
import { eventually } from '../support/eventually.ts';
import { endWhatIsUnderWay } from '../support/redis/erase-deleted.ts';
import { Service } from '../support/service/service.ts';
import { addManyKeys } from '../support/strangers/many-keys.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

let service: Service;
let victim: Victim;
let redis: RedisConnection;

beforeAll(async () => {
  service = await Service.start({ env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  victim = await Victim.create(service);
  redis = openRedis(service.redis.url, 'request', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

/** A workspace with a conversation, an async call, a webhook and very many API keys. */
async function aFullWorkspace(keys: number) {
  const workspace = await service.aWorkspace();
  const [account, peer] = [await service.anAccount(workspace.id), await service.anAccount(workspace.id)];
  await service.result(account, 'messages.sendMessage', {
    peer: { _: 'inputPeerUser', userId: peer.userId, accessHash: '0' },
    message: 'Hello',
  });
  await service.call(account, 'help.getSupport', {}, { headers: { prefer: 'respond-async, wait=5' } });
  const path = `/workspaces/${workspace.id}/messenger-accounts/${account.id}/call/help.getSupport`;
  const scheduleAt = new Date(Date.now() + 3_600_000).toISOString();
  await service.ok('POST', path, { params: {}, scheduleAt });
  await service.ok('POST', '/v1/webhooks', { workspaceId: workspace.id, url: 'http://127.0.0.1:9/' });
  const wanted = { name: 'Own', workspaceId: workspace.id, scopes: ['workspaces:read'] };
  const { secret } = await service.ok('POST', '/v1/api-keys', wanted);
  await addManyKeys(redis, workspace, keys);
  return { ...workspace, account, secret };
}

const keysOf = ({ id }: { id: string }) => redis.zcard(viewKey('api-keys', `workspace:${id}`));

async function longestCommandMs(): Promise<number> {
  const entries = (await redis.call('SLOWLOG', 'GET', '10')) as [number, number, number][];
  return Math.max(0, ...entries.map(([, , microseconds]) => microseconds / 1_000));
}

it('deletes a workspace with 60,000 API keys beside a tenant that sends', async () => {
  const workspace = await aFullWorkspace(60_000);
  await redis.call('SLOWLOG', 'RESET');
  const harm = await victim.during(async () => {
    const startedAt = performance.now();
    const path = `/v1/workspaces/${workspace.id}`;
    expect((await service.request('DELETE', `${path}?cascade=true`)).status).toBe(204);
    const answered = performance.now() - startedAt;
    expect((await service.request('GET', path)).status).toBe(404);
    const account = `/v1/messenger-accounts/${workspace.account.id}`;
    expect((await service.request('GET', account)).status).toBe(404);
    expect((await service.call(workspace.account, 'help.getSupport', {})).status).toBe(404);
    expect((await service.request('GET', path, undefined, { key: workspace.secret })).status).toBe(401);
    await eventually(async () => (await keysOf(workspace)) === 0, { timeoutMs: 60_000 });
    return { answered, erased: performance.now() - startedAt };
  });
  const { answered, erased } = harm.result;
  process.stderr.write(
    `answered after ${answered.toFixed(0)} ms, erased after ${erased.toFixed(0)} ms, ` +
      `longest command of Redis ${(await longestCommandMs()).toFixed(1)} ms\n`,
  );
  expectUnhurt('deletion of 60,000 API keys', harm);
  expect(answered, 'answered in ms').toBeLessThan(1_000);
});

it('deletes ten workspaces at once beside a tenant that sends', async () => {
  const workspaces = await Promise.all(Array.from({ length: 10 }, () => aFullWorkspace(5_000)));
  const harm = await victim.during(async () => {
    const answers = await Promise.all(
      workspaces.map(({ id }) => service.request('DELETE', `/v1/workspaces/${id}?cascade=true`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(204));
    for (const workspace of workspaces) {
      await eventually(async () => (await keysOf(workspace)) === 0, { timeoutMs: 60_000 });
    }
  });
  expectUnhurt('ten deletions at once', harm);
});

it('goes on with a deletion where a worker that was killed stopped, and leaves nothing', async () => {
  const workspace = await aFullWorkspace(30_000);
  await service.ok('DELETE', `/v1/organizations/${workspace.organizationId}?cascade=true`);
  await eventually(async () => (await keysOf(workspace)) < 28_000);
  const [killed] = service.workers;
  killed?.child.kill('SIGKILL');
  if (killed !== undefined) await once(killed.child, 'exit');
  expect(await keysOf(workspace)).toBeGreaterThan(0);
  await service.startWorker();
  await eventually(async () => (await keysOf(workspace)) === 0, { timeoutMs: 60_000 });
  const left = async () => {
    await endWhatIsUnderWay(redis);
    return [
      ...(await redis.keys(`*${workspace.id}*`)),
      ...(await redis.keys(`*${workspace.organizationId}*`)),
    ];
  };
  await eventually(async () => (await left()).length === 0, { timeoutMs: 30_000 });
  for (const collection of [
    'organizations',
    'workspaces',
    'messenger-accounts',
    'api-keys',
    'webhooks',
  ] as const) {
    expect(JSON.stringify(await redis.hvals(recordsKey(collection)))).not.toContain(workspace.organizationId);
  }
});
