import { beforeEach, describe, expect, it, vi } from 'vitest';
import { claimIdempotencyKey, releaseClaim, releaseDeadClaim } from '../../../src/ledger/claim.ts';
import { encodeClaim } from '../../../src/ledger/codec.ts';
import { giveUpClaim, settleCall } from '../../../src/ledger/settle.ts';
import { aliveKey, ledgerKey } from '../../../src/redis/keys.ts';
import { commit } from '../../../src/state/commit.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { anEntry, aWrite, redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

const LEDGER = ledgerKey(ws, 'key-1');
const CLAIM = encodeClaim({ callId: 'call_1', processName: 'boot' }, 'hash');

beforeEach(() => redis.del(LEDGER));

const keyed = (claim = CLAIM) =>
  anEntry({ ledger: LEDGER, field: 'reply', claim, ledgerExpiresAt: Date.now() + 60_000 });
const held = () => redis.hget(LEDGER, 'reply');

describe('settling', () => {
  it('makes a call void of which nothing is recorded, for as long as its ledger stays, again and again', async () => {
    const entry = anEntry({ ledger: LEDGER });
    expect([await settleCall(redis, entry), await settleCall(redis, entry)]).toEqual([null, null]);
    expect(await redis.hgetall(LEDGER)).toEqual({ [entry.field]: 'void' });
    expect(await redis.pexpiretime(LEDGER)).toBe(entry.ledgerExpiresAt);
  });

  it('gives up the claim of an attempt with a key, which never takes effect then', async () => {
    await redis.hset(LEDGER, 'reply', CLAIM);
    const entry = keyed();
    expect(await settleCall(redis, entry)).toBeNull();
    expect(await held()).toBeNull();
    expect(await commit(redis, entry, aWrite('given-up', 1), { result: '{}' }, '')).toEqual({ kind: 'void' });
  });

  it('leaves the claim of another attempt alone', async () => {
    const other = encodeClaim({ callId: 'call_2', processName: 'boot' }, 'hash');
    await redis.hset(LEDGER, 'reply', other);
    expect(await settleCall(redis, keyed())).toBeNull();
    await giveUpClaim(redis, LEDGER, CLAIM);
    expect(await held()).toBe(other);
    await giveUpClaim(redis, LEDGER, other);
    expect(await held()).toBeNull();
  });

  it('gives the reply of a key that is done, whoever has made it, and none that was not kept', async () => {
    await redis.hset(LEDGER, 'reply', 'done:hash\n200 -\n{"a":"\\n"}\n');
    expect(await settleCall(redis, keyed())).toBe('200 -\n{"a":"\\n"}\n');
    await redis.hset(LEDGER, 'reply', 'done:hash\n');
    expect(await settleCall(redis, keyed())).toBeNull();
    expect(await held()).toBe('done:hash\n');
  });

  it('gives no reply to another payload, which the key was used with after the claim had expired', async () => {
    await redis.hset(LEDGER, 'reply', 'done:other\n200 -\n{}');
    expect(await settleCall(redis, keyed())).toBeNull();
    expect(await held()).toBe('done:other\n200 -\n{}');
  });
});

describe('a claim', () => {
  const claim = (more: Partial<Parameters<typeof claimIdempotencyKey>[1]> = {}) =>
    claimIdempotencyKey(redis, {
      ...{ workspaceId: ws, accountId: 'acc_1', key: 'k', method: 'm', params: {} },
      ...{ callId: 'call_1', processName: 'boot', notAfter: Date.now() + 60_000 },
      ...more,
    });
  const refusalOf = async (asked: Promise<unknown>) => asked.then(String, (problem) => problem);

  beforeEach(async () => {
    await redis.flushall();
    await redis.set(aliveKey('boot'), '');
  });

  it('ends with the time of its call', async () => {
    const notAfter = Date.now() + 60_000;
    const claimed = await claim({ notAfter: notAfter + 0.7 });
    if ('replay' in claimed) throw new Error('it was used before');
    expect(await redis.pexpiretime(ledgerKey(ws, claimed.ledger))).toBe(notAfter);
    expect(claimed.claim).toMatch(/^pending:call_1@boot /);
    expect(claimed.ledger).toBe(`key-${claimed.seed}`);
  });

  it('of a process that lives is not taken from it, and who comes again is told when', async () => {
    await claim();
    expect(await refusalOf(claim({ callId: 'call_2' }))).toMatchObject({
      code: 'call_in_flight',
      options: { headers: { 'retry-after': '1' } },
    });
  });

  it('is given up by one that knows it, and is not where it names no process', async () => {
    const claimed = await claim();
    if ('replay' in claimed) throw new Error('it was used before');
    expect(await releaseDeadClaim(redis, ws, claimed.ledger, claimed.claim)).toBe(false);
    await redis.del(aliveKey('boot'));
    expect(await releaseDeadClaim(redis, ws, claimed.ledger, 'pending:call_1 hash')).toBe(false);
    expect(await redis.hget(ledgerKey(ws, claimed.ledger), 'reply')).toBe(claimed.claim);
    expect(await releaseDeadClaim(redis, ws, claimed.ledger, claimed.claim)).toBe(true);
    expect(await redis.exists(ledgerKey(ws, claimed.ledger))).toBe(0);
  });

  it('is claimed anew with the same payload where the reply was not kept', async () => {
    const claimed = await claim();
    if ('replay' in claimed) throw new Error('it was used before');
    const payload = claimed.claim.slice(claimed.claim.indexOf(' ') + 1);
    await redis.hset(ledgerKey(ws, claimed.ledger), 'reply', `done:${payload}\n`);
    expect(await refusalOf(claim({ method: 'other' }))).toMatchObject({ code: 'idempotency_key_reused' });
    expect(await claim({ callId: 'call_3' })).toMatchObject({ claim: `pending:call_3@boot ${payload}` });
  });

  it('that cannot be given up now is tried again every second, fifteen times', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let asked = 0;
    const away = {
      evalsha: async () => {
        asked += 1;
        throw new Error('away');
      },
    } as unknown as typeof redis;
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    try {
      await releaseClaim(away, ws, { ledger: 'key-1', claim: CLAIM });
      expect(asked).toBe(1);
      vi.advanceTimersByTime(999);
      await settled();
      expect(asked).toBe(1);
      for (let second = 0; second < 30; second += 1) {
        vi.advanceTimersByTime(1_000);
        await settled();
      }
      expect(asked).toBe(15);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('an entry', () => {
  it('is done with the payload of its claim, and stays as long as it is to be kept', async () => {
    await redis.hset(LEDGER, 'reply', CLAIM);
    const entry = keyed();
    const outcome = await commit(redis, entry, aWrite('kept', 1), { result: '{}' }, '');
    if (outcome.kind !== 'committed') throw new Error(outcome.kind);
    expect(await held()).toBe(`done:hash\n${outcome.frame}`);
    expect(await redis.pexpiretime(LEDGER)).toBe(entry.ledgerExpiresAt);
  });

  it('records a failure as it is, with nothing done', async () => {
    const entry = anEntry({ ledger: LEDGER });
    const frame = '400 -\n{"code":"x"}';
    const outcome = await commit(redis, entry, new Transaction(redis, ws), { frame }, '77');
    expect(outcome).toEqual({ kind: 'committed', frame, txid: '77' });
    expect(await redis.hget(LEDGER, entry.field)).toBe(frame);
  });
});
