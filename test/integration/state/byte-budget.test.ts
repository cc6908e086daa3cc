import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { callName } from '../../../src/async-calls/call-keys.ts';
import { cleanCalls } from '../../../src/async-calls/clean-calls.ts';
import { endCall } from '../../../src/async-calls/end-call.ts';
import { findCall } from '../../../src/async-calls/find-call.ts';
import { readBytesUsed, refuseIfFull, setByteBudget, setBytesMax } from '../../../src/bytes/byte-budget.ts';
import { newId } from '../../../src/ids.ts';
import { claimIdempotencyKey } from '../../../src/ledger/claim.ts';
import type { LedgerEntry } from '../../../src/ledger/entry.ts';
import { KEPT_MS } from '../../../src/ledger/retention.ts';
import { settleCall } from '../../../src/ledger/settle.ts';
import { Problem } from '../../../src/problem.ts';
import { bytesKey, headsKey, keyIndexKey, ledgerKey, stateKey, updatesKey } from '../../../src/redis/keys.ts';
import { type CommitOutcome, commit, type Recordable, type ResultKind } from '../../../src/state/commit.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { measureBytes } from '../../../workers/measure-bytes.ts';
import { eventually } from '../../support/eventually.ts';
import { anEntry, redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

const KB = 1_024;

beforeEach(async () => {
  await empty();
  setBytesMax(redis, 0);
});

/** Removes all but what the process relies on: which keys it has noted. */
async function empty(): Promise<void> {
  await redis.del(headsKey(''), ...(await redis.keys('sb:*')).filter((key) => key !== keyIndexKey(ws)));
}

async function used(): Promise<number> {
  return (await readBytesUsed(redis, [ws]))[0] as number;
}

/** What all keys of the workspace take, as Redis says. */
async function taken(): Promise<number> {
  let bytes = 0;
  for (const key of await redis.keys(`sb:{${ws}}:*`)) {
    if (key.includes(':ledger:') || key === bytesKey(ws)) continue;
    bytes += Number(await redis.memory('USAGE', key, 'SAMPLES', 0));
  }
  return bytes;
}

const untilRoom = () =>
  eventually(() =>
    refuseIfFull(redis, ws).then(
      () => true,
      () => false,
    ),
  );

function change(write: (tx: Transaction) => void, of: ResultKind = 'result'): Promise<CommitOutcome> {
  const tx = new Transaction(redis, ws);
  write(tx);
  return commit(redis, anEntry(), tx, { result: '{}', of }, '');
}

function addMessages(tx: Transaction, count: number, bytes: number): void {
  for (let i = 0; i < count; i += 1) {
    const id = tx.allocate('counters', 'box');
    tx.hset('messages', id, 'm'.repeat(bytes));
    tx.zadd('history', id, `peer:${id}`);
    tx.update({ messengerAccountId: 'acc_1', userId: 1 }, { _: 'updateNewMessage', id } as never);
  }
}

function aCall(bytes: number): AsyncCall {
  const now = Date.now();
  return {
    ...{ id: newId('call'), workspaceId: ws, organizationId: 'org_1', messengerAccountId: 'acc_1' },
    ...{ method: 'm', params: { text: 'x'.repeat(bytes) }, seed: 's', createdAt: now },
    ...{ scheduleAt: null, expiresAt: now + 60_000, replayOf: null },
  };
}

describe('what a workspace keeps', () => {
  it('is counted as it is written and taken away, about as Redis counts it', async () => {
    for (let i = 0; i < 20; i += 1) await change((tx) => addMessages(tx, 50, 300));
    const full = await used();
    expect(full / (await taken())).toBeGreaterThan(0.7);
    expect(full / (await taken())).toBeLessThan(1.5);
    for (let i = 0; i < 10; i += 1) {
      await change((tx) => {
        for (let id = i * 100 + 1; id <= i * 100 + 100; id += 1) {
          tx.hdel('messages', id);
          tx.zrem('history', `peer:${id}`);
        }
      });
    }
    expect(await used()).toBeLessThan(full - 1_000 * 300);
  });

  it('does not grow with values that take the place of others as large', async () => {
    await change((tx) => tx.hset('things', 'large', 'a'.repeat(10 * KB)));
    const before = await used();
    for (let i = 0; i < 10; i += 1) await change((tx) => tx.hset('things', 'large', 'b'.repeat(10 * KB)));
    await change((tx) => {
      tx.hset('things', 'large', 'c'.repeat(11 * KB));
      tx.hset('things', 'small', 'd');
    });
    expect(await used()).toBeGreaterThan(before + KB);
    expect(await used()).toBeLessThan(before + 2 * KB);
    await change((tx) => tx.del('things', 'h'));
    expect(await used()).toBeLessThan(KB);
  });

  it('is measured once in a while, whatever was counted', async () => {
    await change((tx) => addMessages(tx, 100, 300));
    await redis.hset(headsKey(''), `${ws}:used`, 10 ** 9);
    const measured = await measureBytes(redis, ws);
    expect(measured).toBe(await used());
    expect((measured as number) / (await taken())).toBeGreaterThan(0.8);
    expect((measured as number) / (await taken())).toBeLessThan(1.2);
    expect(await measureBytes(redis, ws)).toBeNull();
  });

  it('is measured by one worker at a time, and by another where that one has ended', async () => {
    const atAnyTime = { everyMs: 0, soonMs: 0 };
    await change((tx) => addMessages(tx, 100, 300));
    const found = await Promise.all([1, 2, 3].map(() => measureBytes(redis, ws, atAnyTime)));
    expect(found.filter((bytes) => bytes !== null)).toHaveLength(1);
    await redis.hdel(bytesKey(ws), 'measuredFor');
    await expect(measureBytes(redis, ws, { ...atAnyTime, mayGoOn: () => false })).rejects.toThrow();
    expect(await measureBytes(redis, ws, atAnyTime)).toBeNull();
    await redis.hset(bytesKey(ws), 'measuringTill', Date.now() - 1);
    expect(await measureBytes(redis, ws, atAnyTime)).not.toBeNull();
  });

  it('is measured also after the clock was set back, or ahead while it was measured', async () => {
    const hourMs = 3_600_000;
    await change((tx) => addMessages(tx, 10, 300));
    const inAnHour = Date.now() + hourMs;
    await redis.hset(bytesKey(ws), 'measuredAt', inAnHour, 'measuringTill', inAnHour);
    let isAhead = false;
    const mayGoOn = () => {
      if (!isAhead) void redis.hincrby(bytesKey(ws), 'measuredAt', -hourMs);
      isAhead = true;
      return true;
    };
    expect(await measureBytes(redis, ws, { mayGoOn })).not.toBeNull();
    expect(isAhead).toBe(true);
    expect(Number(await redis.hget(bytesKey(ws), 'measuredFor'))).toBeLessThan(hourMs);
  });

  it('is measured 200 keys at a time, and takes a twentieth of the time at most', async () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `many:${i}`);
    await redis.zadd(keyIndexKey(ws), ...names.flatMap((name) => [1, name]));
    let rests = 0;
    const mayGoOn = () => {
      rests += 1;
      return true;
    };
    const startedAt = Date.now();
    expect(await measureBytes(redis, ws, { everyMs: 0, soonMs: 0, mayGoOn })).not.toBeNull();
    await redis.zrem(keyIndexKey(ws), ...names);
    expect(rests).toBeGreaterThanOrEqual(5);
    const tookMs = Number(await redis.hget(bytesKey(ws), 'measuredFor'));
    expect(tookMs).toBeGreaterThanOrEqual(2 * rests);
    expect(tookMs).toBeLessThanOrEqual(Date.now() - startedAt + 1);
    await redis.hset(bytesKey(ws), 'measuredFor', 60_000, 'measuredAt', Date.now() - 19 * 60_000);
    expect(await measureBytes(redis, ws, { everyMs: 0, soonMs: 0 })).toBeNull();
    await redis.hset(bytesKey(ws), 'measuredAt', Date.now() - 21 * 60_000);
    expect(await measureBytes(redis, ws, { everyMs: 0, soonMs: 0 })).not.toBeNull();
  });
});

