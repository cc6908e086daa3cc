import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerKey } from '../../../src/redis/keys.ts';
import { batchReads } from '../../../src/state/batch-reads.ts';
import { commit } from '../../../src/state/commit.ts';
import { reserveTxids } from '../../../src/state/reserve.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { anEntry, aWrite, redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

/** How many commands of these names reach Redis for what is asked of it in one turn. */
async function commandsFor(ask: () => Promise<unknown>[], ...names: string[]): Promise<number> {
  const count = async () => {
    const stats = await redis.info('commandstats');
    const calls = names.map((name) =>
      Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0),
    );
    return calls.reduce((sum, one) => sum + one, 0);
  };
  const before = await count();
  await Promise.all(ask());
  return (await count()) - before;
}

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

describe('what is asked in one turn', () => {
  const write = (value: string) => commit(redis, anEntry(), aWrite('a', value), { result: '{}' }, '');
  const reads = () => batchReads(redis);

  beforeAll(async () => {
    // So that the scripts and the names of the keys are there.
    await write('x');
    await reserveTxids(redis, ws, 1);
    const read = reads();
    await Promise.all([read.hget('a', 'b'), read.hget('c', 'd')]);
  });

  it.each([
    [32, 1],
    [33, 2],
    [65, 3],
  ])('of %i commits goes to Redis as %i commands', async (commits, commands) => {
    expect(await commandsFor(() => times(commits, () => write('x')), 'evalsha')).toBe(commands);
  });

  it('of commits goes as another once there are 96 KiB', async () => {
    const [full, less] = ['x'.repeat(96 * 1024), 'x'.repeat(96 * 1024 - 100)];
    expect(await commandsFor(() => [write(full), write('x')], 'evalsha')).toBe(2);
    expect(await commandsFor(() => [write(less), write('x')], 'evalsha')).toBe(1);
  });

  it.each([
    [128, 1],
    [129, 2],
  ])('of txids of %i workspaces goes as %i commands', async (workspaces, commands) => {
    const ask = () => times(workspaces, (n) => reserveTxids(redis, `ws_${n}`, 1));
    expect(await commandsFor(ask, 'evalsha')).toBe(commands);
  });

  it.each([
    [256, 1],
    [258, 2],
  ])('of %i fields of two hashes goes as %i commands', async (fields, commands) => {
    const read = reads();
    const ask = () => times(fields, (n) => read.hget(n % 2 === 0 ? 'even' : 'odd', `f${n}`));
    expect(await commandsFor(ask, 'eval')).toBe(commands);
  });

  it('of one hash needs no script, nor do very many fields of one beside another', async () => {
    const read = reads();
    const one = () => times(10, (n) => read.hget('one', `f${n}`));
    expect([await commandsFor(one, 'eval'), await commandsFor(one, 'hmget')]).toEqual([0, 1]);
    const many = () => [read.hmget('many', ...times(300, (n) => `f${n}`)), read.hget('other', 'f')];
    expect(await commandsFor(many, 'hmget')).toBeGreaterThanOrEqual(1);
  });

  it('fails together where the connection is gone, and is asked anew in the next turn', async () => {
    const other = redis.duplicate();
    await other.ping();
    const tx = () => {
      const one = new Transaction(redis, ws);
      one.hset('things', 'late', 'x');
      return one;
    };
    other.disconnect();
    const ask = () => [
      ...times(2, () => commit(other, anEntry(), tx(), { result: '{}' }, '')),
      reserveTxids(other, ws, 1),
      batchReads(other).hget('a', 'b'),
    ];
    for (const { status } of await Promise.allSettled(ask())) expect(status).toBe('rejected');
  });
});

it('an error of one ledger concerns the calls that are recorded there alone', async () => {
  const wrong = ledgerKey(ws, 'no-hash');
  await redis.set(wrong, 'x');
  const outcomes = await Promise.allSettled([
    commit(redis, anEntry({ ledger: wrong }), aWrite('wrong', 1), { result: '{}' }, ''),
    commit(redis, anEntry(), aWrite('right', 1), { result: '{}' }, ''),
    commit(redis, anEntry({ ledger: wrong }), aWrite('wrong', 1), { result: '{}' }, ''),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  expect(outcomes[0]).toMatchObject({
    reason: { name: 'ReplyError', message: expect.stringContaining('WRONGTYPE') },
  });
});

it('the same call twice in one turn takes effect once', async () => {
  const entry = anEntry();
  const raise = () => {
    const tx = new Transaction(redis, ws);
    tx.hincrby('counts', 'twice', 1);
    return tx;
  };
  const [first, second] = await Promise.all(
    [1, 2].map(() => commit(redis, entry, raise(), { result: '{}' }, '')),
  );
  expect([first?.kind, second?.kind]).toEqual(['committed', 'recorded']);
  expect(await redis.hget(`sb:{${ws}}:state:counts`, 'twice')).toBe('1');
});
