import { beforeEach, describe, expect, it } from 'vitest';
import { headsKey, stateKey, updatesKey, wakeChannel } from '../../../src/redis/keys.ts';
import { type CommitOutcome, commit } from '../../../src/state/commit.ts';
import { CommitTooLarge } from '../../../src/state/commit-limits.ts';
import { COMMIT_TIME } from '../../../src/state/placeholder.ts';
import { reserveTxids } from '../../../src/state/reserve.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { TXIDS_PER_MS, timeOfTxid } from '../../../src/txid.ts';
import { eventually } from '../../support/eventually.ts';
import { anEntry, redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

beforeEach(() => redis.flushall());

const key = (name: string) => stateKey(ws, name);
const aTransaction = (write: (tx: Transaction) => void): Transaction => {
  const tx = new Transaction(redis, ws);
  write(tx);
  return tx;
};
const change = (write: (tx: Transaction) => void, txid = ''): Promise<CommitOutcome> =>
  commit(redis, anEntry(), aTransaction(write), { result: '{}' }, txid);
const txidOf = (outcome: CommitOutcome) => {
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  return Number(outcome.txid);
};
const bodyOf = (outcome: CommitOutcome) => ('frame' in outcome ? outcome.frame.split('\n')[1] : '');

describe('a commit that expects', () => {
  const expectations: [string, (tx: Transaction) => void, boolean][] = [
    ['the value that a field has', (tx) => tx.expectField('hash', 'a', '1'), true],
    ['another value', (tx) => tx.expectField('hash', 'a', '2'), false],
    ['an empty value where none is', (tx) => tx.expectField('hash', 'none', ''), false],
    ['a value of a field that is not there', (tx) => tx.expectField('hash', 'none', '1'), false],
    ['no field where none is', (tx) => tx.expectField('hash', 'none', null), true],
    ['no field where one is', (tx) => tx.expectField('hash', 'a', null), false],
    ['the score that a member has', (tx) => tx.expectScore('zset', 'm', 5), true],
    ['the same score written in another way', (tx) => tx.expectScore('zset', 'm', '5.0'), true],
    ['another score', (tx) => tx.expectScore('zset', 'm', 6), false],
    ['the score of a member that is not there', (tx) => tx.expectScore('zset', 'none', 5), false],
    ['no member where none is', (tx) => tx.expectScore('zset', 'none', null), true],
    ['no member where one is', (tx) => tx.expectScore('zset', 'm', null), false],
    ['a member of a set', (tx) => tx.expectMember('set', 'm', true), true],
    ['a member of a set that is not there', (tx) => tx.expectMember('set', 'none', true), false],
    ['no member of a set where none is', (tx) => tx.expectMember('set', 'none', false), true],
    ['no member of a set where one is', (tx) => tx.expectMember('set', 'm', false), false],
  ];

  beforeEach(async () => {
    await redis.hset(key('hash'), 'a', '1');
    await redis.zadd(key('zset'), 5, 'm');
    await redis.sadd(key('set'), 'm');
  });

  it.each(expectations)('%s happens only if it holds', async (_, expectIt, holds) => {
    const outcome = await change((tx) => {
      tx.expectField('hash', 'a', '1');
      expectIt(tx);
      tx.hset('hash', 'done', 'x');
    });
    expect(outcome.kind).toBe(holds ? 'committed' : 'conflict');
    expect(await redis.hexists(key('hash'), 'done')).toBe(holds ? 1 : 0);
  });

  it.each(expectations)(
    '%s finds what those before it in the turn have written',
    async (_, expectIt, holds) => {
      await redis.flushall();
      const outcomes = await Promise.all([
        change((tx) => {
          tx.hset('hash', 'a', '1');
          tx.zadd('zset', 5, 'm');
          tx.sadd('set', 'm');
        }),
        change((tx) => {
          tx.hset('hash', 'b', '1');
          tx.zadd('zset', 6, 'n');
          tx.sadd('set', 'n');
        }),
        change((tx) => {
          expectIt(tx);
          tx.hset('hash', 'done', 'x');
        }),
      ]);
      expect(outcomes.map(({ kind }) => kind)).toEqual([
        'committed',
        'committed',
        holds ? 'committed' : 'conflict',
      ]);
    },
  );

  it('what it has observed to be absent finds what was written since', async () => {
    const tx = new Transaction(redis, ws);
    expect(await tx.observe('hash', 7)).toBeNull();
    tx.hset('hash', 'done', 'x');
    await redis.hset(key('hash'), '7', 'x');
    expect((await commit(redis, anEntry(), tx, { result: '{}' }, '')).kind).toBe('conflict');
  });
});

describe('a write', () => {
  it.each(['alone', 'behind others of its turn'])('of each kind does what it says, %s', async (where) => {
    await redis.hset(key('hash'), { gone: 'x', kept: 'x' });
    await redis.zadd(key('zset'), 1, 'gone', 2, 'kept', 3, 'moved');
    await redis.sadd(key('set'), 'gone', 'kept');
    await redis.zadd(key('highest'), 1, 'low', 3, 'high', 2, 'middle');
    for (const name of ['deleted', 'lapsing', 'lasting']) await redis.hset(key(name), 'a', 'b');
    await redis.pexpire(key('lasting'), 60_000);
    const write = (tx: Transaction) => {
      tx.hset('hash', 'text', 'a text');
      tx.hset('hash', 'json', { a: [1] });
      tx.hdel('hash', 'gone');
      tx.zadd('zset', 7, 'added');
      tx.zadd('zset', 8.5, 'moved');
      tx.zrem('zset', 'gone');
      tx.sadd('set', 'added');
      tx.srem('set', 'gone');
      tx.del('deleted', 'h');
      tx.expire('lapsing', 'h', 30_000);
      tx.persist('lasting', 'h');
      tx.hincrby('counts', 'down', -4);
      tx.zaddRun('run', tx.allocate('counts', 'up', 3), 3);
      tx.zadd('highest', 4, 'top');
      tx.zkeep('highest', 2, 30_000);
    };
    const others =
      where === 'alone'
        ? []
        : [
            change((tx) => tx.hset('hash', 'other', 'y')),
            change((tx) => tx.zadd('zset', 9, 'other')),
            change((tx) => tx.zadd('highest', 0, 'lowest')),
          ];
    const outcomes = await Promise.all([...others, change(write)]);
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['committed']));
    const other = where === 'alone' ? {} : { other: 'y' };
    expect(await redis.hgetall(key('hash'))).toEqual({
      kept: 'x',
      text: 'a text',
      json: '{"a":[1]}',
      ...other,
    });
    const scores = ['kept', '2', 'added', '7', 'moved', '8.5', ...(where === 'alone' ? [] : ['other', '9'])];
    expect(await redis.zrange(key('zset'), '0', '-1', 'WITHSCORES')).toEqual(scores);
    expect((await redis.smembers(key('set'))).sort()).toEqual(['added', 'kept']);
    expect(await redis.exists(key('deleted'))).toBe(0);
    expect(await redis.pttl(key('lapsing'))).toBeGreaterThan(20_000);
    expect(await redis.pttl(key('lapsing'))).toBeLessThanOrEqual(30_000);
    expect(await redis.pttl(key('lasting'))).toBe(-1);
    expect(await redis.hgetall(key('counts'))).toEqual({ down: '-4', up: '3' });
    expect(await redis.zrange(key('run'), '0', '-1')).toEqual(['1', '2', '3']);
    expect(await redis.zrange(key('highest'), '0', '-1')).toEqual(['high', 'top']);
    expect(await redis.pttl(key('highest'))).toBeGreaterThan(20_000);
  });

  it('that removes comes behind what was written before it in the turn, and before what is written then', async () => {
    await Promise.all([
      change((tx) => {
        tx.hset('hash', 'a', '1');
        tx.zadd('zset', 1, 'a');
      }),
      change((tx) => {
        tx.hdel('hash', 'a');
        tx.zrem('zset', 'a');
        tx.hset('hash', 'b', '2');
        tx.zadd('zset', 2, 'b');
      }),
      change((tx) => {
        tx.hset('hash', 'c', '3');
        tx.zadd('zset', 3, 'c');
      }),
    ]);
    expect(await redis.hgetall(key('hash'))).toEqual({ b: '2', c: '3' });
    expect(await redis.zrange(key('zset'), '0', '-1')).toEqual(['b', 'c']);
  });

  it('of a counter that is no number is refused, and of one with several raises each seen by the next', async () => {
    await redis.hset(key('counts'), { word: 'x', n: '10' });
    await expect(change((tx) => tx.hincrby('counts', 'word', 1))).rejects.toThrow(
      'counter word is not a number',
    );
    const outcome = await commit(
      redis,
      anEntry(),
      aTransaction((tx) => {
        const [first, second, other] = [
          tx.allocate('counts', 'n'),
          tx.allocate('counts', 'n', 5),
          tx.allocate('more', 'm', 2),
        ];
        tx.hset('found', 'all', { first, second, other });
        tx.hset('found', second, `n${first}-${other}`);
      }),
      { result: '{}' },
      '',
    );
    expect(outcome.kind).toBe('committed');
    expect(await redis.hgetall(key('found'))).toEqual({
      all: '{"first":11,"second":16,"other":2}',
      16: 'n11-2',
    });
    expect([await redis.hget(key('counts'), 'n'), await redis.hget(key('more'), 'm')]).toEqual(['16', '2']);
  });
});