describe('a workspace that has used its budget', () => {
  beforeEach(async () => {
    await change((tx) => addMessages(tx, 100, 300));
    await setByteBudget(redis, ws, 20 * KB);
  });

  it('adds nothing and goes on once there is room', async () => {
    const box = await redis.hget(stateKey(ws, 'counters'), 'box');
    await expect(change((tx) => addMessages(tx, 1, 10))).rejects.toThrow('Delete something');
    expect(await redis.hget(stateKey(ws, 'counters'), 'box')).toBe(box);
    await expect(refuseIfFull(redis, ws)).rejects.toThrow('Delete something');
    await setByteBudget(redis, ws, 0);
    await change((tx) => addMessages(tx, 1, 10));
    await setByteBudget(redis, ws, 20 * KB);
    await change((tx) => tx.del('messages', 'h'));
    await change((tx) => tx.del('history', 'z'));
    await setByteBudget(redis, ws, (await used()) + 10);
    expect((await change((tx) => addMessages(tx, 1, 10))).kind).toBe('committed');
  });

  it('takes what takes away: with an update that says so, or less than it adds', async () => {
    const isRemoved = change((tx) => {
      tx.hdel('messages', 1);
      tx.update({ messengerAccountId: 'acc_1', userId: 1 }, { _: 'updateX', text: 'x'.repeat(KB) } as never);
    });
    expect((await isRemoved).kind).toBe('committed');
    expect((await change((tx) => tx.hset('messages', 2, 'shorter'))).kind).toBe('committed');
    await expect(change((tx) => tx.hset('messages', 3, 'x'.repeat(KB)))).rejects.toThrow('Delete something');
    // What is not there takes nothing away.
    const pretended = change((tx) => {
      tx.hdel('messages', 1);
      tx.hset('messages', 'more', 'x');
    });
    await expect(pretended).rejects.toThrow('Delete something');
  });

  it('lets orders and the ends of async calls pass, and what changes nothing', async () => {
    for (const of of ['order', 'end'] as const)
      expect((await change((tx) => tx.hset('things', of, 'x'), of)).kind).toBe('committed');
    expect((await change(() => undefined, 'read')).kind).toBe('committed');
  });
});

