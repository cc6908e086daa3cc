import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openRedis } from '../../../src/redis/connections.ts';
import { startTestRedis } from '../../support/redis/redis.ts';
import { callAsync, endOf, messageTo } from '../../support/service/async-calls.ts';
import { Cli } from '../../support/service/cli.ts';
import { Service } from '../../support/service/service.ts';

test('a user of Redis with the rights that docs/deploy gives may do all that is needed', async () => {
  const [, name = '', rules = ''] =
    /^user (\S+) on >secret (.*)$/m.exec(readFileSync('docs/deploy/README.md', 'utf8')) ?? [];
  const redis = await startTestRedis({
    args: ['--appendonly', 'yes', '--user', name, 'on', '>secret', ...rules.split(' ')],
  });
  const operator = openRedis(redis.url, 'worker', () => undefined);
  onTestFinished(() => operator.disconnect());
  const url = redis.url.replace('redis://', `redis://${name}:secret@`);
  const limited = { ...redis, url };
  const service = await Service.start({ redis: limited, env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  onTestFinished(() => {
    // The test itself looks at more than the service does.
    limited.url = redis.url;
    return service.stop();
  });

  const { id: workspaceId, organizationId } = await service.aWorkspace();
  const [ada, bob] = [await service.anAccount(workspaceId), await service.anAccount(workspaceId)];
  await service.ok('POST', '/v1/api-keys', { name: 'key', organizationId, scopes: ['operate'] });
  await service.ok('POST', '/v1/webhooks', { workspaceId, url: 'http://127.0.0.1:9/hook' });
  await service.ok('PATCH', '/v1/settings', { slowCallMs: 500 });
  await service.result(ada, 'messages.sendMessage', { ...messageTo(bob, 'now'), randomId: '1' });
  const { body } = await callAsync(service, ada, 'messages.sendMessage', messageTo(bob, 'later'));
  expect((await endOf(service, body.id)).status).toBe('succeeded');
  expect(await service.updates(workspaceId)).not.toEqual([]);
  await service.ok('DELETE', `/v1/workspaces/${workspaceId}?cascade=true`);

  const cli = new Cli({ SWITCHBOARD_URL: service.url, SWITCHBOARD_KEY: service.rootKey, REDIS_URL: url });
  expect((await cli.json(['doctor'])).filter(({ level }: { level: string }) => level === 'fail')).toEqual([]);
  expect(await operator.call('ACL', 'LOG')).toEqual([]);
  for (const { stderr } of service.spawned) expect(stderr.join('')).toBe('');
});
