import { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import type { LedgerEntry } from '../../../src/ledger/entry.ts';
import { ledgerKey } from '../../../src/redis/keys.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { startTestRedis, type TestRedis } from './redis.ts';

/** The workspace that tests of commits write to. */
export const ws = 'ws_01h455vb4pex5vsknk084sn02q';

export let redis: Redis;
export let server: TestRedis;
let calls = 0;

/** Opens a Redis of their own for the tests of a file. */
export function useRedis(): void {
  beforeAll(async () => {
    server = await startTestRedis();
    redis = new Redis(server.url);
  });

  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
}

/** The ledger entry of a new call. */
export function anEntry(change: Partial<LedgerEntry> = {}): LedgerEntry {
  calls += 1;
  const notAfter = Date.now() + 10_000;
  return {
    workspaceId: ws,
    ledger: ledgerKey(ws, 'batch'),
    field: `call_${calls}`,
    claim: '',
    notAfter,
    ledgerExpiresAt: notAfter + 5_000,
    ...change,
  };
}

/** A transaction that sets one field of the hash `things`. */
export function aWrite(field: string, value: unknown): Transaction {
  const tx = new Transaction(redis, ws);
  tx.hset('things', field, value);
  return tx;
}
