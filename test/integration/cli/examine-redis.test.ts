import { afterAll, beforeAll, expect, it } from 'vitest';
import { examineRedis } from '../../../src/cli/doctor/examine-redis.ts';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { startTestCluster, type TestCluster } from '../../support/redis/redis-cluster.ts';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startTestCluster({ replicas: false });
});

afterAll(() => cluster?.stop());

it('says of a cluster which of its masters a finding is about', async () => {
  const findings: Finding[] = [];
  for await (const finding of examineRedis(cluster.url)) findings.push(finding);
  const failed = findings.filter(({ level }) => level === 'fail').map(({ found }) => found);
  const lossy = cluster.masters.map(({ url }) => `${new URL(url).host}: It keeps nothing on disk`);
  expect(failed.slice(0, -1).sort()).toEqual(lossy.sort().map((found) => expect.stringContaining(found)));
  expect(failed.at(-1)).toBe('No worker uses this Redis.');
});
