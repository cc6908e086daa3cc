import { expect, it } from 'vitest';
import { keyIndexKey, stateKey } from '../../../src/redis/keys.ts';
import { type CommitOutcome, commit } from '../../../src/state/commit.ts';
import { encodeJson } from '../../../src/state/placeholder.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { forgetGoneKeys, iterateStateKeys } from '../../../src/state/workspace-keys.ts';
import { anEntry, redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

const HOUR_S = 3_600;

function commitOf(tx: Transaction): Promise<CommitOutcome> {
  return commit(redis, anEntry(), tx, { result: encodeJson({ _: 'x' }) }, '');
}

async function found(): Promise<string[]> {
  const keys: string[] = [];
  for await (const some of iterateStateKeys(redis, ws)) keys.push(...some);
  return keys.sort();
}

it('notes every key that a commit may make, and none that it only takes something from', async () => {
  const tx = new Transaction(redis, ws);
  tx.hset('kept', 'a', 'b');
  tx.hincrby('counted', 'a', 1);
  tx.sadd('lapsing', 'a');
  tx.expire('lapsing', 's', 60_000);
  tx.zadd('async:waiting', 0, 'a');
  await tx.observe('only-read', 'a');
  tx.del('never-there', 'h');
  tx.hdel('no-more-there', 'a');
  await commitOf(tx);
  const written = (await redis.keys('*:state:*')).filter((key) => !/async/.test(key)).sort();
  expect(await found()).toEqual(written);
  expect(written).toEqual(['counted', 'kept', 'lapsing'].map((name) => stateKey(ws, name)));
});

it('asks nothing more of Redis for keys it has noted', async () => {
  const zadds = async () => /cmdstat_zadd:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1];
  const before = await zadds();
  const tx = new Transaction(redis, ws);
  tx.hset('kept', 'a', 'c');
  await commitOf(tx);
  expect(await zadds()).toBe(before);
});

it('forgets the names of keys that are long gone, and no others', async () => {
  const longAgo = Math.floor(Date.now() / 1_000) - 3 * HOUR_S;
  await redis.zadd(keyIndexKey(ws), longAgo, 'gone', longAgo, 'kept', longAgo + 2 * HOUR_S, 'lately-gone');
  await forgetGoneKeys(redis, ws);
  const names = (await found()).map((key) => key.replace(/.*:state:/, ''));
  expect(names).toEqual(['counted', 'kept', 'lapsing', 'lately-gone']);
});
