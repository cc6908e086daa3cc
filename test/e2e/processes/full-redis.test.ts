import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { Service } from '../../support/service/service.ts';

it('starts while the memory of Redis is full, so that deleting makes room again', async () => {
  const service = await Service.start();
  const redis = new Redis(service.redis.url);
  try {
    const kept = await service.anAccount((await service.aWorkspace()).id);
    const workspace = await service.aWorkspace();
    const account = await service.anAccount(workspace.id);
    await service.result(account, 'messages.sendMessage', {
      peer: { _: 'inputPeerSelf' },
      message: 'Hello',
      randomId: '1',
    });
    await redis.config('SET', 'maxmemory', '1');
    for (const { child } of [...service.apis, ...service.workers]) child.kill('SIGKILL');
    const [{ url }] = await Promise.all([service.startApi(), service.startWorker()]);
    const path = `/v1/workspaces/${workspace.id}?cascade=true`;
    expect((await service.request('DELETE', path, undefined, { url })).status).toBe(204);
    // The names of its keys stay until calls that were under way must have ended, and that it was counted until what was counted expires.
    const left = async () =>
      (await redis.keys(`*${workspace.id}*`)).filter((key) => !/:keys$|:remains:added:/.test(key));
    await eventually(async () => (await left()).length === 0);
    await redis.config('SET', 'maxmemory', '0');
    await eventually(async () => (await service.call(kept, 'help.getSupport', {}, { url })).status === 200);
  } finally {
    redis.disconnect();
    await service.stop();
  }
});

it('starts for the first time on a Redis whose memory is full', async () => {
  const service = await Service.start({ redisArgs: ['--maxmemory', '1'] });
  const redis = new Redis(service.redis.url);
  try {
    const refused = await service.request('POST', '/v1/organizations', { name: 'Organization' });
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    await redis.config('SET', 'maxmemory', '0');
    const account = await service.anAccount((await service.aWorkspace()).id);
    await eventually(async () => (await service.call(account, 'help.getSupport', {})).status === 200);
  } finally {
    redis.disconnect();
    await service.stop();
  }
});