it('passes where the memory of Redis is full if it takes away as much as it adds', async () => {
  await change((tx) => addMessages(tx, 10, 300));
  await redis.config('SET', 'maxmemory', '1');
  try {
    expect((await change((tx) => tx.hdel('messages', 1))).kind).toBe('committed');
    expect((await change((tx) => tx.hset('things', 'a', 'b'), 'end')).kind).toBe('committed');
    await expect(change((tx) => tx.hset('things', 'c', 'd'))).rejects.toThrow('OOM');
    // Each number of a run takes room.
    const addRun = (count: number) =>
      change((tx) => {
        tx.hdel('messages', 3);
        tx.zaddRun('numbers', tx.allocate('counters', 'number', count), count);
      });
    await expect(addRun(100)).rejects.toThrow('OOM');
    expect((await addRun(1)).kind).toBe('committed');
    // What is written anew behind a removal takes as much room as ever.
    const replaced = change((tx) => {
      tx.del('messages', 'h');
      addMessages(tx, 20, 300);
    });
    await expect(replaced).rejects.toThrow('OOM');
    const [added, removed] = await Promise.allSettled([
      change((tx) => tx.hset('things', 'e', 'f')),
      change((tx) => tx.hdel('messages', 2)),
    ]);
    expect([added?.status, removed?.status]).toEqual(['rejected', 'fulfilled']);
  } finally {
    await redis.config('SET', 'maxmemory', '0');
  }
  expect(await redis.hkeys(stateKey(ws, 'things'))).toEqual(['a']);
});

