import { afterAll, beforeAll, expect, it } from 'vitest';
import { mastersOf, openRedis, type RedisConnection } from '../../src/redis/connections.ts';
import { eventually } from '../support/eventually.ts';
import { type Account, type Answer, Service } from '../support/service/service.ts';

const WAITING = 'sb:{queue}:calls-shared:wait';
const LONG_MS = 9_000;
// Longer than a machine stands still.
const UNANSWERED_MS = 10_000;

let service: Service;
let redis: RedisConnection;
let account: Account;

beforeAll(async () => {
  service = await Service.start({ env: { CALL_TIMEOUT_MS: '100000' } });
  redis = openRedis(service.redis.url, 'worker', () => undefined);
  account = await service.anAccount((await service.aWorkspace()).id);
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

const say = (message: string, headers = {}) =>
  service.call(account, 'messages.sendMessage', { peer: { _: 'inputPeerSelf' }, message }, { headers });

const foundLost = () => service.apis[0]?.logs.filter(({ msg }) => msg === 'the job of a call is gone').length;

async function texts(): Promise<string[]> {
  const updates = await service.updates(account.workspaceId);
  return updates.flatMap(({ update }) => (update._ === 'updateNewMessage' ? [update.message.message] : []));
}

/** Takes calls out of the queue behind everyone's back, as a failover does that knows nothing of them. */
async function lose(make: () => Promise<Answer>[]): Promise<Answer[]> {
  for (const { child } of service.workers) child.kill('SIGTERM');
  await eventually(() => service.workers.every(({ child }) => child.exitCode !== null));
  const answers = make();
  const jobs = await eventually(async () => {
    const keys = (await redis.lrange(WAITING, 0, -1)).map((id) => `sb:{queue}:calls-shared:${id}`);
    const batches = await Promise.all(keys.map((key) => redis.hget(key, 'data')));
    const calls = batches.flatMap((data) => JSON.parse(data ?? '{}').calls ?? []);
    return calls.length === answers.length && keys;
  });
  await redis.del([WAITING, ...jobs]);
  const answered = await Promise.all(answers);
  await service.startWorker();
  return answered;
}

it('calls whose jobs were lost are told to try again long before their time is over, and never run', async () => {
  const headers = { 'idempotency-key': 'lost' };
  const answers = await lose(() => [say('lost one'), say('lost two'), say('lost under a key', headers)]);
  expect(answers.map(({ status, body }) => [status, body.code, body.retryable])).toEqual(
    Array(3).fill([503, 'unavailable', true]),
  );
  await eventually(() => foundLost() === 3);
  expect(await texts()).toEqual([]);
  expect((await say('lost under a key', headers)).status).toBe(200);
  expect(await texts()).toEqual(['lost under a key']);
});

it('a call whose reply was lost gets the one that is recorded', async () => {
  const before = foundLost() ?? 0;
  const faults = [{ method: 'messages.sendMessage', delayMs: UNANSWERED_MS }];
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
  const answer = say('reply lost');
  await eventually(async () => (await redis.llen('sb:{queue}:calls-slow:active')) === 1);
  const found = await Promise.all(mastersOf(redis).map((server) => server.keys('sb:replies:*')));
  const [stream = ''] = found.flat();
  // No reply can be written to that, and the API process does not make its stream anew while it is there.
  await redis.set(stream, 'not a stream');
  expect(await answer).toMatchObject({ status: 200, body: { txid: expect.any(Number) } });
  await eventually(() => foundLost() === before + 1);
  await redis.del(stream);
  await eventually(async () => (await redis.exists(stream)) === 1);
  expect((await texts()).at(-1)).toBe('reply lost');
});

it('a call that takes long is not taken for lost', async () => {
  const before = foundLost();
  const faults = [{ method: 'help.getSupport', delayMs: LONG_MS, count: 2 }];
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
  const answers = await Promise.all([1, 2].map(() => service.call(account, 'help.getSupport', {})));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(foundLost()).toBe(before);
});
