import { describe, expect, it } from 'vitest';
import { settleCall } from '../../../src/ledger/settle.ts';
import { headsKey, stateKey, updatesKey } from '../../../src/redis/keys.ts';
import { commit } from '../../../src/state/commit.ts';
import { stateKeysOf } from '../../../src/state/state-key.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { anEntry, aWrite, redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

describe('commits of one turn', () => {
  const committed = async (tx: Transaction, entry = anEntry()) => {
    const outcome = await commit(redis, entry, tx, { result: '{}' }, '');
    if (outcome.kind !== 'committed') throw new Error(outcome.kind);
    return outcome;
  };

  const tailOf = (workspaceId: string) => redis.hget(headsKey(''), workspaceId);

  it('reach Redis as one command and happen in turn, each with a txid and updates of its own', async () => {
    const count = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
    await committed(aWrite('warm', 1));
    const before = await count();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => {
        const tx = new Transaction(redis, ws);
        const id = tx.allocate('turn', 'id');
        tx.hset('turned', id, { id });
        tx.update({ messengerAccountId: 'acc_1', userId: 1 }, { _: 'updateConfig', id } as never);
        return committed(tx);
      }),
    );
    expect((await count()) - before).toBe(1);
    const txids = outcomes.map(({ txid }) => Number(txid));
    expect(txids).toEqual([...new Set(txids)].sort((a, b) => a - b));
    expect(await redis.hget(stateKey(ws, 'turn'), 'id')).toBe('20');
    expect(Object.keys(await redis.hgetall(stateKey(ws, 'turned')))).toHaveLength(20);
    const entries = await redis.xrange(updatesKey(ws), `${txids[0]}-0`, '+');
    expect(entries.map(([id, fields]) => [id, fields[5]])).toEqual(
      txids.map((txid, index) => [`${txid}-1`, `{"_":"updateConfig","id":${index + 1}}`]),
    );
    expect(await redis.hget(headsKey(''), 'txid')).toBe(String(txids.at(-1)));
    expect(await tailOf(ws)).toBe(`${String(txids.at(-1)).padStart(16, '0')}_0000000000000001`);
  });

  it('of many workspaces reach Redis as one command, and each has its own txids, updates and tail', async () => {
    const others = ['ws_01h455vb4pex5vsknk084sn03a', 'ws_01h455vb4pex5vsknk084sn03b'];
    const count = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
    const before = await count();
    const outcomes = await Promise.all(
      [...others, ...others].map((workspaceId, index) => {
        const tx = new Transaction(redis, workspaceId);
        tx.hset('named', 'after', tx.allocate('counters', 'turns'));
        if (workspaceId === others[0])
          tx.update({ messengerAccountId: 'acc_1', userId: 1 }, { _: 'updateConfig', index } as never);
        return committed(tx, anEntry({ workspaceId }));
      }),
    );
    expect((await count()) - before).toBe(1);
    const txids = outcomes.map(({ txid }) => Number(txid));
    expect(txids[2]).toBeGreaterThan(txids[0] ?? 0);
    expect(txids[3]).toBeGreaterThan(txids[1] ?? 0);
    const [told, untold] = others as [string, string];
    expect(await redis.xrange(updatesKey(told), '-', '+')).toHaveLength(2);
    expect(await tailOf(told)).toBe(`${String(txids[2]).padStart(16, '0')}_0000000000000001`);
    expect(await tailOf(untold)).toBeNull();
    expect(await redis.hget(headsKey(''), 'txid')).toBe(String(txids[3]));
    expect(await redis.exists(updatesKey(untold))).toBe(0);
    for (const id of others) expect(await redis.hget(stateKey(id, 'named'), 'after')).toBe('2');
  });

  it('do not depend on each other: what is void, late, in conflict or refused takes nothing else along', async () => {
    await redis.set(stateKey(ws, 'a string'), 'x');
    const settled = anEntry();
    await settleCall(redis, settled);
    const inConflict = aWrite('turn-conflict', 1);
    inConflict.expectField('things', 'never there', 'something');
    const refused = aWrite('turn-refused', 1);
    refused.zadd('a string', 1, 'a');
    const notANumber = aWrite('turn-nan', 1);
    await redis.hset(stateKey(ws, 'things'), 'word', 'word');
    notANumber.hincrby('things', 'word', 1);
    const run = (tx: Transaction, entry = anEntry()) => commit(redis, entry, tx, { result: '{}' }, '');
    const outcomes = await Promise.allSettled([
      run(aWrite('turn-first', 1)),
      run(aWrite('turn-void', 1), settled),
      run(aWrite('turn-late', 1), anEntry({ notAfter: Date.now() - 1 })),
      run(inConflict),
      run(refused),
      run(notANumber),
      run(aWrite('turn-last', 1)),
    ]);
    expect(outcomes.map((it) => (it.status === 'fulfilled' ? it.value.kind : it.reason.message))).toEqual([
      'committed',
      'void',
      'expired',
      'conflict',
      expect.stringContaining('refused'),
      expect.stringContaining('refused'),
      'committed',
    ]);
    const written = Object.keys(await redis.hgetall(stateKey(ws, 'things')));
    expect(written.filter((name) => name.startsWith('turn-')).sort()).toEqual(['turn-first', 'turn-last']);
  });

  it('see what those before them did, counters included', async () => {
    await redis.hset(stateKey(ws, 'mixed'), 'n', '5');
    const raise = new Transaction(redis, ws);
    raise.allocate('mixed', 'n');
    const stale = new Transaction(redis, ws);
    stale.expectField('mixed', 'n', '5');
    stale.hset('mixed', 'stale', '1');
    const fresh = new Transaction(redis, ws);
    fresh.expectField('mixed', 'n', '6');
    fresh.hset('mixed', 'n', '100');
    const after = new Transaction(redis, ws);
    const id = after.allocate('mixed', 'n');
    after.hincrby('mixed', 'plus', 2);
    after.hset('mixed', 'after', id);
    const gone = new Transaction(redis, ws);
    gone.hset('short-lived', 'a', '1');
    gone.expire('short-lived', 'h', 60_000);
    const back = new Transaction(redis, ws);
    back.del('short-lived', 'h');
    const again = new Transaction(redis, ws);
    again.hset('short-lived', 'b', '1');
    again.expire('short-lived', 'h', 60_000);
    const outcomes = await Promise.all(
      [raise, stale, fresh, after, gone, back, again].map((tx) =>
        commit(redis, anEntry(), tx, { result: '{}' }, ''),
      ),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'committed',
      'conflict',
      ...Array(5).fill('committed'),
    ]);
    expect(await redis.hgetall(stateKey(ws, 'mixed'))).toEqual({ n: '101', plus: '2', after: '101' });
    expect(await redis.hgetall(stateKey(ws, 'short-lived'))).toEqual({ b: '1' });
    expect(await redis.pttl(stateKey(ws, 'short-lived'))).toBeGreaterThan(0);
  });

  it('see each other too when the process has forgotten and found again the keys they share', async () => {
    const workspaceId = 'ws_01h455vb4pex5vsknk084sn04a';
    const aSend = () => {
      const tx = new Transaction(redis, workspaceId);
      const id = tx.allocate('counters', 'sent');
      tx.hset('sent', id, { id });
      return tx;
    };
    const before = [aSend(), aSend()];
    // More names than it keeps, twice over.
    for (let i = 0; i < 110_000; i += 1) stateKeysOf(redis, `ws_of_another${i % 100}`)(`key${i}`);
    const behind = [aSend(), aSend()];
    await Promise.all([...behind, ...before].map((tx) => committed(tx, anEntry({ workspaceId }))));
    expect(await redis.hget(stateKey(workspaceId, 'counters'), 'sent')).toBe('4');
    expect(await redis.hkeys(stateKey(workspaceId, 'sent'))).toHaveLength(4);
  });

  it('may raise thousands of counters', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, of) => {
        const tx = new Transaction(redis, ws);
        for (let i = 0; i < 400; i += 1) tx.allocate('many', `${of}:${i}`);
        return committed(tx);
      }),
    );
    expect(await redis.hlen(stateKey(ws, 'many'))).toBe(8_000);
  });

  it('write a shared value wherever it stands, with its placeholders filled in', async () => {
    const tx = new Transaction(redis, ws);
    const id = tx.allocate('counters', 'shared');
    const message = tx.share({ _: 'message', id, message: '\u00011\u0002' });
    tx.hset('shared', id, { message });
    tx.update({ messengerAccountId: 'acc_1', userId: 1 }, { _: 'updateNewMessage', message } as never);
    const { txid } = await committed(tx);
    const expected = { message: { _: 'message', id: 1, message: '\u00011\u0002' } };
    expect(JSON.parse((await redis.hget(stateKey(ws, 'shared'), '1')) ?? '')).toEqual(expected);
    const [entry] = await redis.xrange(updatesKey(ws), `${txid}-0`, '+');
    expect(JSON.parse(entry?.[1][5] ?? '')).toEqual({ _: 'updateNewMessage', ...expected });
  });

  it('take half a surrogate pair for U+FFFD where a text is stored as it is', async () => {
    await Promise.all([committed(aWrite('half', 'a\ud83d')), committed(aWrite('whole', 'a\ud83d\ude00'))]);
    expect(await redis.hmget(stateKey(ws, 'things'), 'half', 'whole')).toEqual(['a\ufffd', 'a\ud83d\ude00']);
  });
});
