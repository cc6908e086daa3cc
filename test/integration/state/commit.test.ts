import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settleCall } from '../../../src/ledger/settle.ts';
import { decodeFrame } from '../../../src/queue/frame.ts';
import { headsKey, ledgerKey, stateKey, updatesKey } from '../../../src/redis/keys.ts';
import { commit } from '../../../src/state/commit.ts';
import { CommitTooLarge } from '../../../src/state/commit-limits.ts';
import { encodeJson } from '../../../src/state/placeholder.ts';
import { reserveTxids } from '../../../src/state/reserve.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { anEntry, aWrite, redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

describe('commit', () => {
  it('applies writes, fills counters in everywhere, appends updates and answers with the txid', async () => {
    const tx = new Transaction(redis, ws);
    const first = tx.allocate('counters', 'box');
    const second = tx.allocate('counters', 'box');
    tx.hset('messages', first, { _: 'message', id: first, message: 'one' });
    tx.hset('messages', second, { _: 'message', id: second, message: 'two' });
    tx.zadd('history', second, `peer:${second}`);
    tx.update({ messengerAccountId: 'acc_1', userId: 1 }, {
      _: 'updateNewMessage',
      id: second,
    } as never);
    const outcome = await commit(
      redis,
      anEntry(),
      tx,
      { result: encodeJson({ _: 'x', ids: [first, second] }) },
      '',
    );
    if (outcome.kind !== 'committed') throw new Error(outcome.kind);
    expect(decodeFrame(outcome.frame)).toMatchObject({
      status: 200,
      offset: `${outcome.txid.padStart(16, '0')}_${'1'.padStart(16, '0')}`,
      body: `{"result":{"_":"x","ids":[1,2]},"txid":${outcome.txid}}`,
    });
    expect(await redis.hgetall(stateKey(ws, 'messages'))).toEqual({
      1: '{"_":"message","id":1,"message":"one"}',
      2: '{"_":"message","id":2,"message":"two"}',
    });
    expect(await redis.zrange(stateKey(ws, 'history'), 0, '-1', 'WITHSCORES')).toEqual(['peer:2', '2']);
    expect(await redis.xrange(updatesKey(ws), '-', '+')).toEqual([
      [
        `${outcome.txid}-1`,
        ['k', 'RawUpdateNewMessage', 'a', 'acc_1', 'u', '{"_":"updateNewMessage","id":2}', 'p', ''],
      ],
    ]);
  });

  it('changes nothing the second time and answers with the recorded reply', async () => {
    const entry = anEntry();
    const once = () => {
      const tx = new Transaction(redis, ws);
      const id = tx.allocate('counters', 'twice');
      return commit(redis, entry, tx, { result: encodeJson({ _: 'x', id }) }, '');
    };
    const first = await once();
    const second = await once();
    expect(first.kind).toBe('committed');
    expect(second).toEqual({
      kind: 'recorded',
      frame: 'frame' in first ? first.frame : '',
    });
    expect(await redis.hget(stateKey(ws, 'counters'), 'twice')).toBe('1');
  });

  it('never takes effect once settled, and settling afterwards gives the recorded reply', async () => {
    const settled = anEntry();
    expect(await settleCall(redis, settled)).toBeNull();
    expect(await commit(redis, settled, aWrite('settled', 1), { result: '{}' }, '')).toEqual({
      kind: 'void',
    });
    expect(await redis.hexists(stateKey(ws, 'things'), 'settled')).toBe(0);

    const done = anEntry();
    const outcome = await commit(redis, done, aWrite('done', 1), { result: '{}' }, '');
    expect(await settleCall(redis, done)).toBe('frame' in outcome ? outcome.frame : '');
  });

  it('refuses to take effect after its deadline', async () => {
    const late = anEntry({ notAfter: Date.now() - 1 });
    expect(await commit(redis, late, aWrite('late', 1), { result: '{}' }, '')).toEqual({ kind: 'expired' });
    expect(await redis.hexists(stateKey(ws, 'things'), 'late')).toBe(0);
  });

  it('reports a conflict when what was observed has changed', async () => {
    await redis.hset(stateKey(ws, 'things'), 'seen', 'old');
    const tx = new Transaction(redis, ws);
    expect(await tx.observe('things', 'seen')).toBe('old');
    tx.hset('things', 'seen', 'mine');
    await redis.hset(stateKey(ws, 'things'), 'seen', 'theirs');
    expect(await commit(redis, anEntry(), tx, { result: '{}' }, '')).toEqual({
      kind: 'conflict',
    });
    expect(await redis.hget(stateKey(ws, 'things'), 'seen')).toBe('theirs');
  });

  it('writes nothing at all when one key has another type', async () => {
    await redis.set(stateKey(ws, 'text'), 'x');
    const before = await redis.hget(headsKey(''), 'txid');
    const tx = aWrite('half', 1);
    tx.zadd('text', 1, 'a');
    await expect(commit(redis, anEntry(), tx, { result: '{}' }, '')).rejects.toThrow('refused');
    expect(await redis.hexists(stateKey(ws, 'things'), 'half')).toBe(0);
    expect(await redis.hget(headsKey(''), 'txid')).toBe(before);
  });

  it('takes a greater txid each time, also after txids were reserved', async () => {
    const a = await commit(redis, anEntry(), aWrite('a', 1), { result: '{}' }, '');
    const reserved = await reserveTxids(redis, ws, 100);
    const b = await commit(redis, anEntry(), aWrite('b', 1), { result: '{}' }, '');
    if (a.kind !== 'committed' || b.kind !== 'committed') throw new Error('not committed');
    expect(Number(a.txid)).toBeLessThan(reserved.first);
    expect(reserved.first + 99).toBeLessThan(Number(b.txid));
    expect(Number(b.txid)).toBeLessThan(2 ** 53);
  });

  it('commits a claimed call once, whatever attempt asks, and lets the ledger go with it', async () => {
    const key = ledgerKey(ws, 'key-1');
    await redis.hset(key, 'reply', 'pending:first hash');
    const stale = anEntry({
      ledger: key,
      field: 'reply',
      claim: 'pending:other hash',
    });
    expect(await commit(redis, stale, aWrite('keyed', 0), { result: '{}' }, '')).toEqual({ kind: 'void' });
    const held = anEntry({
      ledger: key,
      field: 'reply',
      claim: 'pending:first hash',
    });
    const outcome = await commit(redis, held, aWrite('keyed', 1), { result: '{}' }, '');
    expect(outcome.kind).toBe('committed');
    expect(await commit(redis, held, aWrite('keyed', 2), { result: '{}' }, '')).toMatchObject({
      kind: 'recorded',
    });
    expect(await redis.hget(stateKey(ws, 'things'), 'keyed')).toBe('1');
    expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  it('gives no reply to another payload, which the key was used with after the claim had expired', async () => {
    const key = ledgerKey(ws, 'key-2');
    await redis.hset(key, 'reply', 'done:other\n200 -\n{}');
    const late = anEntry({ ledger: key, field: 'reply', claim: 'pending:first hash' });
    expect(await commit(redis, late, aWrite('late', 1), { result: '{}' }, '')).toEqual({ kind: 'void' });
  });

  it('keeps any text exactly, beside placeholders', async () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('100%2 sure', '\u00011\u0002', '"\\u00011\\u0002"', '\u0001 1 \u0002, "}\\'),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const tx = new Transaction(redis, ws);
        const id = tx.allocate('counters', 'texts');
        tx.hset('texts', 'last', { id, text });
        const outcome = await commit(redis, anEntry(), tx, { result: encodeJson({ id, text }) }, '');
        if (outcome.kind !== 'committed') throw new Error(outcome.kind);
        const stored = JSON.parse((await redis.hget(stateKey(ws, 'texts'), 'last')) ?? '');
        expect(stored.text).toBe(text);
        expect(JSON.parse(decodeFrame(outcome.frame).body).result).toEqual(stored);
      }),
      { numRuns: 300 },
    );
  });

  it('adds numbers in a row by one write, behind a counter or not', async () => {
    for (let round = 1; round <= 2; round += 1) {
      const tx = new Transaction(redis, ws);
      const last = tx.allocate('seq', 'run', 3);
      if (round === 2) tx.zadd('run', 100, 100);
      tx.zaddRun('run', last, 3);
      await commit(redis, anEntry(), tx, { result: '{}' }, '');
      expect(tx.writesLeft).toBe(500 - round);
    }
    expect(await redis.zrange(stateKey(ws, 'run'), '0', '-1', 'WITHSCORES')).toEqual(
      [1, 2, 3, 4, 5, 6, 100].flatMap((n) => [`${n}`, `${n}`]),
    );
    expect(() => new Transaction(redis, ws).zaddRun('run', 1_000, 101)).toThrow(RangeError);
  });

  it('says so before it asks for more than one commit may do', () => {
    const tx = new Transaction(redis, ws);
    for (let i = 0; i < 501; i += 1) tx.hset('things', i, 'x');
    expect(() => tx.encode('{}')).toThrow(CommitTooLarge);
  });

  it('takes no score and no expiry that Redis would refuse in the midst of a commit', () => {
    const tx = new Transaction(redis, ws);
    expect(() => tx.zadd('list', Number.NaN, 'x')).toThrow(TypeError);
    expect(() => tx.expire('things', 'h', Number.POSITIVE_INFINITY)).toThrow(TypeError);
    expect(tx.isEmpty).toBe(true);
  });

  it('does not let a placeholder be calculated with', () => {
    const id = new Transaction(redis, ws).allocate('counters', 'x');
    expect(() => id + 1).toThrow(TypeError);
  });
});

describe('settleCall', () => {
  it('tells what became of a call even when the memory of Redis is full', async () => {
    const entry = anEntry({ ledger: ledgerKey(ws, 'full') });
    await redis.config('SET', 'maxmemory', '1');
    try {
      await expect(commit(redis, entry, aWrite('full', 1), { result: '1' }, '')).rejects.toThrow('OOM');
      expect(await settleCall(redis, entry)).toBeNull();
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
    expect(await commit(redis, entry, aWrite('full', 1), { result: '1' }, '')).toEqual({ kind: 'void' });
  });

  it('does not say of a call that it never ran once its ledger would have gone', async () => {
    const now = Date.now();
    const past = anEntry({
      ledger: ledgerKey(ws, 'gone'),
      notAfter: now - 2_000,
      ledgerExpiresAt: now - 1_000,
    });
    expect(await settleCall(redis, past)).toBeUndefined();
    expect(await redis.exists(ledgerKey(ws, 'gone'))).toBe(0);
  });
});
