import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listName } from '../../../src/async-calls/call-keys.ts';
import { findCallIds, hasCalls } from '../../../src/async-calls/find-call-ids.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { stateKey } from '../../../src/redis/keys.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const WORKSPACES = 250;
const ALL = { from: null, to: null };

const workspaceIds = Array.from({ length: WORKSPACES }, (_, n) => `ws_${n}`);
const list = { workspaceIds, by: 'id' as const };
const idOf = (place: number) => `call_${String(place).padStart(4, '0')}`;

let server: TestRedis;
let redis: RedisConnection;
/** How many times Redis was asked. */
let reads: number;

const runRead = <T>(read: () => Promise<T>) => {
  reads += 1;
  return read();
};
const idsOf = async (isReverse: boolean, count: number) =>
  (await findCallIds(redis, list, ALL, isReverse, count, runRead)).map(({ id }) => id);

/** Records calls by their place among all, each in a workspace. */
async function record(workspaceOf: (place: number) => number, count: number): Promise<void> {
  const commands = redis.pipeline();
  for (let place = 0; place < count; place += 1)
    commands.zadd(stateKey(`ws_${workspaceOf(place)}`, listName({})), 0, idOf(place));
  await commands.exec();
}

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
});
beforeEach(async () => {
  reads = 0;
  await redis.flushall();
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it('merges the calls of many workspaces, whichever of them have the first ones', async () => {
  const rising = Array.from({ length: 12 }, (_, place) => idOf(place));
  const falling = Array.from({ length: 12 }, (_, n) => idOf(2 * WORKSPACES - 1 - n));
  // The calls of one place more are in the next workspace, in the one before, or in one of another part.
  for (const step of [1, WORKSPACES - 1, 101]) {
    await redis.flushall();
    await record((place) => (place * step) % WORKSPACES, 2 * WORKSPACES);
    expect(await idsOf(false, 12)).toEqual(rising);
    expect(await idsOf(true, 12)).toEqual(falling);
  }
  expect(new Set(await idsOf(false, 1_000)).size).toBe(2 * WORKSPACES);
});

it('finds whether there is any call, where only the last workspace has one', async () => {
  expect(await hasCalls(redis, list, ALL, runRead)).toBe(false);
  expect(reads).toBe(3);
  await record(() => WORKSPACES - 1, 1);
  expect(await hasCalls(redis, list, ALL, runRead)).toBe(true);
  reads = 0;
  await record(() => 0, 1);
  expect(await hasCalls(redis, list, ALL, runRead)).toBe(true);
  expect(reads).toBe(1);
});