describe('the time of the commit', () => {
  it('as a score is the one that the txid tells, for each of several at once', async () => {
    // A millisecond's last txids: the second and third commit come in the next ones.
    const ahead = (Date.now() + 60_000) * TXIDS_PER_MS - 2;
    await redis.hset(headsKey(''), 'txid', ahead);
    const outcomes = await Promise.all([
      change((tx) => tx.zadd('ended', COMMIT_TIME, 'a')),
      change((tx) => tx.zadd('ended', COMMIT_TIME, 'b')),
      change((tx) => tx.zadd('alone', COMMIT_TIME, 'c')),
    ]);
    const times = outcomes.map((outcome) => timeOfTxid(txidOf(outcome)));
    const scores = [
      ...(await redis.zmscore(key('ended'), 'a', 'b')),
      ...(await redis.zmscore(key('alone'), 'c')),
    ];
    expect(scores.map(Number)).toEqual(times);
    expect(new Set(times).size).toBe(2);
  });
});

describe('the txid', () => {
  it('is the one that was reserved where nothing changes, and the heads stay as they are', async () => {
    await change((tx) => tx.hset('hash', 'a', '1'));
    const before = await redis.hgetall(headsKey(''));
    const outcome = await change((tx) => tx.expectField('hash', 'a', '1'), '77');
    expect([txidOf(outcome), bodyOf(outcome)]).toEqual([77, '{"result":{},"txid":77}']);
    expect(await redis.hgetall(headsKey(''))).toEqual(before);
  });

  it.each<[string, (tx: Transaction) => void]>([
    ['a write', (tx) => tx.hset('hash', 'a', '1')],
    ['a counter', (tx) => tx.hincrby('hash', 'n', 1)],
    [
      'an update',
      (tx) => tx.update({ messengerAccountId: 'acc_1', userId: 1 }, { _: 'updateConfig' } as never),
    ],
  ])('is a new one with %s, the highest there is, and tells the time', async (_, write) => {
    expect(aTransaction(write).isEmpty).toBe(false);
    const before = Date.now() - 1_000;
    const txid = txidOf(await change(write, '77'));
    expect(txid).toBeGreaterThanOrEqual(before * TXIDS_PER_MS);
    expect(txid).toBeLessThan((Date.now() + 1_000) * TXIDS_PER_MS);
    expect(await redis.hget(headsKey(''), 'txid')).toBe(String(txid));
    // Also where the last is ahead of the clock.
    const ahead = (Date.now() + 3_600_000) * TXIDS_PER_MS;
    await redis.hset(headsKey(''), 'txid', ahead);
    expect(txidOf(await change(write))).toBe(ahead + 1);
  });

  it('is new where none was reserved, though nothing changes', async () => {
    const [first, second] = await Promise.all([change(() => undefined), change(() => undefined)]);
    expect(txidOf(second)).toBe(txidOf(first) + 1);
  });

  it('is taken in runs that are nobody else’s, for each workspace in turn, with its tail', async () => {
    const target = { messengerAccountId: 'acc_1', userId: 1 };
    const told = await change((tx) => tx.update(target, { _: 'updateConfig' } as never));
    const others = Array.from({ length: 130 }, (_, at) => `ws_${at}`);
    const [first, ...more] = await Promise.all([ws, ...others].map((id) => reserveTxids(redis, id, 3)));
    expect(first?.tail).toBe(`${String(txidOf(told)).padStart(16, '0')}_${'1'.padStart(16, '0')}`);
    expect(new Set(more.map(({ tail }) => tail))).toEqual(new Set(['']));
    const firsts = [first, ...more].map((run) => run?.first as number);
    expect(firsts[0]).toBeGreaterThan(txidOf(told));
    for (const [at, txid] of firsts.slice(1).entries())
      expect(txid - (firsts[at] as number)).toBeGreaterThanOrEqual(3);
    expect((firsts[1] as number) - (firsts[0] as number)).toBe(3);
    expect(txidOf(await change((tx) => tx.hset('a', 'b', 'c')))).toBeGreaterThan(
      (firsts.at(-1) as number) + 2,
    );
  });
});