describe('where the memory of Redis is full, of what is committed together', () => {
  beforeEach(async () => {
    await change((tx) => {
      addMessages(tx, 10, 300);
      tx.hset('things', 'old', 'x');
    });
    await redis.config('SET', 'maxmemory', '1');
  });
  afterEach(() => redis.config('SET', 'maxmemory', '0'));

  const together = async (...writes: ((tx: Transaction) => void)[]) => {
    const outcomes = await Promise.allSettled(writes.map((write) => change(write)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('OOM');
    return outcomes.map(({ status }) => status);
  };

  const removal = (tx: Transaction) => tx.hdel('things', 'old');

  it('nothing of a call remains that fails, whoever removes something behind it', async () => {
    const send = (tx: Transaction) => addMessages(tx, 1, 300);
    expect(await together(send, send, removal)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await redis.hget(stateKey(ws, 'counters'), 'box')).toBe('10');
    expect(await redis.xlen(updatesKey(ws))).toBe(10);
    expect(await redis.zcard(stateKey(ws, 'history'))).toBe(10);
  });

  it('what is answered as committed is kept, whatever is done with the same key then', async () => {
    const outcomes = await together(
      (tx) => tx.hset('messages', 'a', 'x'),
      (tx) => tx.hset('messages', 'b', 'x'),
      (tx) => tx.hdel('messages', 'c'),
      (tx) => tx.hdel('messages', 1),
    );
    const kept = await redis.hmget(stateKey(ws, 'messages'), 'a', 'b');
    expect(kept.map((value) => (value === null ? 'rejected' : 'fulfilled'))).toEqual(outcomes.slice(0, 2));
    expect(outcomes[3]).toBe('fulfilled');
    expect(await redis.hexists(stateKey(ws, 'messages'), '1')).toBe(0);
  });

  it('one that takes away more than it adds passes, if it begins with what it adds', async () => {
    const exchange = (tx: Transaction) => {
      tx.hset('messages', tx.allocate('counters', 'box'), 'x');
      tx.hdel('messages', 2);
    };
    expect(await together(exchange, removal)).toEqual(['fulfilled', 'fulfilled']);
    expect(await redis.hget(stateKey(ws, 'messages'), '11')).toBe('x');
    expect(await redis.hget(stateKey(ws, 'counters'), 'box')).toBe('11');
  });
});

it('counts async calls from when they are taken in until they are forgotten, and bounds them', async () => {
  const bytesMax = 50 * KB;
  const now = Date.now();
  const accept = async (call: AsyncCall) => {
    await acceptCall(redis, call, null, { openMax: 100, bytesMax });
    return call;
  };
  const calls: AsyncCall[] = [];
  for (let i = 0; i < 4; i += 1) calls.push(await accept(aCall(10 * KB)));
  expect(await used()).toBeGreaterThan(40 * KB);
  await expect(accept(aCall(10 * KB))).rejects.toThrow('too many bytes');
  for (const call of calls) await endCall(redis, call, 'canceled', new Problem('canceled'), now);
  // The oldest that have ended go where all have more than half of what they may.
  await cleanCalls(redis, ws, now, { keptMax: 100, bytesMax, runMs: 1_000 });
  expect(await redis.hget(bytesKey(ws), 'calls')).toBeNull();
  expect(await used()).toBeLessThan(8 * KB);
  await setByteBudget(redis, ws, 1);
  await expect(accept(aCall(10 * KB))).rejects.toThrow('Delete something');
});

it('spares calls that have ended lately, though open ones take more than half of what all may', async () => {
  const bytesMax = 50 * KB;
  const now = Date.now();
  const calls: AsyncCall[] = [];
  for (let i = 0; i < 3; i += 1) {
    calls.push(aCall(8 * KB));
    await acceptCall(redis, calls[i] as AsyncCall, null, { openMax: 100, bytesMax });
  }
  const [first, second] = calls as [AsyncCall, AsyncCall];
  const clean = (at: number) => cleanCalls(redis, ws, at, { keptMax: 100, bytesMax, runMs: 1_000 });
  await endCall(redis, first, 'canceled', new Problem('canceled'), now);
  // Then it is looked again in ten minutes, though nothing else may be due by then.
  expect(await clean(now + 9 * 60_000)).toBe(now + 19 * 60_000);
  expect(await findCall(redis, ws, first.id)).toMatchObject({ status: 'canceled' });
  expect(await clean(now + 11 * 60_000)).toBe(now + 11 * 60_000);
  expect(await findCall(redis, ws, first.id)).toBeNull();
  // With three quarters, there is soon no room for new calls.
  for (let i = 0; i < 2; i += 1) await acceptCall(redis, aCall(8 * KB), null, { openMax: 100, bytesMax });
  await endCall(redis, second, 'canceled', new Problem('canceled'), now);
  expect(await clean(now)).toBe(now);
  expect(await findCall(redis, ws, second.id)).toBeNull();
});

it('takes off all of an async call that is forgotten, in a workspace that always has one open', async () => {
  const now = Date.now();
  const accept = async () => {
    const call = aCall(10 * KB);
    await acceptCall(redis, call, null, { openMax: 100, bytesMax: 10_000 * KB });
    return call;
  };
  await accept();
  const ofOne = Number(await redis.hget(bytesKey(ws), 'calls'));
  for (let day = 1; day <= 3; day += 1) {
    const calls = await Promise.all(Array.from({ length: 10 }, accept));
    for (const call of calls) await endCall(redis, call, 'canceled', new Problem('canceled'), now);
    // A day later, with a worker that comes half an hour late.
    const late = KEPT_MS + 30 * 60_000;
    await pass(late, calls);
    await cleanCalls(redis, ws, now + late, { keptMax: 100, bytesMax: 10_000 * KB, runMs: 1_000 });
    expect(Number(await redis.hget(bytesKey(ws), 'calls'))).toBe(ofOne);
  }
});

/** Brings the records of calls and their ledgers so much nearer to their expiry. */
async function pass(ms: number, calls: AsyncCall[]): Promise<void> {
  for (const { id } of calls) {
    for (const key of [stateKey(ws, callName(id)), ledgerKey(ws, id)])
      await redis.pexpire(key, (await redis.pttl(key)) - ms);
  }
}

describe('replies for an Idempotency-Key', () => {
  const request = { workspaceId: ws, accountId: 'acc_1', key: 'k', method: 'm', params: {} };
  let attempts = 0;

  async function claim(params: object = {}, key = request.key) {
    attempts += 1;
    const callId = `call_${attempts}`;
    return claimIdempotencyKey(redis, {
      ...request,
      key,
      params,
      callId,
      processName: 'test',
      notAfter: Date.now() + 10_000,
    });
  }

  async function reply(bytes: number, of: ResultKind, write = of !== 'read') {
    const claimed = await claim();
    if ('replay' in claimed) throw new Error('replayed');
    const tx = new Transaction(redis, ws);
    if (write) tx.hset('things', 'a', 'b');
    const ledgerExpiresAt = Date.now() + 24 * 3_600_000;
    const ledger = ledgerKey(ws, claimed.ledger);
    const entry = anEntry({ ledger, field: 'reply', claim: claimed.claim, ledgerExpiresAt });
    const outcome = await commit(redis, entry, tx, { result: `"${'r'.repeat(bytes)}"`, of }, '');
    return { entry, outcome, ledger };
  }

  it('of reads are kept while they are small; the repeat of another runs again, with the same payload only', async () => {
    const { outcome } = await reply(100, 'read');
    expect(await claim()).toEqual({ replay: 'frame' in outcome ? outcome.frame : '' });
    await empty();
    const { stream } = redis;
    const { bytesWritten, bytesRead } = stream;
    const large = await reply(100 * KB, 'read');
    if (large.outcome.kind !== 'committed') throw new Error(large.outcome.kind);
    const { frame, txid } = large.outcome;
    expect(frame).toBe(`200 -\n{"result":"${'r'.repeat(100 * KB)}","txid":${txid}}`);
    // Nor does it travel to Redis and back.
    expect(stream.bytesWritten - bytesWritten + stream.bytesRead - bytesRead).toBeLessThan(40 * KB);
    expect(await redis.memory('USAGE', large.ledger)).toBeLessThan(500);
    expect(await settleCall(redis, large.entry)).toBeNull();
    // A job that runs twice answers twice.
    const again = await commit(
      redis,
      large.entry,
      new Transaction(redis, ws),
      { result: '1', of: 'read' },
      '',
    );
    expect(again.kind).toBe('committed');
    await expect(claim({ other: 1 })).rejects.toThrow('another payload');
    expect(await claim()).toHaveProperty('claim');
  });

  it('of writes are kept up to 64 KiB; the repeat of another says that it took effect', async () => {
    const { outcome } = await reply(200 * KB, 'result');
    if (outcome.kind !== 'committed') throw new Error(outcome.kind);
    expect(outcome.frame.length).toBeGreaterThan(200 * KB);
    const { replay } = (await claim()) as { replay: string };
    expect(replay.slice(0, 3)).toBe('410');
    expect(JSON.parse(replay.slice(replay.indexOf('\n') + 1))).toMatchObject({
      code: 'reply_not_kept',
      txid: Number(outcome.txid),
    });
  });

  it('count until they lapse, which makes room for the next call', async () => {
    await reply(10 * KB, 'result');
    const [name] = await redis.hkeys(bytesKey(ws));
    expect(Number(name)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect(await used()).toBeGreaterThan(10 * KB);
    setBytesMax(redis, 10 * KB);
    await expect(refuseIfFull(redis, ws)).rejects.toThrow('Delete something');
    // The one that there is can be asked for still.
    expect(await claim()).toHaveProperty('replay');
    await redis.hset(bytesKey(ws), '1', 10 * KB);
    await redis.hdel(bytesKey(ws), name as string);
    await eventually(async () => {
      await claim({}, newId('call'));
      return (await used()) < KB;
    });
  });

  describe('of a full workspace', () => {
    const noChange = () => undefined;

    /** Claims a key: the entry of the attempt. */
    async function claimed(key: string): Promise<LedgerEntry> {
      const found = await claim({}, key);
      if ('replay' in found) throw new Error('replayed');
      const ledgerExpiresAt = Date.now() + 24 * 3_600_000;
      return anEntry({
        ...{ ledger: ledgerKey(ws, found.ledger), field: 'reply' },
        ...{ claim: found.claim, ledgerExpiresAt },
      });
    }

    /** Claims a key, and commits what `write` says under the claim: in two jobs at once, and in one more. */
    async function attempt(
      key: string,
      write: (tx: Transaction) => void,
      reply: Recordable,
      txid = '1',
    ): Promise<CommitOutcome[]> {
      const entry = await claimed(key);
      const run = () => {
        const tx = new Transaction(redis, ws);
        write(tx);
        return commit(redis, entry, tx, reply, txid);
      };
      try {
        return [...(await Promise.all([run(), run()])), await run()];
      } catch (error) {
        await settleCall(redis, entry);
        throw error;
      }
    }

    const ledgers = () => redis.keys(`sb:{${ws}}:ledger:*`);

    beforeEach(async () => {
      await change((tx) => {
        addMessages(tx, 100, 300);
        tx.hset('things', 'a', 'x');
      });
      await setByteBudget(redis, ws, 20 * KB);
      await redis.del(...(await ledgers()));
    });

    it('are not kept of what changes nothing, which may run again', async () => {
      const before = await used();
      const replies: Recordable[] = [
        { result: '"a"', of: 'read' },
        { result: `"${'a'.repeat(10 * KB)}"`, of: 'read' },
        { result: '"a"' },
        { frame: '400 -\n{"code":"WRONG"}' },
      ];
      for (let n = 0; n < 3; n += 1) {
        for (const [key, reply] of replies.entries()) {
          const [first, ...others] = await attempt(`k${key}`, noChange, reply);
          expect(first).toMatchObject({ kind: 'committed' });
          expect(others).toEqual([{ kind: 'void' }, { kind: 'void' }]);
        }
      }
      expect(await used()).toBe(before);
      expect(await ledgers()).toEqual([]);
    });

    it('are not kept of what changes nothing where the memory of Redis is full, whatever the budget', async () => {
      await setByteBudget(redis, ws, 0);
      const entry = await claimed('k');
      await redis.config('SET', 'maxmemory', '1');
      try {
        const { kind } = await commit(redis, entry, new Transaction(redis, ws), { result: '1' }, '1');
        expect(kind).toBe('committed');
      } finally {
        await redis.config('SET', 'maxmemory', '0');
      }
      expect(await ledgers()).toEqual([]);
    });

    it('are kept of what removes something, which takes effect once', async () => {
      const before = await used();
      const [first, ...others] = await attempt('k', (tx) => tx.hdel('messages', 1), { result: '1' });
      if (first?.kind !== 'committed') throw new Error(first?.kind);
      const recorded = { kind: 'recorded', frame: first.frame };
      expect(others).toEqual([recorded, recorded]);
      expect(await claim({}, 'k')).toHaveProperty('replay');
      expect(await used()).toBeLessThan(before);
    });

    it('are kept of a call that changed something before its own commit', async () => {
      for (const [key, reply] of [{ result: '1' }, { frame: '400 -\n{"code":"WRONG"}' }].entries()) {
        const [first] = await attempt(`k${key}`, noChange, reply, '');
        expect(await claim({}, `k${key}`)).toEqual({ replay: first && 'frame' in first && first.frame });
      }
    });

    it('count as added: they do not fill it beyond what removals may use', async () => {
      const full = { code: 'workspace_full' };
      const same = attempt('same', (tx) => tx.hset('things', 'a', 'y'), { result: '1' });
      await expect(same).rejects.toMatchObject(full);
      const most = Math.floor(20 * KB * 1.0625 + KB * KB);
      await redis.hset(headsKey(''), `${ws}:used`, most - 2 * KB);
      let passed = 0;
      const exchange = async () => {
        for (let [from, to] = ['a', 'b']; passed < 100; passed += 1) {
          const write = (tx: Transaction) => {
            tx.hdel('things', from as string);
            tx.hset('things', to as string, 'x');
          };
          await attempt(`exchange ${passed}`, write, { result: '1' });
          [from, to] = [to, from];
        }
      };
      await expect(exchange()).rejects.toMatchObject(full);
      expect(passed).toBeGreaterThan(2);
      expect(await used()).toBeLessThanOrEqual(most);
      await expect(
        attempt('large', (tx) => tx.hdel('messages', 1), { result: `"${'r'.repeat(10 * KB)}"` }),
      ).rejects.toMatchObject(full);
      // What is refused has no key.
      expect(await ledgers()).toHaveLength(passed);
      await attempt('read', noChange, { result: '1', of: 'read' });
      await attempt('large removal', (tx) => tx.del('messages', 'h'), { result: '1' });
      expect(await used()).toBeLessThan(most - 20 * KB);
    });
  });
});

it('is looked through once a second for what has lapsed, however often a full workspace is asked for more', async () => {
  await setByteBudget(redis, ws, 1_000);
  await redis.hset(headsKey(''), `${ws}:used`, 1_000_000);
  const hours = Array.from({ length: 780 }, (_, n) => [String(Date.now() + (n + 1) * 3_600_000), '1000']);
  await redis.hset(bytesKey(ws), ...hours.flat());
  const looks = async () =>
    Number(/cmdstat_hgetall:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
  const before = await looks();
  const startedAt = performance.now();
  for (let n = 0; n < 50; n += 1)
    await expect(refuseIfFull(redis, ws)).rejects.toMatchObject({ code: 'workspace_full' });
  const seconds = (performance.now() - startedAt) / 1_000;
  expect((await looks()) - before).toBeLessThanOrEqual(2 + seconds);
  // What lapses makes room then.
  await redis.hset(bytesKey(ws), String(Date.now() - 1), 999_500);
  await untilRoom();
  expect(await used()).toBe(500);
});
