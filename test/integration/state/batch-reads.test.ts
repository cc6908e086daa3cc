import { expect, it } from 'vitest';
import { batchReads, untilSent } from '../../../src/state/batch-reads.ts';
import { eventually } from '../../support/eventually.ts';
import { redis, server, useRedis } from '../../support/redis/commits.ts';
import { monitorCommands } from '../../support/redis/monitor.ts';

useRedis();

const commandsSoFar = async () => {
  const stats = await redis.info('commandstats');
  return Number(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1] ?? 0);
};

it('look-ups of one turn reach Redis as one command, each with what its own hash holds', async () => {
  await redis.hset('first', { a: '1', b: '2' });
  await redis.hset('second', { a: '3' });
  const reads = batchReads(redis);
  await Promise.all([reads.hget('first', 'a'), reads.hget('second', 'a')]);
  const before = await commandsSoFar();
  const found = await Promise.all([
    reads.hget('first', 'a'),
    reads.hmget('second', 'b', 'a'),
    reads.hmget('first', 'b', 'a', 'b'),
    reads.hget('third', 'a'),
  ]);
  expect(found).toEqual(['1', [null, '3'], ['2', '1', '2'], null]);
  expect((await commandsSoFar()) - before).toBe(1);
});

it('what Redis has against one hash concerns nobody else', async () => {
  await redis.mset('no hash', 'x', 'no hash either', 'x');
  await redis.hset('a hash', 'a', '1');
  const reads = batchReads(redis);
  const found = await Promise.allSettled([
    reads.hmget('no hash', 'a', 'b', 'c'),
    reads.hmget('no field'),
    reads.hget('a hash', 'a'),
    reads.hget('no hash either', 'a'),
  ]);
  expect(found[0]).toMatchObject({ status: 'rejected', reason: { message: /^WRONGTYPE/ } });
  expect(found[1]).toMatchObject({ status: 'rejected', reason: { message: /wrong number of arguments/ } });
  expect(found[2]).toEqual({ status: 'fulfilled', value: '1' });
  expect(found[3]).toMatchObject({ status: 'rejected', reason: { message: /^WRONGTYPE/ } });
});

it('thousands of fields are looked up, of one hash and of many', async () => {
  const fields = Array.from({ length: 20_000 }, (_, index) => `f${index}`);
  await redis.hset('large', ...fields.flatMap((field) => [field, `of ${field}`]));
  const reads = batchReads(redis);
  const [large, ...small] = await Promise.all([
    reads.hmget('large', ...fields),
    ...Array.from({ length: 3_000 }, (_, index) => reads.hget(`small-${index}`, 'a')),
  ]);
  expect(large).toEqual(fields.map((field) => `of ${field}`));
  expect(new Set(small)).toEqual(new Set([null]));
});

it('one command looks up no more than a few hundred fields, as Redis does nothing else meanwhile', async () => {
  const reads = batchReads(redis);
  const lookUp = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => reads.hget(`one-${index}`, 'a')));
  await lookUp(2);
  const before = await commandsSoFar();
  await lookUp(2_560);
  expect((await commandsSoFar()) - before).toBe(10);
});

it('what is asked for behind look-ups is read behind them', async () => {
  const seen: string[] = [];
  const watching = await monitorCommands(server.port, ([command = '']) => seen.push(command.toLowerCase()));
  const reads = batchReads(redis);
  const read = (before: Promise<void>) =>
    Promise.all([reads.hget('counter', 'n'), before.then(() => reads.zrevrange('list', 0, 0))]);
  await read(untilSent());
  await eventually(() => seen.length >= 2);
  expect(seen).toEqual(['hmget', 'zrevrange']);
  watching.destroy();
});

it('it is read behind them also where Redis has lost its scripts, as after a restart', async () => {
  const seen: string[] = [];
  await redis.script('FLUSH');
  const watching = await monitorCommands(server.port, ([command = '']) => seen.push(command.toLowerCase()));
  const reads = batchReads(redis);
  for (const hashes of [2, 40]) {
    seen.length = 0;
    const counters = Array.from({ length: hashes }, (_, index) => reads.hget(`counter-${index}`, 'n'));
    await Promise.all([...counters, untilSent().then(() => reads.zrevrange('list', 0, 0))]);
    await eventually(() => seen.length >= hashes + 2);
    expect(seen.indexOf('zrevrange')).toBeGreaterThan(seen.lastIndexOf('hget'));
    await redis.script('FLUSH');
  }
  watching.destroy();
});