describe('updates', () => {
  const account = { messengerAccountId: 'acc_1', userId: 1 };

  it('are appended in their order, for accounts and for users that have none, and are told', async () => {
    const told: string[] = [];
    const subscriber = redis.duplicate();
    await subscriber.ssubscribe(wakeChannel(ws));
    subscriber.on('smessage', (_channel: string, tail: string) => told.push(tail));
    const txid = txidOf(
      await change((tx) => {
        tx.update(account, { _: 'updateConfig' } as never);
        tx.update({ messengerAccountId: null, userId: 42 }, { _: 'updatePtsChanged' } as never);
        tx.event('call.succeeded', 'acc_2', '{"_":"call.succeeded"}');
      }),
    );
    expect(await redis.xrange(updatesKey(ws), '-', '+')).toEqual([
      [`${txid}-1`, ['k', 'RawUpdateConfig', 'a', 'acc_1', 'u', '{"_":"updateConfig"}', 'p', '']],
      [
        `${txid}-2`,
        ['k', 'RawUpdatePtsChanged', 'a', '', 's', '42', 'u', '{"_":"updatePtsChanged"}', 'p', ''],
      ],
      [`${txid}-3`, ['k', 'call.succeeded', 'a', 'acc_2', 'u', '{"_":"call.succeeded"}', 'p', '']],
    ]);
    const tail = `${String(txid).padStart(16, '0')}_${'3'.padStart(16, '0')}`;
    expect(await redis.hget(headsKey(''), ws)).toBe(tail);
    await eventually(() => told.length > 0);
    expect(told).toEqual([tail]);
    subscriber.disconnect();
  });

  it('give their offset to all replies that follow, of reads too; before any there is none', async () => {
    const offsetOf = (outcome: CommitOutcome) => ('frame' in outcome ? outcome.frame.split(/[ \n]/)[1] : '');
    const [before, with1, behind] = await Promise.all([
      change((tx) => tx.hset('hash', 'a', '1')),
      change((tx) => tx.update(account, { _: 'updateConfig' } as never)),
      change((tx) => tx.hset('hash', 'b', '1')),
    ]);
    const tail = await redis.hget(headsKey(''), ws);
    expect([before, with1, behind].map(offsetOf)).toEqual(['-', tail, tail]);
    expect(offsetOf(await change(() => undefined, '7'))).toBe(tail);
  });
});

