import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestRedis } from '../../support/redis/redis.ts';
import { Cli } from '../../support/service/cli.ts';
import { Service } from '../../support/service/service.ts';

let service: Service;

beforeAll(async () => {
  service = await Service.start({ redisArgs: ['--appendonly', 'yes'], cluster: false });
});

afterAll(() => service.stop());

const of = (level: string, findings: { level: string; found: string }[]) =>
  findings.filter((finding) => finding.level === level).map(({ found }) => found);

it('finds nothing wrong where nothing is', async () => {
  const cli = new Cli({
    SWITCHBOARD_URL: service.url,
    SWITCHBOARD_KEY: service.rootKey,
    REDIS_URL: service.redis.url,
  });
  const findings = await cli.json(['doctor']);
  expect(of('fail', findings)).toEqual([]);
  expect(of('ok', findings)).toContainEqual(expect.stringContaining('noeviction'));
  expect(of('ok', findings)).toContainEqual(
    expect.stringMatching(
      /scopes.*calls:write.*keys:write.*metrics:read, operate; whether it has others was not tried: .*organizations:write/,
    ),
  );
  expect(of('ok', findings)).toContainEqual(
    expect.stringMatching(/^Workers run: 1 of version \S+, busy \d+ %/),
  );
});

it('says what a key may not do', async () => {
  const { organizationId } = await service.aWorkspace();
  const wanted = { name: 'caller', scopes: ['calls:write'], organizationId };
  const { secret } = await service.ok('POST', '/v1/api-keys', wanted);
  const { stdout } = await new Cli({ SWITCHBOARD_URL: service.url, SWITCHBOARD_KEY: secret }).run(['doctor']);
  expect(stdout).toMatch(
    /has the scopes calls:write, and not calls:read, .*metrics:read, operate; whether it has others was not tried: /,
  );
});

it('finds a wrong policy, no file, no worker and an API that is away, says how to mend each, and ends with 1', async () => {
  const redis = await startTestRedis({ args: ['--maxmemory-policy', 'allkeys-lru'] });
  try {
    const args = ['doctor', '--redis', redis.url, '--url', 'http://127.0.0.1:9', '--key', 'any-key-at-all'];
    const { code, stdout } = await new Cli().run([...args, '--json']);
    expect(code).toBe(1);
    const findings = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const failures = findings.filter(({ level }) => level === 'fail');
    expect(failures.map(({ found }) => found)).toEqual([
      expect.stringContaining('does not answer'),
      expect.stringContaining('maxmemory-policy allkeys-lru'),
      expect.stringContaining('keeps nothing on disk'),
      'No worker uses this Redis.',
    ]);
    expect(failures[1].mend).toContain('CONFIG SET maxmemory-policy noeviction');
    expect(failures.every(({ mend }) => mend !== '')).toBe(true);
  } finally {
    await redis.stop();
  }
});

it('says of a Redis that is away that it is, without its password', async () => {
  const { code, stdout } = await new Cli().run(['doctor', '--redis', 'redis://:secret@127.0.0.1:1']);
  expect(code).toBe(1);
  expect(stdout).toContain('Redis at redis://127.0.0.1:1 cannot be asked');
  expect(stdout).not.toContain('secret');
});

it('says that REDIS_CLUSTER is wrong, and not that none is given', async () => {
  const { code, stdout } = await new Cli({ REDIS_CLUSTER: 'redis:///' }).run(['doctor']);
  expect(code).toBe(1);
  expect(stdout).toContain('REDIS_CLUSTER is not a list of nodes');
});
