import { afterAll, beforeAll, expect, it } from 'vitest';
import { shardOf } from '../../../src/queue/shards.ts';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { type Account, Service } from '../../support/service/service.ts';

const WORKSPACES = 12;

let service: Service;
let redis: RedisConnection;
let accounts: Account[];

beforeAll(async () => {
  // Always on a cluster: what shards are for is that each can lie on a node of its own.
  // No node is to be taken for dead while the machine stands still.
  const redisArgs = ['--cluster-node-timeout', '20000'];
  // Nor is a call to be refused because of that.
  const env = { CALL_TIMEOUT_MS: '600000' };
  service = await Service.start({ apis: 2, cluster: true, redisArgs, env });
  redis = openRedis(service.redis.url, 'worker', () => undefined);
  accounts = [];
  while (accounts.length < WORKSPACES || !fillShards(2) || !fillShards(3)) {
    accounts.push(await service.anAccount((await service.aWorkspace()).id));
  }
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

/** Whether each of so many shards carries the calls of a workspace. */
function fillShards(count: number): boolean {
  return new Set(accounts.map(({ workspaceId }) => shardOf(workspaceId, count))).size === count;
}

/** How many jobs the queues of a shard have ever carried. */
async function jobsOf(shard: string): Promise<number> {
  return Number((await redis.get(`sb:{${shard}}:calls-shared:id`)) ?? 0);
}

async function callAll(callsEach: number): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: accounts.length * callsEach }, (_, at) =>
      service.call(
        accounts[at % accounts.length] as Account,
        'help.getSupport',
        {},
        {
          url: service.apis[at % 2]?.url ?? '',
        },
      ),
    ),
  );
  return [...new Set(answers.map(({ status, body }) => body.detail ?? `${status}`))];
}

it('calls go on while the queues are spread over more shards, and then over fewer', async () => {
  expect(await callAll(5)).toEqual(['200']);
  expect(await jobsOf('queue-2')).toBe(0);

  // One worker that is told so is enough: the other one, and the API processes, learn it.
  const told = await service.startWorker({ QUEUE_SHARDS: '3' });
  let isDone = false;
  const seen = new Set<string>();
  const calling = (async () => {
    while (!isDone) for (const answer of await callAll(5)) seen.add(answer);
  })();
  const areUsed = async () => (await jobsOf('queue-2')) > 0 && (await jobsOf('queue-3')) > 0;
  await eventually(areUsed, { timeoutMs: 60_000 });
  told.child.kill('SIGTERM');
  await eventually(() => told.child.exitCode === 0);
  for (const answer of await callAll(5)) seen.add(answer);

  await redis.set('sb:{directory}:queue-shards', '1');
  await eventually(async () => {
    const before = await jobsOf('queue-2');
    for (const answer of await callAll(5)) seen.add(answer);
    return before === (await jobsOf('queue-2'));
  });
  isDone = true;
  await calling;
  expect([...seen]).toEqual(['200']);
});

it('a call that takes long moves to the slow lane of its shard', async () => {
  await service.startWorker({ QUEUE_SHARDS: '2' });
  await Promise.all(
    accounts.map(async (account) => {
      const faults = [{ method: 'help.getSupport', delayMs: 300 }];
      await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
    }),
  );
  await eventually(
    async () => {
      expect(await callAll(20)).toEqual(['200']);
      return Number((await redis.get('sb:{queue-2}:calls-slow:id')) ?? 0) > 0;
    },
    // A round alone takes six seconds: the calls of an account run one after another.
    { timeoutMs: 60_000 },
  );
});
