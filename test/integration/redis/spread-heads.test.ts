import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { findTail } from '../../../src/redis/find-tail.ts';
import { headsKey } from '../../../src/redis/keys.ts';
import { spreadHeads } from '../../../src/redis/spread-heads.ts';
import { reserveTxids } from '../../../src/state/reserve.ts';
import { startTestCluster, type TestCluster } from '../../support/redis/redis-cluster.ts';

const TXID = Date.now() * 2048 + 3_600_000 * 2048;
const moved = Array.from({ length: 1_500 }, (_, i) => `ws_${String(i).padStart(26, '0')}`);
const tailOf = (index: number) => `${String(index + 1).padStart(16, '0')}_0000000000000001`;

let cluster: TestCluster;
let redis: RedisConnection;

beforeAll(async () => {
  cluster = await startTestCluster();
  redis = openRedis(cluster.url, 'state', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis?.disconnect();
  await cluster?.stop();
});

it('gives each workspace of a cluster what one server kept for all of them, and leaves what it has of its own', async () => {
  const [own = ''] = moved;
  await redis.hset(headsKey(own), own, tailOf(9_999), 'txid', `${TXID + 5}`);
  await redis.hset(headsKey(''), {
    txid: TXID,
    ...Object.fromEntries(moved.map((id, i) => [id, tailOf(i)])),
  });
  await Promise.all([spreadHeads(redis), spreadHeads(redis)]);
  expect(await findTail(redis, own)).toBe(tailOf(9_999));
  expect(await Promise.all(moved.slice(1).map((id) => findTail(redis, id)))).toEqual(
    moved.slice(1).map((_, i) => tailOf(i + 1)),
  );
  expect(await redis.exists(headsKey(''))).toBe(0);
  expect((await reserveTxids(redis, own, 1)).first).toBe(TXID + 6);
  expect(await reserveTxids(redis, moved[1] as string, 1)).toEqual({ first: TXID + 1, tail: tailOf(1) });
});