describe('one commit', () => {
  it('may do 500 writes and raise 500 counters, and no more', async () => {
    const tx = new Transaction(redis, ws);
    expect([tx.writesLeft, tx.isEmpty]).toEqual([500, true]);
    for (let n = 0; n < 500; n += 1) {
      tx.hset('hash', n, 'x');
      tx.hincrby('counts', n, 1);
    }
    expect([tx.writesLeft, tx.isEmpty]).toEqual([0, false]);
    expect((await commit(redis, anEntry(), tx, { result: '{}' }, '')).kind).toBe('committed');
    expect([await redis.hlen(key('hash')), await redis.hlen(key('counts'))]).toEqual([500, 500]);
    tx.hincrby('counts', 'more', 1);
    expect(() => tx.encode('{}')).toThrow(CommitTooLarge);
  });

  it('may have 4,200 updates, and no more', async () => {
    const update = { _: 'updateConfig' } as never;
    const tx = new Transaction(redis, ws);
    for (let n = 0; n < 4_200; n += 1) tx.update({ messengerAccountId: 'acc_1', userId: 1 }, update);
    expect(tx.updatesLeft).toBe(0);
    expect((await commit(redis, anEntry(), tx, { result: '{}' }, '')).kind).toBe('committed');
    tx.update({ messengerAccountId: 'acc_1', userId: 1 }, update);
    expect(tx.updatesLeft).toBe(-1);
    expect(() => tx.encode('{}')).toThrow(CommitTooLarge);
  });

  it.each<[string, (tx: Transaction, text: string) => void]>([
    ['values', (tx, text) => tx.hset('hash', '', text)],
    ['what it expects', (tx, text) => tx.expectField('hash', 'a', text)],
    [
      'texts with counters in them',
      (tx, text) => tx.hset('hash', '', [tx.allocate('c', 'n'), text.slice(5)]),
    ],
    ['updates', (tx, text) => tx.event('call.succeeded', 'acc_1', text)],
  ])('may have a MiB of %s, and no more', (_, write) => {
    const [most, more] = [0, 1].map((beyond) =>
      aTransaction((tx) => write(tx, 'x'.repeat(2 ** 20 + beyond))),
    );
    expect(most?.encode('').size).toBeGreaterThan(2 ** 20 - 10);
    expect(most?.encode('').size).toBeLessThanOrEqual(2 ** 20);
    expect(() => more?.encode('')).toThrow(CommitTooLarge);
  });

  it('may have a MiB with the users and chats that its updates mention, and no more', () => {
    const withMention = (characters: number) =>
      aTransaction((tx) => {
        tx.update({ messengerAccountId: 'acc_1', userId: 1 }, { _: 'updateConfig' } as never);
        tx.mention(tx.pendingUpdates, 'x'.repeat(characters));
      });
    const left = 2 ** 20 - withMention(0).encode('').size;
    expect(withMention(left).encode('').size).toBe(2 ** 20);
    expect(() => withMention(left + 1).encode('')).toThrow(CommitTooLarge);
  });

  it('takes runs of 1 to 100 numbers', () => {
    const tx = new Transaction(redis, ws);
    for (const size of [0, 101]) expect(() => tx.zaddRun('run', 500, size)).toThrow(RangeError);
    for (const size of [1, 100]) tx.zaddRun('run', 500, size);
    expect(tx.writesLeft).toBe(498);
  });

  it('uses a key as one type only', () => {
    const tx = aTransaction((one) => one.hset('thing', 'a', 'b'));
    expect(() => tx.zadd('thing', 1, 'a')).toThrow(TypeError);
    expect(() => tx.expectMember('thing', 'a', true)).toThrow(TypeError);
  });
});

it('a key that is deleted is freed beside the work of Redis, however large it is', async () => {
  await redis.hset(key('large'), Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [i, 'x'])));
  await redis.config('RESETSTAT');
  await change((tx) => tx.del('large', 'h'));
  expect(await redis.exists(key('large'))).toBe(0);
  await eventually(async () => (await redis.info('memory')).includes('lazyfreed_objects:1\r\n'));
});
